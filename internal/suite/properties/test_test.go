package properties

import (
	"flag"
	"fmt"
	"iter"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

// TestMain fixes what rapid draws, so that a broken system is noticed each
// time or never.
func TestMain(m *testing.M) {
	flag.Parse()
	set := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { set[f.Name] = true })
	for name, value := range map[string]string{"rapid.seed": "7", "rapid.nofailfile": "true", "rapid.shrinktime": "1ms"} {
		if !set[name] {
			flag.Set(name, value)
		}
	}
	os.Exit(m.Run())
}

func TestReferenceHasAllProperties(t *testing.T) { Test(t, library.New()) }

// FuzzProperties draws the questions of all properties from the bytes of Go's fuzzer.
func FuzzProperties(f *testing.F) {
	x, err := theReference()
	if err != nil {
		f.Fatal(err)
	}
	var examinations []func(*rapid.T)
	for _, p := range all {
		examinations = append(examinations, x.examination(p))
	}
	fuzzing.Property(f, func(t *rapid.T) { examinations[rapid.IntRange(0, len(all)-1).Draw(t, "property")](t) })
}

// A recorder replaces a testing.T, and records failures.
type recorder struct {
	testing.TB
	failed bool
	text   strings.Builder
}

func (r *recorder) Helper()                      {}
func (r *recorder) Name() string                 { return "recorded" }
func (r *recorder) Log(args ...any)              { fmt.Fprintln(&r.text, args...) }
func (r *recorder) Logf(f string, args ...any)   { fmt.Fprintf(&r.text, f+"\n", args...) }
func (r *recorder) Fail()                        { r.failed = true }
func (r *recorder) Failed() bool                 { return r.failed }
func (r *recorder) FailNow()                     { r.failed = true; runtime.Goexit() }
func (r *recorder) Error(args ...any)            { r.Log(args...); r.Fail() }
func (r *recorder) Errorf(f string, args ...any) { r.Logf(f, args...); r.Fail() }
func (r *recorder) Fatal(args ...any)            { r.Log(args...); r.FailNow() }
func (r *recorder) Fatalf(f string, args ...any) { r.Logf(f, args...); r.FailNow() }

// failureOf checks one property of a system a number of times. It returns the message of
// the failing test, "" if the test passes.
func failureOf(t *testing.T, system conformance.System, p property, checks int) string {
	t.Helper()
	setFlag(t, "rapid.checks", strconv.Itoa(checks))
	x := examinerOf(t, system)
	r := &recorder{}
	done := make(chan bool)
	go func() {
		defer close(done)
		x.check(r, p)
	}()
	<-done
	if !r.failed {
		return ""
	}
	return r.text.String()
}

// theReference returns an examiner of the reference. It is shared, because reading the
// reference's many claims takes a while.
var theReference = sync.OnceValues(func() (*examiner, error) { return newExaminer(library.New()) })

func examinerOf(t *testing.T, system conformance.System) *examiner {
	t.Helper()
	if _, ok := system.(broken); !ok {
		x, err := newExaminer(system)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	x, err := theReference()
	if err != nil {
		t.Fatal(err)
	}
	same := *x
	same.system = system
	return &same
}

// setFlag sets a flag of rapid until the end of a test.
func setFlag(t *testing.T, name, value string) {
	t.Helper()
	before := flag.Lookup(name).Value.String()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { flag.Set(name, before) })
}

// TestEachPropertyNotices: for each property there is a mistake that only this property
// notices.
func TestEachPropertyNotices(t *testing.T) {
	if testing.Short() {
		t.Skip("a fifth of the checks notices less")
	}
	unused := map[string]bool{}
	for _, p := range all {
		unused[p.ID] = true
	}
	for _, b := range systems() {
		var noticed []string
		for _, p := range all {
			// The property that must detect the mistake runs more checks than each other
			// property.
			checks := 15
			if p.ID == b.property {
				checks = 300
			}
			if p.Op == b.op && failureOf(t, b, p, checks) != "" {
				noticed = append(noticed, p.ID)
			}
		}
		want := append([]string{b.property}, b.others...)
		slices.Sort(want)
		want = slices.Compact(want)
		slices.Sort(noticed)
		if !slices.Equal(noticed, want) {
			t.Errorf("%s, %s: noticed by %q, want %q", b.op, b.why, noticed, want)
		}
		delete(unused, b.property)
	}
	for id := range unused {
		t.Errorf("no system is broken so that %s notices it", id)
	}
}

