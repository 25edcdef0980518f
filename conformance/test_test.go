package conformance_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/reference"
)

// claiming is the reference with other claims.
type claiming struct {
	conformance.System
	hello conformance.Hello
}

func (c claiming) Hello() conformance.Hello { return c.hello }

// narrowed are systems of which no answer is wrong, by what they claim.
var narrowed = map[string]struct {
	claim func(*conformance.Hello)
	want  string // of the failure; "" if the test is green
}{
	"all":         {func(*conformance.Hello) {}, ""},
	"one profile": {func(h *conformance.Hello) { h.RuleSets = []string{"mongodb-core"} }, ""},
	"a profile without needs": {func(h *conformance.Hello) {
		h.RuleSets, h.Features = []string{"mongodb-timeseries"}, []string{conformance.FeatureDeadline}
	}, "the profile mongodb-timeseries is claimed and is untested"},
	"a profile in part": {func(h *conformance.Hello) {
		h.RuleSets, h.Features = []string{"mongodb-core"}, []string{conformance.FeatureDeadline}
	}, "the profile mongodb-core is claimed and is unproven"},
	"a profile of another op": {func(h *conformance.Hello) {
		h.Ops, h.RuleSets = []string{"mongodb.decide"}, []string{"cosmos-nosql-core"}
	}, "the profile cosmos-nosql-core is claimed and is untested"},
	"nothing": {func(h *conformance.Hello) { h.Ops, h.RuleSets = nil, nil }, "nothing that is claimed could be judged"},
}

// TestTestIsGreenOnlyForWhatConforms runs Test in a process of its own, as its
// failure is what is asked about.
func TestTestIsGreenOnlyForWhatConforms(t *testing.T) {
	if name := os.Getenv("TTLPOLICY_TEST_OF_TEST"); name != "" {
		hello := reference.New().Hello()
		narrowed[name].claim(&hello)
		conformance.Test(t, conformance.Embedded(), claiming{reference.New(), hello})
		return
	}
	for name, tt := range narrowed {
		if testing.Short() && len(narrowed[name].want) == 0 {
			continue // the whole suite, in another process
		}
		out, err := testOfTest(name, "")
		if (err == nil) != (tt.want == "") || !strings.Contains(out, tt.want) {
			t.Errorf("claiming %s: %v, want %q in:\n%s", name, err, tt.want, out)
		}
	}
	if out, err := testOfTest("a profile in part", "/^mongodb-date-on-deadline$"); err != nil || !strings.Contains(out, "were left out") {
		t.Errorf("one vector of a profile in part: %v, want nil, and how many were left out:\n%s", err, out)
	}
}

// testOfTest runs Test with the claims of that name, and the vectors that -run
// selects.
func testOfTest(name, run string) (string, error) {
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run=^TestTestIsGreenOnlyForWhatConforms$"+run)
	cmd.Env = append(os.Environ(), "TTLPOLICY_TEST_OF_TEST="+name)
	out, err := cmd.CombinedOutput()
	return string(out), err
}
