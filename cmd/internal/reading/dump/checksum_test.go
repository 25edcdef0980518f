package dump

import (
	"fmt"
	"hash/crc64"
	"testing"

	"pgregory.net/rapid"
)

// TestChecksum: the checksum equals that of hash/crc64, in one piece and in two, with each
// set of instructions that this processor has.
func TestChecksum(t *testing.T) {
	text := make([]byte, 300<<10)
	state := uint64(1)
	for i := range text {
		state = state*6364136223846793005 + 1442695040888963407
		text[i] = byte(state >> 56)
	}
	best := foldSize
	t.Cleanup(func() { foldSize = best })
	for _, foldSize = range []int{best, min(best, 64), 0} {
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(0, len(text)).Draw(t, "bytes")
			first := rapid.IntRange(0, n).Draw(t, "in the first piece")
			want := crc64.Checksum(text[:n], checksums)
			if got := addChecksum(0, text[:n]); got != want {
				t.Fatalf("checksum of %d bytes = %x, want %x", n, got, want)
			}
			if got := addChecksum(addChecksum(0, text[:first]), text[first:n]); got != want {
				t.Fatalf("checksum of %d bytes and %d = %x, want %x", first, n-first, got, want)
			}
		})
	}
}

func BenchmarkChecksum(b *testing.B) {
	text, best := make([]byte, 512<<10), foldSize
	b.Cleanup(func() { foldSize = best })
	for _, foldSize = range []int{best, min(best, 64), 0} {
		b.Run(fmt.Sprintf("by %d", foldSize), func(b *testing.B) {
			for b.SetBytes(int64(len(text))); b.Loop(); {
				addChecksum(0, text)
			}
		})
	}
}