// propertyOf returns a property by its identifier.
func propertyOf(t *testing.T, id string) property {
	t.Helper()
	i := slices.IndexFunc(all, func(p property) bool { return p.ID == id })
	if i < 0 {
		t.Fatalf("no property %s", id)
	}
	return all[i]
}

func TestClaimsAreHeldTo(t *testing.T) {
	all := library.New().Hello()
	undated := all
	undated.Features = slices.DeleteFunc(slices.Clone(all.Features), func(s string) bool { return s == conformance.FeatureDeadline })
	out := func(text string) func(conformance.Question) conformance.Answer {
		return func(conformance.Question) conformance.Answer {
			return conformance.Answer{Kind: conformance.KindOut, Out: []byte(text)}
		}
	}
	for _, tt := range []struct {
		why    string
		system conformance.System
		want   string // "" if nothing is wrong
	}{
		{"a skip", conformance.NewSystem(all, func(conformance.Question) conformance.Answer { return conformance.Skipped("not yet") }), "skipped, though it is claimed"},
		{"a fault", conformance.NewSystem(all, func(conformance.Question) conformance.Answer { return conformance.Fault("oh") }), "no result"},
		{"a panic", conformance.NewSystem(all, func(conformance.Question) conformance.Answer { panic("oh") }), `{"crash":"panic: oh"}`},
		{"a refusal to decide", conformance.NewSystem(all, func(conformance.Question) conformance.Answer { return refuses }), "no result"},
		{"no object", conformance.NewSystem(all, out(`[]`)), "out is no object"},
		{"no state", conformance.NewSystem(all, out(`{"deadline": null}`)), "state is missing"},
		{"no deadline, though it is claimed", conformance.NewSystem(all, out(`{"state": "expired"}`)), "deadline is missing"},
		{"no deadline, and none is claimed", conformance.NewSystem(undated, out(`{"state": "never"}`)), ""},
		{"pending for never, and no deadline is claimed", conformance.NewSystem(undated, out(`{"state": "pending"}`)), ""},
		{"expired for never, and no deadline is claimed", conformance.NewSystem(undated, out(`{"state": "expired"}`)), "state expired, want never"},
	} {
		got := failureOf(t, tt.system, propertyOf(t, "mongodb-no-date-never"), 20)
		if !strings.Contains(got, tt.want) || (got == "") != (tt.want == "") {
			t.Errorf("%s: the test says %q, want %q", tt.why, got, tt.want)
		}
	}
}

// TestModestSystems: a system that claims little is asked only about its claims.
func TestModestSystems(t *testing.T) {
	h := library.New().Hello()
	h.Ops, h.Features, h.Systems = []string{"mongodb.decide"}, nil, map[string]string{conformance.MongoDB: ">=4.0.0 <5.0.0"}
	Test(t, conformance.NewSystem(h, func(q conformance.Question) conformance.Answer {
		if q.Op != "mongodb.decide" || !strings.HasPrefix(q.Target.Version, "4.") {
			t.Errorf("asked %s about %s, which is not claimed", q.Op, q.Target)
		}
		return library.New().Ask(q)
	}))
}

// A batcher answers only lists of questions, and no single question.
type batcher struct{ conformance.System }

func (b batcher) AskAll(questions []conformance.Question) iter.Seq2[int, conformance.Answer] {
	return func(yield func(int, conformance.Answer) bool) {
		for i, q := range slices.Backward(questions) {
			yield(i, library.New().Ask(q))
		}
	}
}

func TestBatchers(t *testing.T) {
	b := batcher{conformance.NewSystem(library.New().Hello(), nil)}
	if got := failureOf(t, b, propertyOf(t, "mongodb-two-indexes"), 20); got != "" {
		t.Errorf("a system that is asked at once fails: %s", got)
	}
}

func TestPropertiesAreWritten(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range all {
		if p.draw == nil {
			t.Errorf("%s asks nothing", p.ID)
		}
		if seen[p.ID] || !strings.HasSuffix(p.Text, ".") || len(p.Text) > 140 || len(p.ID) > 60 {
			t.Errorf("%s: want its identifier once, and a sentence of 140 at most", p.ID)
		}
		seen[p.ID] = true
	}
}
