package part

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/report"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Version is the version of the format of parts. Each change of the format raises it by
// one.
const Version = 4

// MaxGroups is the largest number of values of a field that parts count separately. A
// forecast shows the first [forecast.MaxGroups] of them.
const MaxGroups = 50_000

// maxPart is the maximum size of a stored part, in bytes.
const maxPart = 64 << 20

// A partRecord is the JSON form of a part, described in docs/part.schema.json.
type partRecord struct {
	Version     int                `json:"version"`
	Complete    bool               `json:"complete"`
	Key         Key                `json:"key"`
	Inputs      []string           `json:"inputs"`
	Collections []collectionRecord `json:"collections"`
	Unread      []unreadRecord     `json:"unread"`
	Load        [][]int64          `json:"load"` // each list is a minute after now, followed by the documents of that minute and of the next minutes
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
	Name      string          `json:"name"`
	Field     string          `json:"field"`
	About     string          `json:"about"`
	Option    json.RawMessage `json:"expireAfterSeconds,omitempty"` // in Extended JSON
	NaN       bool            `json:"isNaN,omitempty"`
	NotNumber bool            `json:"isNotNumber,omitempty"`
	ZeroBy    string          `json:"zeroBy,omitempty"`
}

// Encode sorts p and writes it as one line of JSON. The error is [ErrGroups], or an error
// because p is of a sample or a name is not UTF-8.
func Encode(w io.Writer, p *Part) error {
	p.Sort()
	r := partRecord{
		Version: Version, Complete: p.isComplete(), Key: p.Key, Inputs: append([]string{}, p.Inputs...),
		Collections: []collectionRecord{}, Unread: []unreadRecord{}, Load: loadRecord(&p.Load),
	}
	for _, name := range p.Inputs {
		if !utf8.ValidString(name) {
			return fmt.Errorf("%q is not UTF-8, so a part cannot name it; copy or link the file under another name", name)
		}
	}
	for _, c := range p.Collections {
		one, err := recordOf(c)
		if err != nil {
			return fmt.Errorf("%s: %w", nameOf(c.Origins), err)
		}
		r.Collections = append(r.Collections, one)
	}
	for _, u := range p.Unread {
		r.Unread = append(r.Unread, unreadRecord{u.Origins, report.Reason(u.Err)})
	}
	text := cli.JSONText(r)
	if len(text) > maxPart {
		return fmt.Errorf("the part has %d bytes, more than the limit of %d; merge into a report instead", len(text), maxPart)
	}
	out := cli.NewJSON(w)
	out.Line("%s", text)
	return out.Err()
}

// loadRecord returns a load as lists of successive minutes in which documents expire.
func loadRecord(l *forecast.Load) [][]int64 {
	runs, next := [][]int64{}, -1
	for minute, n := range l.All() {
		if minute != next {
			runs = append(runs, []int64{int64(minute)})
		}
		last := &runs[len(runs)-1]
		*last = append(*last, n)
		next = minute + 1
	}
	return runs
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
	var r partRecord
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil || r.Version != Version {
		return nil, cmp.Or(checkVersion(raw), err)
	}
	return r.part()
}

// checkVersion returns an error unless raw is a part with the version number [Version].
func checkVersion(raw json.RawMessage) error {
	var head struct {
		Version *int             `json:"version"`
		Key     *json.RawMessage `json:"key"`
	}
	switch err := json.Unmarshal(raw, &head); {
	case err != nil || head.Version == nil || head.Key == nil:
		return errors.New("not a file written by ttl forecast --format part")
	case *head.Version != Version:
		return fmt.Errorf("version %d, but this ttl reads version %d; make and merge parts with one release", *head.Version, Version)
	}
	return nil
}

// part returns the part from which r was made. It returns an error, with the name of the
// member, for an impossible value.
func (r *partRecord) part() (*Part, error) {
	bucket, err := forecast.ParseWidth(r.Key.Bucket)
	if err != nil && r.Key.Bucket != "" {
		return nil, fmt.Errorf("key.bucket: %w", err)
	}
	p := &Part{Key: r.Key, Inputs: r.Inputs}
	names, err := inputSet(r.Inputs)
	if err != nil {
		return nil, err
	}
	for i := range r.Collections {
		c, err := r.Collections[i].collection(r.Key.Now, bucket, names)
		if err == nil && c.Joined && p.joined > 0 {
			err = errors.New("joined: this is the second joined collection of the part, and a part has at most one")
		}
		if err == nil {
			err = p.Add(c)
		}
		if err != nil {
			return nil, fmt.Errorf("collections[%d]: %w", i, err)
		}
	}
	for i, u := range r.Unread {
		err := checkOrigins(u.Origins, names, -1)
		if u.Reason == "" {
			err = errors.New("reason: the text is empty")
		}
		if err != nil {
			return nil, fmt.Errorf("unread[%d]: %w", i, err)
		}
		p.Unread = append(p.Unread, Unread{u.Origins, errors.New(u.Reason)})
	}
	if p.Load, err = readLoad(r.Load, p.total.Within); err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	if r.Complete != p.isComplete() {
		return nil, fmt.Errorf("complete: %t contradicts the collections and inputs", r.Complete)
	}
	return p, nil
}

