package mongo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestStoredDefinitions: a definition that compiles is the same policy after it was stored, as
// JSON and as BSON, as a whole and index by index.
func TestStoredDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := newDrawer(fuzzing.NewRandom(rapid.SliceOfN(rapid.Byte(), 8, 200).Draw(t, "choices")))
		spec, err := ParseListedCollection(d.Collection())
		if err != nil {
			t.Fatal(err)
		}
		spec.Namespace = rapid.SampledFrom([]string{"", "d.c", "d.system.profile"}).Draw(t, "namespace")
		spec.Capped, spec.View, spec.Encrypted = rapid.Bool().Draw(t, "capped"), rapid.Bool().Draw(t, "view"), rapid.Bool().Draw(t, "encrypted")
		p := Profile{behaviour: d.Profile}
		c, err := CompileCollection(spec, p)
		if err != nil {
			t.Skip("it does not compile")
		}
		texts, err := json.Marshal(spec)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := spec.MarshalBSON()
		if err != nil {
			t.Fatal(err)
		}
		var byJSON, byBSON, byIndex CollectionSpec
		if err := json.Unmarshal(texts, &byJSON); err != nil {
			t.Fatalf("%s: %v", texts, err)
		}
		err = byBSON.UnmarshalBSON(raw)
		clear(raw)
		if err != nil {
			t.Fatal(err)
		}
		byIndex = spec
		byIndex.Indexes = nil
		for _, x := range spec.Indexes {
			text, err := json.Marshal(x)
			if err != nil {
				t.Fatal(err)
			}
			var back, fromBSON IndexSpec
			if err := json.Unmarshal(text, &back); err != nil {
				t.Fatal(err)
			}
			if raw, err = back.MarshalBSON(); err == nil {
				err = fromBSON.UnmarshalBSON(raw)
			}
			if err != nil {
				t.Fatal(err)
			}
			byIndex.Indexes = append(byIndex.Indexes, fromBSON)
		}
		document, now := d.Document(3, "a", "b", "t", "_id"), policy.Instant(rapid.Int64().Draw(t, "now"))
		for name, stored := range map[string]CollectionSpec{"JSON": byJSON, "BSON": byBSON, "indexes": byIndex} {
			again, err := CompileCollection(stored, p)
			if err != nil || again.Fingerprint() != c.Fingerprint() || again.DecideBSON(document, now) != c.DecideBSON(document, now) {
				t.Fatalf("stored as %s, %s is %v, %v", name, texts, stored, err)
			}
		}
	})
}

// TestStoredDefinitionsFail: a definition that would be read back as another one is not
// written, and a text that is no definition is not read.
func TestStoredDefinitionsFail(t *testing.T) {
	opaque, named := TTLIndex("at", 60), TTLIndex("at", 60)
	opaque.PartialFilterExpression = policy.ObjectValue(policy.D{{Key: "k", Value: policy.OpaqueValue()}})
	named.PartialFilterExpression = policy.ObjectValue(policy.D{{Key: "k", Value: policy.ObjectValue(policy.D{{Key: "$numberInt", Value: policy.StringValue("1")}})}})
	unlisted, twice, latin := TTLIndex("at", 60), TTLIndex("at", 60), TTLIndex("at", 60)
	unlisted.PartialFilterExpression = policy.ObjectValue(policy.Map{"k": "a"})
	twice.Options = policy.D{{Key: "expireAfterSeconds", Value: policy.Int32Value(0)}}
	latin.PartialFilterExpression = policy.ObjectValue(policy.D{{Key: "k", Value: policy.StringValue("\xff")}})
	for name, x := range map[string]IndexSpec{
		"an opaque value": opaque, "a document named like a wrapper": named, "an unlisted document": unlisted, "an option twice": twice, "text that is not UTF-8": latin,
	} {
		for _, v := range []any{x, &x, CollectionSpec{Indexes: []IndexSpec{x}}, []IndexSpec{x}} {
			if text, err := json.Marshal(v); err == nil {
				t.Errorf("%s is written as %s", name, text)
			}
		}
	}
	if text, err := json.Marshal(CollectionSpec{TimeSeries: policy.NullValue()}); err == nil {
		t.Errorf("timeseries: null is written as %s", text)
	}
	for _, text := range []string{`{}`, `[]`, `null`, `{"options":{}}`, `{"indexes":[],"options":{}}`, `{"options":{},"indexes":null}`, `{"options":{},"indexes":[{}]}`, `{"options":5,"indexes":[]}`} {
		spec := CollectionSpec{Capped: true}
		if err := json.Unmarshal([]byte(text), &spec); err == nil || !spec.Capped {
			t.Errorf("%s is read as %v, %v", text, spec, err)
		}
	}
	for _, text := range []string{`{}`, `[]`, `null`, `{"name":"a"}`, `{"key":1}`} {
		if err := json.Unmarshal([]byte(text), new(IndexSpec)); err == nil {
			t.Errorf("%s is read as an index", text)
		}
	}
	if err := new(CollectionSpec).UnmarshalBSON([]byte{5, 0, 0, 0, 0}); err == nil {
		t.Error("an empty document is read as a collection")
	}
	if err := new(IndexSpec).UnmarshalBSON([]byte{5, 0, 0, 0, 1}); err == nil {
		t.Error("damaged BSON is read as an index")
	}
}

