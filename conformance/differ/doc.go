// Package differ asks two implementations the same generated questions and says
// where they disagree, by the rule that each question is about.
//
// The vectors of a suite ask what somebody thought of; here two systems check
// each other. Neither is taken to be right: a disagreement names the rule, shows
// both answers beside that of this library, and gives a vector without its
// answer, to be worked out from a source. Where the sources are silent nothing
// is compared.
//
// Questions follow from a seed alone, so that a run can be repeated.
package differ
