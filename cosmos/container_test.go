package cosmos

import (
	"errors"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestReplace: the settings of a container and its decisions change together, and a refused
// change changes nothing.
func TestReplace(t *testing.T) {
	item := []byte(`{"id":"a","_ts":0}`)
	var c *Container
	for _, step := range []struct {
		settings, mode string
		warnings       int
		refused        bool
		at59, at60     policy.State
	}{
		{`{"defaultTtl":0}`, "", 0, true, policy.Never, policy.Never},
		{`{"defaultTtl":60,"indexingPolicy":{"indexingMode":"lazy"}}`, "consistent", 1, false, policy.Pending, policy.Expired},
		{`{"defaultTtl":-1}`, "consistent", 0, false, policy.Never, policy.Never},
		{`{"defaultTtl":59}`, "consistent", 0, false, policy.Expired, policy.Expired},
		{`{"defaultTtl":60,"indexingPolicy":{"indexingMode":"none"}}`, "consistent", 0, true, policy.Expired, policy.Expired},
		{`{"indexingPolicy":{"indexingMode":"none"}}`, "none", 0, false, policy.Never, policy.Never},
		{`{"defaultTtl":60,"indexingPolicy":{"indexingMode":"consistent"}}`, "consistent", 0, false, policy.Pending, policy.Expired},
		{`{"ttlPropertyPath":"/a//b","defaultTtl":60}`, "consistent", 0, true, policy.Pending, policy.Expired},
	} {
		spec, err := ParseContainerSpec([]byte(step.settings))
		if err != nil {
			t.Fatal(err)
		}
		next, warnings, err := c.Replace(spec)
		if (err != nil) != step.refused || err != nil && next != c || next.Spec().IndexingMode != step.mode || len(warnings) != step.warnings {
			t.Errorf("Replace(%s) = %v, %v, %v", step.settings, next.Spec(), warnings, err)
		}
		if got := [2]policy.State{next.DecideJSON(item, 59_000).State, next.DecideJSON(item, 60_000).State}; got != [2]policy.State{step.at59, step.at60} {
			t.Errorf("after %s an item without ttl is %v", step.settings, got)
		}
		if again, err := CompileContainer(next.Spec()); err != nil || next != nil && again.Fingerprint() != next.Fingerprint() {
			t.Errorf("%s, compiled again: %v, %v", step.settings, again, err)
		}
		c = next
	}
}

// TestContainerKeepsItsText: the text of settings may be used again.
func TestContainerKeepsItsText(t *testing.T) {
	for _, parse := range []func([]byte) (ContainerSpec, error){ParseContainerSpec, ParseListedContainer} {
		text := []byte(`{"defaultTtl":"60"}`)
		spec, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		clear(text)
		if got, _ := spec.DefaultTTL.AsString(); got != "60" {
			t.Errorf("defaultTtl became %q", got)
		}
		if _, _, err := (*Container)(nil).Replace(spec); !errors.Is(err, policy.ErrUnspecified) {
			t.Errorf("Replace = %v, want an unspecified outcome", err)
		}
	}
}
