package filter

// A Membership says whether a document belongs to a partial index. The zero membership is
// outside, which keeps the document.
type Membership uint8

// The memberships.
const (
	Outside     Membership = iota // the index holds no key of the document
	Inside                        // the index holds the document's keys
	Undecidable                   // this package does not decide the membership: geometry, a collation other than simple, an unlistable document
)

func either(a, b Membership) Membership {
	switch {
	case a == Inside || b == Inside:
		return Inside
	case a == Undecidable || b == Undecidable:
		return Undecidable
	}
	return Outside
}

func insideIf(is bool) Membership {
	if is {
		return Inside
	}
	return Outside
}
