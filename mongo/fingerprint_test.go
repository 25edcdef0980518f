package mongo

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// fingerprinted compiles a collection from its options and indexes in Extended JSON.
func fingerprinted(t testing.TB, version Version, options, indexes string) *Collection {
	t.Helper()
	spec, err := ParseListedCollection(drawn.Value(t, options), drawn.Value(t, indexes))
	if err != nil {
		t.Fatal(err)
	}
	p, err := ProfileOf(version)
	if err != nil {
		t.Fatal(err)
	}
	c, err := CompileCollection(spec, p)
	if err != nil {
		t.Fatalf("%s %s on %s: %v", options, indexes, version, err)
	}
	return c
}

// TestFingerprintShares: definitions that differ only in spelling, or in options without
// effect on expiry, share a fingerprint. Other definitions have different fingerprints.
func TestFingerprintShares(t *testing.T) {
	const plain = `[{"v": 2, "key": {"at": 1}, "name": "at_1", "expireAfterSeconds": 60}]`
	of := fingerprinted(t, Version{Major: 8, Minor: 0, Patch: 4}, `{}`, plain).Fingerprint()
	for _, tt := range []struct {
		why, options, indexes string
		version               Version
		same                  bool
	}{
		{"another order of fields", `{}`, `[{"expireAfterSeconds": 60, "name": "at_1", "key": {"at": 1}, "v": 2}]`, Version{Major: 8, Minor: 0, Patch: 4}, true},
		{"a long", `{}`, `[{"v": 2, "key": {"at": {"$numberLong": "1"}}, "name": "at_1", "expireAfterSeconds": {"$numberLong": "60"}}]`, Version{Major: 8, Minor: 0, Patch: 4}, true},
		{"another name", `{}`, `[{"v": 2, "key": {"at": 1}, "name": "x", "expireAfterSeconds": 60}]`, Version{Major: 8, Minor: 0, Patch: 4}, true},
		{"an option without bearing", `{}`, `[{"v": 2, "key": {"at": 1}, "name": "at_1", "expireAfterSeconds": 60, "sparse": true}]`, Version{Major: 8, Minor: 0, Patch: 4}, true},
		{"an index that deletes nothing", `{}`, `[{"v": 2, "key": {"b": 1}, "name": "b_1"}, ` + plain[1:], Version{Major: 8, Minor: 0, Patch: 4}, true},
		{"an ordinary namespace", `{"ns": "shop.carts"}`, plain, Version{Major: 8, Minor: 0, Patch: 4}, true},
		{"a release that behaves alike", `{}`, plain, Version{Major: 8, Minor: 0, Patch: 5}, true},
		{"a system namespace", `{"ns": "shop.system.x"}`, plain, Version{Major: 8, Minor: 0, Patch: 4}, false},
		{"another release", `{}`, plain, Version{Major: 4, Minor: 4, Patch: 0}, false},
		{"another delay", `{}`, `[{"v": 2, "key": {"at": 1}, "name": "at_1", "expireAfterSeconds": 61}]`, Version{Major: 8, Minor: 0, Patch: 4}, false},
		{"another field", `{}`, `[{"v": 2, "key": {"b": 1}, "name": "at_1", "expireAfterSeconds": 60}]`, Version{Major: 8, Minor: 0, Patch: 4}, false},
		{"a filter", `{}`, `[{"v": 2, "key": {"at": 1}, "name": "at_1", "expireAfterSeconds": 60, "partialFilterExpression": {"a": 1}}]`, Version{Major: 8, Minor: 0, Patch: 4}, false},
		{"capped", `{"capped": true}`, plain, Version{Major: 8, Minor: 0, Patch: 4}, false},
		{"two", `{}`, `[{"v": 2, "key": {"b": 1}, "name": "b_1", "expireAfterSeconds": 60}, ` + plain[1:], Version{Major: 8, Minor: 0, Patch: 4}, false},
		{"none", `{}`, `[]`, Version{Major: 8, Minor: 0, Patch: 4}, false},
	} {
		if got := fingerprinted(t, tt.version, tt.options, tt.indexes).Fingerprint(); (got == of) != tt.same {
			t.Errorf("%s: the fingerprint is the same: %v, want %v", tt.why, got == of, tt.same)
		}
	}
	two := fingerprinted(t, Version{Major: 8, Minor: 0, Patch: 4}, `{}`, `[{"key": {"a": 1}, "name": "a", "expireAfterSeconds": 1}, {"key": {"b": 1}, "name": "b", "expireAfterSeconds": 1}]`)
	if first, second := hidden.OnlySource(two, 0).Fingerprint(), hidden.OnlySource(two, 1).Fingerprint(); first == second || first == two.Fingerprint() {
		t.Errorf("of the sources alone %s and %s, of both %s", first, second, two.Fingerprint())
	}
}

// TestFingerprintIsStable: stores keep fingerprints. A change of these fingerprints makes
// every store decide again; it needs another RulesVersion, or a line in the changelog.
func TestFingerprintIsStable(t *testing.T) {
	for want, c := range map[string]*Collection{
		"00000000000000000000000000000000": {},
		"956353299f1f8f9ec44c056c0f8ee5f1": fingerprinted(t, Version{Major: 8, Minor: 0, Patch: 4}, `{}`, `[{"v": 2, "key": {"at": 1}, "name": "at_1", "expireAfterSeconds": 60}]`),
	} {
		if got := c.Fingerprint().String(); got != want {
			t.Errorf("the fingerprint is %s, want %s", got, want)
		}
	}
}

