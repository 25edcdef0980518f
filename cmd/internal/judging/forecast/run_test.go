package forecast

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// mixed returns ten documents. The comments give the decisions at 1000 ms.
func mixed() [][]byte {
	return [][]byte{
		bsonDate(1, "a", 500),   // expired
		bsonDate(2, "a", 1000),  // expired, to the millisecond
		bsonDate(3, "a", 1001),  // pending
		bsonString(4, "a", "x"), // never: a string
		bsonDoc(5, "", 0, nil),  // never: no field a
		bsonDate(6, "b", 90000), // pending by the second source
		bsonDate(7, "b", -7),    // expired by the second source
		bsonString(8, "a", "y"),
		bsonString(9, "a", "z"),
		bsonString(10, "a", "not among the samples"),
	}
}

func TestRunCounts(t *testing.T) {
	docs := mixed()
	var size int64
	for _, d := range docs {
		size += int64(len(d))
	}
	f := file(t, "logs.bson", docs...)
	tally, err := runFiles(t.Context(), []dump.File{f}, testPolicy, Options{Now: 1000})
	if err != nil {
		t.Fatal(err)
	}
	sums := []Sum{tally.Total(), tally.Expired, tally.Pending, tally.Never}
	date, none, text := int64(len(docs[0])), int64(len(docs[4])), int64(len(docs[3]))
	want := []Sum{{10, size}, {3, 3 * date}, {2, 2 * date}, {5, 4*text + none + int64(len("not among the samples")) - 1}}
	if diff := cmp.Diff(want, sums); diff != "" {
		t.Errorf("total, expired, pending, never (-want +got)\n%s", diff)
	}
	for _, tc := range []struct {
		name string
		got  Moment
		at   policy.Instant
		id   string
	}{
		{"first", tally.First(), -7, "7"}, {"last", tally.Last(), 90000, "6"},
		{"newest", tally.ExpiredSpan.Last, 1000, "2"}, {"next", tally.PendingSpan.First, 1001, "3"},
	} {
		if !tc.got.Known || tc.got.At != tc.at || !strings.Contains(string(tc.got.Sample.ID), tc.id) {
			t.Errorf("%s = %+v, want %v of document %s", tc.name, tc.got, tc.at, tc.id)
		}
	}
	wantSources := []ByState{{Expired: Sum{2, 2 * date}, Pending: Sum{1, date}}, {Expired: Sum{1, date}, Pending: Sum{1, date}}}
	if diff := cmp.Diff(wantSources, tally.Sources); diff != "" {
		t.Errorf("sources (-want +got)\n%s", diff)
	}
}

// A summary holds the parts of a finding that the tests compare.
type summary struct {
	Rule                    string
	Source                  int
	Kind                    policy.Kind
	Expired, Pending, Never int64
	Offsets                 []int64
}

func summaries(findings []Finding) []summary {
	var list []summary
	for _, f := range findings {
		s := summary{f.Rule.ID(), int(f.Source), f.Kind, f.Expired.Documents, f.Pending.Documents, f.Never.Documents, nil}
		for _, sample := range f.Samples {
			s.Offsets = append(s.Offsets, sample.Offset)
		}
		list = append(list, s)
	}
	return list
}

func TestRunFindsWhy(t *testing.T) {
	docs := mixed()
	offset := make([]int64, len(docs)+1)
	for i, d := range docs {
		offset[i+1] = offset[i] + int64(len(d))
	}
	tally, err := runFiles(t.Context(), []dump.File{file(t, "logs.bson", docs...)}, testPolicy, Options{Now: 1000})
	if err != nil {
		t.Fatal(err)
	}
	want := []summary{
		{"test.date", 0, 0, 2, 1, 0, []int64{offset[0], offset[1], offset[2]}},
		{ruleType.ID(), 0, policy.String, 0, 0, 4, []int64{offset[3], offset[7], offset[8]}},
		{"test.missing", 0, 0, 0, 0, 1, []int64{offset[4]}},
		{"test.date", 1, 0, 1, 1, 0, []int64{offset[5], offset[6]}},
	}
	if diff := cmp.Diff(want, summaries(tally.Findings)); diff != "" {
		t.Errorf("findings (-want +got)\n%s", diff)
	}
}

// many returns about n documents of all kinds. They are the same on each call.
func many(n int) [][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	docs := make([][]byte, n)
	for i := range docs {
		switch id := int32(i); random.IntN(8) {
		case 0:
			docs[i] = bsonString(id, "a", strings.Repeat("x", random.IntN(400)))
		case 1:
			docs[i] = bsonDoc(id, "", 0, nil)
		case 2:
			docs[i] = bsonDate(id, "b", policy.Instant(random.Int64N(1e10)))
		default:
			docs[i] = bsonDate(id, "a", policy.Instant(random.Int64N(1e4)*1e6))
		}
	}
	return docs
}

// show returns all parts of a tally that reports show, as text.
func show(t *Tally) string {
	v := t.Histogram.View(60)
	return fmt.Sprintf("%v %v %v %v %d %v %+v %+v %+v %+v %+v %+v %+v",
		t.Total(), t.Expired, t.Pending, t.Never, t.Bad, t.FirstBad, t.First(), t.Last(), t.ExpiredSpan.Last, t.PendingSpan.First, t.Sources, t.Findings, v)
}

