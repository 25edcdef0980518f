// Package pushdown has a database count the documents that a policy deletes. If there are
// too many documents to read, the database's own cluster counts them, and sends only the
// counts.
//
// For each kind of database, a package below this one compiles a policy into a [Plan]. A
// Plan agrees with the library about every document. A policy for which that is impossible
// is refused with a [Refusal], and the documents are read instead. The answers are
// [forecast.Counted], and make a tally like any other.
package pushdown

import (
	"encoding/json"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Options configure the compilation of a policy. The zero Options count at 1970-01-01.
type Options struct {
	Now policy.Instant
	// Bucket is the width of the histogram's buckets; if it is zero, a width is
	// chosen.
	Bucket forecast.Width
	// NoIDs leaves out the identifiers of documents.
	NoIDs bool
}

// A Plan is a list of statements for a database.
type Plan struct {
	// Policy is the policy in a line.
	Policy string `json:"policy"`
	// Now is the instant that the statements are about.
	Now cli.Time `json:"now"`
	// Comment begins a comment in scripts: "//".
	Comment string `json:"-"`
	// Notes explain the answers where needed, in whole sentences.
	Notes []string `json:"notes"`
	// Statements are sent in this order.
	Statements []Statement `json:"statements"`
}

// A Statement is one command or query that only reads.
type Statement struct {
	// Title says in a line which question it answers.
	Title string `json:"title"`
	// Script is the text to paste into the database's shell.
	Script string `json:"script"`
	// Command is the same for drivers.
	Command json.RawMessage `json:"command"`
}

// Text writes p as a script: everything except the statements is in comments.
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

// A Refusal is the error for a policy whose documents a database cannot count exactly.
type Refusal struct {
	What string // what cannot be pushed down: "the time-series collection shop.logs"
	Why  string // "its documents are buckets"
}

// Error also says what to do instead.
func (r *Refusal) Error() string {
	return fmt.Sprintf("%s cannot be pushed down: %s; leave --pushdown out, and the documents are read instead", r.What, r.Why)
}

// Refuse returns a [Refusal].
func Refuse(what, why string, args ...any) error {
	return &Refusal{what, fmt.Sprintf(why, args...)}
}
