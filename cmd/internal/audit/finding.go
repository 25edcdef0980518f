package audit

import (
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Finding is one thing that is wrong, or worth knowing.
type Finding struct {
	Severity Severity
	Rule     *policy.Rule // by which it is so; an entry of an engine's catalogue
	// Index is the name of the index, empty for the setting of a collection
	// or container itself.
	Index string
	// Text says what is wrong, in whole sentences.
	Text string
	// Advice says what to do where no command does it.
	Advice string
	// Repairs are the ways to put it right.
	Repairs []Repair
	// Documents is how many documents show it, Samples some of them; none if
	// it does not take documents to see it.
	Documents int64
	Samples   []dump.Sample
	concern   concern
}

// A concern is which documents a finding is about that was made before any was
// seen.
type concern uint8

const (
	noDocuments concern = iota
	byPolicy            // those that have expired
	byMove              // those that have expired at the destination
	byFilter            // those that the partial filter takes in here or there alone
)

// A Repair is commands that put a finding right.
type Repair struct {
	Purpose  string   // what they do, such as "keep every document"
	Commands []string // one a line, in order, for mongosh or a shell
}

// maxSamples is how many documents a finding names.
const maxSamples = 3

// A Result is what the audit of one target found.
type Result struct {
	// Target is what was audited.
	Target *Target
	// Judged names the system and its release, "MongoDB 5.0.9".
	Judged string
	// Sources is how many TTL indexes and settings there are.
	Sources int
	// Documents is how many documents were looked into, and Bytes their size.
	Documents, Bytes int64
	// Bad counts documents that could not be read and were skipped.
	Bad int64
	// Notes are what limits the audit, and what else to know of the releases
	// that it is about, in sentences.
	Notes []string
	// Findings are the findings, the most severe first.
	Findings []Finding
}
