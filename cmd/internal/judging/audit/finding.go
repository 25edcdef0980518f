package audit

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/moves"
	"github.com/ttlpolicy/ttlpolicy/internal/base/enum"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Options configure an audit.
type Options struct {
	catalog.Options
	// By is the operation that moves data to another release. The zero Operation is an
	// upgrade in place, or a downgrade to an older release.
	By moves.Operation
	// ExpireAfter is the expireAfterSeconds that repairs write; Missing if
	// none is known.
	ExpireAfter policy.Value
	// Candidates makes [Audit] look for growing collections without a time to live.
	Candidates bool
}

// A Finding is a mistake, or a fact worth knowing.
type Finding struct {
	Severity Severity
	Rule     policy.Rule // the rule behind the finding; an entry of an engine's catalogue
	// Index is the name of the index; empty if the finding is about a setting of the
	// collection or container.
	Index string
	// Line is the line in the target's file that the finding is about; 0 if the file is
	// not a program.
	Line int
	// Text says what is wrong, in whole sentences.
	Text string
	// Advice says what to do if no command repairs the finding.
	Advice string
	// Repairs are the alternative repairs of the fault.
	Repairs []Repair
	// Documents is the number of documents with the fault, and Samples names some of
	// them; both are empty if the fault is in the policy alone.
	Documents int64
	Samples   []dump.Sample
	// Fields are the evidence for a collection that may need a time to live; nil for any other
	// finding.
	Fields []DatedField
	// Known is the reason why the finding does not count; empty if it counts.
	Known   Known
	concern concern
	extent  extent
	passage *passage      // the move that the finding is about; nil if it is about no move
	moves   []change.Move // all moves that the finding is about
}

// MovingTo returns the destinations of the moves that the finding is about.
func (f *Finding) MovingTo() (list []string) {
	for _, m := range f.moves {
		list = append(list, m.To.Release.String())
	}
	return list
}

// A concern selects the documents that the scan counts for a finding made before the
// scan.
type concern uint8

const (
	noDocuments concern = iota
	byPolicy            // documents that have expired
	byMove              // documents that have expired at the destination
	byFilter            // documents that the partial filter matches in only one of the two releases
	byUnit              // documents whose dates show the intended unit of a delay
)

// A Repair is a sequence of commands that repairs a finding.
type Repair struct {
	Purpose string `json:"purpose"` // what the commands do, such as "keep every document"
	// AtOnce says, in whole sentences, which documents the commands delete as soon as
	// they run; empty if they delete none.
	AtOnce string `json:"atOnce,omitempty"`
	// Count is a command that counts these documents; empty if the audit has counted them, or
	// if no command can.
	Count string `json:"count,omitempty"`
	// Placeholders are the names that replace unknown values in the commands.
	Placeholders []string `json:"placeholders,omitempty"`
	Commands     []string `json:"commands"` // commands for mongosh or a shell, one on each line, in order
	loss         *loss
	argument     string // the setting of a container and its value, such as "defaultTtl = 60"
	isNew        bool   // the commands create a further index, and keep the index that the finding is about
}

// maxSamples is the maximum number of documents that a finding names.
const maxSamples = 3

// A Result holds the findings of the audit of one target.
type Result struct {
	// Target is the audited target.
	Target *catalog.Target
	// System is the name of the system and its release, such as "MongoDB 5.0.9".
	System string
	// IsAssumed reports whether the release is an assumption, because nothing names it.
	IsAssumed bool
	// Sources is the number of TTL indexes and TTL settings of the target.
	Sources int
	// Documents is the number of documents that were read, and Bytes their size.
	Documents, Bytes int64
	// Bad counts documents that could not be read and were skipped.
	Bad int64
	// Notes are sentences about limits of this audit, and about the releases that it
	// covers.
	Notes []string
	// Findings are the findings, the most severe first.
	Findings []Finding
	// Failed is the error that kept the target, or some of its documents, from being
	// read; nil if all was read.
	Failed error
	lack   lack
}

// shown returns the findings that count.
func (r *Result) shown() (list []*Finding) {
	for i := range r.Findings {
		if r.Findings[i].Known == "" {
			list = append(list, &r.Findings[i])
		}
	}
	return list
}

// A Severity is the severity of a finding: its effect on documents. The zero Severity is
// [Harmless]; greater is more severe.
type Severity uint8

// The severities, from the least to the most severe.
const (
	Harmless    Severity = iota // worth knowing; the fact neither deletes nor keeps a document
	Keeps                       // documents that should expire stay
	Unspecified                 // the effect is unspecified: documents that should stay may be deleted
	Deletes                     // documents that should stay are deleted, or may be
)

var severityNames = []string{Harmless: "harmless", Keeps: "keeps", Unspecified: "unspecified", Deletes: "deletes"}

// severityPhrases describe the effect of findings of each severity, in the singular and
// the plural.
var severityPhrases = [...]struct{ one, several string }{
	Harmless:    {"harmless", "harmless"},
	Keeps:       {"keeps what should go", "keep what should go"},
	Unspecified: {"unspecified", "unspecified"},
	Deletes:     {"deletes what should live", "delete what should live"},
}

// phrase describes the effect of a finding. About a move to another release, which may lose
// everything or only what is very old, it says how much.
func (f *Finding) phrase() string {
	if f.passage != nil {
		switch f.extent {
		case losesAll:
			return "deletes every document whose date is past"
		case losesOld:
			return "deletes documents older than 68 years"
		}
	}
	return severityPhrases[f.Severity].one
}

// keepsBy returns the severity of a finding about documents that a rule keeps.
func keepsBy(r policy.Rule) Severity {
	if r.IsUnspecified() {
		return Unspecified
	}
	return Keeps
}

// String returns "harmless", "keeps", "unspecified" or "deletes".
func (s Severity) String() string { return enum.String(s, severityNames) }

// MarshalText returns s's name.
func (s Severity) MarshalText() ([]byte, error) { return enum.MarshalText(s, severityNames) }

// UnmarshalText sets s to the severity of this name.
func (s *Severity) UnmarshalText(text []byte) error {
	if enum.UnmarshalText(s, severityNames, text) != nil {
		return fmt.Errorf("unknown severity %q", text)
	}
	return nil
}
