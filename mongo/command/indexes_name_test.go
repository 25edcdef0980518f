package command

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestWithDefaultName(t *testing.T) {
	for _, tt := range []struct{ index, want string }{
		{`{"key":{"a.b":-1,"c":"hashed"}}`, "a.b_-1_c_hashed"},
		{`{"key":{"a":{"$numberDouble":"1.0"}},"expireAfterSeconds":5}`, "a_1"},
		{`{"key":{"a":1},"name":"n"}`, "n"},
		{`{"key":{"a":1},"name":null}`, ""},
		{`{"key":5}`, ""},
		{`{}`, ""},
	} {
		index := policy.DOf(drawn.Value(t, tt.index))
		named := policy.ObjectValue(WithDefaultName(index))
		if got, _ := named.Field("name").AsString(); got != tt.want {
			t.Errorf("WithDefaultName(%s) is named %q, want %q", tt.index, got, tt.want)
		}
		if len(index) != len(policy.DOf(drawn.Value(t, tt.index))) {
			t.Errorf("WithDefaultName(%s) has changed its argument", tt.index)
		}
	}
}

// TestDecimalFlags: a flag may be a Decimal128 in every definition.
func TestDecimalFlags(t *testing.T) {
	const one = `{"$numberDecimal":"1"}`
	p := fixture.Profile(t, "8.0.4")
	spec, err := mongo.ParseCollectionSpec(drawn.Value(t, `{"capped":`+one+`,"size":4096}`), drawn.Value(t, `[{"key":{"u":1},"name":"u_1","unique":true}]`))
	if err != nil || !spec.Capped {
		t.Errorf("ParseCollectionSpec with capped: NumberDecimal(\"1\") = %+v, %v, want capped", spec, err)
	}
	_, err = hidden.ValidateCreateIndexes(spec, policy.DOf(drawn.Value(t, `{"key":{"t":1},"name":"t_1","sparse":`+one+`,"partialFilterExpression":{"a":1}}`)), p, 0)
	if !hasCode(err, codes.CannotCreateIndex) {
		t.Errorf("ValidateCreateIndexes with sparse: NumberDecimal(\"1\") and a partial filter = %v, want %v", err, codes.CannotCreateIndex)
	}
	made, err := hidden.ValidateCreateIndexes(spec, policy.DOf(drawn.Value(t, `{"key":{"u":1},"name":"u_1","unique":`+one+`}`)), p, 0)
	if err != nil || made.Created {
		t.Errorf("ValidateCreateIndexes of an index that exists, with unique: NumberDecimal(\"1\") = %+v, %v, want nothing created", made, err)
	}
	created, err := hidden.ValidateCreate(policy.DOf(drawn.Value(t, `{"capped":`+one+`,"size":4096}`)), p, 0)
	if err != nil || !created.Capped {
		t.Errorf("ValidateCreate with capped: NumberDecimal(\"1\") = %+v, %v, want capped", created, err)
	}
}
