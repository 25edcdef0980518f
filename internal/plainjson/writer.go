package plainjson

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Writer writes documents as [Append] does, and refuses what JSON or an item does not allow.
type Writer struct {
	Limit int // limit in bytes of one document; 0 for no limit
	Dates Dates
	// Check, unless it is nil, returns an error for the name of a top-level field that a
	// document must not have.
	Check func(name string) error
	Skip  string // the name of a top-level field that is left out; "" for none
}

// Reasons to refuse a document. An error of [Writer.AppendFields] wraps one of
// them or [ErrNoISODate], and names the top-level field at fault.
var (
	ErrNotUTF8  = errors.New("holds bytes that are not UTF-8, which JSON cannot hold")
	ErrTwice    = errors.New("has a field twice, and JSON keeps only one")
	ErrTooLarge = errors.New("makes the document too large")
	ErrTooDeep  = errors.New("nests too deep")
)

// maxDepth is the maximum nesting of an item (Azure Cosmos DB service quotas, per-item
// limits, https://learn.microsoft.com/azure/cosmos-db/concepts-limits).
const maxDepth = 128

// AppendFields appends the fields of a document, without the braces around them. An error says
// what JSON, or the limit, does not allow; dst is then returned unchanged.
func (w *Writer) AppendFields(dst []byte, doc policy.Document) ([]byte, error) {
	c := call{Writer: w, end: math.MaxInt}
	if w.Limit > 0 {
		c.end = len(dst) + w.Limit
	}
	out, names := dst, nameSet{}
	for f := policy.ObjectValue(doc).Fields(); f.Next(); {
		name := f.Name()
		if w.Skip != "" && name == w.Skip {
			continue
		}
		if w.Check != nil {
			if err := w.Check(name); err != nil {
				return dst, err
			}
		}
		var err error
		if out, err = c.field(out, name, f.Value(), &names, 1); err != nil {
			return dst, fmt.Errorf("its field %q %w", name[:min(len(name), 100)], err)
		}
	}
	return out, nil
}

// A call is the writing of one document.
type call struct {
	*Writer
	end int // length to which the text may grow
}

// field appends a field of an object on nesting level depth.
func (c call) field(dst []byte, name string, v policy.Value, names *nameSet, depth int) ([]byte, error) {
	if names.n > 0 {
		dst = append(dst, ',')
	}
	if !names.add(name) {
		return dst, ErrTwice
	}
	dst, exact := jsontext.AppendQuoted(dst, name)
	if !exact {
		return dst, ErrNotUTF8
	}
	return c.value(append(dst, ':'), v, depth)
}

// value appends a value that stands in an object or an array on nesting level depth.
func (c call) value(dst []byte, v policy.Value, depth int) (_ []byte, err error) {
	switch kind := v.Kind(); {
	case (kind == policy.Object || kind == policy.List) && depth >= maxDepth:
		return dst, ErrTooDeep
	case kind == policy.Object:
		dst = append(dst, '{')
		var names nameSet
		for f := v.Fields(); err == nil && f.Next(); {
			dst, err = c.field(dst, f.Name(), f.Value(), &names, depth+1)
		}
		dst = append(dst, '}')
	case kind == policy.List:
		dst = append(dst, '[')
		e := v.Elements()
		for first := true; err == nil && e.Next(); first = false {
			if !first {
				dst = append(dst, ',')
			}
			dst, err = c.value(dst, e.Value(), depth+1)
		}
		dst = append(dst, ']')
	case kind == policy.Date:
		i, _ := v.AsDate()
		dst, err = c.Dates.appendDate(dst, i)
	case kind == policy.String:
		text, _ := v.AsString()
		exact := false
		if dst, exact = jsontext.AppendQuoted(dst, text); !exact {
			return dst, ErrNotUTF8
		}
	case kind.IsNumber(), kind == policy.Bool, kind == policy.Null, kind == policy.ObjectID:
		dst = Append(dst, v)
	default:
		text, _ := v.AsString()
		pattern, options, _ := v.AsRegex()
		if !utf8.ValidString(text) || !utf8.ValidString(pattern+options) {
			return dst, ErrNotUTF8
		}
		dst = Append(dst, v)
	}
	if err == nil && len(dst) > c.end {
		err = ErrTooLarge
	}
	return dst, err
}

// A nameSet holds the names that an object has had so far.
type nameSet struct {
	n    int
	few  [16]string
	many map[string]bool // all names, once there are too many for few
}

// add adds a name, and reports whether it is new.
func (s *nameSet) add(name string) bool {
	if s.n < len(s.few) {
		if slices.Contains(s.few[:s.n], name) {
			return false
		}
		s.few[s.n] = name
	} else if s.many == nil {
		s.many = map[string]bool{}
		for _, name := range s.few {
			s.many[name] = true
		}
	}
	if s.many[name] {
		return false
	}
	if s.many != nil {
		s.many[name] = true
	}
	s.n++
	return true
}
