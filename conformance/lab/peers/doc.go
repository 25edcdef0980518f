// Package peers holds benchmarks of the library beside everything that a user would pick
// instead, and beside the limits of any implementation. docs/performance.md has one table of
// them, and the commands. A test checks that all sides give the same answers.
//
// The peers are heavy: a database driver, four policy languages, five readers of JSON. So they
// are in the module of the lab.
package peers
