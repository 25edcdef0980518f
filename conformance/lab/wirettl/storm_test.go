package wirettl

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.etcd.io/bbolt"
	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/ttlpolicy/ttlpolicy/cmd/loopback"
	"github.com/ttlpolicy/ttlpolicy/conformance/examples/boltttl"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

var stormKills = flag.Int("storm.kills", 10, "how often TestStorm kills the server")

// stormFile names the file for the server to be killed.
const stormFile = "WIRETTL_STORM_FILE"

// stormNow is the time of the server's clock, which stands still.
var stormNow = time.UnixMilli(1_000_000)

// TestStorm kills a server that clients write to and read from, and whose monitor sweeps
// all the time, and starts it again. No document with an acknowledged insertion is lost
// before it expires, and no expired document comes back after it was gone.
func TestStorm(t *testing.T) {
	if file := os.Getenv(stormFile); file != "" {
		serveStorm(file)
		return
	}
	path := filepath.Join(t.TempDir(), "store")
	c := stormClients{alive: map[int64]bool{}, gone: map[int64]bool{}, due: map[int64]bool{}}
	for kill := range *stormKills {
		c.rage(t, path, kill)
	}
	if c.inserted.Load() < int64(*stormKills) || *stormKills >= 10 && c.seenGone < *stormKills/2 {
		t.Errorf("%d kills: %d insertions were acknowledged, %d documents seen gone; want more", *stormKills, c.inserted.Load(), c.seenGone)
	}
	t.Logf("%d kills, %d insertions acknowledged, %d expired documents seen gone", *stormKills, c.inserted.Load(), c.seenGone)
}

// serveStorm serves a store until it is killed, and prints its address.
func serveStorm(file string) {
	db, err := bbolt.Open(file, 0o600, hasty)
	if err == nil {
		var store *boltttl.Store
		if store, err = boltttl.Open(db, mongo.Latest()); err == nil {
			var l net.Listener
			if l, err = net.Listen("tcp", "127.0.0.1:0"); err == nil {
				fmt.Printf("listening %s .\n", l.Addr())
				err = Serve(context.Background(), l, store, Options{SleepSecs: 1, Second: time.Millisecond, Clock: func() time.Time { return stormNow }})
			}
		}
	}
	fmt.Fprintln(os.Stderr, "the server of a storm:", err)
	os.Exit(1)
}

// stormClients holds what the clients of all started servers know about the documents.
type stormClients struct {
	mu       sync.Mutex
	next     int64
	alive    map[int64]bool // documents with an acknowledged insertion and a date that is not reached
	due      map[int64]bool // documents whose date was reached when they were inserted
	gone     map[int64]bool // documents in due that a client no longer found
	inserted atomic.Int64
	seenGone int
}

// rage starts the server, checks its documents, has clients write and read, and kills the
// server after a number of their calls.
func (c *stormClients) rage(t *testing.T, path string, kill int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestStorm$")
	cmd.Env = append(os.Environ(), stormFile+"="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	defer cmd.Wait() // returns the error that it was killed
	defer cmd.Process.Kill()
	address := ""
	for in := bufio.NewScanner(out); address == "" && in.Scan(); {
		fmt.Sscanf(in.Text(), "listening %s .", &address)
	}
	if address == "" {
		t.Fatal("the server does not say where it listens")
	}
	client, err := driver.Connect(options.Client().ApplyURI("mongodb://" + address + "/?directConnection=true").
		SetDialer(loopback.Dialer()).SetServerSelectionTimeout(20 * time.Second).SetRetryReads(false).SetRetryWrites(false))
	must(t, err)
	defer client.Disconnect(context.Background())
	db := client.Database("shop")
	if kill == 0 {
		run(t, db, `{"create":"c"}`)
		run(t, db, `{"createIndexes":"c","indexes":[{"key":{"t":1},"name":"t_1","expireAfterSeconds":0}]}`)
	}
	c.check(t, db, kill)
	if kill%10 == 9 {
		c.settle(t, db)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var calls atomic.Int64
	last := int64(rand.IntN(60))
	var running sync.WaitGroup
	for _, do := range []func(context.Context, *driver.Collection) error{c.insert, c.insert, c.find} {
		running.Go(func() {
			for ctx.Err() == nil && do(ctx, db.Collection("c")) == nil {
				if calls.Add(1) == last+1 {
					cmd.Process.Kill()
					cancel() // nobody waits for a server that is gone
				}
			}
		})
	}
	running.Wait()
	if calls.Load() <= last {
		t.Fatalf("the clients ended after %d calls of %d", calls.Load(), last)
	}
}

// insert inserts a document.
func (c *stormClients) insert(ctx context.Context, docs *driver.Collection) error {
	c.mu.Lock()
	id := c.next
	c.next++
	c.mu.Unlock()
	date := stormNow.Add(time.Duration(rand.IntN(5)-2) * time.Millisecond)
	_, err := docs.InsertOne(ctx, bson.D{{Key: "_id", Value: id}, {Key: "t", Value: date}})
	c.mu.Lock()
	defer c.mu.Unlock()
	if !date.After(stormNow) {
		c.due[id] = true
	} else if err == nil {
		c.alive[id] = true
	}
	if err == nil {
		c.inserted.Add(1)
	}
	return err
}

// find looks for a document that has expired, which may be there or not.
func (c *stormClients) find(ctx context.Context, docs *driver.Collection) error {
	c.mu.Lock()
	id, wasGone := int64(-1), false
	for id = range c.due {
		wasGone = c.gone[id]
		break // any document will do
	}
	c.mu.Unlock()
	err := docs.FindOne(ctx, bson.D{{Key: "_id", Value: id}}).Err()
	isGone := errors.Is(err, driver.ErrNoDocuments)
	if isGone && id >= 0 {
		c.mu.Lock()
		c.gone[id] = true
		c.mu.Unlock()
	}
	if err == nil && wasGone {
		return fmt.Errorf("document %d is back", id) // check names it
	}
	if isGone {
		return nil
	}
	return err
}

// stored returns the _ids of all documents.
func stored(t *testing.T, db *driver.Database) map[int64]bool {
	t.Helper()
	found := map[int64]bool{}
	for _, id := range ids(t, db.Collection("c"), `{}`) {
		found[id.(int64)] = true
	}
	return found
}

// check reports the documents that are lost, and the expired documents that are back after a
// client found them gone.
func (c *stormClients) check(t *testing.T, db *driver.Database, kill int) {
	t.Helper()
	found := stored(t, db)
	for id := range c.alive {
		if !found[id] {
			t.Errorf("after kill %d document %d is lost, which is not expired", kill, id)
		}
	}
	for id := range c.gone {
		if found[id] {
			t.Errorf("after kill %d document %d is back, which was expired and gone", kill, id)
		}
	}
}

// settle waits for a whole pass and checks that no expired document is left. Then it
// removes the documents that the clients know, so that the collection stays small.
func (c *stormClients) settle(t *testing.T, db *driver.Database) {
	t.Helper()
	passed(t, db)
	found := stored(t, db)
	for id := range c.due {
		if found[id] {
			t.Errorf("document %d is expired, and there after a pass", id)
		}
		c.seenGone++
	}
	clear(c.due)
	clear(c.gone)
	var all []string
	for id := range c.alive {
		all = append(all, fmt.Sprintf(`{"$numberLong":"%d"}`, id))
	}
	clear(c.alive)
	if len(all) > 0 {
		run(t, db, `{"delete":"c","deletes":[{"q":{"_id":{"$in":[`+strings.Join(all, ",")+`]}},"limit":0}]}`)
	}
}