// TestRunDoesNotDependOnScheduling: the tally, samples included, is the same for any
// number of workers and processors, and whether or not workers share the reading.
func TestRunDoesNotDependOnScheduling(t *testing.T) {
	docs := many(40000)
	files := []dump.File{file(t, "a.bson", docs[:30000]...), file(t, "b.bson", docs[30000:]...)}
	alone := slices.Clone(files) // only one worker reads a file that is not regular
	for i := range alone {
		alone[i].Size = -1
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var want string
	for _, procs := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(procs)
		for _, workers := range []int{0, 1, 5, -2} {
			files := files
			if workers < 0 {
				workers, files = -workers, alone
			}
			tally, err := runFiles(t.Context(), files, testPolicy, Options{Now: 5e9, Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			switch got := show(tally); {
			case want == "":
				want = got
			case got != want:
				t.Fatalf("with %d processors and %d workers\n%s\nwant\n%s", procs, workers, got, want)
			}
		}
	}
}

// TestRunFindsTheEnds: the first and the last deadline of many blocks equal those that a
// plain loop finds.
func TestRunFindsTheEnds(t *testing.T) {
	docs := many(40000)
	const now = policy.Instant(5e9)
	want := map[string]Moment{}
	keep := func(name string, m Moment, better func(a, b policy.Instant) bool) {
		if old, ok := want[name]; !ok || better(m.At, old.At) {
			want[name] = m
		}
	}
	earlier := func(a, b policy.Instant) bool { return a < b }
	later := func(a, b policy.Instant) bool { return a > b }
	f := file(t, "logs.bson", docs...)
	var offset int64
	for i, raw := range docs {
		doc, err := policy.ParseBSON(raw)
		if err != nil {
			t.Fatal(err)
		}
		m := Moment{Sample: dump.Sample{ID: dump.ID(fmt.Sprintf(`{"$numberInt":"%d"}`, i)), File: f.Path, Offset: offset}, Known: true}
		offset += int64(len(raw))
		d := dateIn{}.Decide(doc, now)
		m.At = fixture.Deadline(d)
		switch d.State {
		case policy.Never:
			continue
		case policy.Expired:
			keep("newest", m, later)
		case policy.Pending:
			keep("next", m, earlier)
		}
		keep("first", m, earlier)
		keep("last", m, later)
	}
	tally, err := runFiles(t.Context(), []dump.File{f}, testPolicy, Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Moment{"first": tally.First(), "last": tally.Last(), "newest": tally.ExpiredSpan.Last, "next": tally.PendingSpan.First}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Moment{})); diff != "" {
		t.Errorf("(-loop +Run)\n%s", diff)
	}
}

// TestRunStopsAtBadDocuments: the first bad document in the order of the files ends the
// run, and all earlier documents are counted.
func TestRunStopsAtBadDocuments(t *testing.T) {
	const n = 30000
	for _, bad := range []int{0, 1, 9999, n - 2, n - 1} {
		docs := many(n)
		var offset int64
		for _, d := range docs[:bad] {
			offset += int64(len(d))
		}
		docs[bad][4] = 0x1c                // not a BSON type
		docs[min(bad+3000, n-1)][4] = 0x1c // this error comes later, so it must not be reported
		good := file(t, "good.bson", many(10)...)
		f := file(t, "bad.bson", docs...)
		tally, err := runFiles(t.Context(), []dump.File{good, f, good}, testPolicy, Options{Now: 5e9})
		var e *dump.Error
		if !errors.As(err, &e) || e.Offset != offset || e.Name != f.Path {
			t.Errorf("bad document %d: %v, want an error at byte %d of %s", bad, err, offset, f.Path)
		}
		var syntax *policy.SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset != 4 {
			t.Errorf("bad document %d: %v, want the trouble at byte 4 of it", bad, err)
		}
		if tally.Total().Documents != int64(10+bad) || tally.Bad != 0 {
			t.Errorf("bad document %d: counted %d, skipped %d, want %d and 0", bad, tally.Total().Documents, tally.Bad, 10+bad)
		}
	}
}

func TestRunSkipsBadDocuments(t *testing.T) {
	docs := many(20000)
	var first int64
	for _, d := range docs[:77] {
		first += int64(len(d))
	}
	for _, i := range []int{77, 78, 10000, 19999} {
		docs[i][4] = 0x1c
	}
	cut := file(t, "cut.bson", bsonDate(1, "a", 1), []byte{12, 0, 0, 0, 9})
	tally, err := runFiles(t.Context(), []dump.File{file(t, "bad.bson", docs...), cut}, testPolicy, Options{Now: 5e9, SkipBad: true})
	if err != nil {
		t.Fatal(err)
	}
	if tally.Bad != 5 || tally.Total().Documents != 20000-4+1 || tally.FirstBad == nil || tally.FirstBad.Offset != first {
		t.Errorf("skipped %d, counted %d, first %v, want 5, 19997 and byte %d", tally.Bad, tally.Total().Documents, tally.FirstBad, first)
	}
}

// TestRunSkipsOnlyWhatItCan: a run with SkipBad ends if it cannot find the start of the
// next document.
func TestRunSkipsOnlyWhatItCan(t *testing.T) {
	lost := file(t, "lost.bson", bsonDate(1, "a", 1), []byte("\xff\xff\xff\xffgarbage"))
	tally, err := runFiles(t.Context(), []dump.File{lost}, testPolicy, Options{SkipBad: true})
	if err == nil || tally.Total().Documents != 1 || tally.Bad != 0 {
		t.Errorf("counted %d, skipped %d, %v, want one document and an error", tally.Total().Documents, tally.Bad, err)
	}
	array := file(t, "array.json", []byte(`[{"_id":1},{"_id":2,"a":nonsense},{"_id":3}]`))
	tally, err = runFiles(t.Context(), []dump.File{{Path: array.Path}}, testPolicy, Options{SkipBad: true})
	var e *dump.Error
	if !errors.As(err, &e) || e.Offset != 11 || tally.Total().Documents != 1 {
		t.Errorf("counted %d, %v, want one document and an error at byte 11", tally.Total().Documents, err)
	}
}

func TestRunOfMissingFile(t *testing.T) {
	good := file(t, "good.bson", mixed()...)
	tally, err := runFiles(t.Context(), []dump.File{good, {Path: good.Path + ".gone"}}, testPolicy, Options{})
	if !errors.Is(err, os.ErrNotExist) || tally.Total().Documents != 10 {
		t.Errorf("Run = %d documents, %v, want 10 and that the second file does not exist", tally.Total().Documents, err)
	}
}

// canceller is an evaluator that cancels the run when it decides about a certain
// document.
type canceller struct {
	definition.Evaluator
	id     int64
	cancel func()
}

func (c canceller) Decide(doc policy.Document, now policy.Instant) policy.Decision {
	if id, _ := doc.Field("_id").AsInt64(); id == c.id {
		c.cancel()
	}
	return c.Evaluator.Decide(doc, now)
}

// TestRunInterrupted: an interrupted run returns even if its input hangs. It has counted
// all documents up to some point, and none after.
func TestRunInterrupted(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func(old *os.File) { os.Stdin = old; w.Close(); r.Close() }(os.Stdin)
	os.Stdin = r
	docs := many(40000)
	go w.Write(bytes.Join(docs, nil)) // w stays open, so that the reader hangs

	ctx, cancel := context.WithCancel(t.Context())
	p := *testPolicy
	p.Evaluator = canceller{dateIn{}, 30000, cancel}
	tally, err := runFiles(ctx, []dump.File{{Path: dump.Stdin}}, &p, Options{Now: 5e9, Workers: 1})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v, want that it was cancelled", err)
	}
	if n := tally.Total().Documents; n < 20000 || n > 40000 {
		t.Fatalf("counted %d documents, want about the 30000 that were decided", n)
	}
	isBeginning(t, tally, docs)
}

