// Package mutants holds implementations that misread one rule each, and measures how
// many of them the vectors of the suite detect.
//
// A [Mutant] is the reference with one misreading that was seen in software in use. Most
// are a line: they put another question to the reference, or change its answer. The
// others have an evaluator of their own for the rule, such as the walker of paths.go.
// Errors that were not seen anywhere are operator mutants, which
// conformance/lab/opmutants makes from the code itself.
//
// A mutant is killed if it fails the suite, and the kill is attributed if it
// fails a vector about the misread rule. A test wants an attributed kill of
// every mutant. Mutants name no rule and no index in their answers, so that
// none is killed by a name, but only by documents that it deletes or keeps, by
// deadlines, and by refusals.
//
// The matrix of [JudgeAs] tells which vectors kill which mutants, and the probable misreadings
// of an implementation that fails ([Matrix.Diagnose]).
//
// # How to find one's way
//
// indexes.go, paths.go, commands.go, histories.go and items.go hold the mutants: name, rule, a
// sentence about the misreading, and the code that does it. answer.go edits questions and
// answers. matrix.go and diagnose.go judge the mutants and use the results.
package mutants
