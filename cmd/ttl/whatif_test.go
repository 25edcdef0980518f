package main

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

// TestWhatIf: the numbers are those of TestPlanForms, found apart from this tool.
func TestWhatIf(t *testing.T) {
	for _, args := range [][]string{{logs}, {samples + "shop", "--ns", "shop.logs"}} {
		r := ttl(t, "", append([]string{"forecast", "--now", sampleAt, "--what-if", "7d"}, args...)...)
		for _, want := range []string{"1 to change, in 1 collection\n", "stands: 30 d after createdAt\n", "wanted: 7 d after createdAt\n", "at once             +1,086   241.2 kB             0\n",
			`runCommand({collMod: "logs", index: {name: "createdAt_1", expireAfterSeconds: 604800}})`} {
			if r.code != cli.ExitOK || r.err != "" || !strings.Contains(r.out, want) {
				t.Errorf("--what-if 7d %q: exit %d, %s; no %q in\n%s", args, r.code, r.err, want, r.out)
			}
		}
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--what-if", "soon", logs}, "--what-if: cannot read"},
		{[]string{"--what-if", "100y", logs}, "is not from 0 to 2147483647"},
		{[]string{"--what-if", "7d", "--format", "csv", logs}, "text or json, or written as a part"},
		{[]string{"--what-if", "7d", "--check", logs}, "--check has no effect beside --what-if"},
		{[]string{"--what-if", "7d", "--bucket", "1d", logs}, "--bucket has no effect beside --what-if"},
		{[]string{"--what-if", "7d", "--container", container, items}, "--"},
	} {
		if r := ttl(t, "", append([]string{"forecast"}, tt.args...)...); r.code != cli.ExitUsage || !strings.Contains(r.err, tt.want) || r.out != "" {
			t.Errorf("forecast %q: exit %d, %q; want %d and %q", tt.args, r.code, r.err, cli.ExitUsage, tt.want)
		}
	}
}

// TestWhatIfOfWhatCannotBeRead: an input that is no archive is an error, and not passed over.
func TestWhatIfOfWhatCannotBeRead(t *testing.T) {
	lost := written(t, "lost.archive", "\x6d\xe2\x99\x81nothing")
	if r := ttl(t, "", "forecast", "--what-if", "7d", "--now", sampleAt, lost, logs); r.code != cli.ExitInput || !strings.Contains(r.err, lost) || r.out != "" {
		t.Errorf("exit %d, %q, %q; want %d and %s", r.code, r.out, r.err, cli.ExitInput, lost)
	}
}
