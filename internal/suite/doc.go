// Package suite judges implementations of TTL, rule by rule.
//
// A [Suite] is [Vector]s: questions about policies, documents and instants, with
// the answers that the databases' own sources give, release by release. Expected
// answers are written by hand from a source, never by the evaluators of this
// library. [Embedded] is the suite that comes with the library.
//
// [Test] runs a suite on an implementation, a [conformance.System], in a test of Go.
// Other modules call it through package conformtest. [Run] returns a [Report] instead of
// failing a test, and cmd/suite/results makes files of it.
//
// [Load] reads a suite and refuses one that is not consistent; every error is a
// [*Problem] with file and line.
//
// # How to find one's way in this package
//
// load.go reads a suite, and lint.go with lint_*.go checks it. A vector's rows hold for
// ranges of releases (releases.go); plan.go picks the releases that are asked about,
// which are the ends of the ranges. run.go asks the questions, judge.go compares one
// answer with one expectation, and verdict.go sums up the checks.
package suite