// TestStoredFormIsThatOfListings: the JSON of an index is the document that listIndexes shows.
func TestStoredFormIsThatOfListings(t *testing.T) {
	x := TTLIndex("at", 60)
	x.PartialFilterExpression = policy.ObjectValue(policy.D{{Key: "k", Value: policy.StringValue("<a>")}})
	text, err := json.Marshal(map[string]any{"index": x, "all": CollectionSpec{Capped: true, Indexes: []IndexSpec{x}}})
	if err != nil {
		t.Fatal(err)
	}
	const index = `{"key":{"at":{"$numberInt":"1"}},"name":"at_1","expireAfterSeconds":{"$numberInt":"60"},"partialFilterExpression":{"k":"<a>"}}`
	want := fmt.Sprintf(`{"all":{"options":{"capped":true},"indexes":[%s]},"index":%[1]s}`, index)
	if got := string(bytes.ReplaceAll(bytes.ReplaceAll(text, []byte(`\u003c`), []byte("<")), []byte(`\u003e`), []byte(">"))); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// FuzzStoredCollection: what is read from JSON is written and read again as the same policy.
func FuzzStoredCollection(f *testing.F) {
	for _, seed := range []string{
		`{"options":{},"indexes":[{"key":{"a":1},"expireAfterSeconds":{"$numberDouble":"NaN"}}]}`,
		`{"options":{"timeseries":{"timeField":"t"},"expireAfterSeconds":5},"indexes":[]}`,
		`{"options":{"clusteredIndex":true},"indexes":[{"key":{"a":1},"sparse":0,"x":{"$binary":{"base64":"","subType":"00"}}}]}`,
	} {
		f.Add([]byte(seed))
	}
	p, err := ProfileOf(Latest())
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var spec, again CollectionSpec
		if spec.UnmarshalJSON(text) != nil {
			return
		}
		c, err := CompileCollection(spec, p)
		if err != nil {
			return
		}
		written, err := spec.MarshalJSON()
		if err != nil {
			t.Fatalf("%q compiles and is not written: %v", text, err)
		}
		if err := again.UnmarshalJSON(written); err != nil {
			t.Fatalf("%q is written as %q: %v", text, written, err)
		}
		if other, err := CompileCollection(again, p); err != nil || other.Fingerprint() != c.Fingerprint() {
			t.Errorf("%q is written as %q, another policy: %v", text, written, err)
		}
	})
}

