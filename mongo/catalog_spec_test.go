package mongo

import (
	"errors"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestParseIndexSpecNames(t *testing.T) {
	for _, tt := range []struct{ index, want string }{
		{`{"key":{"a":1},"name":"n"}`, "n"},
		{`{"key":{"a":1}}`, "a_1"},
		{`{"key":{"a.b":-1,"c":"hashed"}}`, "a.b_-1_c_hashed"},
		{`{"key":{"a":{"$numberDouble":"1.0"}},"name":5}`, "a_1"},
	} {
		x, err := ParseIndexSpec(drawn.Value(t, tt.index))
		if err != nil || x.Name != tt.want {
			t.Errorf("ParseIndexSpec(%s) is named %q, %v, want %q", tt.index, x.Name, err, tt.want)
		}
	}
}

func TestParseIndexSpecReadsOptions(t *testing.T) {
	x, err := ParseIndexSpec(drawn.Value(t, `{"v":2,"key":{"a":1},"expireAfterSeconds":5,"partialFilterExpression":{"b":1},
		"collation":{"locale":"de"},"sparse":true,"unique":1,"hidden":{"$numberDouble":"1.0"},"clustered":true,"ns":"d.c","background":false}`))
	n, _ := x.ExpireAfterSeconds.AsInt64()
	if err != nil || n != 5 || x.PartialFilterExpression.Field("b").IsMissing() || x.Collation.Field("locale").IsMissing() ||
		!x.Sparse || !x.Unique || !x.Hidden || !x.Clustered {
		t.Errorf("ParseIndexSpec = %+v, %v, want every option", x, err)
	}
	x, err = ParseIndexSpec(drawn.Value(t, `{"key":{"a":1},"sparse":0,"unique":false,"hidden":{"$numberDecimal":"0E+3"},"clustered":null}`))
	if err != nil || !x.ExpireAfterSeconds.IsMissing() || !x.PartialFilterExpression.IsMissing() || x.Sparse || x.Unique || x.Hidden || x.Clustered {
		t.Errorf("ParseIndexSpec = %+v, %v, want no option", x, err)
	}
}

// TestParseIndexSpecCollation: the simple collation, as 9.0 lists it, counts as
// none.
func TestParseIndexSpecCollation(t *testing.T) {
	for text, want := range map[string]string{
		`{"locale":"simple"}`: "", `null`: "", `{"locale":"de"}`: "de", `{"locale":"Simple"}`: "Simple",
	} {
		x, err := ParseIndexSpec(drawn.Value(t, `{"key":{"a":1},"name":"a_1","collation":`+text+`}`))
		if locale, _ := x.Collation.Field("locale").AsString(); err != nil || locale != want || x.Collation.IsMissing() != (want == "") {
			t.Errorf("ParseIndexSpec with collation %s has %s, %v, want the locale %q", text, x.Collation, err, want)
		}
	}
}

func TestParseSpecRefuses(t *testing.T) {
	for _, tt := range []struct{ options, indexes, field string }{
		{`5`, `[]`, "options"},
		{`{}`, `{}`, "indexes"},
		{`{}`, `["t"]`, "index"},
		{`{}`, `[{"key":{"t":1}},{"expireAfterSeconds":1}]`, "key"},
		{`{}`, `[{"key":"t"}]`, "key"},
	} {
		_, err := ParseCollectionSpec(drawn.Value(t, tt.options), drawn.Value(t, tt.indexes))
		refusal, ok := asSpecError(err)
		if !ok || refusal.Field != tt.field || !hasCode(err, codes.TypeMismatch) {
			t.Errorf("ParseCollectionSpec(%s, %s) = %v, want TypeMismatch at %s", tt.options, tt.indexes, err, tt.field)
		}
	}
}

func TestParseCollectionSpecOptions(t *testing.T) {
	spec, err := ParseCollectionSpec(drawn.Value(t, `{"capped":true,"clusteredIndex":{"key":{"_id":1}},"timeseries":null,
		"expireAfterSeconds":null,"requiresExtendedRangeSupport":true,"uuid":1}`), drawn.Value(t, `null`))
	if err != nil || !spec.Capped || !spec.Clustered || !spec.TimeSeries.IsMissing() || !spec.ExpireAfterSeconds.IsMissing() || !spec.ExtendedRange {
		t.Errorf("ParseCollectionSpec = %+v, %v, want capped, clustered, flagged, null as absent", spec, err)
	}
	spec, err = ParseCollectionSpec(drawn.Value(t, `null`), drawn.Value(t, `[]`))
	if err != nil || spec.Capped || spec.Clustered || spec.ExtendedRange || len(spec.Indexes) != 0 {
		t.Errorf("ParseCollectionSpec(null, []) = %+v, %v, want an ordinary collection", spec, err)
	}
}

// asSpecError finds the SpecError that err wraps.
func asSpecError(err error) (*SpecError, bool) {
	var refused *SpecError
	ok := errors.As(err, &refused)
	return refused, ok
}

// TestWrittenNames: ParseIndexSpec and ParseCollectionSpec read strictly,
// ParseListedIndex and ParseListedCollection do not.
func TestWrittenNames(t *testing.T) {
	for _, tt := range []struct{ options, index, field, near string }{
		{`{}`, `{"key":{"a":1},"partialFilterExpresion":{"b":1},"expireAfterSeconds":5}`, "partialFilterExpresion", "partialFilterExpression"},
		{`{}`, `{"key":{"a":1},"expireafterseconds":5}`, "expireafterseconds", "expireAfterSeconds"},
		{`{}`, `{"key":{"a":1},"expire_after_seconds":5}`, "expire_after_seconds", "expireAfterSeconds"},
		{`{}`, `{"keys":{"a":1},"key":{"a":1}}`, "keys", "key"},
		{`{}`, `{"key":{"a":1},"comment":"x"}`, "comment", ""},
		{`{}`, `{"key":{"a":1},"options":{"expireAfterSeconds":5}}`, "options", ""},
		{`{"expireAfterSecond":5}`, `{"key":{"a":1}}`, "expireAfterSecond", "expireAfterSeconds"},
		{`{"timeSeries":{"timeField":"t"}}`, `{"key":{"a":1}}`, "timeSeries", "timeseries"},
		{`{"timeseries":{"timeField":"t","bucketMaxSpanSecond":60}}`, `{"key":{"a":1}}`, "timeseries.bucketMaxSpanSecond", "bucketMaxSpanSeconds"},
		{`{"clusteredIndex":{"key":{"_id":1},"unique":true,"expireAfterSeconds":5}}`, `{"key":{"a":1}}`, "clusteredIndex.expireAfterSeconds", ""},
	} {
		options, index := drawn.Value(t, tt.options), drawn.Value(t, tt.index)
		_, err := ParseCollectionSpec(options, policy.ListValue(policy.A{index}))
		var refused *SpecError
		if !errors.As(err, &refused) || refused.Field != tt.field || strings.Contains(refused.Reason, "did you mean") != (tt.near != "") || !strings.Contains(refused.Reason, tt.near) {
			t.Errorf("ParseCollectionSpec(%s, [%s]) = %v, want an error at %s with %q", tt.options, tt.index, err, tt.field, tt.near)
		}
		if _, err := ParseIndexSpec(index); (err != nil) != (tt.index != `{"key":{"a":1}}`) {
			t.Errorf("ParseIndexSpec(%s) = %v", tt.index, err)
		}
		if _, err := ParseListedIndex(index); err != nil {
			t.Errorf("ParseListedIndex(%s) = %v, want none", tt.index, err)
		}
		if _, err := ParseListedCollection(options, policy.ListValue(policy.A{index})); err != nil {
			t.Errorf("ParseListedCollection(%s, [%s]) = %v, want none", tt.options, tt.index, err)
		}
	}
}

// TestKnownNames: a name that some release knows does not count as a misspelling, in an
// index or in a collection (mongodb/mongo: src/mongo/db/index_key_validate.cpp and
// src/mongo/db/commands/create.idl).
func TestKnownNames(t *testing.T) {
	index := drawn.Value(t, `{"v":2,"key":{"a":1},"name":"a_1","ns":"d.c","background":true,"unique":true,"sparse":true,"dropDups":true,"hidden":true,
		"prepareUnique":true,"clustered":true,"collation":{"locale":"de"},"expireAfterSeconds":5,"partialFilterExpression":{"b":1},"wildcardProjection":{"a":1},
		"storageEngine":{},"weights":{"a":1},"default_language":"en","language_override":"l","textIndexVersion":3,"2dsphereIndexVersion":3,"bits":26,"min":0,"max":1,
		"bucketSize":1,"finestIndexedLevel":1,"coarsestIndexedLevel":1,"originalSpec":{}}`)
	options := drawn.Value(t, `{"ns":"d.c","uuid":"x","capped":true,"size":1,"max":1,"autoIndexId":true,"flags":1,"temp":true,"storageEngine":{},"indexOptionDefaults":{},
		"validator":{},"validationLevel":"strict","validationAction":"error","viewOn":"","pipeline":[],"collation":{},"changeStreamPreAndPostImages":{"enabled":true},
		"recordPreImages":true,"encryptedFields":{},"expireAfterSeconds":5,"comment":"x","writeConcern":{},
		"timeseries":{"timeField":"t","metaField":"m","granularity":"hours","bucketMaxSpanSeconds":1,"bucketRoundingSeconds":1},
		"clusteredIndex":{"v":2,"key":{"_id":1},"name":"x","unique":true}}`)
	if _, err := ParseCollectionSpec(options, policy.ListValue(policy.A{index})); err != nil {
		t.Error(err)
	}
}
