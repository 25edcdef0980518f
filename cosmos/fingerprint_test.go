package cosmos

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestFingerprint: settings with the same fingerprint decide alike, settings that differ
// only in their spelling have the same fingerprint, and the zero evaluators have the zero
// Fingerprint.
func TestFingerprint(t *testing.T) {
	value := rapid.SampledFrom([]policy.Value{{}, policy.NullValue(), policy.Int32Value(-1), policy.Int64Value(-1), policy.Int32Value(5), policy.Int64Value(5), policy.Int32Value(6), policy.Int32Value(0), policy.Int32Value(-2), policy.DoubleValue(5)})
	path := rapid.SampledFrom([]string{"", "", "/_ts", "/a", "/a/b"})
	mode := rapid.SampledFrom([]string{"", "consistent", "none"})
	compiled := func(t *rapid.T) *Container {
		c, err := CompileContainer(ContainerSpec{DefaultTTL: value.Draw(t, "default"), TTLPropertyPath: path.Draw(t, "path"), IndexingMode: mode.Draw(t, "mode")})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	rapid.Check(t, func(t *rapid.T) {
		x, y := compiled(t), compiled(t)
		if x.Fingerprint() != y.Fingerprint() {
			return
		}
		item := policy.D{{Key: "_ts", Value: policy.Int32Value(100)}, {Key: "a", Value: policy.Int32Value(90)}, {Key: "ttl", Value: value.Draw(t, "ttl")}}
		now := rapid.SampledFrom([]policy.Instant{0, 95_000, 104_999, 105_000, 106_000, policy.MaxInstant}).Draw(t, "now")
		if got, want := y.Decide(item, now), x.Decide(item, now); got != want {
			t.Fatalf("of one fingerprint: %v by %s, and %v by %s", got, got.Rule, want, want.Rule)
		}
	})
	of := func(spec ContainerSpec) policy.Fingerprint {
		c, err := CompileContainer(spec)
		if err != nil {
			t.Fatal(err)
		}
		return c.Fingerprint()
	}
	five := of(ContainerSpec{DefaultTTL: policy.Int32Value(5)})
	if five != of(ContainerSpec{DefaultTTL: policy.Int64Value(5), IndexingMode: "consistent"}) || five == of(ContainerSpec{DefaultTTL: policy.Int32Value(6)}) ||
		five == of(ContainerSpec{DefaultTTL: policy.Int32Value(5), TTLPropertyPath: "/a"}) {
		t.Error("the fingerprint of 5 seconds is not that of 5 seconds alone")
	}
	none := policy.Fingerprint{}
	if (&Container{}).Fingerprint() != none || (&Collection{}).Fingerprint() != none || five == none {
		t.Error("the zero Fingerprint is not that of the zero evaluators alone")
	}
	if got, want := five.String(), "db2a07f8f6174b11b2307b1fddfffe0d"; got != want {
		t.Errorf("the fingerprint is %s, want %s: stores keep it", got, want)
	}
}

// TestFingerprintOfCollections: collections of the API for MongoDB share a fingerprint
// only if they decide alike.
func TestFingerprintOfCollections(t *testing.T) {
	of := func(seconds policy.Value, key, version string, capabilities ...string) policy.Fingerprint {
		c, err := CompileCollection(CollectionSpec{ServerVersion: version, Capabilities: capabilities, Indexes: []IndexSpec{{Key: policy.D{{Key: key, Value: policy.Int32Value(1)}}, ExpireAfterSeconds: seconds}}})
		if err != nil {
			t.Fatal(err)
		}
		return c.Fingerprint()
	}
	five := of(policy.Int32Value(5), "_ts", "4.2")
	if five != of(policy.DoubleValue(5), "_ts", "6.0") {
		t.Error("5 and 5.0 have two fingerprints")
	}
	if five == of(policy.Int32Value(6), "_ts", "4.2") || five == of(policy.Int32Value(5), "at", "4.2", "EnableTtlOnCustomPath") || five == of(policy.Int32Value(5), "_ts", "3.2") {
		t.Error("another delay, field or server has the same fingerprint")
	}
}
