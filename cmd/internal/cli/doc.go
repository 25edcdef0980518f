// Package cli holds what every command of the tool shares: exit codes, terminals and
// their colours, how numbers, sizes, types and identifiers are shown to people, and the
// writers of all output.
//
// # Text from outside
//
// Names of files, databases, collections, indexes and fields, identifiers,
// documents, answers of programs and the errors that quote them may hold anything:
// escapes for a terminal, line ends, formulas, markup. Only the writers of this
// package, one for each form, and package mongosh, for commands of MongoDB's
// shell, write such text. TestWriters of cmd/ttl finds other ways.
//
//	terminal          [Printer], from [NewPrinter]; its parts are [Safe]
//	JSON              [WriteJSON], [JSONText], and [NewJSON] for a line at a time
//	HTML              [Page]
//	SVG               [WriteSVG]
//	XML               [WriteXML]
//	POSIX shell       [ShellWords]
//
// A Printer escapes every argument of [Printer.Line]. Pass literal formats, and names
// without escaping them first.
package cli
