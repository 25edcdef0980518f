// Package cases draws questions for the suite's properties and for comparing
// two systems: policies, documents and clocks, biased to where implementations
// go wrong. Ends of ranges, a millisecond on either side of a deadline, arrays
// nested, mixed and empty, numbers of every type, years 1 and 9999.
//
// A [Claim] says what a system may be asked about; a [Source] draws nothing
// beyond it. A [Case] is a question in parts, so that it can be changed in one
// place: that is what the properties do with it.
//
// The generators are rapid's. [Draw] makes a case from a seed alone, the same
// one each time, where there is no test to run in.
package cases