// TestFingerprintOfReleases: FirstRelease returns a release that has the same profile and
// is not later than the given release.
func TestFingerprintOfReleases(t *testing.T) {
	var before Profile
	var lines []behaviour.Version
	for line := behaviour.Oldest; line.Compare(behaviour.Beyond) < 0; line = line.NextLine() {
		lines = append(lines, line)
	}
	for line := behaviour.OldestDocumentDB; line.Compare(behaviour.LatestDocumentDB) <= 0; line = line.NextLine() {
		lines = append(lines, line)
	}
	for _, line := range lines {
		for patch := range uint16(64) {
			version := Version(line)
			version.Patch = patch
			p, err := ProfileOf(version)
			if err != nil {
				t.Fatal(err)
			}
			if p == before {
				continue
			}
			before = p
			release, _, ok := behaviour.FirstRelease(p.behaviour)
			first := Version(release)
			if q, _ := ProfileOf(first); !ok || q != p || first.Compare(version) > 0 {
				t.Fatalf("the first release of the profile of %s is %s, %t", version, first, ok)
			}
		}
	}
	p, _ := ProfileOf(Latest())
	if legacy, err := p.WithParameter(behaviour.LegacyNullParameter, policy.BoolValue(true)); err != nil {
		t.Error(err)
	} else if first, isSet, ok := behaviour.FirstRelease(legacy.behaviour); !ok || !isSet {
		t.Errorf("with %s the first release is %v, %t, %t", behaviour.LegacyNullParameter, first, isSet, ok)
	}
	old, _ := ProfileOf(Version{Major: 3, Minor: 2, Patch: 0})
	engine, err := old.WithParameter(behaviour.EngineParameter, policy.StringValue("mmapv1"))
	if first, _, ok := behaviour.FirstRelease(engine.behaviour); err != nil || !ok {
		t.Errorf("with an engine the first release is %v, %t, %v", first, ok, err)
	}
}

// TestPropertyFingerprint: policies with the same fingerprint decide alike about any
// document. The second definition is the first with one part drawn again.
func TestPropertyFingerprint(t *testing.T) {
	versions := []Version{{Major: 2, Minor: 4}, {Major: 3, Minor: 2}, {Major: 4, Minor: 4}, {Major: 4, Minor: 4, Patch: 1}, {Major: 5, Patch: 9}, {Major: 8, Patch: 4}, {Major: 8, Patch: 5}, {Product: "documentdb", Minor: 108}, {Product: "documentdb", Minor: 112}}
	numbers := []policy.Value{policy.Int32Value(0), policy.Int64Value(0), policy.Int32Value(60), policy.Int64Value(60), policy.DoubleValue(60), policy.DoubleValue(60.5), policy.StringValue("60")}
	directions := []policy.Value{policy.Int32Value(1), policy.Int64Value(1), policy.Int32Value(-1), policy.DoubleValue(1)}
	operands := []policy.Value{{}, policy.Int32Value(1), policy.Int64Value(1), policy.DoubleValue(1), policy.NullValue()}
	shared, pairs := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var parts [8]int
		for i := range parts {
			parts[i] = rapid.IntRange(0, 100).Draw(t, "part")
		}
		compiled := func(parts [8]int) *Collection {
			x := IndexSpec{
				Name:               []string{"x", "y"}[parts[0]%2],
				Key:                policy.D{{Key: []string{"a", "b"}[parts[1]%2], Value: directions[parts[2]%len(directions)]}},
				ExpireAfterSeconds: numbers[parts[3]%len(numbers)],
				Sparse:             parts[0]%3 == 0,
			}
			if c := operands[parts[4]%len(operands)]; !c.IsMissing() {
				x.PartialFilterExpression = policy.ObjectValue(policy.D{{Key: "c", Value: c}})
			}
			p, err := ProfileOf(versions[parts[5]%len(versions)])
			if err != nil {
				t.Fatal(err)
			}
			c, err := CompileCollection(CollectionSpec{Namespace: []string{"", "d.c", "d.system.x"}[parts[6]%3], Capped: parts[7]%4 == 0, Indexes: []IndexSpec{x}}, p)
			if err != nil {
				return &Collection{}
			}
			return c
		}
		x := compiled(parts)
		date := policy.DateValue(0)
		doc := policy.D{{Key: "a", Value: date}, {Key: "b", Value: date}, {Key: "c", Value: policy.Int32Value(1)}}
		if rapid.Bool().Draw(t, "any document") {
			doc = append(drawn.Close.Documents(1).Draw(t, "document"), doc...)
		}
		for i := range parts {
			other := parts
			other[i] = rapid.IntRange(0, 100).Draw(t, "another")
			y := compiled(other)
			pairs++
			if x.Fingerprint() != y.Fingerprint() {
				continue
			}
			shared++
			for _, now := range []policy.Instant{0, 1, 59_999, 60_000, 60_001, policy.MaxInstant} {
				if got, want := y.Decide(doc, now), x.Decide(doc, now); got != want {
					t.Fatalf("of one fingerprint: %v by %s, and %v by %s", got, got.Rule, want, want.Rule)
				}
			}
		}
	})
	if shared == 0 || shared == pairs {
		t.Errorf("%d of %d pairs share a fingerprint, want some", shared, pairs)
	}
}

// TestFingerprintStays: later changes of the definition by a caller have no effect.
func TestFingerprintStays(t *testing.T) {
	spec := TTLIndex("at", 60)
	p, _ := ProfileOf(Latest())
	x, err := CompileCollection(CollectionSpec{Indexes: []IndexSpec{spec}}, p)
	if err != nil {
		t.Fatal(err)
	}
	before := x.Fingerprint()
	spec.Key[0].Key = "b"
	if after := x.Fingerprint(); after != before || before == (policy.Fingerprint{}) {
		t.Errorf("the fingerprint is %s, and later %s", before, after)
	}
}
