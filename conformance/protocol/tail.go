package protocol

import (
	"strings"
	"sync"
)

// tailSize is how much of a program's standard error is kept.
const tailSize = 4 << 10

// A tail keeps the end of what is written to it. It is safe for concurrent use.
type tail struct {
	mu  sync.Mutex
	end []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, p...)
	if extra := len(t.end) - tailSize; extra > 0 {
		t.end = append(t.end[:0], t.end[extra:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(t.end), "�")
}
