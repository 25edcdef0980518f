package conform

import (
	"io"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// tap writes version 14 of the Test Anything Protocol
// (https://testanything.org/tap-version-14-specification.html): a test point
// for each vector and release, a known failure as one that is still to do.
func (r Run) tap(w io.Writer) error {
	p := cli.NewTAP(w)
	p.Line("TAP version 14\n1..%d", len(r.Checks))
	for i, c := range r.Checks {
		status, directive := r.tapStatus(c)
		if directive == "" {
			p.Line("%s %d - %s@%d %s", status, i+1, c.Vector.ID, c.Vector.Rev, c.Target)
		} else {
			p.Line("%s %d - %s@%d %s # %s %s", status, i+1, c.Vector.ID, c.Vector.Rev, c.Target, directive, r.why(c))
		}
		if status == "not ok" { // a block of YAML, whose texts are JSON's
			p.Line("  ---\n  outcome: %s\n  message: %s\n  rule: %s", c.Outcome, cli.JSONText(c.Detail), c.Vector.Rules[0])
			p.Line("  explanation: %s\n  ...", cli.JSONText(r.Suite.Explain(conformance.Finding{c})))
		}
	}
	return p.Err()
}

func (r Run) tapStatus(c conformance.Check) (status, directive string) {
	switch c.Outcome {
	case conformance.Pass:
		return "ok", ""
	case conformance.Fail, conformance.Broken, conformance.NotRun:
		return "not ok", ""
	case conformance.Known:
		return "not ok", "TODO"
	}
	return "ok", "SKIP"
}
