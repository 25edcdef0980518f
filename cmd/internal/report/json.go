package report

import (
	"encoding/json"
	"io"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/forecast"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// buckets is how many buckets programs and pages get.
const buckets = 60

// The JSON form; docs/forecast-json.md describes it.
type reportJSON struct {
	Documents   int64            `json:"documents"`
	Expired     int64            `json:"expired"`
	Pending     int64            `json:"pending"`
	Never       int64            `json:"never"`
	Bad         int64            `json:"bad"`
	Bytes       int64            `json:"bytes"`
	AtOnce      sumJSON          `json:"deletedAtOnce"`
	Complete    bool             `json:"complete"`
	Reason      string           `json:"reason,omitempty"`
	Now         timeJSON         `json:"now"`
	Collections []collectionJSON `json:"collections"`
}

type collectionJSON struct {
	Name      string        `json:"name"`
	Files     []string      `json:"files"`
	Policy    string        `json:"policy"`
	Notes     []string      `json:"notes"`
	Documents int64         `json:"documents"`
	Expired   int64         `json:"expired"`
	Pending   int64         `json:"pending"`
	Never     int64         `json:"never"`
	Bad       int64         `json:"bad"`
	FirstBad  string        `json:"firstBad,omitempty"`
	Bytes     int64         `json:"bytes"`
	AtOnce    sumJSON       `json:"deletedAtOnce"`
	First     *momentJSON   `json:"firstDeadline"`
	Last      *momentJSON   `json:"lastDeadline"`
	Newest    *momentJSON   `json:"latestExpired"`
	Next      *momentJSON   `json:"nextPending"`
	Sources   []sourceJSON  `json:"sources"`
	Rules     []ruleJSON    `json:"rules"`
	Histogram histogramJSON `json:"histogram"`
}

type sumJSON struct {
	Documents int64 `json:"documents"`
	Bytes     int64 `json:"bytes"`
}

type timeJSON struct {
	Time   string `json:"time"`
	Millis int64  `json:"ms"`
}

type momentJSON struct {
	timeJSON
	Document sampleJSON `json:"document"`
}

type sampleJSON struct {
	ID     json.RawMessage `json:"id"` // canonical Extended JSON, null for none
	File   string          `json:"file"`
	Offset int64           `json:"offset"`
}

type sourceJSON struct {
	Name    string `json:"name"`
	Field   string `json:"field"`
	About   string `json:"about"`
	Expired int64  `json:"expired"`
	Pending int64  `json:"pending"`
}

type ruleJSON struct {
	Rule    string       `json:"rule"`
	Why     string       `json:"why"`
	Found   string       `json:"found,omitempty"`
	Expired int64        `json:"expired"`
	Pending int64        `json:"pending"`
	Never   int64        `json:"never"`
	Samples []sampleJSON `json:"samples"`
}

type histogramJSON struct {
	Width   string       `json:"width"`
	Before  int64        `json:"before"`
	After   int64        `json:"after"`
	Buckets []bucketJSON `json:"buckets"`
}

type bucketJSON struct {
	Start   timeJSON `json:"start"`
	End     timeJSON `json:"end"`
	Expired int64    `json:"expired"`
	Pending int64    `json:"pending"`
	Bytes   int64    `json:"bytes"`
}

// JSON writes r for programs.
func (r Report) JSON(w io.Writer) error {
	t := r.total()
	out := reportJSON{
		Documents: t.Total.Documents, Expired: t.Expired.Documents, Pending: t.Pending.Documents, Never: t.Never.Documents,
		Bad: t.Bad, Bytes: t.Total.Bytes, AtOnce: sumJSON(t.Expired), Complete: r.Complete, Reason: r.Reason, Now: timeOf(r.Now),
		Collections: []collectionJSON{},
	}
	for _, c := range r.Collections {
		out.Collections = append(out.Collections, c.json(r.Now))
	}
	return cli.WriteJSON(w, out)
}

func (c Collection) json(now policy.Instant) collectionJSON {
	t := c.Tally
	out := collectionJSON{
		Name: c.Name, Files: c.Files, Policy: c.Policy, Notes: append([]string{}, c.Notes...), Documents: t.Total.Documents, Expired: t.Expired.Documents,
		Pending: t.Pending.Documents, Never: t.Never.Documents, Bad: t.Bad, Bytes: t.Total.Bytes,
		AtOnce: sumJSON(t.Expired), First: momentOf(t.First), Last: momentOf(t.Last), Newest: momentOf(t.Newest), Next: momentOf(t.Next),
		Sources: []sourceJSON{}, Rules: []ruleJSON{}, Histogram: histogramOf(t.Histogram.View(now, buckets)),
	}
	if t.FirstBad != nil {
		out.FirstBad = t.FirstBad.Error()
	}
	for i, s := range c.Sources {
		one := sourceJSON{Name: s.Name, Field: s.Field, About: s.About}
		if i < len(t.Sources) {
			one.Expired, one.Pending = t.Sources[i].Expired.Documents, t.Sources[i].Pending.Documents
		}
		out.Sources = append(out.Sources, one)
	}
	for _, f := range t.Findings {
		out.Rules = append(out.Rules, c.rule(f))
	}
	return out
}

func (c Collection) rule(f forecast.Finding) ruleJSON {
	out := ruleJSON{
		Rule: f.Rule.String(), Expired: f.Expired.Documents, Pending: f.Pending.Documents, Never: f.Never.Documents,
		Samples: []sampleJSON{},
	}
	if f.Rule != nil {
		out.Why = c.why(f)
	}
	if f.Kind != policy.Missing {
		out.Found = f.Kind.String()
	}
	for _, s := range f.Samples {
		out.Samples = append(out.Samples, sampleOf(s))
	}
	return out
}

func timeOf(i policy.Instant) timeJSON { return timeJSON{i.String(), int64(i)} }

func momentOf(m forecast.Moment) *momentJSON {
	if !m.Known() {
		return nil
	}
	return &momentJSON{timeOf(m.At), sampleOf(m.Sample)}
}

func sampleOf(s forecast.Sample) sampleJSON {
	out := sampleJSON{ID: json.RawMessage(s.ID), File: s.File, Offset: s.Offset}
	if s.ID == "" {
		out.ID = json.RawMessage("null")
	}
	return out
}

func histogramOf(v forecast.View) histogramJSON {
	out := histogramJSON{Width: v.Width.String(), Before: v.Before.Documents(), After: v.After.Documents(), Buckets: []bucketJSON{}}
	for _, b := range v.Buckets {
		out.Buckets = append(out.Buckets, bucketJSON{timeOf(b.Start), timeOf(b.End), b.Expired, b.Pending, b.Bytes})
	}
	return out
}
