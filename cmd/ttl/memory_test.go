package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"
	"time"
)

// peakVariable names a file. The tool, run as a test program, writes the
// kernel's account of its memory to it.
const peakVariable = "TTL_TEST_PEAK"

// maxPeak is the maximum memory of a command in bytes, see docs/limits.md.
const maxPeak = 200_000_000

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakOf runs the tool and returns the most memory that it held, in bytes. The test is
// skipped on systems other than Linux, because they have no /proc/self/status.
func peakOf(t *testing.T, stdin io.Reader, args ...string) (peak int, stderr string, code int) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc/self/status")
	}
	status := filepath.Join(t.TempDir(), "status")
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), peakVariable+"="+status)
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = stdin, &errs
	cmd.Run()
	found := highWater.FindSubmatch(readFile(t, status))
	kB, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kB * 1024, errs.String(), cmd.ProcessState.ExitCode()
}

// TestLimitFor: the limit leaves room above the memory in use. The runtime would collect garbage
// all the time at a limit below.
func TestLimitFor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ heap, rest, want int64 }{
		{0, 0, softMemory}, {10 << 20, 20 << 20, softMemory},
		{50 << 20, 20 << 20, softMemory}, {80 << 20, 20 << 20, 110 << 20},
		{400 << 20, 20 << 20, 470 << 20}, {4 << 30, 1 << 30, 11 << 29},
	} {
		if got := limitFor(tt.heap, tt.rest); got != tt.want {
			t.Errorf("limitFor(%d MiB, %d MiB) = %d MiB, want %d", tt.heap>>20, tt.rest>>20, got>>20, tt.want>>20)
		}
	}
}

// TestAfterEachCollection: the function is called after every garbage collection,
// including the first.
func TestAfterEachCollection(t *testing.T) {
	t.Parallel()
	calls := make(chan struct{}, 100)
	afterEachCollection(func() { calls <- struct{}{} })
	for i := range 3 {
		runtime.GC()
		select {
		case <-calls:
		case <-time.After(10 * time.Second):
			t.Fatalf("no call after collection %d", i+1)
		}
	}
}

// TestMemoryInUse: values on the heap add to the memory on the heap, and not to the
// memory outside the heap.
func TestMemoryInUse(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	const size = 64 << 20
	for range 2 { // pools of earlier tests keep their values for one collection
		runtime.GC()
	}
	before, rest := memoryInUse()
	values := make([]byte, size)
	runtime.GC()
	heap, after := memoryInUse()
	runtime.KeepAlive(values)
	if grown := heap - before; grown < size*9/10 || grown > size*11/10 {
		t.Errorf("memoryInUse() grew by %d bytes on the heap, want %d", grown, size)
	}
	if grown := after - rest; grown > size/4 {
		t.Errorf("memoryInUse() grew by %d bytes of the rest, want none", grown)
	}
}
