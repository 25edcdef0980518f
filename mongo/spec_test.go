package mongo

import (
	"bytes"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestSpecIsCopied: nothing that a caller holds changes a compiled collection, neither the
// definition that it gave nor the one that Spec returned.
func TestSpecIsCopied(t *testing.T) {
	p, err := ProfileOf(Latest())
	if err != nil {
		t.Fatal(err)
	}
	plain := IndexSpec{Name: "x_1", Key: policy.D{{Key: "x", Value: policy.Int32Value(1)}}, Options: policy.D{{Key: "storageEngine", Value: policy.NullValue()}}}
	given := CollectionSpec{Namespace: "d.c", Indexes: []IndexSpec{TTLIndex("at", 60), plain}}
	c, err := CompileCollection(given, p)
	if err != nil {
		t.Fatal(err)
	}
	doc := policy.Map{"at": policy.Instant(0)}
	want, fingerprint, text := c.Decide(doc, 0), c.Fingerprint(), storedText(t, c)
	for name, spec := range map[string]CollectionSpec{"the given definition": given, "the result of Spec": c.Spec()} {
		for i := range spec.Indexes {
			spec.Indexes[i].Key[0].Key = "other"
			spec.Indexes[i].ExpireAfterSeconds = policy.Int32Value(0)
			if len(spec.Indexes[i].Options) > 0 {
				spec.Indexes[i].Options[0].Key = "other"
			}
		}
		spec.Indexes = append(spec.Indexes[:1], TTLIndex("at", 0))
		if c.Decide(doc, 0) != want || c.Fingerprint() != fingerprint || storedText(t, c) != text {
			t.Errorf("%s changes the collection: %s, %s", name, c.Decide(doc, 0), storedText(t, c))
		}
	}
	again, err := CompileCollection(c.Spec(), c.Profile())
	if err != nil || again.Fingerprint() != fingerprint || storedText(t, again) != text {
		t.Errorf("compiled from Spec and Profile: %v, %v", again, err)
	}
	if only := hidden.OnlySource(c, 0); storedText(t, only) != text || only.Profile() != p {
		t.Errorf("the Spec of OnlySource is %s, want that of the whole collection", storedText(t, only))
	}
}

// TestSpecKeepsItsBytes: the bytes and the documents from which a definition was read may be
// used again, as a connection uses its buffer.
func TestSpecKeepsItsBytes(t *testing.T) {
	p, err := ProfileOf(Latest())
	if err != nil {
		t.Fatal(err)
	}
	text, err := policy.ParseExtJSON([]byte(`{"key": {"at": 1}, "name": "at_1", "expireAfterSeconds": 5, "partialFilterExpression": {"k": "a"}, "collation": {"locale": "fr"}}`))
	if err != nil {
		t.Fatal(err)
	}
	buffer, err := policy.AppendBSON(nil, text)
	if err != nil {
		t.Fatal(err)
	}
	index, err := policy.ParseBSON(buffer)
	if err != nil {
		t.Fatal(err)
	}
	read, err := ParseListedIndex(index.Value())
	if err != nil {
		t.Fatal(err)
	}
	filter := policy.D{{Key: "k", Value: policy.StringValue("a")}}
	built := TTLIndex("at", 5)
	built.PartialFilterExpression = policy.ObjectValue(filter)
	for name, spec := range map[string]IndexSpec{"read": read, "built": built} {
		c, err := CompileCollection(CollectionSpec{Namespace: "d.c", Indexes: []IndexSpec{spec}}, p)
		if err != nil {
			t.Fatal(err)
		}
		fingerprint, text := c.Fingerprint(), storedText(t, c)
		switch name {
		case "read":
			copy(buffer, bytes.ReplaceAll(buffer, []byte("a\x00"), []byte("b\x00")))
		case "built":
			filter[0].Value = policy.StringValue("b")
		}
		other := policy.Map{"at": policy.Instant(0), "k": "b"}
		if d := c.Decide(other, 9000); d.State != policy.Never || c.Fingerprint() != fingerprint || storedText(t, c) != text {
			t.Errorf("%s: after a change of the caller's memory %v, stored as %s", name, d, storedText(t, c))
		}
	}
}

func storedText(t *testing.T, c *Collection) string {
	t.Helper()
	text, err := c.Spec().MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
