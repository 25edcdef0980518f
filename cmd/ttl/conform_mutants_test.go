package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

// TestConformMutants: the suite that comes with the tool kills the mutants of
// some rules. Package mutants asserts that it kills all of them.
func TestConformMutants(t *testing.T) {
	t.Parallel()
	r := ttl(t, "", append([]string{"conform", "mutants", "--rule", "mongo.array", "--format", "json"}, quickly(t, "mongodb-arrays.json", "mongodb-paths.json", "mongodb-types.json")...)...)
	var score struct {
		Total, Killed, Attributed int
		Survivors, Smoke          []string
	}
	if err := json.Unmarshal([]byte(r.out), &score); err != nil {
		t.Fatalf("exit %d, %v: %s", r.code, err, r.err)
	}
	if r.code != cli.ExitOK || score.Total < 6 || score.Attributed != score.Total || score.Killed != score.Total || len(score.Survivors) > 0 || len(score.Smoke) == 0 {
		t.Errorf("exit %d, %+v", r.code, score)
	}
}

func TestConformMutantsOfRule(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args []string
		code cli.ExitCode
		says string
	}{
		{append([]string{"--rule", "mongo.seconds-zero"}, quickly(t, "mongodb-seconds.json", "mongodb-threshold.json", "mongodb-types.json")...), cli.ExitOK, "zero-is-off  mongo.seconds-zero\n"},
		{[]string{"--rule", "no.such"}, cli.ExitUsage, "no mutant misreads such a rule"},
		{[]string{"--format", "html"}, cli.ExitUsage, "--format html"},
		{[]string{"--suite", "no-such-folder"}, cli.ExitInput, "sources.json"},
	} {
		r := ttl(t, "", append([]string{"conform", "mutants"}, tt.args...)...)
		if r.code != tt.code || !strings.Contains(r.out+r.err, tt.says) {
			t.Errorf("%v: exit %d, want %d and %q in\n%s%s", tt.args, r.code, tt.code, tt.says, r.out, r.err)
		}
	}
}
