package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// softMemory is the amount of memory from which garbage collections become frequent, in bytes.
const softMemory = 96 << 20

// limitMemory asks for more frequent collections when documents of many MiB make garbage faster
// than small ones do. Ordinary inputs stay far below the limit. The limit grows with the memory
// in use, because the runtime would collect without a pause at a limit below that.
func limitMemory() {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 { // somebody has set GOMEMLIMIT
		return
	}
	debug.SetMemoryLimit(softMemory)
	afterEachCollection(func() { debug.SetMemoryLimit(limitFor(memoryInUse())) })
}

// limitFor returns the memory limit, given the bytes in use by values on the heap, and by
// the rest, such as stacks.
func limitFor(heap, rest int64) int64 {
	return max(softMemory, rest+heap+heap/8)
}

// afterEachCollection calls f after each garbage collection.
func afterEachCollection(f func()) {
	type mark struct{ _ *byte } // a pointer, because smaller values share memory with others
	var again func(*mark)
	again = func(m *mark) {
		f()
		runtime.SetFinalizer(m, again)
	}
	runtime.SetFinalizer(new(mark), again)
}

// memoryInUse returns the bytes that the last collection has left on the heap, and the memory
// outside the heap.
func memoryInUse() (heap, rest int64) {
	samples := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/unused:bytes"},
	}
	metrics.Read(samples)
	at := func(i int) int64 { return int64(samples[i].Value.Uint64()) }
	return at(0), at(1) - at(2) - at(3) - at(4) - at(5)
}
