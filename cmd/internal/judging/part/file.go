package part

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/report"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Version is the version of the format of parts. Each change of the format raises it by
// one.
const Version = 5

// MaxGroups is the largest number of values of a field that parts count separately. A
// forecast shows the first [forecast.MaxGroups] of them.
const MaxGroups = 50_000

// maxPart is the maximum size of a stored part, in bytes.
const maxPart = 64 << 20

// A stored is the form of a part in files. Part is the JSON of a record as a text, so that reading it
// gives the same bytes, and SHA256 is the checksum of these bytes.
type stored struct {
	Version int    `json:"version"`
	SHA256  string `json:"sha256"`
	Part    string `json:"part"`
}

// A record holds what a part consists of.
type record struct {
	Complete    bool               `json:"complete"`
	Key         Key                `json:"key"`
	Inputs      []string           `json:"inputs"`
	Collections []collectionRecord `json:"collections"`
	Unread      []unreadRecord     `json:"unread"`
	Load        forecast.Load      `json:"load"`
}

type collectionRecord struct {
	Origins  []Origin        `json:"origins"`
	Joined   bool            `json:"joined"`
	Policy   policyRecord    `json:"policy"`
	Digest   string          `json:"digest"`
	Error    string          `json:"error,omitempty"`
	Tally    *forecast.Tally `json:"tally"`
	Findings []findingRecord `json:"findings"`
	// Nulls are the indexes of the identifiers in identifiersOf that are null. JSON has null
	// for a missing identifier too.
	Nulls []int `json:"nulls,omitempty"`
}

type findingRecord struct {
	Rule string `json:"rule"`
	forecast.Finding
}

type unreadRecord struct {
	Origins []Origin `json:"origins"`
	Reason  string   `json:"reason"`
}

// A policyRecord holds the parts of a policy that a report shows.
type policyRecord struct {
	System      string         `json:"system"`
	Release     string         `json:"release,omitempty"`
	Assumed     bool           `json:"assumed,omitempty"` // the release is an assumption, because nothing names it
	Description string         `json:"description"`
	Notes       []string       `json:"notes,omitempty"`
	Sources     []sourceRecord `json:"sources"`
}

type sourceRecord struct {
	reasons.Source
	Option json.RawMessage `json:",omitempty"` // in Extended JSON, in place of the option of Source
}

// null is the identifier of a document whose _id is null.
const null dump.ID = "null"

// identifiersOf returns the identifiers and values of documents in t, in a fixed order.
func identifiersOf(t *forecast.Tally) (all []*dump.ID) {
	for _, s := range []*forecast.Span{&t.ExpiredSpan, &t.PendingSpan} {
		all = append(all, &s.First.Sample.ID, &s.Last.Sample.ID)
	}
	for _, f := range t.Findings {
		for i := range f.Samples {
			all = append(all, &f.Samples[i].ID)
		}
	}
	for i := range t.Groups.List {
		all = append(all, &t.Groups.List[i].Value)
	}
	return all
}

// ErrGroups is the error for a tally in which some values of a field share one sum.
var ErrGroups = errors.New("the field has too many values to be counted in parts")

// Encode sorts p and writes it as one line of JSON. The error is [ErrGroups], or an error
// because p is of a sample or a name is not UTF-8.
func Encode(w io.Writer, p *Part) error {
	p.Sort()
	r := record{Complete: p.isComplete(), Key: p.Key, Inputs: p.Inputs, Load: p.Load}
	for _, name := range p.Inputs {
		if !utf8.ValidString(name) {
			return fmt.Errorf("%q is not UTF-8, so a part cannot name it; copy or link the file under another name", name)
		}
	}
	for _, c := range p.Collections {
		switch {
		case c.Sample != nil:
			return fmt.Errorf("%s: a part cannot hold the forecast of a sample, because samples cannot be added", nameOf(c.Origins))
		case c.Tally.Groups.Other.Total().Documents > 0:
			return fmt.Errorf("%s: %w", nameOf(c.Origins), ErrGroups)
		}
		one := collectionRecord{Origins: c.Origins, Joined: c.Joined, Policy: policyRecordOf(c.Policy), Digest: c.Digest, Tally: c.Tally}
		if c.Err != nil {
			one.Error = report.Reason(c.Err)
		}
		for _, f := range c.Tally.Findings {
			one.Findings = append(one.Findings, findingRecord{f.Rule.String(), f})
		}
		for i, id := range identifiersOf(c.Tally) {
			if *id == null {
				one.Nulls = append(one.Nulls, i)
			}
		}
		r.Collections = append(r.Collections, one)
	}
	for _, u := range p.Unread {
		r.Unread = append(r.Unread, unreadRecord{u.Origins, report.Reason(u.Err)})
	}
	var part strings.Builder
	e := json.NewEncoder(&part)
	e.SetEscapeHTML(false) // identifiers stay as they are
	if err := e.Encode(r); err != nil {
		return err
	}
	text := cli.JSONText(stored{Version, checksum(part.String()), part.String()})
	if len(text) > maxPart {
		return fmt.Errorf("the part has %d bytes, more than the limit of %d; merge into a report instead", len(text), maxPart)
	}
	out := cli.NewJSON(w)
	out.Line("%s", text)
	return out.Err()
}

func checksum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// isComplete reports whether all documents of all inputs were read.
func (p *Part) isComplete() bool {
	return len(p.Unread) == 0 && !slices.ContainsFunc(p.Collections, func(c Collection) bool { return c.Err != nil || c.Tally.Bad > 0 })
}

// A Decoder reads the parts of a file, one after the other. The zero Decoder is not
// valid; make a Decoder with [NewDecoder].
type Decoder struct {
	name string
	in   *io.LimitedReader
	json *json.Decoder
	n    int // the number of parts read
}

