// Package live reads databases while they run: their collections with options and
// indexes, what the server is, and documents, as far as a policy needs them.
//
// A [Client] sends the commands that its [Commands] name and refuses all others before
// anything of them is on the wire; [Read] is the list of what only reads. No text that
// leaves the package has a password: [Address.Name] has none, and errors are scrubbed.
//
// A [Cosmos] sends GET requests and queries alone.
//
// Servers are not trusted. Every reply has a deadline and at most 48 MB.
package live
