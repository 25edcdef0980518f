package rawbson

import (
	"math"

	"github.com/ttlpolicy/ttlpolicy/internal/base/swar"
)

// Elements is a cursor over the elements of an array, or the fields of a
// document, in BSON that nobody has checked:
//
//	e := v.Elements()
//	for e.Next() {
//		use(e.Value())
//	}
//	if e.Damaged() {
//		…
//	}
//
// It does not allocate. The zero Elements is at its end.
type Elements struct {
	rest    []byte
	current []byte // from the type to the end of the value
	nameEnd int    // the end of the name in current
	damaged bool
}

// Elements returns a cursor before the first element of an array or the first field of a
// document. The cursor is damaged if v is neither an array nor a document, or if its
// length does not fit.
func (v Value) Elements() Elements {
	if v.Type != object && v.Type != array || !isFramed(v.Body) {
		return Elements{damaged: true}
	}
	return Elements{rest: elementsOf(v.Body)}
}

// Next moves to the next element. It reports false at the end and on damage.
func (e *Elements) Next() bool {
	b := e.rest
	nameEnd, end := cutElement(b)
	if end == 0 {
		e.damaged = e.damaged || len(b) > 0
		return false
	}
	e.current, e.nameEnd, e.rest = b[:end], nameEnd, b[end:]
	return true
}

// Name returns the current element's name, which must not be modified. In an
// array it is the position, "0", "1" and so on, unless a client wrote another.
func (e *Elements) Name() []byte {
	if e.nameEnd == 0 {
		return nil
	}
	return e.current[1:e.nameEnd]
}

// Value returns the value of the current element, or the zero Value before the first
// element.
func (e *Elements) Value() Value {
	if e.nameEnd == 0 {
		return Value{}
	}
	return Value{e.current[0], e.current[e.nameEnd+1:]}
}

// Left returns the number of bytes of elements after the current one. In a damaged cursor
// these bytes begin with the damaged element.
func (e *Elements) Left() int { return len(e.rest) }

// Damaged reports whether the cursor stopped at damaged bytes.
func (e *Elements) Damaged() bool { return e.damaged }

// Dates moves past the next elements as long as they are dates. It returns the
// earliest of these dates in milliseconds since 1970, and their number. Without
// any date the earliest is the greatest int64. Dates takes a fraction of the time
// of Next, and leaves the current element as it is.
func (e *Elements) Dates() (earliest int64, n int) {
	earliest, n, size := datesOf(e.rest)
	e.rest = e.rest[size:]
	return earliest, n
}

// datesOf reads the dates at the start of b, which holds elements of an array.
// It returns the earliest date, their number and the bytes that they take. It
// stops at a date whose name has more digits than dateHeaders covers.
func datesOf(b []byte) (earliest int64, n, size int) {
	earliest = math.MaxInt64
	header, value := dateHeaders[0], dateValue
	for len(b)-size >= value+8 {
		if swar.Load(b, size)&header.mask == header.want {
			size += value
			earliest = min(earliest, int64(swar.Load(b, size)))
			size += 8
			n++
			continue
		}
		if value++; value == dateValue+len(dateHeaders) {
			break
		}
		header = dateHeaders[value-dateValue]
	}
	return earliest, n, size
}

// dateValue is the offset of a date in an element whose name has one digit.
const dateValue = len("\x09") + len("0") + len("\x00")

// dateHeaders tell by the first word of an element whether it is a date at a
// position of one to six digits, enough for a million elements. The date at
// position 10 begins with 09 31 30 00, the lowest byte first. Only the upper half
// of each digit, which is 3, is compared; that suffices to find the name's end.
var dateHeaders = [...]struct{ mask, want uint64 }{
	{0xFF_F0_FF, 0x00_30_09},
	{0xFF_F0F0_FF, 0x00_3030_09},
	{0xFF_F0F0F0_FF, 0x00_303030_09},
	{0xFF_F0F0F0F0_FF, 0x00_30303030_09},
	{0xFF_F0F0F0F0F0_FF, 0x00_3030303030_09},
	{0xFF_F0F0F0F0F0F0_FF, 0x00_303030303030_09},
}
