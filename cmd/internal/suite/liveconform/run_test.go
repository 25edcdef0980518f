package liveconform

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/suite/differ"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// The server of the tests is the example server of this repository. It belongs to another
// module, so that the tool's module does not need the dependencies of the example.
const server = "github.com/ttlpolicy/ttlpolicy/conformance/lab/wirettl/server"

var built struct {
	sync.Once
	path string
	err  error
}

func TestMain(m *testing.M) {
	live.OnlyLoopback()
	flag.Parse()
	flag.Set("test.parallel", "8") // tests compute little while they wait for sweeps
	code := m.Run()
	if built.path != "" {
		os.RemoveAll(filepath.Dir(built.path))
	}
	os.Exit(code)
}

// serve starts the example server, whose monitor pauses 250 milliseconds for each second
// of its set pause, and returns a client that may send the commands of a run.
func serve(t *testing.T, args ...string) *live.Client {
	t.Helper()
	built.Do(func() {
		dir, err := os.MkdirTemp("", "liveconform")
		if err == nil {
			built.path = filepath.Join(dir, "wirettl.exe")
			var said []byte
			said, err = exec.Command("go", "build", "-o", built.path, server).CombinedOutput()
			err = wrap(err, string(said))
		}
		built.err = err
	})
	if built.err != nil {
		t.Skipf("the example cannot be built here: %v", built.err)
	}
	cmd := exec.Command(built.path, append([]string{"--listen", "127.0.0.1:0", "--second", "250ms"}, args...)...)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	uri, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return dial(t, strings.TrimSpace(uri))
}

func wrap(err error, said string) error {
	if err == nil {
		return nil
	}
	return errors.New(err.Error() + ": " + said)
}

func dial(t *testing.T, uri string) *live.Client {
	t.Helper()
	address, err := live.ParseAddress(uri)
	if err != nil {
		t.Fatal(err)
	}
	client, err := live.Dial(t.Context(), address, Commands)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// start claims a database for a run.
func start(t *testing.T, ctx context.Context, client *live.Client, o Options) *System {
	t.Helper()
	s, err := Start(ctx, client, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// judged runs the vectors that keep selects, checks that the run removes its database and
// restores the pause, and returns the report.
func judged(t *testing.T, client *live.Client, keep func(*suite.Vector) bool) *suite.Report {
	t.Helper()
	before, err := client.Server(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	o := Options{SweepTimeout: 30 * time.Second}
	if product, _, isOther := strings.Cut(before.Version, "@"); isOther && product == conformance.DocumentDB {
		if o.Release, err = mongo.ParseVersion(before.Version); err != nil {
			t.Fatal(err)
		}
	}
	s := start(t, t.Context(), client, o)
	r, err := suite.Run(suite.Embedded().Only(keep), s)
	if err := errors.Join(err, s.Err(), s.Close()); err != nil {
		t.Fatal(err)
	}
	left, err := s.collections(t.Context())
	after, serverErr := client.Server(t.Context())
	if err != nil || serverErr != nil || len(left) > 0 || after.MonitorSeconds != before.MonitorSeconds {
		t.Errorf("the run leaves %v and a pause of %d seconds, not %d: %v %v", left, after.MonitorSeconds, before.MonitorSeconds, err, serverErr)
	}
	return r
}

// one returns a filter that keeps about one of n vectors.
func one(n uint32) func(*suite.Vector) bool {
	return func(v *suite.Vector) bool {
		h := fnv.New32a()
		h.Write([]byte(v.ID))
		return h.Sum32()%n == 0
	}
}

// TestRightServer: a server that behaves as the library says fails no check and can be
// asked most questions, as an old release, as a new one and as DocumentDB.
func TestRightServer(t *testing.T) {
	t.Parallel()
	for _, release := range []string{"8.0.4", "4.4.29", "documentdb@0.112.0"} {
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			share := uint32(20)
			switch {
			case strings.HasPrefix(release, "documentdb"):
				share = 3
			case testing.Short():
				share = 40
			}
			r := judged(t, serve(t, "--server", release), one(share))
			for _, f := range r.Findings() {
				t.Error(r.Suite.Explain(f))
			}
			count := r.Count()
			if asked := len(r.Checks) - count[suite.Inapplicable]; 4*count[suite.Pass] < 3*asked {
				t.Errorf("%d of %d checks pass: %v", count[suite.Pass], asked, count)
			}
		})
	}
}

// TestHistories: every history is played, except for those with a restart.
func TestHistories(t *testing.T) {
	t.Parallel()
	for _, release := range []string{fixture.Latest, "3.2.22"} {
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			r := judged(t, serve(t, "--server", release), func(v *suite.Vector) bool { return v.Op == historyOp })
			for _, c := range r.Checks {
				want, detail := suite.Pass, ""
				if len(c.Vector.Unspecified) > 0 && c.Outcome == suite.Observed {
					continue
				}
				if strings.Contains(c.Vector.ID, "restart") {
					want, detail = suite.Unaskable, "a run does not restart the server"
				}
				if c.Outcome != want || c.Detail != detail {
					t.Errorf("%s is %s, %q, want %s, %q", c.Vector.ID, c.Outcome, c.Detail, want, detail)
				}
			}
			if len(r.Checks) < 20 {
				t.Errorf("%d checks", len(r.Checks))
			}
		})
	}
}

