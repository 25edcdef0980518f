package driver

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// driverAccepts reports whether the driver can read all of b, and b holds
// nothing that only the library refuses. The driver's own Validate looks at one
// level only.
func driverAccepts(b []byte) bool {
	return len(b) >= 5 && int64(binary.LittleEndian.Uint32(b)) == int64(len(b)) && accepts(b, 1)
}

func accepts(raw bson.Raw, depth int) bool {
	if depth > syntax.MaxDepth || raw.Validate() != nil || len(raw) != int(binary.LittleEndian.Uint32(raw)) {
		return false
	}
	elements, err := raw.Elements()
	if err != nil {
		return false
	}
	for _, element := range elements {
		if !acceptsValue(element.Value(), depth) {
			return false
		}
	}
	return true
}

func acceptsValue(v bson.RawValue, depth int) (ok bool) {
	switch v.Type {
	case bson.TypeEmbeddedDocument, bson.TypeArray: // an array's keys do not matter
		return accepts(bson.Raw(v.Value), depth+1)
	case bson.TypeString:
		_, ok = v.StringValueOK()
		return ok && endsWithNUL(v.Value)
	case bson.TypeSymbol:
		_, ok = v.SymbolOK()
		return ok && endsWithNUL(v.Value)
	case bson.TypeJavaScript:
		_, ok = v.JavaScriptOK()
		return ok && endsWithNUL(v.Value)
	case bson.TypeDBPointer:
		_, _, ok = v.DBPointerOK()
		return ok && endsWithNUL(v.Value[:len(v.Value)-12])
	case bson.TypeCodeWithScope:
		code, scope, ok := v.CodeWithScopeOK()
		return ok && v.Value[8+len(code)] == 0 && len(v.Value) == 8+len(code)+1+len(scope) && accepts(scope, depth+1)
	case bson.TypeBoolean:
		return v.Value[0] <= 1
	case bson.TypeBinary:
		return v.Value[4] != 2 || len(v.Value) >= 9 && int(binary.LittleEndian.Uint32(v.Value[5:])) == len(v.Value)-9
	}
	return v.Validate() == nil
}

func endsWithNUL(b []byte) bool { return b[len(b)-1] == 0 }

// sameDocument compares field by field.
func sameDocument(got policy.Value, want bson.Raw) error {
	elements, err := want.Elements()
	if err != nil {
		return err
	}
	f := got.Fields()
	for _, element := range elements {
		if !f.Next() || f.Name() != element.Key() || valuefunc.F.CompareName(&f, element.Key()) != 0 {
			return fmt.Errorf("field %q, the driver has %q", f.Name(), element.Key())
		}
		if err := sameValue(f.Value(), element.Value()); err != nil {
			return fmt.Errorf("%s: %w", element.Key(), err)
		}
		if err := sameValue(got.Field(element.Key()), want.Lookup(element.Key())); err != nil {
			return fmt.Errorf("looked up %s: %w", element.Key(), err)
		}
	}
	if f.Next() {
		return fmt.Errorf("a field %q that the driver has not", f.Name())
	}
	return nil
}

func sameArray(got policy.Value, want bson.Raw) error {
	values, err := want.Values()
	if err != nil {
		return err
	}
	e := got.Elements()
	for i, value := range values {
		if !e.Next() {
			return fmt.Errorf("%d elements, the driver has %d", i, len(values))
		}
		if err := sameValue(e.Value(), value); err != nil {
			return fmt.Errorf("%d: %w", i, err)
		}
	}
	if e.Next() {
		return errors.New("an element that the driver has not")
	}
	return nil
}

func sameValue(got policy.Value, want bson.RawValue) error {
	if byte(got.Kind()) != byte(want.Type) {
		return fmt.Errorf("%s, the driver has %s", got.Kind(), want.Type)
	}
	switch got.Kind() {
	case policy.Object:
		return sameDocument(got, bson.Raw(want.Value))
	case policy.List:
		return sameArray(got, bson.Raw(want.Value))
	case policy.CodeWithScope:
		_, scope := want.CodeWithScope()
		if err := sameDocument(valuefunc.F.Scope(got), scope); err != nil {
			return err
		}
	}
	if !sameScalar(got, want) {
		return fmt.Errorf("%s, the driver has %s", got, want)
	}
	return nil
}

func sameScalar(got policy.Value, want bson.RawValue) bool {
	switch got.Kind() {
	case policy.Double:
		f, _ := got.AsDouble()
		return math.Float64bits(f) == math.Float64bits(want.Double())
	case policy.Int32:
		n, _ := got.AsInt64()
		return n == int64(want.Int32())
	case policy.Int64:
		n, _ := got.AsInt64()
		return n == want.Int64()
	case policy.Date:
		i, _ := got.AsDate()
		return int64(i) == want.DateTime()
	case policy.Bool:
		b, _ := got.AsBool()
		return b == want.Boolean()
	case policy.ObjectID:
		id, _ := got.AsObjectID()
		return id == want.ObjectID()
	case policy.Decimal:
		high, low, _ := got.AsDecimal()
		wantHigh, wantLow := want.Decimal128().GetBytes()
		return high == wantHigh && low == wantLow
	case policy.Timestamp:
		t, i, _ := got.AsTimestamp()
		wantT, wantI := want.Timestamp()
		return t == wantT && i == wantI
	}
	return sameText(got, want)
}

