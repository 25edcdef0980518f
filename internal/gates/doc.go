// Package gates holds tests of the repository as a whole: that pages, exported names,
// imports, limits and releases agree with the code. It has no code of its own.
package gates
