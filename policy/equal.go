package policy

import "bytes"

// Equal reports whether v and w are the same value: of one kind and with the same
// content, however they are stored. Numbers are compared by their bits: 1 and 1.0 differ,
// 0.0 and -0.0 differ, and a NaN equals itself. Documents are equal if they hold the same
// fields in the same order; a document that cannot list its fields equals no document,
// not even itself.
//
// Use Equal to detect a change, for example in a catalog. Each engine has its own
// equality for filters.
func (v Value) Equal(w Value) bool {
	switch {
	case v.kind != w.kind:
		return false
	case v.raw != nil && w.raw != nil && v.low == w.low && v.high == w.high && bytes.Equal(v.raw, w.raw):
		return true
	}
	switch v.kind {
	case Missing, Null, Undefined, MinKey, MaxKey:
		return true
	case Bool, Int32, Int64, Double, Decimal, Date, Timestamp, ObjectID:
		return v.high == w.high && v.low == w.low
	case Object:
		return equalFields(v.Fields(), w.Fields())
	case List:
		return equalElements(v.Elements(), w.Elements())
	case Binary:
		return v.low == w.low && bytes.Equal(v.raw, w.raw)
	case String, Symbol, Code, Regex, DBPointer:
		return v.high == w.high && v.low == w.low && v.content() == w.content()
	case CodeWithScope:
		return v.content() == w.content() && v.scope().Equal(w.scope())
	}
	return false
}

func equalFields(f, g Fields) bool {
	for f.Next() {
		if !g.Next() || f.compareName(g.Name()) != 0 || !f.Value().Equal(g.Value()) {
			return false
		}
	}
	return !g.Next() && f.Listed() && g.Listed()
}

func equalElements(e, f Elements) bool {
	for e.Next() {
		if !f.Next() || !e.Value().Equal(f.Value()) {
			return false
		}
	}
	return !f.Next()
}
