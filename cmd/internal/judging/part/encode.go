package part

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/report"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Version is the version of the format of parts. Each change of the format raises it by
// one.
const Version = 4

// MaxGroups is the largest number of values of a field that parts count separately. A
// forecast shows the first [forecast.MaxGroups] of them.
const MaxGroups = 50_000

// A partRecord is the JSON form of a part, described in docs/part.schema.json.
type partRecord struct {
	Version     int                `json:"version"`
	Complete    bool               `json:"complete"`
	Key         Key                `json:"key"`
	Inputs      []string           `json:"inputs"`
	Collections []collectionRecord `json:"collections"`
	Unread      []unreadRecord     `json:"unread"`
	Load        []forecast.Numbers `json:"load"` // each list is a minute after now, followed by the documents of that minute and of the next minutes
}

type collectionRecord struct {
	Origins []Origin     `json:"origins"`
	Joined  bool         `json:"joined"`
	Policy  policyRecord `json:"policy"`
	Digest  string       `json:"digest"`
	Error   string       `json:"error,omitempty"`
	forecast.Record
}

type unreadRecord struct {
	Origins []Origin `json:"origins"`
	Reason  string   `json:"reason"`
}

// policyRecord holds the parts of a policy that a report shows.
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

// Encode sorts p and writes it as one line of JSON. The error is [forecast.ErrGroups], or
// an error because p is of a sample or a name is not UTF-8.
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
		one, err := c.record()
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
func loadRecord(l *forecast.Load) []forecast.Numbers {
	runs, next := []forecast.Numbers{}, -1
	for minute, n := range l.All() {
		if minute != next {
			runs = append(runs, forecast.Numbers{int64(minute)})
		}
		last := &runs[len(runs)-1]
		*last = append(*last, n)
		next = minute + 1
	}
	return runs
}

// isComplete reports whether all documents of all inputs were read.
func (p *Part) isComplete() bool {
	for _, c := range p.Collections {
		if c.Err != nil || c.Tally.Bad > 0 {
			return false
		}
	}
	return len(p.Unread) == 0
}

func (c *Collection) record() (collectionRecord, error) {
	if c.Sample != nil {
		return collectionRecord{}, errors.New("a part cannot hold the forecast of a sample, because samples cannot be added")
	}
	tally, err := c.Tally.Record()
	out := collectionRecord{Origins: c.Origins, Joined: c.Joined, Policy: recordOf(c.Policy), Digest: c.Digest, Record: tally}
	if c.Err != nil {
		out.Error = report.Reason(c.Err)
	}
	return out, err
}

func recordOf(p *reasons.Policy) policyRecord {
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
