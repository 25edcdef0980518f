// Package live reads databases while they run: their collections with options and
// indexes, the server's description of itself, and the parts of documents that a
// policy needs.
//
// A [Client] sends the commands that its [Commands] name, and refuses all others
// before it sends any part of them; [Read] lists the commands that only read. No text
// that leaves the package has a password: [Address.Name] has none, and errors are
// scrubbed.
//
// A [Cosmos] sends only GET requests and queries.
//
// Every reply has a largest size, and every reply but those of [Mongo.Aggregate] a deadline.
// The driver does TLS, checks certificates, proves passwords and reads messages; docs/threat-model.md
// says what follows from that.
package live
