// Package conformance defines the questions of the conformance suite to an implementation
// of TTL, and the answers. Write a [System], and package conformtest judges it, rule by rule:
//
//	func TestConforms(t *testing.T) {
//		conformtest.Test(t, mySystem{})
//	}
//
// The method Hello of a System describes the implementation and its claims. Its method
// Ask answers one [Question]; [Question.Input] returns the input as Go values. [Decided],
// [Result], [Refused], [Skipped] and [Fault] make answers, and [NewSystem] makes a System
// from a Hello and a function.
//
// A system gets only questions that its [Hello] claims. Claiming too much fails: a claimed
// question that is skipped counts as a wrong answer. Claiming too little shows in the
// verdicts on rules and on rule sets.
//
// Programs in other languages speak the protocol of docs/adapter.md; package
// protocol makes a System from such a program.
//
// The names are v0, see docs/releasing.md. The adapter protocol and the vectors, which judge
// programs in any language, are stable.
package conformance
