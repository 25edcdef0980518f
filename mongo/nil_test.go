package mongo

import (
	"errors"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// nilDocuments are documents that a program can pass by mistake.
var nilDocuments = map[string]policy.Document{
	"nil": nil, "a nil *policy.BSON": (*policy.BSON)(nil), "a nil *policy.JSON": (*policy.JSON)(nil), "a nil policy.Map": policy.Map(nil), "a nil policy.D": policy.D(nil), "a nil *policy.Value": (*policy.Value)(nil),
	"a nil *policy.D": (*policy.D)(nil), "a nil *policy.Map": (*policy.Map)(nil),
}

// TestNilDocumentsAreKept: a nil document is an empty one.
func TestNilDocumentsAreKept(t *testing.T) {
	p, err := ProfileOf(Latest())
	if err != nil {
		t.Fatal(err)
	}
	filtered, dotted := TTLIndex("at", 0), TTLIndex("a.at", 0)
	filtered.PartialFilterExpression = policy.ObjectValue(policy.D{{Key: "k", Value: policy.Int32Value(1)}})
	series := CollectionSpec{TimeSeries: policy.ObjectValue(policy.D{{Key: "timeField", Value: policy.StringValue("at")}}), ExpireAfterSeconds: policy.Int32Value(0)}
	for _, spec := range []CollectionSpec{
		{Indexes: []IndexSpec{TTLIndex("at", 0)}}, {Indexes: []IndexSpec{filtered}}, {Indexes: []IndexSpec{dotted}},
		{Indexes: []IndexSpec{dotted, filtered}}, {Clustered: true, ExpireAfterSeconds: policy.Int32Value(0)}, series,
	} {
		c, err := CompileCollection(spec, p)
		if err != nil {
			t.Fatal(err)
		}
		for name, doc := range nilDocuments {
			if d := c.Decide(doc, policy.MaxInstant); d.State != policy.Never || d != c.Decide(policy.D{}, policy.MaxInstant) {
				t.Errorf("%v decides about %s: %s, want what it decides about an empty document", spec, name, d)
			}
			if _, ok := c.Key(0, doc); ok {
				t.Errorf("%v has a key of %s", spec, name)
			}
		}
	}
}

// TestNilCollectionKeeps: a nil Collection, such as one whose error was ignored, decides as
// the zero Collection does.
func TestNilCollectionKeeps(t *testing.T) {
	var none *Collection
	zero := new(Collection)
	doc := policy.Map{"at": policy.Instant(0)}
	raw, err := policy.AppendBSON(nil, policy.ObjectValue(policy.D{{Key: "at", Value: policy.DateValue(0)}}))
	if err != nil {
		t.Fatal(err)
	}
	d := none.Decide(doc, policy.MaxInstant)
	if d.State != policy.Never || d != zero.Decide(doc, policy.MaxInstant) || d != none.DecideBSON(raw, policy.MaxInstant) {
		t.Errorf("a nil Collection decides %s", d)
	}
	if _, ok := none.Key(0, doc); ok || len(none.Sources()) > 0 || none.SourceOf(d) != "" || len(none.Reads()) > 0 || boundsOf(none, 0, 0) != noBounds ||
		none.Fingerprint() != zero.Fingerprint() || len(none.Consulted(d)) != 1 {
		t.Error("a nil Collection has sources")
	}
}

// TestZeroProfileCompilesNothing: a program that ignores the error of ProfileOf has a nil
// Collection, which keeps every document.
func TestZeroProfileCompilesNothing(t *testing.T) {
	p, err := ProfileOf(Version{Major: 10})
	if !errors.Is(err, ErrUnknownVersion) {
		t.Fatalf("ProfileOf(10.0.0) = %v, want ErrUnknownVersion", err)
	}
	c, err := CompileCollection(CollectionSpec{Indexes: []IndexSpec{TTLIndex("at", 0)}}, p)
	if c != nil || !errors.Is(err, ErrUnknownVersion) {
		t.Errorf("CompileCollection with the zero Profile = %v, %v, want an error that wraps ErrUnknownVersion", c, err)
	}
	if d := c.Decide(policy.Map{"at": policy.Instant(0)}, policy.MaxInstant); d.State != policy.Never || d.Rule != rules.NoTTL {
		t.Errorf("its Collection decides %s", d)
	}
}
