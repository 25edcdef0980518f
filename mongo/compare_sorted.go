package mongo

import (
	"cmp"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// maxSortedFields is how many fields an embedded document may have that is
// compared in the order of its names. Finding the next name takes a walk over
// the document, as deciding does not allocate; a document of more fields is
// not compared, and kept.
const maxSortedFields = 256

// compareSorted compares v with w as [compareValues] does, but with the fields
// of v, and of documents within it, in the order of their names. Arrays keep
// their order. It reports false for a document that repeats a name, whose order
// the server leaves to chance, and for one that cannot be listed, or is too
// large (mongodb/mongo: src/mongo/db/timeseries/metadata.cpp).
func compareSorted(v, w policy.Value) (int, bool) {
	switch {
	case v.Kind() != w.Kind():
	case v.Kind() == policy.Object:
		return compareSortedDocuments(v, w)
	case v.Kind() == policy.List:
		return compareSortedArrays(v, w)
	}
	return compareValues(v, w)
}

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
		c := cmp.Compare(class(f.Value().Kind()), class(g.Value().Kind()))
		if c = cmp.Or(c, f.CompareName(g.Name())); c != 0 {
			return c, true
		}
		if c, ok := compareSorted(f.Value(), g.Value()); c != 0 || !ok {
			return c, ok
		}
	}
}

// countFields returns how many fields v has. It reports false if they cannot
// be listed, or are too many.
func countFields(v policy.Value) (n int, ok bool) {
	f := v.Fields()
	for n <= maxSortedFields && f.Next() {
		n++
	}
	return n, f.Listed() && n <= maxSortedFields
}

// nextName returns a cursor at the field of v with the least name, or if it is
// not the first that is asked for, with the least after that of last. It
// reports false if several have the name.
func nextName(v policy.Value, last policy.Fields, first bool) (next policy.Fields, ok bool) {
	found := false
	f := v.Fields()
	for f.Next() {
		if !first && f.CompareNames(last) <= 0 {
			continue
		}
		switch c := f.CompareNames(next); {
		case !found || c < 0:
			next, found, ok = f, true, true
		case c == 0:
			ok = false
		}
	}
	return next, ok
}

func compareSortedArrays(v, w policy.Value) (int, bool) {
	e, f := v.Elements(), w.Elements()
	for {
		more, moreW := e.Next(), f.Next()
		if !more || !moreW {
			return cmp.Compare(boolToInt(more), boolToInt(moreW)), true
		}
		if c, ok := compareSorted(e.Value(), f.Value()); c != 0 || !ok {
			return c, ok
		}
	}
}
