// Package conformance judges implementations of TTL, rule by rule.
//
// A [Suite] is [Vector]s: questions about policies, documents and instants, with
// the answers that the databases' own sources give, release by release. A
// [System] is whatever answers such questions. [Test] puts a system written in
// Go to the suite:
//
//	func TestConforms(t *testing.T) {
//		conformance.Test(t, conformance.Embedded(), mySystem{})
//	}
//
// A system says in its [Hello] what it claims, and is asked about nothing else.
// Claiming too much fails: a question that is claimed and skipped is one that is
// answered wrongly. Claiming too little shows.
//
// # How to find one's way
//
// [Load] reads the files of package testdata; load.go reads, lint.go, twin.go
// and lock.go check, and every complaint is a [*Problem] with file and line. A
// vector's rows hold for ranges of releases (release.go); probe.go picks the
// releases that are asked about, which are the ends of the ranges. judge.go
// compares one answer with one expectation, and run.go makes a [Check] of it.
// The [Reference] answers with this library, and is held to the suite like
// anybody: each operation is one function of the table in reference.go, in the
// file of the system that it is about. Like any other system in Go it reads its
// input, which it does not trust, with the methods of [Question] (question.go,
// input.go).
//
// source.go holds the evidence of a row to what its citations are, and
// premise.go the question of a vector to what commands can bring about.
//
// Expected answers are written by hand from a source, never by the evaluators
// of this library. Two packages look beyond them: properties holds a system to
// relations between its answers, and differ compares it with another one.
package conformance
