// Package race runs several ways of doing the same work side by side, after it
// has checked that they agree.
//
// Nanoseconds of two runs cannot be compared on a machine that does other
// things too. So all sides of a [Work] run in turn, A B C B C A, and what is
// reported is the ratio of two medians of one run. The code that is measured is
// the code that is checked: [Side.Do] returns the sum of its answers, and asked
// about one input, the answer to it.
package race