// NewDecoder returns a decoder of the parts in r. name is the name of the input in
// errors.
func NewDecoder(name string, r io.Reader) *Decoder {
	in := &io.LimitedReader{R: r}
	return &Decoder{name: name, in: in, json: json.NewDecoder(in)}
}

// Next returns the next part, or [io.EOF] if there is none. A file without any part is an
// error. Other errors name the file, the byte at which the part begins, and the wrong
// member.
func (d *Decoder) Next() (*Part, error) {
	d.in.N = maxPart
	var raw json.RawMessage
	begin := d.json.InputOffset()
	err := d.json.Decode(&raw)
	switch {
	case err != nil && d.in.N <= 0:
		return nil, fmt.Errorf("%s: the part at byte %d has more than %d bytes", d.name, begin, maxPart)
	case err == io.EOF && d.n > 0:
		return nil, err
	case err == io.EOF:
		return nil, fmt.Errorf("%s: the file is empty: the part was not written, or not completely", d.name)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%s: the part at byte %d is truncated: it was not written or not copied completely", d.name, begin)
	case err != nil:
		return nil, fmt.Errorf("%s: the part at byte %d is not JSON: %w", d.name, begin, err)
	}
	d.n++
	p, err := decode(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: the part at byte %d: %w", d.name, begin, err)
	}
	p.place = d.name
	return p, nil
}

// decode reads one part.
func decode(raw json.RawMessage) (*Part, error) {
	var s stored
	switch err := json.Unmarshal(raw, &s); {
	case err != nil || s.Version == 0:
		return nil, errors.New("not a file written by ttl forecast --format part")
	case s.Version != Version:
		return nil, fmt.Errorf("version %d, but this ttl reads version %d; make and merge parts with one release", s.Version, Version)
	case checksum(s.Part) != s.SHA256:
		return nil, errors.New("the part was changed or damaged: its checksum is another")
	}
	var r record
	if err := json.Unmarshal([]byte(s.Part), &r); err != nil {
		return nil, err
	}
	return r.part()
}

// part returns the part from which r was made. The checksum guards against damage, so that part
// refuses only what a report could not be made of.
func (r *record) part() (*Part, error) {
	p := &Part{Key: r.Key, Inputs: r.Inputs}
	if len(r.Inputs) == 0 {
		return nil, errors.New("there are no inputs")
	}
	for i, c := range r.Collections {
		one, err := c.collection()
		if err == nil && c.Joined && p.joined > 0 {
			err = errors.New("this is the second joined collection of the part, and a part has at most one")
		}
		if err == nil {
			err = p.Add(one)
		}
		if err != nil {
			return nil, fmt.Errorf("collections[%d]: %w", i, err)
		}
	}
	for i, u := range r.Unread {
		if len(u.Origins) == 0 {
			return nil, fmt.Errorf("unread[%d]: there are no origins", i)
		}
		p.Unread = append(p.Unread, Unread{u.Origins, errors.New(u.Reason)})
	}
	p.Load.Merge(&r.Load)
	return p, nil
}

func (r *collectionRecord) collection() (c Collection, err error) {
	if len(r.Origins) == 0 || r.Tally == nil || r.Tally.Histogram == nil {
		return c, errors.New("there are no origins, or there is no tally")
	}
	c = Collection{Origins: r.Origins, Joined: r.Joined, Digest: r.Digest, Tally: r.Tally}
	if r.Error != "" {
		c.Err = errors.New(r.Error)
	}
	for _, f := range r.Findings {
		rule, err := ruleByID(f.Rule)
		if err != nil {
			return c, err
		}
		f.Finding.Rule = rule
		c.Tally.Findings = append(c.Tally.Findings, f.Finding)
	}
	for i, id := range identifiersOf(c.Tally) {
		if _, ok := slices.BinarySearch(r.Nulls, i); ok {
			*id = null
		}
	}
	c.Policy, err = r.Policy.policy()
	return c, err
}

// ruleByID returns the rule of MongoDB or Cosmos DB with this identifier; the zero
// Rule for its identifier.
func ruleByID(id string) (policy.Rule, error) {
	rule, ok := valuefunc.F.RuleByID(id)
	if !ok && id != "" {
		return rule, fmt.Errorf("there is no rule %q", id)
	}
	return rule, nil
}

func policyRecordOf(p *reasons.Policy) policyRecord {
	r := policyRecord{System: p.System, Release: p.Version(), Assumed: p.IsAssumed, Description: p.Description, Notes: p.Notes}
	for _, s := range p.Sources {
		one := sourceRecord{Source: s}
		if !s.Option.IsMissing() {
			one.Option = policy.AppendExtJSON(nil, s.Option)
		}
		r.Sources = append(r.Sources, one)
	}
	return r
}

func (r *policyRecord) policy() (*reasons.Policy, error) {
	d := definition.Definition{System: r.System, IsAssumed: r.Assumed}
	switch r.System {
	case definition.MongoDB:
		var err error
		if d.Release, err = mongo.ParseVersion(r.Release); err != nil {
			return nil, err
		}
	case definition.CosmosMongo:
		d.CosmosCollection.ServerVersion = r.Release
	case definition.CosmosNoSQL:
	default:
		return nil, fmt.Errorf("unknown system %q", r.System)
	}
	p := &reasons.Policy{Policy: definition.Policy{Definition: d}, Description: r.Description, Notes: r.Notes}
	for _, s := range r.Sources {
		if s.Option != nil {
			var err error
			if s.Source.Option, err = policy.ParseExtJSON(s.Option); err != nil {
				return nil, err
			}
		}
		p.Sources = append(p.Sources, s.Source)
	}
	return p, nil
}
