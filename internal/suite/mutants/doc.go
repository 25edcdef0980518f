// Package mutants holds implementations that misread one rule each, and measures how
// many of them the vectors of the suite find out.
//
// A [Mutant] is the reference with one misreading that was seen in software in use.
// Most are a line: they put another question to the reference, or change its answer. The
// others have an evaluator of their own for the one rule, such as the walker of paths.go.
// Errors that nobody has been seen to make are operator mutants, which
// cmd/internal/tools/opmutants makes of the code itself.
//
// A mutant is killed if the suite fails it, and the kill is attributed if a
// vector that bears on the misread rule does. A test wants an attributed kill
// of every mutant.
// Mutants name no rule and no index in their answers, so that none is killed
// by a name: only by documents that it deletes or keeps, by deadlines, and by
// what it refuses.
//
//	matrix, err := mutants.Judge(suite.Embedded(), mutants.All())
//	fmt.Println(matrix.Score().Survivors)
//
// The matrix of who is killed by what gives the smallest set of vectors that
// kills them all ([Matrix.Smoke]), and, read backwards, what an implementation
// that fails has probably misread ([Matrix.Diagnose]).
//
// # How to find one's way
//
// Each area of the rules, as in testdata/vectors, has a Go file with its mutants: name,
// rule, in a sentence what is misread, and the code that does so; small areas share one. values.go has shapes of
// values and changes of them, query.go edits questions, answer.go changes answers.
// matrix.go, score.go and diagnose.go are what is made of them.
package mutants
