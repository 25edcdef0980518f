package plainjson

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestPropertyWriter: a Writer writes the same text for a BSON document as Append for its
// value.
func TestPropertyWriter(t *testing.T) {
	var w Writer
	once := drawn.Kinds{Scalars: drawn.Any.Scalars, Names: drawn.Any.Names, Code: drawn.Any.Code}
	wide := rapid.Map(rapid.SliceOfN(once.Values(1), 0, 40), func(list []policy.Value) (d policy.D) {
		for i, v := range list {
			d = append(d, policy.E{Key: fmt.Sprintf("ä%d", i*i), Value: v})
		}
		return d
	})
	rapid.Check(t, func(t *rapid.T) {
		doc := policy.ObjectValue(policy.D{{Key: "a", Value: once.Values(3).Draw(t, "a")}, {Key: "b\"", Value: policy.ObjectValue(wide.Draw(t, "b"))}})
		bson := fixture.BSON(t, doc)
		got, err := w.AppendFields([]byte("{"), &bson)
		if want := Append(nil, doc); err != nil || string(got)+"}" != string(want) {
			t.Fatalf("wrote %s}, %v, want %s", got, err, want)
		}
	})
}

// TestLimit: a document is refused if and only if its text is longer than the limit, even
// if a value within takes more bytes in BSON than in JSON.
func TestLimit(t *testing.T) {
	empty := make(policy.A, 100)
	for i := range empty {
		empty[i] = policy.ListValue(policy.A{})
	}
	lists := policy.D{{Key: "a", Value: policy.ListValue(empty)}}
	for _, v := range []policy.Value{
		policy.StringValue("text"), policy.DecimalValue(0x3040<<48, 0), policy.ObjectValue(lists), valuefunc.F.CodeWithScopeValue("", lists),
	} {
		doc := policy.ObjectValue(policy.D{{Key: "v", Value: v}})
		bson := fixture.BSON(t, doc)
		n := len(Append(nil, doc)) - len("{}")
		if _, err := (&Writer{Limit: n}).AppendFields(nil, &bson); err != nil {
			t.Errorf("%s, %d bytes of text: %v, want no error at this limit", v.Kind(), n, err)
		}
		if _, err := (&Writer{Limit: n - 1}).AppendFields(nil, &bson); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s, %d bytes of text: %v, want %v at a limit below", v.Kind(), n, err, ErrTooLarge)
		}
	}
}

// TestRefused: a document with a name twice is refused, however many names it has, and so are
// bytes that are not UTF-8, and a value that nests too deep.
func TestRefused(t *testing.T) {
	nested := func(depth int) policy.Value {
		v := policy.NullValue()
		for range depth {
			v = policy.ListValue(policy.A{v})
		}
		return v
	}
	for _, n := range []int{1, 15, 16, 17, 40} {
		var d policy.D
		for i := range n {
			d = append(d, policy.E{Key: fmt.Sprint(i), Value: policy.NullValue()})
		}
		for i := range n + 1 { // the last name is a new one
			twice := append(slices.Clip(d), policy.E{Key: fmt.Sprint(i), Value: policy.NullValue()})
			for _, doc := range []policy.D{twice, {{Key: "in", Value: policy.ObjectValue(twice)}}} {
				if _, err := new(Writer).AppendFields(nil, doc); errors.Is(err, ErrTwice) != (i < n) {
					t.Fatalf("%d names and %d: %v", n, i, err)
				}
			}
		}
	}
	for _, tt := range []struct {
		d    policy.D
		want error
	}{
		{policy.D{{Key: "a", Value: nested(127)}}, nil}, {policy.D{{Key: "a", Value: nested(128)}}, ErrTooDeep},
		{policy.D{{Key: "a\xff", Value: policy.NullValue()}}, ErrNotUTF8}, {policy.D{{Key: "a", Value: policy.StringValue("\xff")}}, ErrNotUTF8},
		{policy.D{{Key: "a", Value: policy.RegexValue("\xff", "")}}, ErrNotUTF8}, {policy.D{{Key: "a", Value: valuefunc.F.RareValue(policy.Code, "\xff")}}, ErrNotUTF8},
	} {
		if _, err := new(Writer).AppendFields(nil, tt.d); !errors.Is(err, tt.want) || tt.want == nil && err != nil {
			t.Errorf("AppendFields(%v): %v, want %v", tt.d, err, tt.want)
		}
	}
}
