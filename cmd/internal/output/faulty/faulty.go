// Package faulty has disks for tests: a disk with a call that fails, and a disk that does
// not sync.
package faulty

import (
	"errors"
	"io"
	"os"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
)

// A Fault is the kind of failure of a call.
type Fault string

// The kinds of failure. A write that fails has written half of its data.
const (
	Once  Fault = ""      // the call fails, and later calls work
	Dead  Fault = "dead"  // the call fails, and all later calls fail too
	Late  Fault = "late"  // the call takes effect, but returns an error
	Short Fault = "short" // a write is incomplete without an error; other calls work
	Kill  Fault = "kill"  // the process ends during the call
)

// Err is the error of calls that fail.
var Err = errors.New("input/output error")

// Unsynced is the real disk without syncs, which makes it many times faster. A test could
// tell the difference only after a power failure.
type Unsynced struct{ output.System }

// Call makes every call but syncs.
func (Unsynced) Call(name string, do func() error) error {
	if strings.HasPrefix(name, "sync") {
		return nil
	}
	return do()
}

// A Disk is Unsynced with one call that fails. It is not for concurrent use.
type Disk struct {
	Unsynced
	At    int // the number of the call that fails, counted from 1
	How   Fault
	Calls []string // the calls so far
}

// Call records a call, and makes it or fails.
func (d *Disk) Call(name string, do func() error) error {
	d.Calls = append(d.Calls, name)
	n := len(d.Calls)
	switch {
	case n < d.At, n > d.At && d.How != Dead, d.How == Short:
		return d.Unsynced.Call(name, do)
	case d.How == Kill:
		end()
	case d.How == Late:
		d.Unsynced.Call(name, do)
	}
	return Err
}

// Write records a call, and writes b or fails.
func (d *Disk) Write(file io.Writer, b []byte) (n int, err error) {
	if len(d.Calls)+1 == d.At && d.How != Late {
		b = b[:len(b)/2]
		n, _ = file.Write(b)
	}
	err = d.Call("write", func() error {
		if n == 0 {
			n, err = file.Write(b)
		}
		return err
	})
	return n, err
}

// end ends the process at once.
func end() {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		panic(err)
	}
	self.Kill()
	select {}
}
