package rulebook

import (
	"net/url"
	"os"
	"testing"
	"time"
)

// TestByHand: each record has results, which say which version was asked and
// where it is.
func TestByHand(t *testing.T) {
	all, err := ReadResults(os.DirFS("../../../../docs/results"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, r := range all {
		if !r.IsByHand() {
			continue
		}
		found++
		if _, err := time.Parse(time.DateOnly, r.ByHand().Day); err != nil {
			t.Errorf("%s: recorded on %v", r.Key, err)
		}
		if u, err := url.Parse(r.Link("")); err != nil || u.Scheme != "https" || r.Implementation.Version == "" {
			t.Errorf("%s: page %q (%v), version %q", r.Key, r.Link(""), err, r.Implementation.Version)
		}
	}
	if found != len(recordsByHand) {
		t.Errorf("%d results were recorded by hand, want those of %d records", found, len(recordsByHand))
	}
}
