// Package transfer rewrites the documents of a dump for another system, one at
// a time: it reads a stream, decides each document where it comes from, and
// writes it as package migrate says it must be there.
package transfer