// TestRefused: if a server refuses a definition, a check that needs the definition ends
// with the refusal, its code and the reason, and the run goes on.
func TestRefused(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"mongodb-path-ambiguous":           "the server refuses the document (16746)",
		"mongodb-path-ambiguous-elsewhere": "the server refuses the document (16746)",
		"mongodb-index-compound":           "left by an older release: this one refuses to make it: createIndexes, CannotCreateIndex (67)",
		"mongodb-create-capped-arguments":  "", // sent with the question's maxTimeMS, and no other
		"mongodb-path-not-ambiguous":       "",
	}
	r := judged(t, serve(t, "--server", "4.2.0"), func(v *suite.Vector) bool { _, ok := want[v.ID]; return ok })
	for _, c := range r.Checks {
		outcome := suite.Pass
		if want[c.Vector.ID] != "" {
			outcome = suite.Unaskable
		}
		if c.Outcome != outcome || c.Detail != want[c.Vector.ID] {
			t.Errorf("%s is %s, %q, want %s, %q", c.Vector.ID, c.Outcome, c.Detail, outcome, want[c.Vector.ID])
		}
	}
	if len(r.Checks) != len(want) {
		t.Errorf("%d checks, want %d", len(r.Checks), len(want))
	}
}

// TestBrokenServers: the run detects the mistake of each server.
func TestBrokenServers(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a sweep for each server")
	}
	t.Parallel()
	for _, tt := range []struct {
		mistake, rule, op string
		isSlow            bool // its sweeps of a scale are slow, so near vectors are skipped
	}{
		{"array-latest", "mongo.array-earliest", "mongodb.decide", true},
		{"filter-ignored", "mongo.filter-mismatch", "mongodb.decide", true},
		{"string-is-a-date", "mongo.field-not-date", "mongodb.decide", false},
		{"sweep-early", "mongo.date", "mongodb.decide", false},
		{"clustered-ignored", "mongo.clustered", "mongodb.decide", false},
		{"timeseries-span-ignored", "mongo.timeseries-bucket", "mongodb.decide", false},
		{"collmod-wraps", "mongo.collmod-conversion", "mongodb.collMod", false},
		{"createindexes-forgetful", "mongo.createindexes-conflict", "mongodb.createIndexes", false},
		{"create-any-granularity", "mongo.command-value", "mongodb.create", false},
		{"history-compiled-once", "mongo.no-ttl", "mongodb.history", false},
		{"history-collmod-ignored", "mongo.collmod-reply", "mongodb.history", false},
	} {
		t.Run(tt.mistake, func(t *testing.T) {
			t.Parallel()
			few := 0
			r := judged(t, serve(t, "--broken", tt.mistake), func(v *suite.Vector) bool {
				if !v.BearsOn(tt.rule) || v.Op != tt.op || few == 25 || tt.isSlow && isNear(v) {
					return false
				}
				few++
				return true
			})
			if len(r.Failed()) == 0 {
				t.Errorf("nothing fails: %v", r.Count())
			}
		})
	}
}

// isNear reports whether the instant of a vector is less than a minute from the deadline,
// so that only a scale can judge the vector.
func isNear(v *suite.Vector) bool {
	q := conformance.Question{Op: v.Op, Target: conformance.ParseTarget("mongodb@8.0.4"), In: v.In}
	in, err := q.Input()
	predicted := predict(q)
	return err == nil && predicted.known && predicted.state != "never" && max(predicted.deadline-in.Now, in.Now-predicted.deadline) < 60_000
}

