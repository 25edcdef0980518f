package conform

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// tap writes version 14 of the Test Anything Protocol
// (https://testanything.org/tap-version-14-specification.html): a test point
// for each vector and release, a known failure as one that is still to do.
func (r Run) tap(w io.Writer) error {
	p := printer{&cli.Printer{W: w}}
	p.Line("TAP version 14\n1..%d", len(r.Checks))
	for i, c := range r.Checks {
		status, directive := r.tapStatus(c)
		p.Line("%s %d - %s@%d %s%s", status, i+1, c.Vector.ID, c.Vector.Rev, c.Target, directive)
		if status == "not ok" { // a block of YAML, whose texts are JSON's
			p.Line("  ---\n  outcome: %s\n  message: %s\n  rule: %s", c.Outcome, quoted(c.Detail), c.Vector.Rules[0])
			p.Line("  explanation: %s\n  ...", quoted(r.Suite.Explain(conformance.Finding{c})))
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
		return "not ok", " # TODO " + tapEscape(r.why(c))
	}
	return "ok", " # SKIP " + tapEscape(r.why(c))
}

func quoted(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string has a JSON form
	}
	return string(text)
}

// tapEscape keeps text from ending its line or beginning a directive.
func tapEscape(s string) string {
	return strings.NewReplacer("\\", `\\`, "#", `\#`, "\n", " ", "\r", " ").Replace(s)
}
