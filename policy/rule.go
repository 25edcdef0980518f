package policy

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A Rule is one statement of a database's TTL semantics: an entry of an engine's static
// catalogue (mongo.Rules, cosmos.Rules). Nothing can change an entry. A Rule is a reference to
// its entry: it is copied freely and compares with ==. The zero Rule is no rule; its texts are
// empty. The JSON of a Rule is stable.
type Rule struct{ entry *ruleEntry }

// A ruleEntry never changes once it is made.
type ruleEntry struct {
	ID         string     `json:"id"`
	Statement  string     `json:"statement"`
	Versions   string     `json:"versions,omitempty"`
	Confidence string     `json:"confidence"`
	Citations  []Citation `json:"sources"`
}

// NewRule returns a rule for an evaluator of another database, with an identifier and a
// statement. It equals no other rule: make it once.
func NewRule(id, statement string) Rule { return Rule{&ruleEntry{ID: id, Statement: statement}} }

// NewRule makes the rules of the catalogues.
func (functions) NewRule(id, statement, versions, confidence string, citations []Citation) Rule {
	return Rule{&ruleEntry{id, statement, versions, confidence, citations}}
}

var noRule ruleEntry

func (r Rule) get() *ruleEntry {
	if r.entry == nil {
		return &noRule
	}
	return r.entry
}

// ID returns the stable identifier, such as "mongo.field-missing". Its meaning never
// changes. If no source establishes the outcome, the library keeps the document and
// the ID ends in "-unspecified".
func (r Rule) ID() string { return r.get().ID }

// Statement returns the rule in one or two sentences.
func (r Rule) Statement() string { return r.get().Statement }

// Versions names the releases the rule holds for, such as "3.2 and later". It
// is empty if the rule holds for all releases.
func (r Rule) Versions() string { return r.get().Versions }

// Confidence says how well the sources establish the rule: "unspecified" if no source
// establishes the outcome, "disputed" if the sources disagree, "inferred" if it follows
// from the sources, "documented" if the vendor's documentation, release notes or tickets
// state it, "reported" if it was seen in production, in a public report, "source" if it
// was read in the vendor's source code, "vendor-test" if a public test of the vendor's
// product asserts it, and "run" if this project tested it on a live server.
func (r Rule) Confidence() string { return r.get().Confidence }

// Citations returns the sources that establish the rule, the best source first, in a slice of
// the caller's own.
func (r Rule) Citations() []Citation { return slices.Clone(r.get().Citations) }

// IsZero reports whether r is no rule.
func (r Rule) IsZero() bool { return r.entry == nil }

// String returns r's identifier.
func (r Rule) String() string { return r.ID() }

// IsUnspecified reports whether no source establishes the outcome in the cases of
// r. The library then keeps the document, or does not say whether a definition is
// refused. The identifiers of these rules end in "-unspecified". The zero Rule is
// not unspecified.
func (r Rule) IsUnspecified() bool { return strings.HasSuffix(r.ID(), "-unspecified") }

// MarshalJSON returns the texts of r, or null for the zero Rule.
func (r Rule) MarshalJSON() ([]byte, error) { return json.Marshal(r.entry) }

// UnmarshalJSON reads what [Rule.MarshalJSON] writes, and returns the rule of this program with
// that identifier, whose texts may be newer. It fails if there is none.
func (r *Rule) UnmarshalJSON(text []byte) error {
	var stored *ruleEntry
	if err := json.Unmarshal(text, &stored); err != nil {
		return err
	}
	if stored == nil {
		*r = Rule{}
		return nil
	}
	known, ok := rulesByID[stored.ID]
	if !ok {
		return fmt.Errorf("policy: the rule %q: %w: %q", text, errUnknownRule, stored.ID)
	}
	*r = known
	return nil
}

// A Citation is a public document, test or source file that establishes a rule.
type Citation struct {
	// Title names the source, such as "MongoDB manual: TTL Indexes".
	Title string `json:"title"`
	// Address is a URL, or a repository and a path within it, such as
	// "mongodb/mongo: src/mongo/db/ttl/ttl_monitor.cpp".
	Address string `json:"address"`
}
