//go:build !race

package forecast

import (
	"bytes"
	"encoding/binary"
	"os"
	"runtime"
	"runtime/metrics"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
)

// TestDecideDoesNotAllocate: counting a block of BSON with documents of all kinds
// allocates nothing.
func TestDecideDoesNotAllocate(t *testing.T) {
	s, err := dump.NewStream("in", bytes.NewReader(bytes.Join(many(2000), nil)), dump.BSON, dump.BSON)
	if err != nil {
		t.Fatal(err)
	}
	var b dump.Block
	if err := s.Next(&b); err != nil {
		t.Fatal(err)
	}
	o := Options{Now: 5e9}
	j := newJob(Job{Policy: testPolicy, Others: []*reasons.Policy{testPolicy}}, o)
	d, p := newDecider(j.Job, o), newBlockTally(o)
	if n := testing.AllocsPerRun(100, func() {
		p.reset(j, o)
		d.decide(&p, &b, s)
		j.levels[0].Store(int32(p.histogram.level)) // a run passes the level of the tally to the next blocks in the same way
		j.levels[1].Store(int32(p.others[0].histogram.level))
	}); n != 0 || len(b.Spans) < 1000 || len(p.findings) == 0 || p.err != nil {
		t.Errorf("%v allocations for %d documents, want 0; error %v", n, len(b.Spans), p.err)
	}
}

// heap returns the bytes of the Go heap that objects occupy: live objects, and dead
// objects that are not collected yet.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// feed runs a forecast of the stream that the function write produces. It returns the
// largest growth of the heap and the number of documents.
func feed(t *testing.T, workers int, write func(w *os.File)) (peak uint64, docs int64) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func(old *os.File) { os.Stdin = old; r.Close() }(os.Stdin)
	os.Stdin = r
	go func() {
		write(w)
		w.Close()
	}()
	runtime.GC()
	before := heap()
	tally, err := runFiles(t.Context(), []dump.File{{Path: dump.Stdin}}, testPolicy, Options{Now: 5e9, Workers: workers, Read: func(int) {
		peak = max(peak, heap())
	}})
	if err != nil {
		t.Fatal(err)
	}
	return peak - min(before, peak), tally.Total().Documents
}

func TestRunNeedsConstantMemory(t *testing.T) {
	rounds := 100
	if testing.Short() {
		rounds = 30 // the input is still several times larger than the limit of memory
	}
	block := bytes.Join(many(20000), nil)
	peak, docs := feed(t, 0, func(w *os.File) {
		for range rounds {
			w.Write(block)
		}
	})
	if limit := uint64(24 << 20); peak > limit || docs != int64(rounds)*20000 {
		t.Errorf("%d documents of %d MiB took %d MiB, want below %d", docs, rounds*len(block)>>20, peak>>20, limit>>20)
	}
}

// TestRunNeedsConstantMemoryForLargeDocuments: a run holds only a few of the largest
// documents at a time, for any number of workers.
func TestRunNeedsConstantMemoryForLargeDocuments(t *testing.T) {
	const size = 16 << 20
	rounds := 40
	if testing.Short() {
		rounds = 20 // the input is still nearly twice as large as the limit of memory
	}
	large := make([]byte, size)
	binary.LittleEndian.PutUint32(large, size)
	copy(large[4:], "\x05p\x00")
	binary.LittleEndian.PutUint32(large[7:], size-13)
	peak, docs := feed(t, 32, func(w *os.File) {
		for range rounds {
			w.Write(large)
		}
	})
	if limit := uint64(190 << 20); peak > limit || docs != int64(rounds) {
		t.Errorf("%d documents of 16 MiB took %d MiB, want below %d", docs, peak>>20, limit>>20)
	}
}
