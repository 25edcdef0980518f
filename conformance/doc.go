// Package conformance is what an implementation of TTL and the conformance suite say
// to each other: questions and answers.
//
// Write a [System], or make one with [NewSystem]: Hello says what the implementation
// is and what it claims, and Ask answers one [Question], whose method [Question.Input]
// returns what is asked as Go values. [Decided], [Result], [Refused], [Skipped] and
// [Fault] make answers. Package conformtest judges it, rule by rule:
//
//	func TestConforms(t *testing.T) {
//		conformtest.Test(t, mySystem{})
//	}
//
// A system is asked about nothing that its [Hello] does not claim. Claiming too
// much fails: a question that is claimed and skipped counts as answered wrongly.
// Claiming too little shows, in the verdicts on rules and on rule sets.
//
// Programs in other languages speak the protocol of docs/adapter.md; package
// protocol makes a System of one.
package conformance
