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
// returns the earliest of them and how many they are. It takes a quarter of the
// time of Next, which sets the element that Raw returns; this does not.
func (e *RawElements) Dates() (earliest Instant, n int) {
	b := e.rest
	for len(b) > 0 && Kind(b[0]) == Date {
		body := 1
		for body < len(b) && b[body] != 0 { // the position, a few digits
			body++
		}
		if body++; len(b)-body < 8 {
			break // damage, for Next to notice
		}
		date := Instant(binary.LittleEndian.Uint64(b[body:]))
		if n == 0 {
			earliest = date
		}
		earliest = min(earliest, date)
		b = b[body+8:]
		n++
	}
	e.rest = b
	return earliest, n
}

// Raw returns the current element.
func (e *RawElements) Raw() Raw { return e.current }

// Damaged reports whether the cursor ended because it could not go on.
func (e *RawElements) Damaged() bool { return e.damaged }