// TestSweepOnCommand: a deadline is measured even if each sweep has to be requested and
// takes time.
func TestSweepOnCommand(t *testing.T) {
	t.Parallel()
	client := serve(t, "--sleep", "1")
	passes := func(ctx context.Context) (int64, error) {
		reply, err := client.Run(ctx, "admin", bson.D{{Key: "serverStatus", Value: 1}})
		n, _ := reply.Lookup("metrics", "ttl", "passes").AsInt64OK()
		return n, err
	}
	sweep := func(ctx context.Context) error { // waits for the next pass
		before, err := passes(ctx)
		for now := before; err == nil && now < before+1; now, err = passes(ctx) {
			time.Sleep(10 * time.Millisecond)
		}
		return err
	}
	s := start(t, t.Context(), client, Options{SweepTimeout: 30 * time.Second, Sweep: sweep})
	r, err := suite.Run(suite.Embedded().Only(func(v *suite.Vector) bool { return v.ID == "mongodb-date-on-deadline" }), s)
	if err := errors.Join(err, s.Err(), s.Close()); err != nil {
		t.Fatal(err)
	}
	if count := r.Count(); len(r.Checks) == 0 || count[suite.Pass] != len(r.Checks) {
		t.Errorf("%v of %d checks, want all to pass", count, len(r.Checks))
	}
}

// TestNeverSwept: if a server sweeps only its first collection, the run ends with
// ErrNeverSwept and judges no vector.
func TestNeverSwept(t *testing.T) {
	t.Parallel()
	s := start(t, t.Context(), serve(t, "--broken", "sweep-first-collection"), Options{SweepTimeout: 2 * time.Second})
	defer s.Close()
	r, err := suite.Run(suite.Embedded().Only(func(v *suite.Vector) bool {
		return v.ID == "mongodb-date-on-deadline" || v.ID == "mongodb-path-not-ambiguous"
	}), s)
	if err != nil || !errors.Is(s.Err(), ErrNeverSwept) {
		t.Fatalf("Err() = %v, %v, want %v", s.Err(), err, ErrNeverSwept)
	}
	for _, c := range r.Checks {
		if c.Outcome != suite.NotRun {
			t.Errorf("%s is %s, want not run", c.Vector.ID, c.Outcome)
		}
	}
}

// TestStoppedSweeping: a run ends early with ErrStopped if a server sweeps and then stops,
// as it does if its clock is stopped.
func TestStoppedSweeping(t *testing.T) {
	t.Parallel()
	s := start(t, t.Context(), serve(t, "--broken", "sweep-stops"), Options{SweepTimeout: 10 * time.Second, Collections: 20})
	r, err := suite.Run(suite.Embedded().Only(func(v *suite.Vector) bool { return v.BearsOn("mongo.array-earliest") }), s)
	if err := errors.Join(err, s.Close()); err != nil || !errors.Is(s.Err(), ErrStopped) {
		t.Errorf("Err() = %v, %v, want %v", s.Err(), err, ErrStopped)
	}
	if count := r.Count(); count[suite.NotRun] == 0 {
		t.Errorf("the checks are %v, want some that did not run", count)
	}
}

// TestInterrupted: an interrupted run leaves no collection behind.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	client := serve(t)
	ctx, cancel := context.WithCancel(t.Context())
	s := start(t, ctx, client, Options{Sweep: func(context.Context) error { cancel(); return nil }})
	_, err := suite.Run(suite.Embedded().Only(one(30)), s)
	if err != nil || !errors.Is(s.Err(), context.Canceled) {
		t.Errorf("Err() = %v, %v, want %v", s.Err(), err, context.Canceled)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	again := &System{name: s.name, client: client}
	if left, err := again.collections(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("Ctrl-C leaves %v, %v", left, err)
	}
}

// TestCleanup: a cleanup removes the database of a killed run and nothing else.
func TestCleanup(t *testing.T) {
	t.Parallel()
	client := serve(t, "--sleep", "7")
	s := start(t, t.Context(), client, Options{})
	if err := Cleanup(t.Context(), client, "shop"); err == nil {
		t.Error("Cleanup takes a database for a run's by any name")
	}
	if err := Cleanup(t.Context(), client, "ttlconform_000000000000"); err == nil || !strings.Contains(err.Error(), "no marker") {
		t.Errorf("Cleanup of a database without a marker: %v", err)
	}
	if err := Cleanup(t.Context(), client, s.name); err != nil {
		t.Error(err)
	}
	left, err := s.collections(t.Context())
	now, serverErr := client.Server(t.Context())
	if err != nil || serverErr != nil || len(left) > 0 || now.MonitorSeconds != 7 {
		t.Errorf("Cleanup leaves %v and a pause of %d seconds: %v %v", left, now.MonitorSeconds, err, serverErr)
	}
}

// TestExists: a run refuses a database that holds collections.
func TestExists(t *testing.T) {
	t.Parallel()
	client := serve(t)
	s := start(t, t.Context(), client, Options{})
	defer s.Close()
	again := &System{name: s.name, client: client}
	if err := again.claim(t.Context()); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("claim() of a database with collections: %v, want that it exists", err)
	}
}

