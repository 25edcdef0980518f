package policy

import (
	"github.com/ttlpolicy/ttlpolicy/internal/base/private"
	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
)

// Private returns functions for the other packages of this module. No other module can
// call it, because none can import the type of its parameter.
//
// Experimental: it is no part of what this package promises.
func Private(private.Key) functions { return functions{} }

// functions are documented where packages of this module call them, in internal/valuefunc.
type functions struct{}

func (functions) FieldBy(v Value, f *rawbson.Finder) Value { return v.fieldBy(f) }

func (functions) TextLen(v Value) int { return v.textLen() }

func (functions) CompareText(v, w Value) int { return v.compareText(w) }

func (functions) CompareNames(f, g Fields) int { return f.compareNames(g) }

func (functions) ParseExtJSONInt32(b []byte) (Value, error) { return parseExtJSONInt32(b) }

func (functions) ExtJSONToBSON(dst, text []byte, limit int) (BSON, error) {
	return extJSONToBSON(dst, text, limit)
}

func (functions) NewExtDocument() *extDocument { return new(extDocument) }
