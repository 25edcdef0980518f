// Package testdata holds the vectors of the conformance suite: questions about
// TTL policies and documents with the answers that the databases' own sources
// give. It embeds them, so that a program needs no files. Package conformance
// loads and judges them; docs/conformance.md describes the format.
package testdata

import "embed"

// Files holds suite.json, sources.json, schema.json, ids.lock and the folder
// vectors, with a file of vectors for each area; and the folder boundaries, with
// where releases of MongoDB begin to differ.
//
//go:embed suite.json sources.json schema.json ids.lock vectors/*.json boundaries/*.json
var Files embed.FS
