// Package report writes what a race came to: as a table, as JSON, and as the
// page docs/performance.md with its charts.
package report
