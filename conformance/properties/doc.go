// Package properties holds an implementation to relations between answers, for
// which nobody has to know the answers: a later clock revives nothing, the order
// of an array's elements does not matter, of two indexes the earlier deadline
// counts.
//
//	func TestProperties(t *testing.T) {
//		properties.Test(t, mySystem{})
//	}
//
// Vectors show what is right where somebody thought of asking; properties look
// everywhere else. What fails is shrunk, and printed as a vector without its
// answer: who works that out from a source has a regression test.
//
// The package stands apart from package conformance so that only who calls it
// links pgregory.net/rapid. Its flags (-rapid.checks, -rapid.seed) and its
// environment (RAPID_CHECKS) hold here too.
package properties
