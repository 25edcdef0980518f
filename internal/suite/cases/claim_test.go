package cases

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// TestClaimOfTwo: of two systems only what both claim is asked.
func TestClaimOfTwo(t *testing.T) {
	one := conformance.Hello{
		Ops: []string{"mongodb.decide", "cosmos.decide"}, Features: []string{"far-dates", "capped"},
		Systems: map[string]string{conformance.MongoDB: ">=7.0.0", conformance.CosmosNoSQL: "*"},
	}
	other := conformance.Hello{
		Ops: []string{"cosmos.decide", "mongodb.decide", "mongodb.create"}, Features: []string{"capped"},
		Systems: map[string]string{conformance.MongoDB: "<8.0.0"},
	}
	c, err := ClaimOf(suite.Embedded(), one, other)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		op, since string
		want      bool
	}{
		{"mongodb.decide", "", true}, {"mongodb.decide", "7.3.4", true}, {"mongodb.decide", "8.0.0", false},
		{"mongodb.create", "", false}, {"cosmos.decide", "", false}, {"cosmosmongo.decide", "", false}, {"no.such", "", false},
	} {
		if got := c.Asks(tt.op, tt.since); got != tt.want {
			t.Errorf("Asks(%q, %q) = %v, want %v", tt.op, tt.since, got, tt.want)
		}
	}
	if c.Knows("far-dates") || !c.Knows("capped") {
		t.Errorf("the features of both are %v, want capped alone", c.Features())
	}
	if _, err := ClaimOf(suite.Embedded(), conformance.Hello{Name: "x", Systems: map[string]string{conformance.MongoDB: "new"}}); err == nil {
		t.Error("ClaimOf takes versions that it cannot read")
	}
}

func TestBefore(t *testing.T) {
	for _, tt := range []struct {
		release, other string
		want           bool
	}{
		{"3.2.0", "3.2.0", false}, {"3.0.15", "3.2.0", true}, {"10.0.0", "3.2.0", false}, {"8.0.4", "8.0.10", true}, {"4.0", "4.2", true}, {"", "3.2.0", false},
	} {
		if got := Before(tt.release, tt.other); got != tt.want {
			t.Errorf("Before(%q, %q) = %v, want %v", tt.release, tt.other, got, tt.want)
		}
	}
}