// TestMisspeltDefinitions: a misspelt name in JSON does not turn a policy off. The BSON of a
// server's listing may have names that this library does not know.
func TestMisspeltDefinitions(t *testing.T) {
	index := TTLIndex("a", 60)
	for _, text := range []string{
		`{"key":{"a":1},"name":"a_1","expireAfterSecond":60}`, `{"key":{"a":1},"name":"a_1","ExpireAfterSeconds":60}`, `{"key":{"a":1},"name":"a_1","ttl":60}`,
		`{"key":{"a":1},"name":"a_1","expireAfterSeconds":60,"partialFilterExpresion":{"b":1}}`,
	} {
		got := index
		if err := json.Unmarshal([]byte(text), &got); err == nil || !reflect.DeepEqual(got, index) {
			t.Errorf("%s is read as %v, %v, want an error and no change", text, got, err)
		}
		var c CollectionSpec
		if err := json.Unmarshal([]byte(`{"options":{},"indexes":[`+text+`]}`), &c); err == nil {
			t.Errorf("%s is read within %v", text, c)
		}
		v, err := policy.ParseExtJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		raw, err := policy.AppendBSON(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		if err := new(IndexSpec).UnmarshalBSON(raw); err != nil {
			t.Errorf("the listing %s: %v", text, err)
		}
	}
	if err := json.Unmarshal([]byte(`{"options":{"expireafterseconds":60},"indexes":[]}`), new(CollectionSpec)); err == nil {
		t.Error("a misspelt option of a collection is read")
	}
	old, err := ParseListedIndex(policy.ObjectValue(policy.D{{Key: "key", Value: policy.ObjectValue(index.Key)}, {Key: "expireAfterSecs", Value: policy.Int32Value(5)}}))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := old.MarshalJSON(); err == nil {
		t.Errorf("an option of no release is written as %s, which cannot be read", text)
	}
	if _, err := old.MarshalBSON(); err != nil {
		t.Errorf("an option of no release, as old catalogs hold it: %v", err)
	}
}

// TestStoredProfiles: the text of a profile is read back as the same profile, for every release
// and parameter.
func TestStoredProfiles(t *testing.T) {
	texts := map[Profile]string{}
	check := func(p Profile) {
		text, err := p.MarshalText()
		again := Profile{}
		if failed := again.UnmarshalText(text); err != nil || failed != nil || again != p {
			t.Errorf("the profile %s (%v) is read as another, %v", text, err, failed)
		}
		texts[p] = string(text)
	}
	for _, line := range []Version{{Major: 2, Minor: 2}, {Product: "documentdb", Minor: 102}} {
		for minor := range uint16(200) {
			for _, patch := range []uint16{0, 1, 5, 14, 21, 22, 24} {
				for major := line.Major; major < 12; major++ {
					p, err := ProfileOf(Version{line.Product, major, minor, patch})
					if err != nil {
						continue
					}
					check(p)
					for name, settings := range map[string][]policy.Value{
						behaviour.EngineParameter:     {policy.StringValue("mmapv1"), policy.StringValue("wiredTiger"), policy.StringValue("inMemory")},
						behaviour.LegacyNullParameter: {policy.BoolValue(true), policy.BoolValue(false)},
					} {
						for _, setting := range settings {
							if set, err := p.WithParameter(name, setting); err == nil {
								check(set)
							}
						}
					}
				}
			}
		}
	}
	if len(texts) < 40 {
		t.Errorf("%d profiles were stored, want those of all releases", len(texts))
	}
	for _, text := range []string{"", "9", "1.0.0", "9.0.0 ", "9.0.0 x=true", "9.0.0 internalQueryLegacyDottedPathNullSemantics=yes", "8.0.0 storageEngine=mmapv1", "9.0.0 internalQueryLegacyDottedPathNullSemantics"} {
		p := vectorProfile(t, "8.0.0")
		if err := p.UnmarshalText([]byte(text)); err == nil || p != vectorProfile(t, "8.0.0") {
			t.Errorf("%q is read as a profile, or changes one: %v", text, err)
		}
	}
	if text, err := (Profile{}).MarshalText(); !errors.Is(err, ErrUnknownVersion) {
		t.Errorf("the zero Profile is written as %s, %v", text, err)
	}
}

func TestStoredVersions(t *testing.T) {
	for text, want := range map[string]Version{`"8.0.4"`: {Major: 8, Patch: 4}, `"documentdb@0.112.0"`: {Product: "documentdb", Minor: 112}} {
		got, err := json.Marshal(want)
		var again Version
		if failed := json.Unmarshal(got, &again); string(got) != text || err != nil || failed != nil || again != want {
			t.Errorf("%v is written as %s (%v) and read as %v (%v)", want, got, err, again, failed)
		}
	}
	if text, err := json.Marshal(Version{Product: "other"}); err == nil {
		t.Errorf("another product is written as %s", text)
	}
	v := Version{Major: 8}
	if err := json.Unmarshal([]byte(`"8"`), &v); err == nil || v != (Version{Major: 8}) {
		t.Errorf(`"8" is read as %v, %v`, v, err)
	}
}
