package mongo

import (
	"bytes"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/mongo/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// oddly returns raw BSON in which the elements of arrays have other names than
// their positions: a document in the place of an array is one, and {"#": …} in
// the place of a document is an array with the names of what it holds.
func oddly(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := policy.AppendBSON(nil, drawn.Value(t, dates(text)))
	if err != nil {
		t.Fatal(err)
	}
	// A field "#name" that holds a document becomes "-name" with an array.
	for i := bytes.Index(raw, []byte("\x03#")); i >= 0; i = bytes.Index(raw, []byte("\x03#")) {
		raw[i], raw[i+1] = byte(policy.List), '-'
	}
	return raw
}

// TestElementNames: what counts is the name of an array's element, not its
// position (mongodb/mongo: btree_key_generator.cpp, arrObj[part]). The fields
// "-a" are the arrays that oddly makes.
func TestElementNames(t *testing.T) {
	for _, tt := range []struct {
		why, path, document, rule string
		deadline                  policy.Instant
	}{
		{"an element by its position", "-a.0", `{"#a":{"0":D(5)}}`, "mongo.date", 5},
		{"another name at that position", "-a.0", `{"#a":{"1":D(5)}}`, "mongo.field-null", kept},
		{"the name at another position", "-a.1", `{"#a":{"1":D(5)}}`, "mongo.date", 5},
		{"the name behind others", "-a.0", `{"#a":{"7":D(1),"0":D(5)}}`, "mongo.date", 5},
		{"a name that is no number", "-a.b", `{"#a":{"b":D(5)}}`, "mongo.date", 5},
		{"it is taken as it stands", "-a.b", `{"#a":{"b":[D(5)]}}`, "mongo.array-nested", kept},
		{"and is ambiguous beside a field of the name", "-a.b", `{"#a":{"b":D(5),"x":{"b":1}}}`, "mongo.path-ambiguous", kept},
		{"the fields of subdocuments, whatever their names", "-a.b", `{"#a":{"7":{"b":D(5)},"x":{"b":D(3)}}}`, "mongo.array-earliest", 3},
		{"a position that no element is named is no ambiguity", "-a.0", `{"#a":{"a":{"0":D(5)},"c":D(2)}}`, "mongo.array-earliest", 5},
		{"all elements at the end of a path", "-a", `{"#a":{"x":D(9),"y":D(5)}}`, "mongo.array-earliest", 5},
		{"the first of two", "-a.0", `{"#a":{"0":D(5),"0":D(3)}}`, "mongo.date", 5},
	} {
		c := vectorCollection(t, "8.0.4", `{}`, `[{"key":{"`+tt.path+`":1},"expireAfterSeconds":0}]`)
		raw := oddly(t, tt.document)
		parsed, err := policy.ParseBSON(raw)
		if err != nil {
			t.Fatalf("%s: %v", tt.why, err)
		}
		for _, d := range []policy.Decision{c.DecideBSON(raw, 0), c.Decide(&parsed, 0), c.Decide(parsed.Value(), 0)} {
			want := tt.deadline
			if want == kept {
				want = policy.MaxInstant
			}
			if d.Rule.String() != tt.rule || deadlineOf(d) != want {
				t.Errorf("%s: %s in %s: %s at %d, want %s at %d", tt.why, tt.path, tt.document, d.Rule, deadlineOf(d), tt.rule, want)
			}
		}
	}
}

// TestElementNamesInFilters: a number in a filter's path is a name too, but
// nothing else is, and arrays are compared with the names of their elements
// (mongodb/mongo: path.cpp, isArrayOffsetMatch; bsonelement.cpp).
func TestElementNamesInFilters(t *testing.T) {
	for _, tt := range []struct {
		why, filter, document string
		want                  membership
	}{
		{"an element by its position", `{"-a.0":1}`, `{"#a":{"0":1}}`, inside},
		{"another name at that position", `{"-a.0":1}`, `{"#a":{"1":1}}`, outside},
		{"the name at another position", `{"-a.1":1}`, `{"#a":{"1":1}}`, inside},
		{"digits that are no position", `{"-a.01":1}`, `{"#a":{"01":1}}`, inside},
		{"a name that is no number", `{"-a.b":1}`, `{"#a":{"b":1}}`, outside},
		{"every element of the name", `{"-a.0":2}`, `{"#a":{"0":1,"0":2}}`, inside},
		{"an array of other names", `{"-a":[1]}`, `{"#a":{"5":1}}`, outside},
		{"it is greater", `{"-a":{"$gt":[1]}}`, `{"#a":{"5":1}}`, inside},
		{"by its first name, whatever the value", `{"-a":{"$lte":[1,2]}}`, `{"#a":{"2":0,"2":0}}`, outside},
		{"after the types", `{"-a":{"$lt":["x"]}}`, `{"#a":{"5":1}}`, inside},
		{"its own names", `{"-a":[1]}`, `{"#a":{"0":1}}`, inside},
	} {
		f := mustFilter(t, "8.0.4", tt.filter, "")
		raw := oddly(t, tt.document)
		parsed, err := policy.ParseBSON(raw)
		if err != nil {
			t.Fatalf("%s: %v", tt.why, err)
		}
		if got := f.matchDocument(&parsed); got != tt.want {
			t.Errorf("%s: %s takes %s: %v, want %v", tt.why, tt.filter, tt.document, got, tt.want)
		}
		if got := f.matchDocument(parsed.Value()); got != tt.want {
			t.Errorf("%s: %s takes the value %s: %v, want %v", tt.why, tt.filter, tt.document, got, tt.want)
		}
	}
	// An operand that comes from a catalog has names too.
	operand, err := policy.ParseBSON(oddly(t, `{"#a":{"5":1}}`))
	if err != nil {
		t.Fatal(err)
	}
	f, err := compileClauses(policy.DOf(operand.Value()), vectorProfile(t, "8.0.4"))
	if err != nil {
		t.Fatal(err)
	}
	if got := f.matchDocument(&operand); got != inside {
		t.Errorf("an array takes in itself: %v, want inside", got)
	}
	if got := f.matchDocument(drawn.Value(t, `{"-a":[1]}`)); got != outside {
		t.Errorf("an array takes in one of other names: %v, want outside", got)
	}
}

// TestElementNamesInMetadata: metadata is stored anew, so that the elements of
// its arrays then have their positions for names. A filter sees a measurement as
// it will be stored (mongodb/mongo: src/mongo/db/timeseries/metadata.cpp,
// normalizeArray).
func TestElementNamesInMetadata(t *testing.T) {
	for _, tt := range []struct {
		why, filter string
		want        policy.State
	}{
		{"the first element by its position", `{"-m.0":5}`, policy.Expired},
		{"its name before", `{"-m.1":5}`, policy.Never},
		{"a field within it", `{"-m.1.k":7}`, policy.Expired},
		{"all of it", `{"-m":[5,{"k":7}]}`, policy.Expired},
	} {
		c := vectorCollection(t, "8.2.11", `{"timeseries":{"timeField":"t","metaField":"-m"}}`,
			`[{"key":{"t":1},"expireAfterSeconds":0,"partialFilterExpression":`+tt.filter+`}]`)
		raw := oddly(t, `{"t":D(1600000000000),"#m":{"1":5,"2":{"k":7}}}`)
		parsed, err := policy.ParseBSON(raw)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []policy.Decision{c.DecideBSON(raw, 1700000000000), c.Decide(&parsed, 1700000000000)} {
			if d.State != tt.want {
				t.Errorf("%s: %s: %v by %v, want %v", tt.why, tt.filter, d.State, d.Rule, tt.want)
			}
		}
	}
}
