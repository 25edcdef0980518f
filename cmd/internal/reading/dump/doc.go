// Package dump reads the files that database tools write, and cuts them into
// documents: mongodump's BSON, mongoexport's Extended JSON, and the JSON items
// of a Cosmos DB export, each plain or compressed.
//
// A [Stream] reads one input front to back and fills [Block]s: runs of whole documents
// that other goroutines can read while the next block is filled. These goroutines can also
// share the reading of a large file that is not compressed, with [Stream.Claim] and
// [Stream.Load]. A Stream needs memory for a few blocks, whatever the size of the input. A
// [Decoder] turns the bytes of one document into a policy.Document.
//
// Inputs are not trusted. A false length, an endless line or an unclosed bracket ends in
// an [*Error], which names the input and the byte where the document begins. Finding the
// fault needs no more memory than the largest allowed document.
package dump