// TestRunOfFileInterrupted: an interrupted run whose workers share the reading returns
// too, with the documents up to some point.
func TestRunOfFileInterrupted(t *testing.T) {
	docs := many(100000)
	ctx, cancel := context.WithCancel(t.Context())
	p := *testPolicy
	p.Evaluator = canceller{dateIn{}, 20000, cancel}
	tally, err := runFiles(ctx, []dump.File{file(t, "a.bson", docs...)}, &p, Options{Now: 5e9, Workers: 3})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v, want that it was cancelled", err)
	}
	isBeginning(t, tally, docs)
}

// isBeginning checks that tally counts exactly the first documents of docs, for some
// number of documents.
func isBeginning(t *testing.T, tally *Tally, docs [][]byte) {
	t.Helper()
	n := tally.Total().Documents
	var bytes int64
	for _, d := range docs[:n] {
		bytes += int64(len(d))
	}
	if tally.Total().Bytes != bytes {
		t.Errorf("%d documents of %d bytes, but the first %d have %d", n, tally.Total().Bytes, n, bytes)
	}
}

func TestRunReportsWhatItReads(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(bytes.Join(many(20000), nil))
	z.Close()
	f := file(t, "logs.bson.gz", packed.Bytes())
	read := 0
	if _, err := runFiles(t.Context(), []dump.File{f, f}, testPolicy, Options{Read: func(n int) { read += n }}); err != nil {
		t.Fatal(err)
	}
	if read != 2*packed.Len() {
		t.Errorf("reported %d bytes, want those of the file twice, %d", read, 2*packed.Len())
	}
}

// TestRunEndedByItsContext: a run whose reader stopped early has an error, even if the
// workers finish before the result is computed.
func TestRunEndedByItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in := dump.NewInput(file(t, "a.bson", bsonDate(1, "a", 5)))
	results := Run(ctx, []Job{{Collections: in.Collections, Policy: testPolicy}}, Options{Workers: 2})
	if err := results[0].Err; !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want context.Canceled", err)
	}
}
