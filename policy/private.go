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

func (functions) UncheckedJSON(b []byte) JSON { return uncheckedJSON(b) }

func (functions) DateOf(v *Value) (Instant, bool) { return Instant(v.low), v.kind == Date }

func (functions) CompareName(f *Fields, s string) int { return f.compareName(s) }

func (functions) ElementName(e *Elements) (name []byte, stored bool) { return e.elementName() }

func (functions) Scope(v Value) Value { return v.scope() }

func (functions) UndefinedValue() Value { return undefinedValue() }

func (functions) MinKeyValue() Value { return minKeyValue() }

func (functions) MaxKeyValue() Value { return maxKeyValue() }

func (functions) SymbolValue(s string) Value { return symbolValue(s) }

func (functions) CodeValue(code string) Value { return codeValue(code) }

func (functions) CodeWithScopeValue(code string, scope Document) Value {
	return codeWithScopeValue(code, scope)
}

func (functions) DBPointerValue(namespace string, id [12]byte) Value {
	return dbPointerValue(namespace, id)
}
