package conformance

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// claiming is the reference with other claims.
type claiming struct {
	System
	hello Hello
}

func (c claiming) Hello() Hello { return c.hello }

// narrowed are systems of which no answer is wrong, by what they claim.
var narrowed = map[string]struct {
	claim func(*Hello)
	want  string // of the failure; "" if the test is green
}{
	"all":                     {func(*Hello) {}, ""},
	"one profile":             {func(h *Hello) { h.Profiles = []string{"mongodb-core"} }, ""},
	"a profile without needs": {func(h *Hello) { h.Profiles, h.Features = []string{"mongodb-timeseries"}, []string{FeatureDeadline} }, "the profile mongodb-timeseries is claimed and is untested"},
	"a profile in part":       {func(h *Hello) { h.Profiles, h.Features = []string{"mongodb-core"}, []string{FeatureDeadline} }, "the profile mongodb-core is claimed and is unproven"},
	"a profile of another op": {func(h *Hello) { h.Ops, h.Profiles = []string{"mongodb.decide"}, []string{"cosmos-nosql-core"} }, "the profile cosmos-nosql-core is claimed and is untested"},
	"nothing":                 {func(h *Hello) { h.Ops, h.Profiles = nil, nil }, "nothing that is claimed could be judged"},
}

// TestTestIsGreenOnlyForWhatConforms runs Test in a process of its own, as its
// failure is what is asked about.
func TestTestIsGreenOnlyForWhatConforms(t *testing.T) {
	if name := os.Getenv("TTLPOLICY_TEST_OF_TEST"); name != "" {
		hello := Reference().Hello()
		narrowed[name].claim(&hello)
		Test(t, Embedded(), claiming{Reference(), hello})
		return
	}
	for name, tt := range narrowed {
		cmd := exec.Command(os.Args[0], "-test.run=^TestTestIsGreenOnlyForWhatConforms$")
		cmd.Env = append(os.Environ(), "TTLPOLICY_TEST_OF_TEST="+name)
		out, err := cmd.CombinedOutput()
		if (err == nil) != (tt.want == "") || !strings.Contains(string(out), tt.want) {
			t.Errorf("claiming %s: %v, want %q in:\n%s", name, err, tt.want, out)
		}
	}
}
