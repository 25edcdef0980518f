// Package pushdown has a database count the documents that a policy deletes. If there are
// too many documents to read, the database counts them, and sends only the counts.
//
// A policy of MongoDB becomes a find that selects the documents that have expired, or an aggregate
// that counts them by a TTL index alone. The dates that a source deletes now are the evaluator's
// [mongo.Bounds]. A partial filter stands in the query as it is stored, so that the server's own
// matcher decides.
//
// A container's policy becomes queries by which Azure Cosmos DB for NoSQL counts items and sends
// none. [CompileQueries] has the evaluator decide about one item of each kind that the rules
// distinguish, and writes a condition for the items of that kind. Every item meets exactly one
// condition of [Queries.Counts]. A condition is true, false or undefined, and a query selects only
// items for which it is true, so each comparison is combined with a test of the type. Numbers are
// doubles in a query, see [Caveats]. Beyond 2^52 a query cannot add exactly; [Queries.Unclear]
// counts the items with such numbers, with which the counts are not valid.
//
// If a [Plan] cannot give the library's decision for every document, the error says so, and
// the documents must be read instead.
package pushdown

import (
	"encoding/json"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

// A Plan is a list of statements for a database.
type Plan struct {
	// Policy describes the policy in one line.
	Policy string `json:"policy"`
	// Now is the instant at which the statements decide.
	Now cli.Time `json:"now"`
	// Comment is the sign that begins a comment in scripts, such as "//".
	Comment string `json:"-"`
	// Notes explain the answers, in whole sentences.
	Notes []string `json:"notes"`
	// Statements are the statements, in the order of sending.
	Statements []Statement `json:"statements"`
}

// A Statement is one read-only command or query.
type Statement struct {
	// Title describes in one line the question that the statement answers.
	Title string `json:"title"`
	// Script is the text to paste into the database's shell.
	Script string `json:"script"`
	// Command is the statement in the form for drivers.
	Command json.RawMessage `json:"command"`
}

// Text writes p as a script, in which everything except the statements is a comment.
func (p Plan) Text(out *cli.Printer) error {
	out.Line("%s %s, at %s", p.Comment, p.Policy, p.Now.Time)
	for _, n := range p.Notes {
		out.Line("%s %s", p.Comment, n)
	}
	for _, s := range p.Statements {
		out.Line("")
		out.Line("%s %s", p.Comment, s.Title)
		out.Lines(s.Script, 0)
	}
	return out.Err()
}

// Refuse returns the error for a policy whose documents a database cannot count exactly: what
// cannot be counted, such as "a view", and why, a format for args.
func Refuse(what, why string, args ...any) error {
	return fmt.Errorf("%s cannot be pushed down: %s; leave --pushdown out, and the documents are read instead", what, fmt.Sprintf(why, args...))
}
