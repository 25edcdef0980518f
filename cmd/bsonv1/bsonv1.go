// Package bsonv1 adapts documents of MongoDB's Go driver 1, so that a policy can decide
// about them:
//
//	collection.Decide((*bsonv1.D)(&doc), now) // a bson.D
//	collection.Decide(bsonv1.M(doc), now)     // a bson.M
//	collection.DecideBSON(doc, now)           // a bson.Raw, which needs no adapter
//
// Converting a bson.D to a document costs one allocation; a *bson.D and a bson.M cost none.
// While a policy decides, each embedded bson.D and each array that it reads costs one more.
// Values keep their types: tests compare every type of BSON with the bytes that the driver
// writes.
package bsonv1

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/ttlpolicy/ttlpolicy/policy"
	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/bson/primitive"
)

// D is a bson.D as a [policy.FieldLister]. Converting a *D to a document allocates
// nothing. The zero D is an empty document.
type D bson.D

// Field returns the first field with this name.
func (d D) Field(name string) policy.Value {
	for i := range d {
		if d[i].Key == name {
			return Value(d[i].Value)
		}
	}
	return policy.Value{}
}

// Len returns the number of fields.
func (d D) Len() int { return len(d) }

// FieldAt returns field i.
func (d D) FieldAt(i int) (string, policy.Value) { return d[i].Key, Value(d[i].Value) }

// M is a bson.M as a [policy.Document]. The fields of an M have no order, so a partial
// filter that compares a whole embedded M matches nothing, and the document is kept.
type M bson.M

// Field returns the member with this name.
func (m M) Field(name string) policy.Value {
	v, ok := m[name]
	if !ok {
		return policy.Value{}
	}
	return Value(v)
}

// array is an array whose elements have the Go type T.
type array[T any] []T

func (a array[T]) Len() int              { return len(a) }
func (a array[T]) At(i int) policy.Value { return Value(a[i]) }

// Document returns a bson.D, a *bson.D, a bson.M, a map[string]any or a bson.Raw as a
// document. Any other type is an error, and so is a damaged bson.Raw. For a value whose
// type [Value] does not know, the error names the path. A document must not contain
// itself.
func Document(doc any) (policy.Document, error) {
	switch doc := doc.(type) {
	case bson.D:
		return D(doc), check(doc, "")
	case *bson.D:
		if doc != nil {
			return (*D)(doc), check(*doc, "")
		}
	case bson.M:
		return M(doc), check(doc, "")
	case map[string]any:
		return M(doc), check(doc, "")
	case bson.Raw:
		b, err := policy.ParseBSON(doc)
		return b, err
	}
	return nil, fmt.Errorf("bsonv1: %T is not a document", doc)
}

// check returns an error that names the path of a value of a type that Value does not know.
func check(v any, path string) error {
	within := func(name string, v any) error {
		if path != "" {
			name = path + "." + name
		}
		return check(v, name)
	}
	switch v := v.(type) {
	case bson.D:
		for _, e := range v {
			if err := within(e.Key, e.Value); err != nil {
				return err
			}
		}
	case bson.M:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if err := within(name, v[name]); err != nil {
				return err
			}
		}
	case map[string]any:
		return check(bson.M(v), path)
	case bson.A, []any, []bson.D, []bson.M:
		list := reflect.ValueOf(v)
		for i := range list.Len() {
			if err := within(fmt.Sprint(i), list.Index(i).Interface()); err != nil {
				return err
			}
		}
	case primitive.CodeWithScope:
		if Value(v).Kind() != policy.Opaque {
			return within("scope", v.Scope)
		}
		return unknown(v, path)
	default:
		if Value(v).Kind() == policy.Opaque {
			return unknown(v, path)
		}
	}
	return nil
}

func unknown(v any, path string) error {
	return fmt.Errorf("bsonv1: %s has the Go type %T, which this package does not convert to BSON", path, v)
}

// Value returns a value as the driver stores it: the driver's own types, time.Time, and
// Go's types as [policy.Map] lists them. A nil document or array is Null. A value of any
// other type, such as a struct, becomes a [policy.OpaqueValue], and so does a damaged
// bson.Raw or bson.RawValue. No document expires by such a value.
func Value(v any) policy.Value {
	switch v := v.(type) {
	case primitive.DateTime:
		return policy.DateValue(policy.Instant(v))
	case time.Time:
		return policy.DateValue(policy.InstantOf(v))
	case string:
		return policy.StringValue(v)
	case primitive.ObjectID:
		return policy.ObjectIDValue(v)
	case bson.D:
		if v == nil {
			return policy.NullValue()
		}
		return policy.ObjectValue(D(v))
	case bson.M:
		return object(M(v))
	case map[string]any:
		return object(M(v))
	case primitive.A:
		return list(v)
	case []any:
		return list(v)
	case []bson.D:
		return list(v)
	case []bson.M:
		return list(v)
	case bson.Raw:
		return rawValue(byte(bson.TypeEmbeddedDocument), v)
	case bson.RawValue:
		return rawValue(byte(v.Type), v.Value)
	case primitive.Binary:
		return policy.BinaryValue(v.Subtype, v.Data)
	case primitive.Decimal128:
		return policy.DecimalValue(v.GetBytes())
	case primitive.Timestamp:
		return policy.TimestampValue(v.T, v.I)
	case primitive.Regex:
		return policy.RegexValue(v.Pattern, v.Options)
	case primitive.Null:
		return policy.NullValue()
	case primitive.JavaScript, primitive.CodeWithScope, primitive.Symbol, primitive.DBPointer, primitive.Undefined, primitive.MinKey, primitive.MaxKey:
		kind, body, err := bson.MarshalValue(v)
		if err != nil {
			return policy.OpaqueValue()
		}
		return rawValue(byte(kind), body)
	}
	return policy.Map{"": v}.Field("")
}

// object returns a map as a Value; Null if it is nil.
func object(m M) policy.Value {
	if m == nil {
		return policy.NullValue()
	}
	return policy.ObjectValue(m)
}

// list returns a slice as a Value; Null if it is nil.
func list[T any](a []T) policy.Value {
	if a == nil {
		return policy.NullValue()
	}
	return policy.ListValue(array[T](a))
}

// rawValue returns the Value of raw BSON; an OpaqueValue if the BSON is damaged.
func rawValue(kind byte, body []byte) policy.Value {
	v, err := policy.ParseBSONValue(policy.Kind(kind), body)
	if err != nil {
		return policy.OpaqueValue()
	}
	return v
}
