package dump

import (
	"hash/crc64"
	"testing"

	"pgregory.net/rapid"
)

// TestChecksum: it is that of hash/crc64, in one piece and in two.
func TestChecksum(t *testing.T) {
	text := make([]byte, 300<<10)
	state := uint64(1)
	for i := range text {
		state = state*6364136223846793005 + 1442695040888963407
		text[i] = byte(state >> 56)
	}
	var s summer
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, len(text)).Draw(t, "bytes")
		first := rapid.IntRange(0, n).Draw(t, "in the first piece")
		want := crc64.Checksum(text[:n], checksums)
		for name, sum := range map[string]func(uint64, []byte) uint64{"sum": s.sum, "strikeOut": s.strikeOut} {
			if got := sum(0, text[:n]); got != want {
				t.Fatalf("%s of %d bytes = %x, want %x", name, n, got, want)
			}
			if got := sum(sum(0, text[:first]), text[first:n]); got != want {
				t.Fatalf("%s of %d bytes and %d = %x, want %x", name, first, n-first, got, want)
			}
		}
	})
}

func BenchmarkChecksum(b *testing.B) {
	text, s := make([]byte, 512<<10), summer{}
	b.Run("sum", func(b *testing.B) {
		for b.SetBytes(int64(len(text))); b.Loop(); {
			s.sum(0, text)
		}
	})
	b.Run("struck-out", func(b *testing.B) {
		for b.SetBytes(int64(len(text))); b.Loop(); {
			s.strikeOut(0, text)
		}
	})
	b.Run("hash-crc64", func(b *testing.B) {
		for b.SetBytes(int64(len(text))); b.Loop(); {
			crc64.Update(0, checksums, text)
		}
	})
}
