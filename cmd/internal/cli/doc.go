// Package cli is what every command of the tool shares: exit codes, terminals and
// their colours, and how numbers, sizes, types and identifiers are written for
// people.
package cli
