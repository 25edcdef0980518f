package boltttl

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var stormKills = flag.Int("storm.kills", 10, "how often TestStorm kills the process that uses the store")

// These variables hold the file and the number of the first document for the process that
// the test kills.
const (
	stormFile  = "BOLTTTL_STORM_FILE"
	stormFirst = "BOLTTTL_STORM_FIRST"
)

// stormNow is the time of all sweeps of a storm: dates up to it have expired.
const stormNow = policy.Instant(1_000_000)

// A told is a line that the process has written before it is killed. "begin 17 999999"
// says that the process is about to store document 17 with this date, "done" that the
// store has answered, "swept" that the document was deleted, "wrong" that a reader found
// a violation.
type told struct {
	verb string
	id   int64
	date policy.Instant
}

// TestStorm repeatedly kills a process that writes, reads and sweeps, and opens the file
// that it left. No unexpired document is lost, and no document that was reported deleted
// is stored.
func TestStorm(t *testing.T) {
	if file := os.Getenv(stormFile); file != "" {
		rage(file)
		return
	}
	path := filepath.Join(t.TempDir(), "store")
	aftermath := stormModel{documents: map[int64]*fate{}}
	for kill := range *stormKills {
		aftermath.rage(t, path, kill)
		aftermath.check(t, path, kill)
	}
	if *stormKills >= 10 && (aftermath.stored < *stormKills || aftermath.swept < *stormKills) {
		t.Errorf("%d kills: %d writes were acknowledged, %d documents were swept; want more", *stormKills, aftermath.stored, aftermath.swept)
	}
	t.Logf("%d kills, %d writes acknowledged, %d documents swept", *stormKills, aftermath.stored, aftermath.swept)
}

// A fate is the known state of a document.
type fate struct {
	date    policy.Instant // the last acknowledged date
	stored  bool           // a write of the document was acknowledged
	pending bool           // a write has begun that got no answer
	swept   bool
}

// A stormModel is the state of the store according to the lines of all processes.
type stormModel struct {
	documents     map[int64]*fate
	next          int64
	stored, swept int
}

// rage runs the process until it has written a number of lines, and kills it.
func (m *stormModel) rage(t *testing.T, path string, kill int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestStorm$")
	cmd.Env = append(os.Environ(), stormFile+"="+path, fmt.Sprintf("%s=%d", stormFirst, m.next))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	lines, last := 0, rand.IntN(200)
	if kill%20 == 7 {
		last = 0 // while it opens the store
	}
	for in := bufio.NewScanner(out); ; lines++ {
		if lines == last {
			must(t, cmd.Process.Kill())
		}
		if !in.Scan() {
			break
		}
		m.hear(t, in.Text())
	}
	if lines < last {
		t.Fatalf("the process ended by itself after %d lines", lines)
	}
	cmd.Wait() // returns the error that it was killed
}

// hear records a line of the process. The last line may be cut off.
func (m *stormModel) hear(t *testing.T, line string) {
	t.Helper()
	var l told
	if n, _ := fmt.Sscanf(line, "%s %d %d .", &l.verb, &l.id, &l.date); n != 3 || !strings.HasSuffix(line, " .") {
		return
	}
	m.next = max(m.next, l.id+1)
	f := m.documents[l.id]
	if f == nil {
		f = &fate{}
		m.documents[l.id] = f
	}
	switch l.verb {
	case "begin":
		f.pending = true
	case "done":
		f.date, f.stored, f.pending = l.date, true, false
		m.stored++
	case "swept":
		f.swept = true
		m.swept++
	case "wrong":
		t.Errorf("a reader of the process: document %d with the date %d", l.id, l.date)
	}
}

// check opens the store as the process left it, and compares it with the known states of
// the documents.
func (m *stormModel) check(t *testing.T, path string, kill int) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, hasty)
	must(t, err)
	defer db.Close()
	s, err := Open(db, mongo.Latest())
	must(t, err)
	for id, f := range m.documents {
		doc, err := s.Get("c", policy.Int64Value(id))
		isThere := err == nil
		switch {
		case err != nil && !errors.Is(err, ErrNoDocument) && !errors.Is(err, ErrNoCollection):
			t.Fatal(err)
		case f.stored && !f.pending && f.date > stormNow && !isThere:
			t.Errorf("after kill %d document %d is lost, whose date %d is not reached", kill, id, f.date)
		case f.swept && isThere:
			t.Errorf("after kill %d document %d is there, which was reported deleted", kill, id)
		}
		if f.swept || !isThere {
			delete(m.documents, id) // no process uses it again
		}
		if f.pending && isThere { // the unanswered write may be stored or not
			stored, err := policy.ParseBSON(doc)
			must(t, err)
			f.date, _ = stored.Field("t").AsDate()
			f.stored, f.pending = true, false
		}
	}
	checkEntries(t, s)
	if kill%10 == 9 {
		m.settle(t, s)
	}
}

