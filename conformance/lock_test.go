package conformance

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/testdata"
)

var appendLock = flag.Bool("lock", false, "append what ids.lock lacks; with a new rev for what has changed")

// TestLockHoldsEveryVector also is how lines get into ids.lock:
//
//	go test ./conformance -run TestLock -lock
func TestLockHoldsEveryVector(t *testing.T) {
	l := newLoader(testdata.Files)
	l.load()
	if !*appendLock {
		for _, line := range l.unlocked {
			t.Errorf("ids.lock lacks %q; run this test with -lock", line)
		}
		return
	}
	file, err := os.OpenFile("../testdata/"+lockFile, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, line := range l.unlocked {
		fmt.Fprintln(file, line)
	}
}