func sameText(got policy.Value, want bson.RawValue) bool {
	text, _ := got.AsString()
	switch got.Kind() {
	case policy.String:
		return text == want.StringValue() && valuefunc.F.CompareText(got, policy.StringValue(text)) == 0
	case policy.Symbol:
		return text == want.Symbol()
	case policy.Code:
		return text == want.JavaScript()
	case policy.CodeWithScope:
		code, _ := want.CodeWithScope()
		return text == code && valuefunc.F.CompareText(got, policy.StringValue(code)) == 0
	case policy.DBPointer:
		id, _ := got.AsObjectID()
		namespace, wantID := want.DBPointer()
		return text == namespace && id == wantID
	case policy.Regex:
		pattern, options, _ := got.AsRegex()
		wantPattern, wantOptions := want.Regex()
		return pattern == wantPattern && options == wantOptions
	case policy.Binary:
		subtype, data, _ := got.AsBinary()
		wantSubtype, wantData := want.Binary()
		return subtype == wantSubtype && bytes.Equal(data, wantData)
	}
	return true // null, undefined, MinKey and MaxKey have no content
}

// driverBSON returns the BSON that the driver reads from Extended JSON of an
// object.
func driverBSON(text []byte) ([]byte, error) {
	var doc bson.D
	if err := bson.UnmarshalExtJSON(text, false, &doc); err != nil {
		return nil, err
	}
	return bson.Marshal(doc)
}

// TestSameValueRefuses: the comparison refuses documents that differ.
func TestSameValueRefuses(t *testing.T) {
	docs := []string{
		`{}`, `{"a":1}`, `{"b":1}`, `{"a":2}`, `{"a":1.0}`, `{"a":-0.0}`, `{"a":0.0}`, `{"a":{"$numberLong":"1"}}`, `{"a":1,"a":2}`, `{"a":true}`,
		`{"a":false}`, `{"a":null}`, `{"a":""}`, `{"a":"x"}`, `{"a":{"$symbol":"x"}}`, `{"a":{"$symbol":""}}`, `{"a":[]}`, `{"a":[1]}`,
		`{"a":[1,1]}`, `{"a":[2]}`, `{"a":{}}`, `{"a":{"x":1}}`, `{"a":{"$date":{"$numberLong":"1"}}}`, `{"a":{"$date":{"$numberLong":"2"}}}`,
		`{"a":{"$timestamp":{"t":1,"i":2}}}`, `{"a":{"$timestamp":{"t":2,"i":2}}}`, `{"a":{"$timestamp":{"t":1,"i":1}}}`,
		`{"a":{"$numberDecimal":"1"}}`, `{"a":{"$numberDecimal":"1.0"}}`, `{"a":{"$oid":"507f1f77bcf86cd799439011"}}`,
		`{"a":{"$oid":"507f1f77bcf86cd799439012"}}`, `{"a":{"$code":"x"}}`, `{"a":{"$code":"y"}}`, `{"a":{"$code":"x","$scope":{}}}`,
		`{"a":{"$code":"y","$scope":{}}}`, `{"a":{"$code":"x","$scope":{"a":1}}}`, `{"a":{"$regularExpression":{"pattern":"x","options":""}}}`,
		`{"a":{"$regularExpression":{"pattern":"x","options":"i"}}}`, `{"a":{"$binary":{"base64":"","subType":"00"}}}`,
		`{"a":{"$binary":{"base64":"","subType":"01"}}}`, `{"a":{"$binary":{"base64":"AA==","subType":"00"}}}`,
		`{"a":{"$dbPointer":{"$ref":"x","$id":{"$oid":"507f1f77bcf86cd799439011"}}}}`,
		`{"a":{"$dbPointer":{"$ref":"y","$id":{"$oid":"507f1f77bcf86cd799439011"}}}}`,
		`{"a":{"$dbPointer":{"$ref":"x","$id":{"$oid":"507f1f77bcf86cd799439012"}}}}`, `{"a":{"$minKey":1}}`, `{"a":{"$maxKey":1}}`,
		`{"a":{"$undefined":true}}`,
	}
	for i, one := range docs {
		got, err := policy.ParseExtJSON([]byte(one))
		if err != nil {
			t.Fatal(err)
		}
		for j, other := range docs {
			want, err := driverBSON([]byte(other))
			if err != nil {
				t.Fatal(err)
			}
			if err := sameDocument(got, want); (err == nil) != (i == j) {
				t.Errorf("%s against the driver's %s: %v", one, other, err)
			}
		}
	}
}
