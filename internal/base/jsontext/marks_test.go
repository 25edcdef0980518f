package jsontext

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/base/swar"
)

// TestPropertyMarks compares each set of marks with a check of every single byte.
func TestPropertyMarks(t *testing.T) {
	sets := []struct {
		name  string
		marks func(w uint64) uint64
		is    func(c byte) bool
	}{
		{"quotes", quotes, func(c byte) bool { return c == '"' }},
		{"specials", specials, func(c byte) bool { return c < ' ' || c == '"' || c == '\\' || c > 0x7f }},
		{"nonDigits", nonDigits, func(c byte) bool { return !IsDigit(c) }},
		{"nonHexDigits", nonHexDigits, func(c byte) bool { return hexDigit(c) < 0 }},
	}
	near := rapid.SampledFrom([]byte("\x00\x1f !\"#[\\]/09:@AFG`afg\x7f\x80\xa0\xdc\xdd\xff"))
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.OneOf(near, rapid.ByteRange('0', '9'), rapid.Byte()), 16, 16).Draw(t, "bytes")
		for _, set := range sets {
			first := 0
			for first < 16 && !set.is(b[first]) {
				first++
			}
			low, high := set.marks(swar.Load(b, 0)), set.marks(swar.Load(b, 8))
			if low&^swar.HighBits != 0 || (low == 0) != (first >= 8) {
				t.Fatalf("%s(%q) = %016x, the first is byte %d", set.name, b[:8], low, first)
			}
			if low != 0 && swar.FirstMark(low) != first {
				t.Errorf("swar.FirstMark(%s(%q)) = %d, want %d", set.name, b[:8], swar.FirstMark(low), first)
			}
			if joined := gather(low) | gather(high)<<8; bits.TrailingZeros64(joined|1<<16) != first {
				t.Errorf("%s(%q) gathered = %016b, want %d zeros", set.name, b, joined, first)
			}
		}
	})
}

func TestGather(t *testing.T) {
	for set := range uint64(256) {
		var b [8]byte
		for i := range b {
			b[i] = byte(set>>i&1) << 7
		}
		if got := gather(binary.LittleEndian.Uint64(b[:])); got != set {
			t.Errorf("gather(%x) = %08b, want %08b", b, got, set)
		}
	}
}

// TestLongText: Check accepts exactly the long texts that the Scanner accepts, wherever a
// byte that is not plain ASCII stands.
func TestLongText(t *testing.T) {
	others := []string{`\"`, `\\`, `\q`, `"`, "\x00", "\x1f", "\x7f", "\x80", "é", "\xc3", "𝄞"}
	accepted := 0
	for length := 90; length < 170; length += 3 {
		for at := range length {
			for _, other := range others {
				text := strings.Repeat("a", at) + other + strings.Repeat("b", length-at)
				src := []byte(`{"a":"` + text + `","b":1}`)
				want := Explain(src).Err == ErrNotJSON // the Scanner accepts the text
				if _, got := Check(src, nil); got != want {
					t.Fatalf("Check(%q) = %t, want %t", src, got, want)
				}
				if want {
					accepted++
				}
			}
		}
	}
	if accepted == 0 {
		t.Error("nothing was accepted")
	}
}
