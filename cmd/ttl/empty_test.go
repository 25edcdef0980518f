package main

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

// TestEmptyFiles: a file without documents is no error, but a compressed file without
// a byte was cut off.
func TestEmptyFiles(t *testing.T) {
	for name, want := range map[string]cli.ExitCode{"a.jsonl": cli.ExitOK, "a.bson": cli.ExitOK, "a.jsonl.gz": cli.ExitInput, "a.bson.gz": cli.ExitInput, "a.bson.zst": cli.ExitInput} {
		r := ttl(t, "", "forecast", "--index", `{"at":1}`, "--expire-after", "1h", written(t, name, ""))
		if r.code != want {
			t.Errorf("forecast of an empty %s: exit %d, want %d: %s", name, r.code, want, r.err)
		}
	}
}
