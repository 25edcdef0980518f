package boltttl

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestKeyOf: all values of a class have one key, and no two classes share a
// key.
func TestKeyOf(t *testing.T) {
	classes := [][]string{
		{`1`, `{"$numberLong":"1"}`, `1.0`, `{"$numberDecimal":"1"}`, `{"$numberDecimal":"1.000"}`, `{"$numberDecimal":"100E-2"}`},
		{`0`, `0.0`, `{"$numberDouble":"-0.0"}`, `{"$numberDecimal":"-0E+10"}`},
		{`-1`, `-1.0`},
		{`10`, `{"$numberDecimal":"1E+1"}`},
		{`0.5`, `{"$numberDecimal":"0.50"}`},
		{`0.1`}, // the double is not a tenth
		{`{"$numberDecimal":"0.1"}`},
		{`{"$numberLong":"9007199254740992"}`, `9007199254740992.0`},
		{`{"$numberLong":"9007199254740993"}`}, // no double has this value
		{`{"$numberDouble":"9223372036854775808"}`, `{"$numberDecimal":"9223372036854775808"}`},
		{`{"$numberLong":"9223372036854775807"}`},
		{`{"$numberDouble":"NaN"}`, `{"$numberDecimal":"NaN"}`},
		{`{"$numberDouble":"Infinity"}`, `{"$numberDecimal":"Infinity"}`},
		{`{"$numberDouble":"-Infinity"}`, `{"$numberDecimal":"-Infinity"}`},
		{`"1"`, `{"$symbol":"1"}`},
		{`""`},
		{`"1\u0000"`},
		{`{"$date":{"$numberLong":"1"}}`},
		{`{"$timestamp":{"t":0,"i":1}}`},
		{`true`}, {`false`}, {`null`}, {`{"$minKey":1}`}, {`{"$maxKey":1}`},
		{`{"$oid":"000000000000000000000001"}`},
		{`{"$binary":{"base64":"AQ==","subType":"00"}}`},
		{`{"$binary":{"base64":"AQ==","subType":"04"}}`},
		{`{}`},
		{`{"a":1}`, `{"a":1.0}`},
		{`{"a":1,"b":2}`, `{"a":{"$numberLong":"1"},"b":{"$numberDecimal":"2.0"}}`},
		{`{"b":2,"a":1}`}, // the order of fields counts
		{`{"a":{"b":2}}`},
		{`{"a":{},"b":2}`},
		{`{"a":[]}`}, {`{"a":[1]}`, `{"a":[1.0]}`}, {`{"a":[1,1]}`}, {`{"a":[[1],1]}`}, {`{"a":[[1,1]]}`},
		{`{"a":{"0":1}}`},
	}
	owner := map[string]string{}
	for _, class := range classes {
		first, err := KeyOf(value(class[0]))
		if err != nil {
			t.Fatalf("KeyOf(%s): %v", class[0], err)
		}
		if other, taken := owner[string(first)]; taken {
			t.Errorf("%s and %s have one key, want two", class[0], other)
		}
		owner[string(first)] = class[0]
		for _, equal := range class[1:] {
			if key, err := KeyOf(value(equal)); err != nil || !bytes.Equal(key, first) {
				t.Errorf("KeyOf(%s) = %x, %v, want %x as of %s", equal, key, err, first, class[0])
			}
		}
	}
}

func TestKeyOfRefuses(t *testing.T) {
	for _, id := range []policy.Value{
		{},
		value(`[]`),
		value(`{"$undefined":true}`),
		policy.RegexValue("a", ""),
		policy.StringValue(strings.Repeat("x", maxKey)),
		policy.ObjectValue(unlistable{}),
	} {
		if key, err := KeyOf(id); !errors.Is(err, ErrBadID) {
			t.Errorf("KeyOf(%s) = %d bytes, %v, want ErrBadID", id.Kind(), len(key), err)
		}
	}
}

// unlistable is a document that cannot list its fields.
type unlistable struct{}

func (unlistable) Field(string) policy.Value { return policy.Value{} }

// TestLongestID: the longest key fits into both buckets.
func TestLongestID(t *testing.T) {
	s := newCollection(t, `{"key":{"t":1},"expireAfterSeconds":0}`)
	text := strings.Repeat("x", maxKey-1-4-1) // kind, length, NUL
	insert(t, s, `{"_id":"`+text+`","t":{"$date":{"$numberLong":"5"}}}`)
	if did := runSweep(t, s, 5); did.deleted != 1 {
		t.Errorf("Sweep = %+v, want one deleted", did)
	}
}
