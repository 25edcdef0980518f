// Package testdata holds the vectors of the conformance suite: questions about TTL
// policies and documents, with answers from the databases' own sources. It embeds the
// vectors, so that a program needs no files. Package conformance loads and judges them;
// docs/conformance.md describes the format.
package testdata

import "embed"

// Files holds suite.json, sources.json, schema.json, ids.lock, the folder vectors with a
// file of vectors for each area, and the folder boundaries with the releases in which a
// behaviour of MongoDB changes.
//
//go:embed suite.json sources.json schema.json ids.lock vectors/*.json boundaries/*.json
var Files embed.FS

// ReplayedRules is JSON: for each state of MongoDB's main branch that was run, how many lines
// of the corpora it refuses by each rule, as this library does.
//
//go:embed corpus/rules.json
var ReplayedRules []byte