// compared asks a server and this library the same generated questions.
func compared(t *testing.T, client *live.Client, o differ.Options) *differ.Report {
	t.Helper()
	s := start(t, t.Context(), client, Options{SweepTimeout: 30 * time.Second, Share: true})
	o.Live = true
	r, err := differ.Run(t.Context(), s, library.New(), o)
	if err := errors.Join(err, s.Err(), s.Close()); err != nil {
		t.Fatal(err)
	}
	if left, err := s.collections(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("the run leaves %v, %v", left, err)
	}
	return r
}

// TestDifferRightServer: a server that behaves as the library says never differs from it,
// and can be asked most questions.
func TestDifferRightServer(t *testing.T) {
	t.Parallel()
	for _, release := range []string{fixture.Latest, "4.4.29", "3.2.22"} {
		if testing.Short() && release != fixture.Latest {
			continue
		}
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			n := 400
			if testing.Short() {
				n = 160
			}
			r := compared(t, serve(t, "--server", release, "--second", "100ms"), differ.Options{N: n, Seed: 7})
			for _, rule := range r.Rules {
				t.Errorf("%s: %+v", rule.Rule, rule.Examples)
			}
			for _, op := range r.Ops {
				if least := map[bool]int{true: n * 3 / 4, false: n / 5}[op.Op == "mongodb.decide"]; op.Asked < least { // much is unspecified about an old release
					t.Errorf("%s: %d of %d questions are asked, want %d or more", op.Op, op.Asked, n, least)
				}
			}
			if len(r.Ops) != 4 {
				t.Errorf("asked %+v, want four operations", r.Ops)
			}
		})
	}
}

// TestDifferInterrupted: an interrupted comparison leaves no collection behind, and
// reports no difference.
func TestDifferInterrupted(t *testing.T) {
	t.Parallel()
	client := serve(t, "--second", "100ms")
	ctx, cancel := context.WithCancel(t.Context())
	s := start(t, ctx, client, Options{SweepTimeout: 30 * time.Second, Share: true})
	time.AfterFunc(700*time.Millisecond, cancel)
	r, err := differ.Run(ctx, s, library.New(), differ.Options{Live: true, N: 100_000})
	if !errors.Is(err, context.Canceled) || !r.Agree() || r.Unasked() == 0 {
		t.Errorf("Run = %v with differences about %v, %d not answered; want that it was canceled, and no difference", err, r.Rules, r.Unasked())
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	again := &System{ctx: t.Context(), name: s.name, client: client}
	if left, err := again.collections(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("Ctrl-C leaves %v, %v", left, err)
	}
}

// TestDifferBrokenServers: a comparison names the rule of each mistake, with an example
// shrunk to few fields. TestLiveQuestionsFind of package differ lists the mistakes that
// generated questions find.
func TestDifferBrokenServers(t *testing.T) {
	if testing.Short() {
		t.Skip("TestDifferRightServer compares as concurrently")
	}
	t.Parallel()
	for _, tt := range []struct{ mistake, op, rule string }{
		{"array-latest", "mongodb.decide", "mongo.array-earliest"},
		{"createindexes-forgetful", "mongodb.createIndexes", "mongo.createindexes-conflict"},
		{"sweep-early", "mongodb.decide", ""}, // not found: early by a minute, and every deadline is further from the clock
	} {
		t.Run(tt.mistake, func(t *testing.T) {
			t.Parallel()
			r := compared(t, serve(t, "--broken", tt.mistake, "--second", "100ms"), differ.Options{N: 480, Seed: 1, Ops: []string{tt.op}})
			at := slices.IndexFunc(r.Rules, func(rule differ.Rule) bool { return rule.Rule == tt.rule })
			switch {
			case tt.rule == "" && r.Agree():
			case at < 0:
				t.Errorf("differences about %+v, want %q", r.Rules, tt.rule)
			case len(r.Rules[at].Examples[0].In) > 600 || r.Rules[at].Examples[0].Agrees != "second":
				t.Errorf("the example is %+v, want a short one, with the library in agreement", r.Rules[at].Examples[0])
			}
		})
	}
}

// TestAnotherProduct: a server of MongoDB that is judged as DocumentDB fails.
func TestAnotherProduct(t *testing.T) {
	t.Parallel()
	release, err := mongo.ParseVersion("documentdb@0.112.0")
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, t.Context(), serve(t), Options{Release: release, SweepTimeout: 30 * time.Second})
	r, err := suite.Run(suite.Embedded().Only(func(v *suite.Vector) bool { return v.Op == "documentdb.collMod" }), s)
	if err := errors.Join(err, s.Err(), s.Close()); err != nil || len(r.Failed()) == 0 {
		t.Errorf("%v, %v, want failures", r.Count(), err)
	}
}
