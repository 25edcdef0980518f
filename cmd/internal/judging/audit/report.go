// Package audit finds hazards in stored TTL policies: the indexes and options of MongoDB
// collections, and the settings of Azure Cosmos DB containers. If it also reads
// documents, it finds the hazards that only documents show: fields that hold no date,
// filters that match nothing, items whose ttl has another effect than intended.
//
// Package catalog reads the stored policies, and [Audit] judges them. The packages mongo
// and cosmos say what a policy does; a [Finding] names their rule. This package decides
// which effects are hazards, words the findings, and writes the commands that repair them.
package audit

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/namespace"
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
	// Candidates makes [Audit] look for Dates in collections without a time to live.
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
	// Known is the reason why the finding does not count; empty if it counts.
	Known   Known
	concern concern
	extent  extent
	passage *passage // the move that the finding is about; nil if it is about no move
	moves   []move   // all moves that the finding is about
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
}

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
	// Dates are the Dates of documents in a collection without a time to live, by field, if
	// [Options].Candidates is set.
	Dates []DatedField
}

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

// A Report holds the results of an audit of all targets.
type Report struct {
	Now     policy.Instant
	Results []Result
	// All makes the text describe every finding. Otherwise it describes those that may delete,
	// and those of ten further collections and containers.
	All bool
	// Candidates makes the text list the collections without a time to live.
	Candidates bool
}

// Count returns the number of findings that count, by severity.
func (r Report) Count() (n [Deletes + 1]int) {
	for i := range r.Results {
		for _, f := range r.Results[i].shown() {
			n[f.Severity]++
		}
	}
	return n
}

// Known returns the number of findings that do not count.
func (r Report) Known() (n int) {
	for i := range r.Results {
		n += len(r.Results[i].Findings) - len(r.Results[i].shown())
	}
	return n
}

// AtLeast returns the number of findings that count and have this severity or a more
// severe one.
func (r Report) AtLeast(s Severity) (n int) {
	count := r.Count()
	for _, one := range count[s:] {
		n += one
	}
	return n
}

// Failed returns the number of targets that could not be read to their end, and the error
// about the first of them.
func (r Report) Failed() (n int, first error) {
	for _, one := range r.Results {
		if one.Failed == nil {
			continue
		}
		if n++; n == 1 {
			first = one.Failed
		}
	}
	return n, first
}

// Bad returns the number of documents that could not be read and were skipped.
func (r Report) Bad() (n int64) {
	for _, one := range r.Results {
		n += one.Bad
	}
	return n
}

// Summary returns one line about what the audit found.
func (r Report) Summary() string {
	var parts []string
	count := r.Count()
	for s := int(Deletes); s >= 0; s-- {
		switch n := count[s]; n {
		case 0:
		case 1:
			parts = append(parts, "1 "+severityPhrases[s].one)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", n, severityPhrases[s].several))
		}
	}
	text := "nothing found"
	if len(parts) > 0 {
		text = "found: " + strings.Join(parts, ", ")
	}
	if n := r.Known(); n > 0 {
		text += fmt.Sprintf("; %s not counted (ignored)", cli.Number(int64(n)))
	}
	return text
}

// scope returns what was audited, such as "2 TTL indexes, 2,000 documents".
func (r *Result) scope() string {
	what := "no time to live"
	if n := len(r.Target.Unread); n > 0 {
		return cli.Count(int64(n), "place", "places")
	}
	if r.Target.Silent > 0 {
		return "no time to live is mentioned"
	}
	switch {
	case r.Target.IsContainer() && r.Sources > 0:
		what = "time to live on"
	case r.Target.IsContainer():
		what = "time to live off"
	case r.Sources == 1:
		what = "1 TTL index or option"
	case r.Sources > 1:
		what = cli.Number(int64(r.Sources)) + " TTL indexes and options"
	}
	if len(r.Target.Documents) == 0 {
		return what + ", no documents looked into"
	}
	return what + ", " + cli.Documents(r.Documents)
}

type reportJSON struct {
	Findings map[Severity]int `json:"findings"`
	Known    int              `json:"known"`
	Complete bool             `json:"complete"`
	Bad      int64            `json:"bad"`
	Now      cli.Time         `json:"now"`
	Audited  []resultJSON     `json:"audited"`
}

