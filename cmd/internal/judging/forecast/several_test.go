package forecast

import (
	"bytes"
	"errors"
	"runtime"
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump/dumptest"
)

// interleaved writes an archive of mongodump in which blocks of the given collections
// alternate. Each block has size documents. It returns the collections of the archive.
func interleaved(t *testing.T, size int, collections ...[][]byte) []*dump.Collection {
	t.Helper()
	var list []dumptest.Collection
	for i, docs := range collections {
		c := dumptest.Collection{Name: string(rune('a' + i)), Metadata: "{}"}
		for block := range slices.Chunk(docs, size) {
			c.Blocks = append(c.Blocks, bytes.Join(block, nil))
		}
		list = append(list, c)
	}
	found, err := dump.Find([]string{file(t, "dump.archive", dumptest.Archive("8.0.4", list...)).Path})
	if err != nil {
		t.Fatal(err)
	}
	return found.Collections()
}

// jobs returns a job for each collection.
func jobs(collections []*dump.Collection) (list []Job) {
	for _, c := range collections {
		list = append(list, Job{Collections: []*dump.Collection{c}, Policy: testPolicy})
	}
	return list
}

// TestRunSeveral: collections of one archive get the same tallies as those of separate
// files, for any scheduling, and an error in one collection does not end the job of
// another.
func TestRunSeveral(t *testing.T) {
	docs := many(30000)
	parts := [][][]byte{docs[:11000], docs[11000:12000], docs[12000:]}
	var want []string
	for _, part := range parts {
		tally, err := runFiles(t.Context(), []dump.File{file(t, "x.bson", part...)}, testPolicy, Options{Now: 5e9})
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, numbersOf(tally))
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	first := ""
	for _, procs := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(procs)
		for _, workers := range []int{1, 5} {
			collections := interleaved(t, 700, parts...)
			all := ""
			for i, r := range Run(t.Context(), jobs(collections), Options{Now: 5e9, Workers: workers}) {
				if r.Err != nil || numbersOf(r.Tally) != want[i] {
					t.Fatalf("collection %d: %v, %s, want %s", i, r.Err, numbersOf(r.Tally), want[i])
				}
				all += numbersOf(r.Tally)
			}
			if first == "" {
				first = all
			}
			if all != first {
				t.Fatalf("with %d processors and %d workers\n%s\nwant\n%s", procs, workers, all, first)
			}
		}
	}
	bad := bytes.Clone(parts[1][500])
	bad[4] = 0x1c // not a BSON type
	parts[1] = append(append(append([][]byte{}, parts[1][:500]...), bad), parts[1][501:]...)
	collections := interleaved(t, 700, parts...)
	results := Run(t.Context(), jobs(collections), Options{Now: 5e9})
	var e *dump.Error
	if !errors.As(results[1].Err, &e) || results[1].Tally.Total().Documents != 500 {
		t.Errorf("the damaged one: %v, %d documents, want 500", results[1].Err, results[1].Tally.Total().Documents)
	}
	for _, i := range []int{0, 2} {
		if r := results[i]; r.Err != nil || numbersOf(r.Tally) != want[i] {
			t.Errorf("collection %d beside it: %v, %s, want %s", i, r.Err, numbersOf(r.Tally), want[i])
		}
	}
	one := Run(t.Context(), jobs(collections[2:]), Options{Now: 5e9})
	if len(one) != 1 || one[0].Err != nil || numbersOf(one[0].Tally) != want[2] {
		t.Errorf("one of three: %+v, want %s", one, want[2])
	}
}

// numbersOf returns the text of a tally without the parts that name places in an input.
func numbersOf(t *Tally) string {
	c := *t
	c.ExpiredSpan, c.PendingSpan = Span{}, Span{}
	c.Findings = nil
	return show(&c)
}
