package cases

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A Draft is what a vector says beside its question.
type Draft struct {
	Prefix  string   // of its identifier
	Title   string   // a sentence
	Rules   []string // that it bears on
	Comment string
}

// Vector writes the question as a vector that lacks its answers: who works out
// from a source what is right fills in "want", as the files of testdata/vectors
// do it. The identifier is the same for the same question.
func (c Case) Vector(d Draft) string {
	sum := sha256.Sum256([]byte(c.GoString()))
	said := c.Reference()
	rules := slices.Clone(d.Rules)
	if said.Rule != "" && !slices.Contains(rules, said.Rule) {
		rules = append(rules, said.Rule)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "  {\n   \"id\": %s, \"rev\": 1,\n", quoted(d.Prefix+"-"+hex.EncodeToString(sum[:3])))
	fmt.Fprintf(&b, "   \"title\": %s,\n", quoted(strings.TrimSuffix(d.Title, ".")))
	fmt.Fprintf(&b, "   \"rules\": %s, \"op\": %s,\n", quoted(rules), quoted(c.Op))
	if c.isBoundary(said) {
		b.WriteString("   \"flags\": [\"Threshold\"],\n")
	}
	if needs := c.Needs(); len(needs) > 0 {
		fmt.Fprintf(&b, "   \"needs\": %s,\n", quoted(needs))
	}
	fmt.Fprintf(&b, "   \"comment\": %s,\n   \"in\": %s,\n   \"want\": []\n  }", quoted(d.Comment), c.text())
	return b.String()
}

// quoted writes texts as JSON.
func quoted(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return `""` // texts have a form
	}
	return string(text)
}

// isBoundary reports whether the clock stands on the deadline, or a
// millisecond beside it.
func (c Case) isBoundary(said Said) bool {
	due, ok := said.Deadline.AsDate()
	distance := due - c.Now()
	return ok && -1 <= distance && distance <= 1
}