// inputSet returns the inputs of a part as a set of names. It returns an error if there
// are none, or if a name is empty or appears twice.
func inputSet(inputs []string) (map[string]bool, error) {
	if len(inputs) == 0 {
		return nil, errors.New("inputs: the list is empty")
	}
	names := map[string]bool{}
	for i, name := range inputs {
		if names[name] || name == "" {
			return nil, fmt.Errorf("inputs[%d]: %q is empty, or appears twice", i, name)
		}
		names[name] = true
	}
	return names, nil
}

// checkOrigins returns an error unless all origins are in these inputs and have an index
// that is not below the limit least.
func checkOrigins(list []Origin, inputs map[string]bool, least int) error {
	if len(list) == 0 {
		return errors.New("origins: the list is empty")
	}
	for i, o := range list {
		switch {
		case !inputs[o.Input]:
			return fmt.Errorf("origins[%d]: %q is not among the inputs", i, o.Input)
		case o.Index < least:
			return fmt.Errorf("origins[%d]: the index %d is less than %d", i, o.Index, least)
		}
	}
	return nil
}

// readLoad reads the load of collections. within holds the number of documents of these
// collections that expire within each horizon.
func readLoad(runs [][]int64, within [len(forecast.Horizons)]forecast.Sum) (l forecast.Load, err error) {
	left := within // the documents up to each horizon that the load has not counted yet
	next := int64(0)
	for i, run := range runs {
		if len(run) < 2 || run[0] < next || run[0] > forecast.Minutes-int64(len(run)-1) {
			return l, fmt.Errorf("run %d: want a minute that is after the run before and below %d, followed by numbers of documents", i, forecast.Minutes)
		}
		next = run[0]
		for _, n := range run[1:] {
			if n <= 0 || n > left[len(left)-1].Documents {
				return l, fmt.Errorf("run %d: want numbers of documents from 1 to the number that expire in the collections", i)
			}
			for h := range left {
				if next < forecast.Horizons[h].Seconds()/60 {
					left[h].Documents -= n
				}
			}
			l.Add(int(next), n)
			next++
		}
	}
	if slices.ContainsFunc(left[:], func(s forecast.Sum) bool { return s.Documents != 0 }) {
		return l, errors.New("the numbers do not add up to the documents that expire in the collections")
	}
	return l, nil
}

func policyRecordOf(p *reasons.Policy) policyRecord {
	r := policyRecord{System: p.System, Release: p.Version(), Assumed: p.IsAssumed, Description: p.Description, Notes: p.Notes, Sources: []sourceRecord{}}
	for _, s := range p.Sources {
		one := sourceRecord{Name: s.Name, Field: s.Field, About: s.About, NaN: s.NaN, NotNumber: s.NotNumber, ZeroBy: s.ZeroBy}
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
			return nil, fmt.Errorf("release: %w", err)
		}
	case definition.CosmosMongo:
		d.CosmosCollection.ServerVersion = r.Release
	case definition.CosmosNoSQL:
	default:
		return nil, fmt.Errorf("unknown system %q", r.System)
	}
	p := &reasons.Policy{Policy: definition.Policy{Definition: d}, Description: r.Description, Notes: r.Notes}
	for i, s := range r.Sources {
		one := reasons.Source{Name: s.Name, Field: s.Field, About: s.About, NaN: s.NaN, NotNumber: s.NotNumber, ZeroBy: s.ZeroBy}
		if s.Option != nil {
			var err error
			if one.Option, err = policy.ParseExtJSON(s.Option); err != nil {
				return nil, fmt.Errorf("sources[%d].expireAfterSeconds: %w", i, err)
			}
		}
		p.Sources = append(p.Sources, one)
	}
	return p, nil
}
