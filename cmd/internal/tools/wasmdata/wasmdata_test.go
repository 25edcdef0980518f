package main

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
)

// module is a module with a section of another kind before the data.
func module(data string) []byte {
	return []byte(preamble + "\x05\x03\x01\x00\x01" + "\x0b" + string(rune(len(data))) + data)
}

func TestJoin(t *testing.T) {
	for _, tc := range []struct{ why, data, want string }{
		{"none", "\x00", "\x00"},
		{"one", "\x01\x00\x41\x08\x0b\x02ab", "\x01\x00\x41\x08\x0b\x02ab"},
		{"three zeros between", "\x02\x00\x41\x08\x0b\x02ab\x00\x41\x0d\x0b\x01c", "\x01\x00\x41\x08\x0b\x06ab\x00\x00\x00c"},
		{"side by side, above 63", "\x02\x00\x41\xc0\x00\x0b\x01a\x00\x41\xc1\x00\x0b\x01b", "\x01\x00\x41\xc0\x00\x0b\x02ab"},
		{"too far away", "\x02\x00\x41\x00\x0b\x01a\x00\x41\x82\x02\x0b\x01b", "\x02\x00\x41\x00\x0b\x01a\x00\x41\x82\x02\x0b\x01b"},
		{"the second lies before the first", "\x02\x00\x41\x08\x0b\x02ab\x00\x41\x02\x0b\x01c", "\x02\x00\x41\x08\x0b\x02ab\x00\x41\x02\x0b\x01c"},
		{"the second lies upon the first", "\x02\x00\x41\x08\x0b\x02ab\x00\x41\x09\x0b\x01c", "\x02\x00\x41\x08\x0b\x02ab\x00\x41\x09\x0b\x01c"},
	} {
		got, err := join(module(tc.data))
		if err != nil || !bytes.Equal(got, module(tc.want)) {
			t.Errorf("%s: %q, %v, want %q", tc.why, got, err, module(tc.want))
		}
	}
}

// TestJoinRefuses: whatever is cut off or of another form is an error.
func TestJoinRefuses(t *testing.T) {
	whole := module("\x02\x00\x41\x08\x0b\x02ab\x00\x41\x0d\x0b\x01c")
	for n := range whole {
		if n == len(preamble) || n == len(preamble)+5 {
			continue // a module of fewer sections
		}
		if _, err := join(whole[:n]); !errors.Is(err, errForm) {
			t.Errorf("the first %d bytes: %v, want %v", n, err, errForm)
		}
	}
	for why, text := range map[string]string{
		"passive data":       string(module("\x01\x01\x01a")),
		"an address of code": string(module("\x01\x00\x23\x00\x0b\x01a")),
		"an endless address": string(module("\x01\x00\x41" + strings.Repeat("\x80", 12) + "\x0b\x01a")),
		"another file":       "#!/bin/sh\nexit 1\n",
	} {
		if _, err := join([]byte(text)); !errors.Is(err, errForm) {
			t.Errorf("%s: %v, want %v", why, err, errForm)
		}
	}
}

func TestSigned(t *testing.T) {
	for _, v := range []int64{0, 1, 63, 64, 127, 128, 8191, 8192, math.MaxInt32, -1, -64, -65, math.MinInt32} {
		r := &reader{rest: appendSigned(nil, v)}
		if got := r.signed(); got != v || r.failed || len(r.rest) > 0 {
			t.Errorf("signed(appendSigned(%d)) = %d, failed: %v", v, got, r.failed)
		}
	}
}
