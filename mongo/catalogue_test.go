package mongo

import (
	"errors"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestCatalogueIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for r := range Rules() {
		unspecified := strings.HasSuffix(r.ID(), "-unspecified")
		switch {
		case !strings.HasPrefix(r.ID(), "mongo.") && !strings.HasPrefix(r.ID(), "documentdb.") || seen[r.ID()]:
			t.Errorf("identifier %q is foreign or used twice", r.ID())
		case r.Statement() == "" || len(r.Citations()) == 0 || engine.Rank(r.Confidence()) < 0:
			t.Errorf("%s lacks a statement, a source or a confidence", r)
		case unspecified && engine.Rank(r.Confidence()) > engine.Rank(engine.Disputed) || !unspecified && r.Confidence() == engine.Unspecified:
			t.Errorf("%s has confidence %s: an outcome is unspecified if and only if its identifier says so", r, r.Confidence())
		}
		seen[r.ID()] = true
	}
	if len(seen) < 40 {
		t.Errorf("Rules yields %d rules, want all of them", len(seen))
	}
	for range Rules() {
		return // stopping early must not panic
	}
}

func TestProfileEdges(t *testing.T) {
	tests := []struct {
		version string
		strict  bool
		nan     policy.State // state of a document with a date of now, if the seconds are NaN
	}{
		{"2.2.0", true, policy.Pending}, {"3.0.15", true, policy.Pending}, {"3.2.22", false, policy.Expired}, {"3.4.0", false, policy.Never}, {"4.4.15", false, policy.Never}, {"4.4.29", false, policy.Never},
		{"5.0.0", false, policy.Expired}, {"5.0.13", false, policy.Expired}, {"5.0.14", false, policy.Never}, {"5.1.0", false, policy.Expired}, {"5.3.1", false, policy.Expired},
		{"6.0.1", false, policy.Expired}, {"6.0.2", false, policy.Never}, {"6.1.0", false, policy.Never}, {"8.2.11", false, policy.Never},
	}
	now := policy.D{{Key: "t", Value: policy.DateValue(1000)}}
	for _, tt := range tests {
		plain := vectorCollection(t, tt.version, `{}`, `[{"key":{"t":1},"expireAfterSeconds":0}]`)
		if got := plain.Decide(now, 1000).State == policy.Pending; got != tt.strict {
			t.Errorf("%s: a date equal to the cutoff is kept: %v, want %v", tt.version, got, tt.strict)
		}
		nan := vectorCollection(t, tt.version, `{}`, `[{"key":{"t":1},"expireAfterSeconds":{"$numberDouble":"NaN"}}]`)
		if got := nan.Decide(now, 1000).State; got != tt.nan {
			t.Errorf("%s: NaN decides %v, want %v", tt.version, got, tt.nan)
		}
	}
	for _, v := range []Version{{}, {Major: 2, Minor: 1, Patch: 99}, {Major: Latest().Major, Minor: Latest().Minor + 1}, {Major: Latest().Major + 1}, {Product: "documentdb", Minor: 101}, {Product: "documentdb", Minor: 113}, {Product: "x", Major: 8}} {
		if _, err := ProfileOf(v); !errors.Is(err, ErrUnknownVersion) {
			t.Errorf("ProfileOf(%v) = %v, want ErrUnknownVersion", v, err)
		}
	}
}

func TestParseVersionRefuses(t *testing.T) {
	for _, text := range []string{"", "8", "8.", ".8", "8.0.4.1", "v8.0", "8.00", "8.0.x", "8.0.-1", "8.0.65536", " 8.0"} {
		if v, err := ParseVersion(text); err == nil {
			t.Errorf("ParseVersion(%q) = %v, want an error", text, v)
		}
	}
	if v, err := ParseVersion("8.0"); err != nil || v != (Version{Major: 8, Minor: 0, Patch: 0}) {
		t.Errorf("ParseVersion(8.0) = %v, %v, want 8.0.0", v, err)
	}
}
