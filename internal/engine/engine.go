// Package engine holds the common code of packages mongo and cosmos: rules by their
// identifiers, the rules that were consulted, and fingerprints of policies.
package engine

import (
	"encoding/binary"
	"hash/fnv"
	"iter"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/base/private"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Entry holds the texts of a rule; the methods of policy.Rule describe them.
type Entry struct {
	ID, Statement, Versions, Confidence string
	Citations                           []policy.Citation
}

// Rule returns a rule with the texts of e.
func Rule(e Entry) policy.Rule {
	return policy.Private(private.Key{}).NewRule(e.ID, e.Statement, e.Versions, e.Confidence, e.Citations)
}

// Register makes rules known by their identifiers to package policy.
func Register(rules iter.Seq[policy.Rule]) { policy.Private(private.Key{}).AddRules(rules) }

// Consulted returns the rules of ladder up to and including decided, in the order in
// which an evaluator consulted them. It returns nil if decided is not on the ladder.
func Consulted(ladder []policy.Rule, decided policy.Rule) []policy.Rule {
	n := slices.Index(ladder, decided) + 1
	if n == 0 {
		return nil
	}
	return ladder[:n:n] // appending to the result must not write to the ladder
}

// The degrees of confidence, by the kind of source, the least first. Only Run means that
// this project tested a server; see the field Confidence of policy.Rule.
const (
	Unspecified = "unspecified"
	Disputed    = "disputed"
	Inferred    = "inferred"
	Documented  = "documented"
	Reported    = "reported"
	FromSource  = "source"
	VendorTest  = "vendor-test"
	Run         = "run"
)

var confidences = []string{Unspecified, Disputed, Inferred, Documented, Reported, FromSource, VendorTest, Run}

// Rank returns the position of a degree of confidence in their order, 0 for Unspecified. It
// is -1 for any other text.
func Rank(confidence string) int { return slices.Index(confidences, confidence) }

// Fingerprint returns the fingerprint of a policy that the parts describe, in their
// order.
func Fingerprint(parts ...string) (f policy.Fingerprint) {
	h := fnv.New128a()
	for _, part := range append([]string{"ttlpolicy fingerprint 1"}, parts...) {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		h.Write([]byte(part))
	}
	copy(f[:], h.Sum(nil))
	return f
}

// IsNil reports whether doc is nil, or a nil pointer to a type of package policy. The
// evaluators decide about such a document as about an empty one.
func IsNil(doc policy.Document) bool {
	switch doc := doc.(type) {
	case nil:
		return true
	case *policy.BSON:
		return doc == nil
	case *policy.JSON:
		return doc == nil
	case *policy.Value:
		return doc == nil
	case *policy.D:
		return doc == nil
	case *policy.Map:
		return doc == nil
	}
	return false
}
