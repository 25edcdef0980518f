package policy

import (
	"fmt"
	"slices"
)

// A Rule is one statement of a database's TTL semantics: an entry of an
// engine's static catalogue (mongo.Rules, cosmos.Rules). Rules are shared by
// pointer and compare with ==; they must not be modified.
type Rule struct {
	// ID is the stable identifier, "mongo.field-missing". It never changes
	// its meaning. Where the sources leave the outcome open the library
	// keeps the document and the ID ends in "-unspecified".
	ID string
	// Statement is the rule in one or two sentences.
	Statement string
	// Versions names the releases the rule holds for, such as "3.2 and
	// later". It is empty for a rule that holds for all.
	Versions string
	// Sources says where the rule is established, the best source first.
	Sources []Source
	// Confidence is how well the sources establish it.
	Confidence Confidence
}

// String returns r's identifier, and "" for a nil rule.
func (r *Rule) String() string {
	if r == nil {
		return ""
	}
	return r.ID
}

// A Source is a public document, test or source file that establishes a rule.
type Source struct {
	// Title names it, such as "MongoDB manual: TTL Indexes".
	Title string
	// Address is where it is: a URL, or a repository and the path within,
	// such as "mongodb/mongo: src/mongo/db/ttl/ttl_monitor.cpp".
	Address string
}

// Confidence is how well a rule is established. The zero Confidence is
// [Unestablished]; greater is better.
type Confidence uint8

// The degrees of confidence.
const (
	Unestablished Confidence = iota // the sources leave the outcome open
	Disputed                        // the sources disagree
	Inferred                        // follows from other rules
	Documented                      // stated by the vendor's documentation
	Reported                        // seen in production, in a public report
	FromSource                      // read in the vendor's source code
	Tested                          // asserted by a test against the vendor's product
)

var confidenceNames = [...]string{
	Unestablished: "unestablished", Disputed: "disputed", Inferred: "inferred",
	Documented: "documented", Reported: "reported", FromSource: "source", Tested: "tested",
}

// String returns c's name, such as "tested".
func (c Confidence) String() string {
	if int(c) < len(confidenceNames) {
		return confidenceNames[c]
	}
	return fmt.Sprintf("Confidence(%d)", uint8(c))
}

// MarshalText returns c's name. It fails for a number that is no confidence.
func (c Confidence) MarshalText() ([]byte, error) {
	if int(c) >= len(confidenceNames) {
		return nil, fmt.Errorf("policy: no confidence %d", uint8(c))
	}
	return []byte(confidenceNames[c]), nil
}

// Consulted returns the rules of ladder up to and including decided: those an
// evaluator looked at, in order, before it answered. It returns nil if decided
// is not on the ladder.
func Consulted(ladder []*Rule, decided *Rule) []*Rule {
	n := slices.Index(ladder, decided) + 1
	if n == 0 {
		return nil
	}
	return ladder[:n:n] // appending to it must not write to the ladder
}
