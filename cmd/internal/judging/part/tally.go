package part

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/report"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A collectionRecord is the JSON form of a collection and its tally. It holds no number that
// follows from other numbers.
type collectionRecord struct {
	Origins   []Origin          `json:"origins"`
	Joined    bool              `json:"joined"`
	Policy    policyRecord      `json:"policy"`
	Digest    string            `json:"digest"`
	Error     string            `json:"error,omitempty"`
	Findings  []findingRecord   `json:"findings"`
	Expired   *spanRecord       `json:"expired"` // nil if no document has expired
	Pending   *spanRecord       `json:"pending"`
	Within    []forecast.Sum    `json:"within"` // the documents that expire up to each of forecast.Horizons
	Histogram forecast.Snapshot `json:"histogram"`
	Groups    []groupRecord     `json:"groups,omitempty"`
	Dialects  dump.Dialect      `json:"dialects,omitempty"`
	Bad       int64             `json:"bad"`
	FirstBad  *forecast.Skipped `json:"firstBad,omitempty"`
}

type findingRecord struct {
	Rule   string      `json:"rule"`
	Source int         `json:"source"`
	Found  policy.Kind `json:"found,omitempty"` // the number of the type in BSON
	forecast.ByState
	Samples []sampleRecord `json:"samples"`
}

type spanRecord struct {
	First momentRecord `json:"first"`
	Last  momentRecord `json:"last"`
}

type momentRecord struct {
	Millis policy.Instant `json:"millis"`
	Sample sampleRecord   `json:"document"`
}

type groupRecord struct {
	Value idRecord       `json:"value"`
	First forecast.Place `json:"first"`
	forecast.ByState
}

// A sampleRecord is the JSON form of a [dump.Sample].
type sampleRecord struct {
	ID idRecord `json:"id"`
	forecast.Place
}

func (r sampleRecord) sample() dump.Sample {
	return dump.Sample{ID: dump.ID(r.ID), File: r.File, Offset: r.Offset}
}

func sampleRecordOf(s dump.Sample) sampleRecord {
	return sampleRecord{idRecord(s.ID), forecast.Place{File: s.File, Offset: s.Offset}}
}

// An idRecord is a [dump.ID] as a string of JSON, so that reading it back gives the same
// bytes.
type idRecord string

// maxID is the limit of an identifier's length in bytes, and greater than the length of
// every valid identifier.
const maxID = 1000

// UnmarshalJSON reads an identifier from a string of JSON.
func (id *idRecord) UnmarshalJSON(text []byte) error {
	s := (*string)(id)
	if err := json.Unmarshal(text, s); err != nil {
		return err
	}
	if len(*s) > maxID || *s != "" && !json.Valid([]byte(*s)) {
		return fmt.Errorf("%.20q is not an identifier: want JSON of up to %d bytes", *s, maxID)
	}
	return nil
}

// ErrGroups is the error for a tally in which some values of a field share one sum.
var ErrGroups = errors.New("the field has too many values to be counted in parts")

// recordOf returns the form of c in files. The error is [ErrGroups], or that c is a sample.
func recordOf(c Collection) (r collectionRecord, err error) {
	t := c.Tally
	switch {
	case c.Sample != nil:
		return r, errors.New("a part cannot hold the forecast of a sample, because samples cannot be added")
	case t.Groups.Other.Total().Documents > 0:
		return r, ErrGroups
	}
	r = collectionRecord{
		Origins: c.Origins, Joined: c.Joined, Policy: policyRecordOf(c.Policy), Digest: c.Digest, Findings: []findingRecord{},
		Expired: spanRecordOf(t.ExpiredSpan), Pending: spanRecordOf(t.PendingSpan), Within: t.Within[:],
		Histogram: t.Histogram.Snapshot(), Dialects: t.Dialects, Bad: t.Bad, FirstBad: forecast.SkippedOf(t.FirstBad),
	}
	if c.Err != nil {
		r.Error = report.Reason(c.Err)
	}
	for _, f := range t.Findings {
		one := findingRecord{f.Rule.String(), f.Source, f.Kind, f.ByState, []sampleRecord{}}
		for _, s := range f.Samples {
			one.Samples = append(one.Samples, sampleRecordOf(s))
		}
		r.Findings = append(r.Findings, one)
	}
	for _, g := range t.Groups.List {
		r.Groups = append(r.Groups, groupRecord{idRecord(g.Value), g.First, g.ByState})
	}
	return r, nil
}

