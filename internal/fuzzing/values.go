package fuzzing

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/internal/base/draw"
)

// Instant draws milliseconds since 1970: mostly ordinary instants near each other, else a
// neighbour of an anchor, or any instant.
func (r Random) Instant() int64 {
	switch n := r.IntN(16); {
	case n < 11:
		return 1_700_000_000_000 + Pick(r, int64(0), 1, -1, 1000, 60_000, 3_600_000)*r.Int64N(4)
	case n < 15:
		return Pick(r, draw.Anchors...) + r.Int64N(5) - 2 // wraps around at the ends
	}
	return int64(r.Uint64())
}

// Seconds draws a delay: mostly a distance between two instants as Instant
// draws them.
func (r Random) Seconds() int64 {
	switch n := r.IntN(16); {
	case n < 12:
		return Pick[int64](r, 0, 1, 1, 2, 60, 3600)
	case n < 15:
		return Pick[int64](r, -1, math.MaxInt32, math.MaxInt32+1, math.MinInt32, 1_700_000_000, 9223372036854775, -9223372036854775, math.MaxInt64) + r.Int64N(3) - 1
	}
	return int64(r.Uint64())
}

// Whole draws a whole number: small, near an end of a range, or any.
func (r Random) Whole() int64 {
	switch n := r.IntN(8); {
	case n < 4:
		return r.Int64N(8) - 2
	case n < 7:
		return Pick[int64](r, math.MaxInt32, math.MinInt32, 1<<53, -(1<<53), math.MaxInt64, math.MinInt64, 1e15, 1e18) + r.Int64N(3) - 1
	}
	return int64(r.Uint64()) >> r.IntN(64)
}

// Double draws a double: whole, a little off, special, or any bits.
func (r Random) Double() float64 {
	switch n := r.IntN(8); {
	case n < 3:
		return float64(r.Whole())
	case n < 5:
		return float64(r.Int64N(8)-2) + Pick(r, 0.5, -0.5, 0.1, 0.9, 1e-9)
	case n < 7:
		return Pick(r, math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), math.MaxFloat64, math.SmallestNonzeroFloat64, 1<<63, -(1 << 63), 0.1, 1e300)
	}
	return math.Float64frombits(r.Uint64())
}

// Decimal draws the two words of a decimal128: a number with few digits, with many digits
// or with zeros at the end, a special value such as an infinity, or any bits.
func (r Random) Decimal() (high, low uint64) {
	switch n := r.IntN(16); {
	case n < 9:
		low = uint64(r.Whole()) >> r.IntN(64)
		high = uint64(6176+r.IntN(9)-6) << 49
	case n < 12: // a small number with trailing zeros, which the exponent mostly removes
		zeros := r.IntN(19)
		low = uint64(r.Int64N(16)) * uint64(math.Pow10(zeros))
		high = uint64(6176-zeros+r.IntN(5)-2) << 49
	case n < 14:
		high, low = uint64(r.IntN(12288))<<49|uint64(r.Int64N(1<<48)), r.Uint64()
	case n < 15:
		return Pick[uint64](r, 0x7800000000000000, 0xF800000000000000, 0x7C00000000000000, 0xFC00000000000000, 0x6C00000000000000, 0x5FFFED09BEAD87C0), r.Uint64()
	default:
		return r.Uint64(), r.Uint64()
	}
	return high | uint64(r.IntN(2))<<63, low
}

// Document draws a document of BSON, with some of the names at each level, some of
// them twice.
func (r Random) Document(depth int, names ...string) []byte {
	return r.appendDocument(nil, depth, names)
}

func (r Random) appendDocument(b []byte, depth int, names []string) []byte {
	start := len(b)
	b = append(b, 0, 0, 0, 0)
	for range r.IntN(len(names) + 1) {
		b = r.appendElement(b, Pick(r, names...), depth, names)
	}
	return closed(b, start)
}

// closed ends the document that begins at start.
func closed(b []byte, start int) []byte {
	b = append(b, 0)
	binary.LittleEndian.PutUint32(b[start:], uint32(len(b)-start))
	return b
}

func (r Random) appendArray(b []byte, depth int, names []string) []byte {
	start := len(b)
	b = append(b, 0, 0, 0, 0)
	for i := range r.IntN(4) {
		b = r.appendElement(b, strconv.Itoa(i), depth, names)
	}
	return closed(b, start)
}

// appendElement draws a field with a value, mostly a date, because deadlines come from
// dates.
func (r Random) appendElement(b []byte, name string, depth int, names []string) []byte {
	at := len(b)
	b = append(append(append(b, 0), name...), 0)
	switch n := r.IntN(16); {
	case n < 6:
		b[at] = 0x09
		return binary.LittleEndian.AppendUint64(b, uint64(r.Instant()))
	case n < 9 && depth > 0:
		b[at] = 0x04
		return r.appendArray(b, depth-1, names)
	case n < 11 && depth > 0:
		b[at] = 0x03
		return r.appendDocument(b, depth-1, names)
	case n < 14:
		return r.appendNumber(b, at)
	}
	return r.appendScalar(b, at)
}

func (r Random) appendNumber(b []byte, at int) []byte {
	switch r.IntN(4) {
	case 0:
		b[at] = 0x10
		return binary.LittleEndian.AppendUint32(b, uint32(r.Whole()))
	case 1:
		b[at] = 0x12
		return binary.LittleEndian.AppendUint64(b, uint64(r.Whole()))
	case 2:
		b[at] = 0x01
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(r.Double()))
	}
	b[at] = 0x13
	high, low := r.Decimal()
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, low), high)
}

// scalars are the values of BSON that are neither dates nor numbers.
var scalars = []struct {
	kind byte
	body string
}{
	{0x02, "\x01\x00\x00\x00\x00"}, {0x02, "\x02\x00\x00\x00a\x00"}, {0x02, "\x03\x00\x00\x00\xc3\xa9\x00"}, {0x02, "\x03\x00\x00\x00a\x00\x00"},
	{0x0A, ""}, {0x0A, ""}, {0x06, ""}, {0x08, "\x00"}, {0x08, "\x01"}, {0x11, "\x00\x00\x00\x00\x01\x00\x00\x00"}, {0x11, "\xff\xff\xff\xff\xff\xff\xff\xff"},
	{0x07, "0123456789ab"}, {0x05, "\x01\x00\x00\x00\x00a"}, {0x05, "\x05\x00\x00\x00\x02\x01\x00\x00\x00a"}, {0x0B, "a\x00i\x00"}, {0x0D, "\x02\x00\x00\x00f\x00"},
	{0x0E, "\x02\x00\x00\x00a\x00"}, {0x0C, "\x02\x00\x00\x00c\x000123456789ab"}, {0x0F, "\x0f\x00\x00\x00\x02\x00\x00\x00f\x00\x05\x00\x00\x00\x00"}, {0x7F, ""}, {0xFF, ""},
}

func (r Random) appendScalar(b []byte, at int) []byte {
	s := Pick(r, scalars...)
	b[at] = s.kind
	return append(b, s.body...)
}
