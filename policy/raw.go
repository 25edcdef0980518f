package policy

import "encoding/binary"

// A Raw is a value as it stands in BSON that nobody has checked: a kind and the
// bytes of that kind's length. It costs nothing to make, and is what fast
// readers pass around; a [Value] can do more. The zero Raw is [Missing].
type Raw struct {
	Kind Kind
	// Body is the value's bytes, which must not be modified.
	Body []byte
}

// AsDate returns the instant r holds. It reports false if r is no [Date].
func (r Raw) AsDate() (Instant, bool) {
	if r.Kind != Date || len(r.Body) < 8 {
		return 0, false
	}
	return Instant(binary.LittleEndian.Uint64(r.Body)), true
}

// AsString returns the text r holds, which must not be modified. It reports
// false if r is no [String], or none that ends as one does.
func (r Raw) AsString() ([]byte, bool) {
	end := len(r.Body) - 1
	if r.Kind != String || end < lengthBytes || r.Body[end] != 0 {
		return nil, false
	}
	return r.Body[lengthBytes:end], true
}

// Check returns r as a [Value], once it is well-formed all the way down. The
// error is a [*SyntaxError] whose offset counts from the value.
func (r Raw) Check() (Value, error) {
	if err := checkBody(r.Kind, r.Body, 0, 1); err != nil {
		return Value{}, err
	}
	return rawValue(r.Kind, r.Body), nil
}

// EarliestDate returns the earliest element of an array that holds nothing but
// Dates. It reports false for any other: one that is empty, or holds something
// else, or is damaged.
func (r Raw) EarliestDate() (earliest Instant, ok bool) {
	if r.Kind != List || !isFramed(r.Body) {
		return 0, false
	}
	elements := elementsOf(r.Body)
	earliest, n, size := datesOf(elements)
	return earliest, n > 0 && size == len(elements)
}

// Elements returns a cursor before the first element of an array. It is
// damaged if r is no [List], or none whose length fits.
func (r Raw) Elements() RawElements {
	if r.Kind != List || !isFramed(r.Body) {
		return RawElements{damaged: true}
	}
	return RawElements{rest: elementsOf(r.Body)}
}

// RawElements is a cursor over an array in BSON that nobody has checked:
//
//	e := r.Elements()
//	for e.Next() {
//		use(e.Raw())
//	}
//	if e.Damaged() {
//		…
//	}
//
// It does not allocate. The zero RawElements is at its end.
type RawElements struct {
	rest    []byte
	current Raw
	damaged bool
}

// Next moves to the next element. It reports false at the end and on damage.
func (e *RawElements) Next() bool {
	nameEnd, next := cutElement(e.rest)
	if next == 0 {
		e.damaged = e.damaged || len(e.rest) > 0
		return false
	}
	e.current = Raw{Kind(e.rest[0]), e.rest[nameEnd+1 : next]}
	e.rest = e.rest[next:]
	return true
}

// Dates moves past the [Date] elements that follow, up to any other, and
// returns the earliest of them, [MaxInstant] for none, and how many they are. It
// takes a fraction of the time of Next, which sets the element that Raw returns;
// this does not.
func (e *RawElements) Dates() (earliest Instant, n int) {
	earliest, n, size := datesOf(e.rest)
	e.rest = e.rest[size:]
	return earliest, n
}

// datesOf returns the earliest of the Dates that b, elements of an array, begins
// with, their number and the bytes that they take. It may leave Dates over whose
// names are not positions.
func datesOf(b []byte) (earliest Instant, n, size int) {
	earliest = MaxInstant
	digits := 1
	mask, want := dateHeader(digits)
	for len(b)-size >= 1+digits+1+8 {
		if wordAt(b, size)&mask == want {
			size += 1 + digits + 1
			earliest = min(earliest, Instant(wordAt(b, size)))
			size += 8
			n++
			continue
		}
		if digits++; digits > maxDigits {
			break
		}
		mask, want = dateHeader(digits)
	}
	return earliest, n, size
}

// dateHeader returns what a word is that begins with a Date whose position in
// the array has so many digits: want where mask has ones.
func dateHeader(digits int) (mask, want uint64) {
	position := uint64(1)<<(8*digits) - 1
	return 0xFF | position<<8&0xF0F0F0F0F0F000 | 0xFF<<(8*(digits+1)), uint64(Date) | position<<8&0x30303030303000
}

// maxDigits is how long a position is so that a word holds it, the type in
// front and the NUL behind: that of all of a million elements.
const maxDigits = 6

// Raw returns the current element.
func (e *RawElements) Raw() Raw { return e.current }

// Damaged reports whether the cursor ended because it could not go on.
func (e *RawElements) Damaged() bool { return e.damaged }