func spanRecordOf(s forecast.Span) *spanRecord {
	if !s.First.Known() {
		return nil
	}
	return &spanRecord{momentRecord{s.First.At, sampleRecordOf(s.First.Sample)}, momentRecord{s.Last.At, sampleRecordOf(s.Last.Sample)}}
}

// collection returns the collection from which r was made. now and the width of the buckets are
// those of the part's key, and inputs are those of the part. The error names a member with an
// impossible value.
func (r *collectionRecord) collection(now policy.Instant, bucket forecast.Width, inputs map[string]bool) (c Collection, err error) {
	if err := checkOrigins(r.Origins, inputs, 0); err != nil {
		return c, err
	}
	c = Collection{Origins: r.Origins, Joined: r.Joined, Digest: r.Digest}
	if r.Error != "" {
		c.Err = errors.New(r.Error)
	}
	if c.Policy, err = r.Policy.policy(); err != nil {
		return c, fmt.Errorf("policy: %w", err)
	}
	t := forecast.NewTally(0, forecast.Options{Bucket: bucket, Now: now})
	c.Tally = t
	for i, f := range r.Findings {
		if err := f.addTo(t); err != nil {
			return c, fmt.Errorf("findings[%d]: %w", i, err)
		}
	}
	if t.ExpiredSpan, err = r.Expired.span(t.Expired, policy.MinInstant, now); err != nil {
		return c, fmt.Errorf("expired: %w", err)
	}
	if t.PendingSpan, err = r.Pending.span(t.Pending, now, policy.MaxInstant); err != nil {
		return c, fmt.Errorf("pending: %w", err)
	}
	dated := forecast.Count{Expired: t.Expired.Documents, Pending: t.Pending.Documents, Bytes: t.Expired.Bytes + t.Pending.Bytes}
	if err := t.Histogram.Restore(r.Histogram, dated); err != nil {
		return c, fmt.Errorf("histogram: %w", err)
	}
	return c, cmp.Or(r.within(t), r.groups(t), r.bad(t))
}

// isWithin reports whether the counts of s are valid and at most those of all.
func isWithin(s, all forecast.Sum) bool {
	return min(s.Documents, s.Bytes) >= 0 && s.Documents <= all.Documents && s.Bytes <= all.Bytes
}

// totalOf returns the sum of all states. The error is [forecast.ErrTooLarge], or an error
// about a negative number.
func totalOf(b forecast.ByState) (sum forecast.Sum, err error) {
	for _, s := range []forecast.Sum{b.Expired, b.Pending, b.Never, b.Unknown} {
		if min(s.Documents, s.Bytes) < 0 {
			return sum, errors.New("a number of documents or bytes is negative")
		}
		if !isWithin(s, forecast.Sum{Documents: math.MaxInt64 - sum.Documents, Bytes: math.MaxInt64 - sum.Bytes}) {
			return sum, forecast.ErrTooLarge
		}
		sum = forecast.Sum{Documents: sum.Documents + s.Documents, Bytes: sum.Bytes + s.Bytes}
	}
	return sum, nil
}

// ruleByID returns the rule of MongoDB or Cosmos DB with this identifier; the zero
// Rule for its identifier.
func ruleByID(id string) (policy.Rule, error) {
	rule, ok := mongo.RuleByID(id)
	if !ok {
		rule, ok = cosmos.RuleByID(id)
	}
	if !ok && id != "" {
		return rule, fmt.Errorf("there is no rule %q", id)
	}
	return rule, nil
}

