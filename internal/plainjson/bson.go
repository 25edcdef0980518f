package plainjson

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/internal/base/jsontext"
	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Writer writes documents of BSON as [Append] does, without making values of
// them. It reuses its memory. The zero Writer is ready for use by one goroutine
// at a time.
type Writer struct {
	Limit int // limit in bytes of one document; 0 for no limit
	Dates Dates
	// Check, unless it is nil, returns an error for the name of a top-level field that a
	// document must not have.
	Check func(name []byte) error
	Skip  string // the name of a top-level field that is left out; "" for none

	dst    []byte
	end    int // length to which dst may grow
	hashes []uint64
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

// AppendFields appends the fields of a checked document, without the braces around them.
// An error says what JSON, or the limit, does not allow; dst is then returned unchanged.
func (w *Writer) AppendFields(dst []byte, doc policy.BSON) ([]byte, error) {
	w.dst, w.end = dst, math.MaxInt
	if w.Limit > 0 {
		w.end = len(dst) + w.Limit
	}
	e := rawbson.Value{Type: byte(policy.Object), Body: doc.Bytes()}.Elements()
	names := nameSet{all: e}
	for first := true; e.Next(); {
		if w.Skip != "" && string(e.Name()) == w.Skip {
			continue
		}
		if w.Check != nil {
			if err := w.Check(e.Name()); err != nil {
				return dst, err
			}
		}
		if err := w.field(&e, &names, first, 1); err != nil {
			return dst, fmt.Errorf("its field %q %w", clip(e.Name()), err)
		}
		first = false
	}
	if len(w.dst) > w.end {
		return dst, ErrTooLarge
	}
	return w.dst, nil
}

func clip(name []byte) []byte { return name[:min(len(name), 100)] }

// field appends the current field of e.
func (w *Writer) field(e *rawbson.Elements, names *nameSet, first bool, depth int) error {
	if !first {
		w.dst = append(w.dst, ',')
	}
	name := e.Name()
	if names.has(w, name) {
		return ErrTwice
	}
	exact := false
	if w.dst, exact = jsontext.AppendQuoted(w.dst, name); !exact {
		return ErrNotUTF8
	}
	w.dst = append(w.dst, ':')
	return w.value(e.Value(), depth)
}

// value appends a value in a document on nesting level depth.
func (w *Writer) value(v rawbson.Value, depth int) error {
	kind := policy.Kind(v.Type)
	nested := kind == policy.Object || kind == policy.List || kind == policy.CodeWithScope
	if len(w.dst) > w.end || !nested && len(w.dst)+len(v.Body)-16 > w.end { // no other value takes more than 16 bytes less in JSON
		return ErrTooLarge
	}
	switch kind {
	case policy.String:
		exact := false
		if w.dst, exact = jsontext.AppendQuoted(w.dst, v.Body[4:len(v.Body)-1]); !exact {
			return ErrNotUTF8
		}
	case policy.Object, policy.List:
		return w.nested(v, depth+1)
	case policy.Int32:
		w.dst = strconv.AppendInt(w.dst, int64(int32(binary.LittleEndian.Uint32(v.Body))), 10)
	case policy.Int64:
		w.dst = strconv.AppendInt(w.dst, int64(binary.LittleEndian.Uint64(v.Body)), 10)
	case policy.Bool:
		w.dst = strconv.AppendBool(w.dst, v.Body[0] != 0)
	case policy.Null:
		w.dst = append(w.dst, "null"...)
	case policy.Date:
		dst, err := w.Dates.appendDate(w.dst, policy.Instant(binary.LittleEndian.Uint64(v.Body)))
		w.dst = dst
		return err
	case policy.ObjectID:
		w.dst = hex.AppendEncode(append(w.dst, `{"$oid":"`...), v.Body)
		w.dst = append(w.dst, `"}`...)
	default:
		return w.rare(v)
	}
	return nil
}

// rare appends a value of a rare kind.
func (w *Writer) rare(v rawbson.Value) error {
	decoded, err := policy.ParseBSONValue(policy.Kind(v.Type), v.Body)
	if err != nil {
		return err
	}
	if text, ok := decoded.AsString(); ok && !utf8.ValidString(text) {
		return ErrNotUTF8
	}
	if pattern, options, ok := decoded.AsRegex(); ok && !utf8.ValidString(pattern+options) {
		return ErrNotUTF8
	}
	w.dst, err = w.Dates.Append(w.dst, decoded)
	return err
}

// nested appends an object or an array on nesting level depth.
func (w *Writer) nested(v rawbson.Value, depth int) error {
	if depth > maxDepth {
		return ErrTooDeep
	}
	if policy.Kind(v.Type) == policy.List {
		return w.list(v.Elements(), depth)
	}
	e := v.Elements()
	names := nameSet{all: e}
	w.dst = append(w.dst, '{')
	for first := true; e.Next(); first = false {
		if err := w.field(&e, &names, first, depth); err != nil {
			return err
		}
	}
	w.dst = append(w.dst, '}')
	return nil
}

func (w *Writer) list(e rawbson.Elements, depth int) error {
	w.dst = append(w.dst, '[')
	for first := true; e.Next(); first = false {
		if !first {
			w.dst = append(w.dst, ',')
		}
		if err := w.value(e.Value(), depth); err != nil {
			return err
		}
	}
	w.dst = append(w.dst, ']')
	return nil
}

// A nameSet holds the names that a document has had so far. A name whose bit is not set
// is new; a name whose bit is set is compared with the names before it. In a document
// with more than a few names all names are checked in one go.
type nameSet struct {
	all  rawbson.Elements // a cursor before the first name
	bits uint64
	n    int
}

const fewNames = 24

// has adds a name and reports whether the document had it before. For a long
// document it reports once, after fewNames names, whether any name occurs twice.
func (s *nameSet) has(w *Writer, name []byte) bool {
	if s.n++; s.n > fewNames {
		return s.n == fewNames+1 && w.anyTwice(s.all)
	}
	h := uint(len(name))
	if h > 0 {
		h += uint(name[0])*7 + uint(name[h-1])*31
	}
	bit := uint64(1) << (h & 63)
	known := s.bits & bit
	s.bits |= bit
	return known != 0 && s.isBefore(name)
}

func (s *nameSet) isBefore(name []byte) bool {
	e := s.all
	for range s.n - 1 {
		if e.Next(); bytes.Equal(e.Name(), name) {
			return true
		}
	}
	return false
}

var seed = maphash.MakeSeed()

// anyTwice reports whether a document has a name twice. It compares the hashes of all
// names, and then the names with equal hashes.
func (w *Writer) anyTwice(all rawbson.Elements) bool {
	w.hashes = w.hashes[:0]
	for e := all; e.Next(); {
		w.hashes = append(w.hashes, maphash.Bytes(seed, e.Name()))
	}
	slices.Sort(w.hashes)
	for i := 1; i < len(w.hashes); i++ {
		if w.hashes[i] == w.hashes[i-1] && isTwice(all, w.hashes[i]) {
			return true
		}
	}
	return false
}

func isTwice(all rawbson.Elements, hash uint64) bool {
	var found []byte
	for seen := false; all.Next(); {
		if name := all.Name(); maphash.Bytes(seed, name) == hash {
			if seen && bytes.Equal(name, found) {
				return true
			}
			found, seen = name, true
		}
	}
	return false
}
