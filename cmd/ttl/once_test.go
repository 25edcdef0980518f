package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

// gathering are the flags that may be repeated.
var gathering = map[string]bool{
	"index": true, "capability": true, "server-parameter": true, "ns": true, "exclude-ns": true, "documents": true,
	"ignore": true, "fail-if": true, "report": true, "what-if": true, "moving-to": true,
}

// TestFlagsGivenTwice: a flag of any command that is given twice is an error, unless its
// help says that it may be repeated.
func TestFlagsGivenTwice(t *testing.T) {
	values := map[string]string{"string": "1", "int": "1", "int64": "1", "uint64": "1", "float64": "1", "duration": "1s", "bool": "true"}
	var walk func(*cobra.Command)
	seen := 0
	walk = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			path := strings.Fields(cmd.CommandPath())[1:]
			gathers := gathering[f.Name] || f.Value.Type() == "stringSlice" && (cmd.Name() == "run" && f.Name == "id" || cmd.Name() == "diff" && f.Name == "op")
			if said := strings.Contains(f.Usage, "(repeatable"); gathers != said {
				t.Errorf("%s --%s: repeatable is %t, its help says %t", cmd.CommandPath(), f.Name, gathers, said)
			}
			if gathers || f.Name == "help" || f.Name == "version" {
				return
			}
			seen++
			flag := "--" + f.Name + "=" + values[f.Value.Type()]
			r := ttl(t, "", append(path, flag, flag)...)
			if want := "--" + f.Name + " is given twice"; r.code != usageCode(cmd) || !strings.Contains(r.err, want) || r.out != "" {
				t.Errorf("%s %s twice: exit %d, %q; want %d and %q", cmd.CommandPath(), flag, r.code, r.err, usageCode(cmd), want)
			}
		})
	}
	walk(newRootCommand())
	if seen < 100 {
		t.Errorf("%d flags were tried, want at least 100", seen)
	}
}

// TestRepeatedConditions: --fail-if may be given several times, and one condition that
// holds suffices, in any order.
func TestRepeatedConditions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args []string
		code cli.ExitCode
		says string
	}{
		{[]string{"--fail-if", "expired>1%", "--fail-if", "never>90%"}, cli.ExitFindings, "--fail-if expired>1% holds for shop.logs: 200 of 2,000 documents"},
		{[]string{"--fail-if", "never>90%", "--fail-if", "expired>1%"}, cli.ExitFindings, "--fail-if expired>1% holds for shop.logs"},
		{[]string{"--fail-if", "never>90%", "--fail-if", "expired>99%"}, cli.ExitOK, ""},
		{[]string{"--fail-if", "never>90% or expired>1%"}, cli.ExitFindings, "--fail-if expired>1% holds for shop.logs"},
		{[]string{"--fail-if", "never>90% or expired>99%"}, cli.ExitOK, ""},
		{[]string{"--fail-if", "expired>1% or "}, cli.ExitUsage, "--fail-if"},
		{[]string{"--fail-if", "14d>543"}, cli.ExitOK, ""},
		{[]string{"--fail-if", "2w>=543"}, cli.ExitFindings, "--fail-if 2w>=543 holds for shop.logs: 543 of 2,000 documents"},
		{[]string{"--fail-if", "expired>1%", "--fail-if", "expird>1%"}, cli.ExitUsage, `"expird" is not one of`},
		{[]string{"--fail-if", "expired>1%", "--fail-if", ""}, cli.ExitUsage, "--fail-if"},
	} {
		r := ttl(t, "", append([]string{"forecast", "--now", "2026-11-20", logs}, tt.args...)...)
		if r.code != tt.code || !strings.Contains(r.err, tt.says) {
			t.Errorf("%q: exit %d, %q; want %d and %q", tt.args, r.code, r.err, tt.code, tt.says)
		}
	}
}

// TestDelayOfSeveralIndexes: several indexes must be written whole. A flag that adds an
// option to a single index is refused.
func TestDelayOfSeveralIndexes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ line, says string }{
		{`--index {"a":1} --expire-after 1d --index {"b":1} --expire-after 2d`, "--expire-after is given twice, and takes one value; write each index whole"},
		{`--index {"a":1} --expire-after 1d --index {"b":1}`, "write each index whole"},
		{`--index {"a":1} --index {"b":1} --partial {"k":1}`, "write each index whole"},
		{`--index {"a":1} --index {"b":1}`, "write each index whole"},
	} {
		r := ttl(t, "", append(append([]string{"explain"}, strings.Fields(tt.line)...), "{}")...)
		if r.code != cli.ExitUsage || !strings.Contains(r.err, tt.says) {
			t.Errorf("%s: exit %d, %q; want %d and %q", tt.line, r.code, r.err, cli.ExitUsage, tt.says)
		}
	}
	r := ttl(t, "", "explain", "--index", "{key: {a: 1}, expireAfterSeconds: 60}", "--index", "{key: {b: 1}, expireAfterSeconds: 3600}", "{}")
	if r.code != cli.ExitOK {
		t.Errorf("two whole indexes: exit %d, %s", r.code, r.err)
	}
}