// addTo adds a finding to t, and adds the finding's documents to the sums of t.
func (r *findingRecord) addTo(t *forecast.Tally) error {
	rule, err := ruleByID(r.Rule)
	if err != nil {
		return err
	}
	sum, err := totalOf(r.ByState)
	switch {
	case err != nil:
		return err
	case sum.Documents == 0:
		return errors.New("the finding counts no documents")
	case reasons.IsUnknown(rule) && r.Unknown != sum, !reasons.IsUnknown(rule) && r.Unknown != (forecast.Sum{}):
		return fmt.Errorf("%s counts documents in a state that the rule does not give", r.Rule)
	case r.Source < 0 || r.Source > math.MaxUint8:
		return fmt.Errorf("source %d is not from 0 to 255", r.Source)
	case int64(len(r.Samples)) > min(sum.Documents, forecast.MaxSamples):
		return fmt.Errorf("%d samples of %d documents, want at most one for each document and at most %d", len(r.Samples), sum.Documents, forecast.MaxSamples)
	}
	f := forecast.Finding{Rule: rule, Source: r.Source, Kind: r.Found, ByState: r.ByState}
	for _, s := range r.Samples {
		f.Samples = append(f.Samples, s.sample())
	}
	return t.AddFinding(f)
}

// span returns the deadlines of r. The argument of counts the documents with these
// deadlines. The deadlines must be later than the instant after, and not later than the
// instant upTo.
func (r *spanRecord) span(of forecast.Sum, after, upTo policy.Instant) (s forecast.Span, err error) {
	switch {
	case (r == nil) != (of.Documents == 0):
		return s, fmt.Errorf("want null if the state has no documents, otherwise a first and a last deadline; the state has %d", of.Documents)
	case r == nil:
		return s, nil
	case r.First.Millis > r.Last.Millis:
		return s, errors.New("the first deadline is after the last")
	case r.First.Millis <= after && after != policy.MinInstant || r.Last.Millis > upTo:
		return s, errors.New("a deadline contradicts the state: expired deadlines are up to the instant, pending ones after it")
	}
	return forecast.Span{First: forecast.MomentAt(r.First.Millis, r.First.Sample.sample()), Last: forecast.MomentAt(r.Last.Millis, r.Last.Sample.sample())}, nil
}

func (r *collectionRecord) within(t *forecast.Tally) error {
	if len(r.Within) != len(t.Within) {
		return fmt.Errorf("within: got %d numbers, want %d", len(r.Within), len(t.Within))
	}
	t.Within = [len(forecast.Horizons)]forecast.Sum(r.Within)
	for i, s := range r.Within {
		if !isWithin(s, append(r.Within, t.Pending)[i+1]) {
			return fmt.Errorf("within: element %d is negative, or above the element after it", i)
		}
	}
	return nil
}

func (r *collectionRecord) groups(t *forecast.Tally) error {
	left := t.Total()
	for i, g := range r.Groups {
		sum, err := totalOf(g.ByState)
		if err == nil && (!isWithin(sum, left) || sum.Documents == 0) {
			err = errors.New("the groups do not add up to the documents")
		}
		if err == nil && !t.Groups.Add(forecast.Group{Value: dump.ID(g.Value), ByState: g.ByState, First: g.First}) {
			err = errors.New("the value of the group appears twice")
		}
		if err != nil {
			return fmt.Errorf("groups: element %d: %w", i, err)
		}
		left = forecast.Sum{Documents: left.Documents - sum.Documents, Bytes: left.Bytes - sum.Bytes}
	}
	if len(r.Groups) > 0 && left != (forecast.Sum{}) {
		return errors.New("groups: the groups do not add up to the documents")
	}
	return nil
}

func (r *collectionRecord) bad(t *forecast.Tally) error {
	if r.Bad < 0 || (r.Bad > 0) != (r.FirstBad != nil) {
		return fmt.Errorf("bad: %d documents could not be read; want firstBad exactly if that number is above 0", r.Bad)
	}
	if t.Bad = r.Bad; r.FirstBad != nil {
		t.FirstBad = r.FirstBad
	}
	if t.Dialects = r.Dialects; t.Dialects != 0 && t.Dialects.String() == "" {
		return fmt.Errorf("bad: unknown dialects %d", t.Dialects)
	}
	return nil
}
