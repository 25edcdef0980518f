package suite_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
)

// narrowed are systems without a wrong answer, by their claims.
var narrowed = map[string]struct {
	claim func(*conformance.Hello)
	want  string // text of the failure; "" if the test is green
}{
	"all":          {func(*conformance.Hello) {}, ""},
	"one rule set": {func(h *conformance.Hello) { h.RuleSets = []string{"mongodb-core"} }, ""},
	"a rule set without needs": {func(h *conformance.Hello) {
		h.RuleSets, h.Features = []string{"mongodb-timeseries"}, []string{conformance.FeatureDeadline}
	}, "the rule set mongodb-timeseries is claimed and is untested"},
	"a rule set in part": {func(h *conformance.Hello) {
		h.RuleSets, h.Features = []string{"mongodb-core"}, []string{conformance.FeatureDeadline}
	}, "such as mongodb-path-inner-missing (dotted-path is not claimed)"},
	"a rule set of one system": {func(h *conformance.Hello) {
		h.Systems, h.RuleSets = map[string]string{conformance.CosmosNoSQL: "*"}, []string{"cosmos-nosql-core"}
		h.Ops, h.Features = []string{"cosmos.decide", "cosmos.validateContainer"}, nil
	}, ""},
	"a rule set of another op": {func(h *conformance.Hello) {
		h.Ops, h.RuleSets = []string{"mongodb.decide"}, []string{"cosmos-nosql-core"}
	}, "the rule set cosmos-nosql-core is claimed and is untested"},
	"nothing": {func(h *conformance.Hello) { h.Ops, h.RuleSets = nil, nil }, "nothing that is claimed could be judged"},
}

// TestTestIsGreenOnlyForWhatConforms runs Test in a separate process, because it tests
// whether Test fails. With -short it leaves out the whole suite, which other tests run on
// the reference.
func TestTestIsGreenOnlyForWhatConforms(t *testing.T) {
	if os.Getenv("TTLPOLICY_TEST_OF_TEST") != "" {
		testNarrowed(t)
		return
	}
	out, _ := testOfTest("")
	ends := regexp.MustCompile(`(?m)^    --- (PASS|FAIL): TestTestIsGreenOnlyForWhatConforms/(\w+) `).FindAllStringSubmatch(out, -1)
	for _, end := range ends {
		name := strings.ReplaceAll(end[2], "_", " ")
		if tt := narrowed[name]; (end[1] == "PASS") != (tt.want == "") || !strings.Contains(out, tt.want) {
			t.Errorf("claiming %s: %s, want %q in:\n%s", name, end[1], tt.want, out)
		}
	}
	want := 0
	for _, tt := range narrowed {
		if tt.want != "" || !testing.Short() {
			want++
		}
	}
	if len(ends) != want {
		t.Errorf("%d of %d claims were tested:\n%s", len(ends), want, out)
	}
	if out, err := testOfTest("/^a_rule_set_in_part$/^mongodb-date-on-deadline$"); err != nil || !strings.Contains(out, "were left out") {
		t.Errorf("one vector of a rule set in part: %v, want nil, and how many were left out:\n%s", err, out)
	}
}

// testNarrowed runs Test with each of the narrowed claims.
func testNarrowed(t *testing.T) {
	for name, tt := range narrowed {
		if testing.Short() && tt.want == "" {
			continue
		}
		hello := library.New().Hello()
		tt.claim(&hello)
		t.Run(name, func(t *testing.T) {
			suite.Test(t, 1, suite.Embedded(), conformance.NewSystem(hello, library.New().Ask))
		})
	}
}

// testOfTest runs testNarrowed in another process, with run as the flag -run.
func testOfTest(run string) (string, error) {
	cmd := exec.Command(os.Args[0], "-test.v", fmt.Sprintf("-test.short=%t", testing.Short()), "-test.run=^TestTestIsGreenOnlyForWhatConforms$"+run)
	cmd.Env = append(os.Environ(), "TTLPOLICY_TEST_OF_TEST=1")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestOtherProducts: questions about a product that a system does not claim leave the verdicts on
// rules of a claimed product as they are.
func TestOtherProducts(t *testing.T) {
	hello := library.New().Hello()
	hello.Systems = map[string]string{conformance.MongoDB: "*"}
	twin := suite.Embedded().Vector("mongodb-type-null").Twin
	for v, want := range map[string]suite.Verdict{"documentdb-null": suite.Untested, "mongodb-type-null": suite.Conformant} {
		ids := []string{"documentdb-null", v, twin}
		r, err := suite.Run(suite.Embedded().Only(func(v *suite.Vector) bool { return slices.Contains(ids, v.ID) }), conformance.NewSystem(hello, library.New().Ask))
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range r.Rules() {
			if rule.Rule.ID() == "mongo.field-null" && rule.Verdict != want {
				t.Errorf("%q: %s is %s, want %s: %v", ids, rule.Rule.ID(), rule.Verdict, want, rule.Count)
			}
		}
	}
}
