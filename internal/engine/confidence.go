package engine

import "slices"

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
