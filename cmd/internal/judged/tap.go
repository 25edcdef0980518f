package judged

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// tap writes version 14 of the Test Anything Protocol
// (https://testanything.org/tap-version-14-specification.html): a test point
// for each vector and release, a known failure as one that is still to do.
func (r Run) tap(w io.Writer) error {
	t := text{w: w}
	t.line("TAP version 14\n1..%d", len(r.Checks))
	for i, c := range r.Checks {
		t.point(r, i+1, c)
	}
	return t.err
}

func (t *text) point(r Run, number int, c conformance.Check) {
	status, directive := "ok", ""
	switch c.Outcome {
	case conformance.Pass:
	case conformance.Fail, conformance.Broken, conformance.NotRun:
		status = "not ok"
	case conformance.Known:
		status, directive = "not ok", " # TODO "+tapEscape(r.why(c))
	default:
		directive = " # SKIP " + tapEscape(r.why(c))
	}
	t.line("%s %d - %s@%d %s%s", status, number, c.Vector.ID, c.Vector.Rev, c.Target, directive)
	if status == "not ok" {
		t.diagnosis(r, c)
	}
}

// diagnosis writes a block of YAML, whose texts are JSON's.
func (t *text) diagnosis(r Run, c conformance.Check) {
	t.line("  ---\n  outcome: %s\n  message: %s\n  rule: %s", c.Outcome, quoted(c.Detail), c.Vector.Rules[0])
	t.line("  explanation: %s\n  ...", quoted(r.Suite.Explain(conformance.Finding{c})))
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
