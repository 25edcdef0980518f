package policy

import "strings"

// A Rule is one statement of a database's TTL semantics: an entry of an engine's static
// catalogue (mongo.Rules, cosmos.Rules). Rules are shared by pointer and compare with ==;
// they must not be modified. The JSON of a Rule is stable.
type Rule struct {
	// ID is the stable identifier, such as "mongo.field-missing". Its meaning never
	// changes. If no source establishes the outcome, the library keeps the document and
	// the ID ends in "-unspecified".
	ID string `json:"id"`
	// Statement is the rule in one or two sentences.
	Statement string `json:"statement"`
	// Versions names the releases the rule holds for, such as "3.2 and later". It
	// is empty if the rule holds for all releases.
	Versions string `json:"versions,omitempty"`
	// Confidence says how well the sources establish the rule: "unspecified" if no source
	// establishes the outcome, "disputed" if the sources disagree, "inferred" if it follows
	// from the sources, "documented" if the vendor's documentation, release notes or tickets
	// state it, "reported" if it was seen in production, in a public report, "source" if it
	// was read in the vendor's source code, "vendor-test" if a public test of the vendor's
	// product asserts it, and "run" if this project tested it on a live server.
	Confidence string `json:"confidence"`
	// Citations are the sources that establish the rule, the best source first.
	Citations []Citation `json:"sources"`
}

// String returns r's identifier, and "" for a nil rule.
func (r *Rule) String() string {
	if r == nil {
		return ""
	}
	return r.ID
}

// IsUnspecified reports whether no source establishes the outcome in the cases of
// r. The library then keeps the document, or does not say whether a definition is
// refused. The identifiers of these rules end in "-unspecified". A nil rule is
// not unspecified.
func (r *Rule) IsUnspecified() bool { return r != nil && strings.HasSuffix(r.ID, "-unspecified") }

// A Citation is a public document, test or source file that establishes a rule.
type Citation struct {
	// Title names the source, such as "MongoDB manual: TTL Indexes".
	Title string `json:"title"`
	// Address is a URL, or a repository and a path within it, such as
	// "mongodb/mongo: src/mongo/db/ttl/ttl_monitor.cpp".
	Address string `json:"address"`
}