// settle sweeps, and checks that only unexpired documents are left. It deletes these, so that
// the store and the model begin again with nothing.
func (m *stormModel) settle(t *testing.T, s *Store) {
	t.Helper()
	runSweep(t, s, stormNow)
	for id, f := range m.documents {
		j, err := s.Judge("c", policy.Int64Value(id), stormNow)
		switch {
		case err == nil && j.State == policy.Expired:
			t.Errorf("document %d is expired, and there after a sweep", id)
		case err == nil:
			must(t, s.Delete("c", policy.Int64Value(id))) // so that the store stays small
		case f.stored && f.date > stormNow:
			t.Errorf("document %d is lost by a sweep", id)
		}
		delete(m.documents, id)
	}
}

// rage uses a store, with two writers, two readers and a sweeper at once, until the test
// kills the process.
func rage(file string) {
	db, err := bbolt.Open(file, 0o600, hasty)
	if err == nil {
		var s *Store
		if s, err = Open(db, mongo.Latest()); err == nil {
			err = newRager(s).rage()
		}
	}
	fmt.Fprintln(os.Stderr, "the process of a storm:", err)
	os.Exit(1)
}

// A rager is the state that the goroutines of the process share.
type rager struct {
	store *Store
	mu    sync.Mutex
	next  int64
	alive []int64 // documents whose dates are not reached, and that no write is changing
	swept map[int64]bool
}

func newRager(s *Store) *rager {
	r := &rager{store: s, swept: map[int64]bool{}}
	fmt.Sscan(os.Getenv(stormFirst), &r.next)
	return r
}

func (r *rager) rage() error {
	if err := r.store.Create("c", nil, 0); err != nil && !errors.Is(err, ErrCollectionExists) {
		return err
	}
	if _, err := createIndex(r.store, "c", asDriver(`{"key":{"t":1},"expireAfterSeconds":0}`), 0); err != nil {
		return err
	}
	failed := make(chan error)
	for _, do := range []func() error{r.write, r.write, r.read, r.read, r.sweep} {
		go func() { failed <- do() }()
	}
	return <-failed
}

func tell(verb string, id int64, date policy.Instant) {
	fmt.Fprintf(os.Stdout, "%s %d %d .\n", verb, id, date) // one call of write
}

// write stores documents, and gives some of them other dates.
func (r *rager) write() error {
	for {
		r.mu.Lock()
		id := r.next
		r.next++
		r.mu.Unlock()
		date := stormNow + policy.Instant(rand.IntN(5)-2)
		if err := r.put(id, date, (*Store).Insert); err != nil {
			return err
		}
		if rand.IntN(3) > 0 {
			if date > stormNow {
				r.keep(id)
			}
			continue
		}
		date = stormNow + policy.Instant(rand.IntN(5)-2)
		err := r.put(id, date, (*Store).Replace)
		switch {
		case err == nil && date > stormNow:
			r.keep(id)
		case err != nil && !errors.Is(err, ErrNoDocument): // a sweep has deleted the document
			return err
		}
	}
}

func (r *rager) keep(id int64) {
	r.mu.Lock()
	r.alive = append(r.alive, id)
	r.mu.Unlock()
}

func (r *rager) put(id int64, date policy.Instant, by func(*Store, string, []byte) error) error {
	tell("begin", id, date)
	doc, err := policy.AppendBSON(nil, policy.ObjectValue(policy.D{{Key: "_id", Value: policy.Int64Value(id)}, {Key: "t", Value: policy.DateValue(date)}}))
	if err == nil {
		err = by(r.store, "c", doc)
	}
	if err == nil {
		tell("done", id, date)
	}
	return err
}

// read reads live documents and deleted ones.
func (r *rager) read() error {
	for {
		r.mu.Lock()
		id := rand.Int64N(r.next + 1)
		isAlive := len(r.alive) > 0 && rand.IntN(2) == 0
		if isAlive {
			id = r.alive[rand.IntN(len(r.alive))]
		}
		wasSwept := r.swept[id]
		r.mu.Unlock()
		switch _, err := r.store.Get("c", policy.Int64Value(id)); {
		case err == nil && wasSwept, errors.Is(err, ErrNoDocument) && isAlive:
			tell("wrong", id, 0)
		case err != nil && !errors.Is(err, ErrNoDocument):
			return err
		}
	}
}

func (r *rager) sweep() error {
	s := r.store.Sweeper(func(j Judgement) {
		id, _ := j.ID.AsInt64()
		r.mu.Lock()
		r.swept[id] = true
		r.mu.Unlock()
		tell("swept", id, fixture.Deadline(j.Decision))
	})
	s.Limit = 3
	for {
		if _, err := s.Sweep(context.Background(), stormNow); err != nil {
			return err
		}
	}
}
