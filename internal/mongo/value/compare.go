package value

import (
	"bytes"
	"cmp"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Class returns the type class of a kind, which also is its place in MongoDB's order of
// types (mongodb/mongo: src/mongo/bson/bsontypes.h, canonicalizeBSONType). A comparison
// operator matches only values of its operand's class.
func Class(k policy.Kind) int {
	switch k {
	case policy.MinKey:
		return -1
	case policy.MaxKey:
		return 127
	case policy.Missing, policy.Undefined:
		return 0
	case policy.Opaque:
		return 126 // a class of its own
	case policy.Null:
		return 5
	case policy.Double, policy.Int32, policy.Int64, policy.Decimal:
		return 10
	case policy.String, policy.Symbol:
		return 15
	case policy.Date:
		return 45
	case policy.Timestamp:
		return 47
	}
	return rareClass[k]
}

var rareClass = [256]int{
	policy.Object: 20, policy.List: 25, policy.Binary: 30, policy.ObjectID: 35, policy.Bool: 40,
	policy.Regex: 50, policy.DBPointer: 55, policy.Code: 60, policy.CodeWithScope: 65,
}

// Compare returns -1, 0 or +1 as MongoDB orders v before, with or after
// w. It reports false if an embedded document cannot list its fields.
func Compare(v, w policy.Value) (int, bool) { return CompareSorted(v, w, false) }

// CompareSorted does the same as [Compare] if sorted is false. If sorted is true, it
// reads the fields of v, and of documents within v, in the order of their names; arrays
// keep their order. It then also reports false for a document that repeats a name, for
// which the server's order is arbitrary, and for a document with too many fields
// (mongodb/mongo: src/mongo/db/timeseries/metadata.cpp).
func CompareSorted(v, w policy.Value, sorted bool) (int, bool) {
	if c := cmp.Compare(Class(v.Kind()), Class(w.Kind())); c != 0 {
		return c, true
	}
	switch v.Kind() {
	case policy.Object:
		if sorted {
			return compareSortedDocuments(v, w)
		}
		return compareDocuments(v, w)
	case policy.List:
		return compareArrays(v, w, sorted)
	case policy.CodeWithScope:
		return compareCodes(v, w)
	case policy.Opaque:
		return 0, false
	}
	return compareScalars(v, w), true
}

// compareScalars compares two scalars of the same class.
func compareScalars(v, w policy.Value) int {
	switch v.Kind() {
	case policy.Double, policy.Int32, policy.Int64, policy.Decimal:
		return CompareNumbers(v, w)
	case policy.String, policy.Symbol, policy.Code:
		return valuefunc.F.CompareText(v, w)
	case policy.Date:
		return cmp.Compare(date(v), date(w))
	case policy.Timestamp:
		return cmp.Compare(timestamp(v), timestamp(w))
	case policy.Bool:
		a, _ := v.AsBool()
		b, _ := w.AsBool()
		return cmp.Compare(boolToInt(a), boolToInt(b))
	case policy.Binary:
		return compareBinaries(v, w)
	case policy.ObjectID, policy.DBPointer:
		return compareIDs(v, w)
	case policy.Regex:
		return valuefunc.F.CompareText(v, w) // pattern and options contain no NUL
	}
	return 0 // MinKey, MaxKey, null and undefined equal themselves
}

func date(v policy.Value) policy.Instant {
	i, _ := v.AsDate()
	return i
}

func timestamp(v policy.Value) uint64 {
	seconds, ordinal, _ := v.AsTimestamp()
	return uint64(seconds)<<32 | uint64(ordinal)
}

// compareBinaries compares length, subtype and bytes, in this order.
func compareBinaries(v, w policy.Value) int {
	s, a, _ := v.AsBinary()
	t, b, _ := w.AsBinary()
	return cmp.Or(cmp.Compare(storedLength(s, a), storedLength(t, b)), cmp.Compare(s, t), bytes.Compare(a, b))
}

// storedLength returns the length of binary data that BSON stores. The length of the
// deprecated subtype 2 includes four bytes that repeat the length.
func storedLength(subtype byte, data []byte) int {
	if subtype == 2 {
		return len(data) + 4
	}
	return len(data)
}

// compareIDs compares object identifiers. DBPointers are compared by the length of the
// namespace first, then by the namespace, and by the identifier last.
func compareIDs(v, w policy.Value) int {
	a, _ := v.AsObjectID()
	b, _ := w.AsObjectID()
	return cmp.Or(cmp.Compare(valuefunc.F.TextLen(v), valuefunc.F.TextLen(w)), valuefunc.F.CompareText(v, w), bytes.Compare(a[:], b[:]))
}

func compareCodes(v, w policy.Value) (int, bool) {
	if c := valuefunc.F.CompareText(v, w); c != 0 {
		return c, true
	}
	return compareDocuments(valuefunc.F.Scope(v), valuefunc.F.Scope(w))
}

// compareDocuments compares field by field: type class, name, value. A document that is a
// prefix of the other comes first.
func compareDocuments(v, w policy.Value) (int, bool) {
	f, g := v.Fields(), w.Fields()
	if !f.Listed() || !g.Listed() {
		return 0, false
	}
	for {
		more, moreW := f.Next(), g.Next()
		if !more || !moreW {
			return cmp.Compare(boolToInt(more), boolToInt(moreW)), true
		}
		c := cmp.Compare(Class(f.Value().Kind()), Class(g.Value().Kind()))
		if c = cmp.Or(c, valuefunc.F.CompareNames(f, g)); c != 0 {
			return c, true
		}
		if c, ok := Compare(f.Value(), g.Value()); c != 0 || !ok {
			return c, ok
		}
	}
}

// compareArrays compares element by element: type class, name, value. The name of an
// element is its stored name or else its position. If sorted is true, the names in v are
// the positions, which the elements get when v is stored.
func compareArrays(v, w policy.Value, sorted bool) (int, bool) {
	e, f := v.Elements(), w.Elements()
	for i := 0; ; i++ {
		more, moreW := e.Next(), f.Next()
		if !more || !moreW {
			return cmp.Compare(boolToInt(more), boolToInt(moreW)), true
		}
		c := cmp.Compare(Class(e.Value().Kind()), Class(f.Value().Kind()))
		if c = cmp.Or(c, compareElementNames(&e, &f, i, sorted)); c != 0 {
			return c, true
		}
		if c, ok := CompareSorted(e.Value(), f.Value(), sorted); c != 0 || !ok {
			return c, ok
		}
	}
}

// compareElementNames compares the names of the elements at position i of two arrays. If
// sorted is true, the name of the first array's element is its position.
func compareElementNames(e, f *policy.Elements, i int, sorted bool) int {
	a, storedA := valuefunc.F.ElementName(e)
	b, storedB := valuefunc.F.ElementName(f)
	switch {
	case sorted || !storedA:
		return comparePosition(i, b, storedB)
	case storedB:
		return bytes.Compare(a, b)
	}
	return -comparePosition(i, a, storedA)
}

// comparePosition compares the position i, as the name of an element, with name. Without
// a stored name the names are equal.
func comparePosition(i int, name []byte, stored bool) int {
	if !stored {
		return 0
	}
	var position [20]byte
	return bytes.Compare(strconv.AppendInt(position[:0], int64(i), 10), name)
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// maxSortedFields is the maximum number of fields of an embedded document whose fields
// are compared in the order of their names. Deciding does not allocate, so the comparison
// walks over the document again to find each next name. A comparison of a document with
// more fields is undecidable.
const maxSortedFields = 256

// compareSortedDocuments compares like compareDocuments, with the fields of v in the
// order of their names.
func compareSortedDocuments(v, w policy.Value) (int, bool) {
	left, ok := countFields(v)
	if !ok {
		return 0, false
	}
	var f policy.Fields
	g := w.Fields()
	for first := true; ; first, left = false, left-1 {
		more, moreW := left > 0, g.Next()
		if !more || !moreW {
			return cmp.Compare(boolToInt(more), boolToInt(moreW)), true
		}
		if f, ok = nextName(v, f, first); !ok {
			return 0, false
		}
		c := cmp.Compare(Class(f.Value().Kind()), Class(g.Value().Kind()))
		if c = cmp.Or(c, valuefunc.F.CompareNames(f, g)); c != 0 {
			return c, true
		}
		if c, ok := CompareSorted(f.Value(), g.Value(), true); c != 0 || !ok {
			return c, ok
		}
	}
}

// countFields returns the number of fields of v. It reports false if the fields cannot be
// listed, or are more than maxSortedFields.
func countFields(v policy.Value) (n int, ok bool) {
	f := v.Fields()
	for n <= maxSortedFields && f.Next() {
		n++
	}
	return n, f.Listed() && n <= maxSortedFields
}

// nextName returns a cursor at the field of v with the least name, or, if first is false,
// with the least name after the name of last. It reports false if several fields have
// that name.
func nextName(v policy.Value, last policy.Fields, first bool) (next policy.Fields, ok bool) {
	found := false
	for f := v.Fields(); f.Next(); {
		if !first && valuefunc.F.CompareNames(f, last) <= 0 {
			continue
		}
		switch c := valuefunc.F.CompareNames(f, next); {
		case !found || c < 0:
			next, found, ok = f, true, true
		case c == 0:
			ok = false
		}
	}
	return next, ok
}