type resultJSON struct {
	File      string        `json:"file"`
	Kind      string        `json:"kind"`
	Database  *string       `json:"database"`
	Name      *string       `json:"name"`
	Judged    string        `json:"judged"`
	Assumed   bool          `json:"assumed,omitempty"` // the release is an assumption, because nothing names it
	Sources   int           `json:"sources"`
	Files     []string      `json:"files"`
	Documents int64         `json:"documents"`
	Bytes     int64         `json:"bytes"`
	Bad       int64         `json:"bad"`
	Notes     []string      `json:"notes"`
	Error     string        `json:"error,omitempty"`
	Dates     []DatedField  `json:"dates,omitempty"`
	Findings  []findingJSON `json:"findings"`
}

type findingJSON struct {
	Severity  Severity      `json:"severity"`
	Rule      string        `json:"rule"`
	Index     *string       `json:"index"`
	Line      int           `json:"line,omitempty"`
	MovingTo  []string      `json:"movingTo,omitempty"`
	Text      string        `json:"text"`
	Advice    string        `json:"advice,omitempty"`
	Repairs   []Repair      `json:"repairs"`
	Documents int64         `json:"documents"`
	Samples   []dump.Sample `json:"samples"`
	Known     Known         `json:"known,omitempty"`
}

// JSON returns r as a value that encodes to its JSON form.
func (r Report) JSON() any {
	failed, _ := r.Failed()
	out := reportJSON{
		Findings: map[Severity]int{}, Known: r.Known(), Complete: r.Bad() == 0 && failed == 0, Bad: r.Bad(),
		Now: cli.TimeOf(r.Now), Audited: []resultJSON{},
	}
	for s, n := range r.Count() {
		out.Findings[Severity(s)] = n
	}
	for i := range r.Results {
		out.Audited = append(out.Audited, r.Results[i].json())
	}
	return out
}

func (r *Result) json() resultJSON {
	j := resultJSON{
		File: filepath.ToSlash(r.Target.File), Kind: "collection", Database: known(r.Target.Database), Name: known(r.Target.Name),
		Judged: r.System, Assumed: r.IsAssumed, Sources: r.Sources, Files: []string{}, Documents: r.Documents, Bytes: r.Bytes, Bad: r.Bad,
		Notes: append([]string{}, r.Notes...), Findings: []findingJSON{}, Dates: r.Dates,
	}
	if r.Target.IsContainer() {
		j.Kind = "container"
	}
	switch {
	case len(r.Target.Unread) > 0:
		j.Kind = "unread"
	case r.Target.Silent > 0:
		j.Kind = "none"
	}
	if r.Failed != nil {
		j.Error = cli.ErrorLine(r.Failed)
	}
	for _, c := range r.Target.Documents {
		j.Files = append(j.Files, filepath.ToSlash(c.Place()))
	}
	for i := range r.Findings {
		j.Findings = append(j.Findings, r.Findings[i].json())
	}
	return j
}

func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (f *Finding) json() findingJSON {
	return findingJSON{
		Severity: f.Severity, Rule: f.Rule.String(), Index: known(f.Index), Line: f.Line, MovingTo: f.MovingTo(), Text: f.Text, Advice: f.Advice,
		Repairs: append([]Repair{}, f.Repairs...), Documents: f.Documents, Samples: append([]dump.Sample{}, f.Samples...), Known: f.Known,
	}
}

// Known is the reason why a finding does not count.
type Known string

// Ignored means that an [Ignore] names the rule of the finding.
const Ignored Known = "ignored"

// An Ignore names a rule whose findings do not count.
type Ignore struct {
	Rule      string // the identifier of the rule
	Namespace string // a pattern such as shop.*; empty for every namespace
}

// String returns x as in the flag --ignore, "mongo.nan-zero:shop.*".
func (x Ignore) String() string {
	if x.Namespace == "" {
		return x.Rule
	}
	return x.Rule + ":" + x.Namespace
}

// Ignore marks the findings that match an entry of list. It returns the entries that
// match no finding.
func (r *Report) Ignore(list []Ignore) (idle []Ignore) {
	for _, x := range list {
		found := false
		for i := range r.Results {
			matches := x.Namespace == "" || namespace.Match(x.Namespace, r.Results[i].Target.Title())
			for j := range r.Results[i].Findings {
				if f := &r.Results[i].Findings[j]; matches && x.Rule == f.Rule.String() {
					f.Known, found = Ignored, true
				}
			}
		}
		if !found {
			idle = append(idle, x)
		}
	}
	return idle
}
