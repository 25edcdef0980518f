// Package peers holds benchmarks of the library beside everything that a user would pick
// instead, and beside the limits of any implementation. docs/performance.md has one table of
// them, and the commands. A test checks that all sides give the same answers.
//
// A peer is written as users who care for speed would write it: prepared once, reused, and typed
// where possible. All files are tests. memory_items_test.go has row G1, date_first_test.go G2 to
// G4, sweep_test.go G5 and G6, json_peers_test.go G7 and G8. The peers that need a language of
// their own are in expr_test.go.
//
// The peers are heavy: a database driver, four policy languages, five readers of JSON. So they
// are in the module of the lab.
package peers
