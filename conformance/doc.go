// Package conformance judges implementations of TTL, rule by rule.
//
// # To judge an implementation
//
// Write a [System]: Hello says what the implementation is and what it claims, and
// Ask answers one [Question], whose method [Question.Input] returns what is asked
// as Go values. [Decided], [Result], [Refused], [Skipped] and [Fault] make
// answers. Then put it to the suite in a test:
//
//	func TestConforms(t *testing.T) {
//		conformance.Test(t, conformance.Embedded(), mySystem{})
//	}
//
// A system is asked about nothing that its [Hello] does not claim. Claiming too
// much fails: a question that is claimed and skipped counts as answered wrongly.
// Claiming too little shows, in the verdicts on rules and on rule sets.
//
// Programs in other languages speak the protocol of docs/adapter.md; package
// protocol makes a System of one. [Run] returns a [Report] instead of failing a
// test, and package report makes files of it. Package reference is this library
// as a System.
//
// # What the suite is
//
// A [Suite] is [Vector]s: questions about policies, documents and instants, with
// the answers that the databases' own sources give, release by release. Expected
// answers are written by hand from a source, never by the evaluators of this
// library. Two packages look beyond them: properties holds a system to relations
// between its answers, and differ compares it with another one.
//
// [Load] reads a suite and refuses one that is not consistent; every error is a
// [*Problem] with file and line.
//
// # How to find one's way in this package
//
// load.go reads, and lint.go with lint_*.go checks. question.go is the one place
// that knows what is in an operation's input and result. A vector's rows hold for
// ranges of releases (target.go); plan.go picks the releases that are asked
// about, which are the ends of the ranges. run.go asks, judge.go compares
// one answer with one expectation, and verdict.go sums up.
package conformance
