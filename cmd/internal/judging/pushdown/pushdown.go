// Package pushdown has a database count by itself what a policy deletes: where its
// documents are too many to be read, its own cluster counts them, and what it answers is
// small.
//
// A package below compiles a policy for each kind of database into a [Plan]. What it
// compiles says of every document exactly what the library says, or it is refused, with
// a [Refusal]: then the documents are read instead. The answers are
// [forecast.Counted], and make a tally like any other.
package pushdown

import (
	"encoding/json"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Options are what a policy is compiled with. The zero Options are of 1970-01-01.
type Options struct {
	Now policy.Instant
	// Bucket is the width of the histogram's buckets; zero has one found.
	Bucket forecast.Width
	// NoIDs leaves out the identifiers of documents.
	NoIDs bool
}

// A Plan is what a database is asked.
type Plan struct {
	// Policy is the policy in a line.
	Policy string `json:"policy"`
	// Now is the instant that the statements are about.
	Now cli.Time `json:"now"`
	// Comment begins a comment in scripts: "//".
	Comment string `json:"-"`
	// Notes say what the answers mean where that is not plain, in whole sentences.
	Notes []string `json:"notes"`
	// Statements are asked in this order.
	Statements []Statement `json:"statements"`
}

// A Statement is one command or query that only reads.
type Statement struct {
	// Title says in a line what it answers.
	Title string `json:"title"`
	// Script is what people paste into the database's shell.
	Script string `json:"script"`
	// Command is the same for drivers.
	Command json.RawMessage `json:"command"`
}

// Text writes p as a script: everything but the statements stands in comments.
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

// A Refusal is the error for a policy that a database cannot count by exactly.
type Refusal struct {
	What string // what cannot be pushed down: "the time-series collection shop.logs"
	Why  string // "its documents are buckets"
}

// Error says what to do instead, too.
func (r *Refusal) Error() string {
	return fmt.Sprintf("%s cannot be pushed down: %s; leave --pushdown out, and the documents are read instead", r.What, r.Why)
}

// Refuse returns a [Refusal].
func Refuse(what, why string, args ...any) error {
	return &Refusal{what, fmt.Sprintf(why, args...)}
}
