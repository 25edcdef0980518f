package forecast

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Record is the JSON form of a tally in the files of parts. It leaves out Load, Due, Ages and
// Others, and holds no number that follows from other numbers. docs/part.schema.json describes
// it.
type Record struct {
	Findings  []findingRecord `json:"findings"`
	Expired   *spanRecord     `json:"expired"` // nil if no document has expired
	Pending   *spanRecord     `json:"pending"`
	Within    []Sum           `json:"within"` // the documents that expire up to each of Horizons
	Histogram histogramRecord `json:"histogram"`
	Groups    []groupRecord   `json:"groups,omitempty"`
	Dialects  dump.Dialect    `json:"dialects,omitempty"`
	Bad       int64           `json:"bad"`
	FirstBad  *skippedError   `json:"firstBad,omitempty"`
}

type findingRecord struct {
	Rule   string      `json:"rule"`
	Source int         `json:"source"`
	Found  policy.Kind `json:"found,omitempty"` // the number of the type in BSON
	ByState
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

// A sampleRecord is the JSON form of a [dump.Sample].
type sampleRecord struct {
	ID idRecord `json:"id"`
	Place
}

// An idRecord is a [dump.ID] as a string of JSON, so that reading it back gives the same
// bytes.
type idRecord string

// maxID is the limit of an identifier's length in bytes, and greater than the length of
// every valid identifier.
const maxID = 1000

// UnmarshalJSON reads an identifier from a string of JSON.
func (id *idRecord) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	if *id = idRecord(s); len(s) > maxID || s != "" && !json.Valid([]byte(s)) {
		return fmt.Errorf("%.20q is not an identifier: want JSON of up to %d bytes", s, maxID)
	}
	return nil
}

func recordOf(s dump.Sample) sampleRecord { return sampleRecord{idRecord(s.ID), placeOf(s)} }

func (r sampleRecord) sample() dump.Sample {
	return dump.Sample{ID: dump.ID(r.ID), File: r.File, Offset: r.Offset}
}

func recordsOf(list []dump.Sample) []sampleRecord {
	out := []sampleRecord{}
	for _, s := range list {
		out = append(out, recordOf(s))
	}
	return out
}

type histogramRecord struct {
	Width   string    `json:"width"`
	Before  Count     `json:"before"`
	After   Count     `json:"after"`
	Buckets []Numbers `json:"buckets"` // each list is a bucket: its number, and the expired, pending and bytes of its Count
}

type groupRecord struct {
	Value idRecord `json:"value"`
	First Place    `json:"first"`
	ByState
}

// ErrGroups is the error for a tally in which some values of a field share one sum.
var ErrGroups = errors.New("the field has too many values to be counted in parts")

// Record returns the form of t in files. The error is [ErrGroups].
func (t *Tally) Record() (Record, error) {
	if t.Groups.Other.Total().Documents > 0 {
		return Record{}, ErrGroups
	}
	r := Record{
		Findings: []findingRecord{}, Expired: t.ExpiredSpan.record(), Pending: t.PendingSpan.record(), Within: t.Within[:],
		Histogram: t.Histogram.record(), Dialects: t.Dialects, Bad: t.Bad,
	}
	for _, f := range t.Findings {
		r.Findings = append(r.Findings, findingRecord{f.Rule.String(), f.Source, f.Kind, f.ByState, recordsOf(f.Samples)})
	}
	for _, g := range t.Groups.List {
		r.Groups = append(r.Groups, groupRecord{idRecord(g.Value), g.First, g.ByState})
	}
	if t.FirstBad != nil {
		r.FirstBad = &skippedError{errorPlace(t.FirstBad), t.FirstBad.Error()}
	}
	return r, nil
}

func (s Span) record() *spanRecord {
	if !s.First.ok {
		return nil
	}
	return &spanRecord{momentRecord{s.First.At, recordOf(s.First.Sample)}, momentRecord{s.Last.At, recordOf(s.Last.Sample)}}
}

func (h *Histogram) record() histogramRecord {
	r := histogramRecord{Width: h.width.String(), Before: h.before, After: h.after, Buckets: []Numbers{}}
	for _, b := range h.table.list() {
		r.Buckets = append(r.Buckets, Numbers{b.number, b.Expired, b.Pending, b.Bytes})
	}
	return r
}

// Tally returns the tally from which r was made. now and bucket must be the instant and
// the width of buckets of that tally. The error names a member with an impossible value.
func (r *Record) Tally(bucket Width, now policy.Instant) (*Tally, error) {
	t := NewTally(0, Options{Bucket: bucket, Now: now})
	for i, f := range r.Findings {
		if err := t.addRecord(f); err != nil {
			return nil, fmt.Errorf("findings[%d]: %w", i, err)
		}
	}
	var err error
	if t.ExpiredSpan, err = r.Expired.span(t.Expired, policy.MinInstant, now); err != nil {
		return nil, fmt.Errorf("expired: %w", err)
	}
	if t.PendingSpan, err = r.Pending.span(t.Pending, now, policy.MaxInstant); err != nil {
		return nil, fmt.Errorf("pending: %w", err)
	}
	for _, step := range []struct {
		name string
		read func(*Tally) error
	}{{"within", r.within}, {"histogram", r.histogram}, {"groups", r.groups}, {"bad", r.bad}} {
		if err := step.read(t); err != nil {
			return nil, fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return t, nil
}

// check returns an error if s has a negative number.
func (s Sum) check() error {
	if s.Documents < 0 || s.Bytes < 0 {
		return errors.New("a number of documents or bytes is negative")
	}
	return nil
}

// isWithin reports whether the counts of s are valid and at most those of all.
func (s Sum) isWithin(all Sum) bool {
	return s.check() == nil && s.Documents <= all.Documents && s.Bytes <= all.Bytes
}

// checkedTotal returns the sum of all states. The error is [ErrTooLarge], or an error
// about a negative number.
func (b *ByState) checkedTotal() (sum Sum, err error) {
	for _, s := range []Sum{b.Expired, b.Pending, b.Never, b.Unknown} {
		if err := s.check(); err != nil {
			return sum, err
		}
		if sum.Documents > math.MaxInt64-s.Documents || sum.Bytes > math.MaxInt64-s.Bytes {
			return sum, ErrTooLarge
		}
		sum.add(s)
	}
	return sum, nil
}

// ruleByID returns the rule of MongoDB or Cosmos DB with this identifier; the zero Rule
// for the identifier of no rule.
func ruleByID(id string) (policy.Rule, error) {
	if id == "" {
		return policy.Rule{}, nil
	}
	rule, ok := mongo.RuleByID(id)
	if !ok {
		rule, ok = cosmos.RuleByID(id)
	}
	if !ok {
		return policy.Rule{}, fmt.Errorf("there is no rule %q", id)
	}
	return rule, nil
}

// addRecord adds a finding to t, and adds the finding's documents to the sums of t.
func (t *Tally) addRecord(r findingRecord) error {
	rule, err := ruleByID(r.Rule)
	if err != nil {
		return err
	}
	sum, err := r.checkedTotal()
	switch {
	case err != nil:
		return err
	case sum.Documents == 0:
		return errors.New("the finding counts no documents")
	case reasons.IsUnknown(rule) && r.Unknown != sum, !reasons.IsUnknown(rule) && r.Unknown != (Sum{}):
		return fmt.Errorf("%s counts documents in a state that the rule does not give", r.Rule)
	case r.Source < 0 || r.Source > math.MaxUint8:
		return fmt.Errorf("source %d is not from 0 to 255", r.Source)
	case int64(len(r.Samples)) > min(sum.Documents, maxSamples):
		return fmt.Errorf("%d samples of %d documents, want at most one for each document and at most %d", len(r.Samples), sum.Documents, maxSamples)
	}
	f := t.finding(key{rule, uint8(r.Source), r.Found})
	if f.Total().Documents > 0 {
		return errors.New("the finding appears twice")
	}
	*f = Finding{Rule: rule, Source: r.Source, Kind: r.Found, ByState: r.ByState}
	for _, s := range r.Samples {
		f.Samples = append(f.Samples, s.sample())
	}
	if err := t.CheckAdd(&Tally{ByState: r.ByState}); err != nil {
		return err
	}
	t.addDecided(r.Source, r.ByState)
	return nil
}

// span returns the deadlines of r. The argument of counts the documents with these
// deadlines. The deadlines must be later than the instant after, and not later than the
// instant upTo.
func (r *spanRecord) span(of Sum, after, upTo policy.Instant) (Span, error) {
	switch {
	case (r == nil) != (of.Documents == 0):
		return Span{}, fmt.Errorf("want null if the state has no documents, otherwise a first and a last deadline; the state has %d", of.Documents)
	case r == nil:
		return Span{}, nil
	case r.First.Millis > r.Last.Millis:
		return Span{}, errors.New("the first deadline is after the last")
	case r.First.Millis <= after && after != policy.MinInstant || r.Last.Millis > upTo:
		return Span{}, errors.New("a deadline contradicts the state: expired deadlines are up to the instant, pending ones after it")
	}
	return Span{MomentAt(r.First.Millis, r.First.Sample.sample()), MomentAt(r.Last.Millis, r.Last.Sample.sample())}, nil
}

func (r *Record) within(t *Tally) error {
	if len(r.Within) != len(Horizons) {
		return fmt.Errorf("got %d numbers, want %d", len(r.Within), len(Horizons))
	}
	for i, s := range r.Within {
		after := t.Pending
		if i+1 < len(r.Within) {
			after = r.Within[i+1]
		}
		if !s.isWithin(after) {
			return fmt.Errorf("element %d is negative, or above the element after it", i)
		}
		t.Within[i] = s
	}
	return nil
}

func (r *Record) histogram(t *Tally) error {
	h := t.Histogram
	if err := h.setRecordWidth(r.Histogram.Width); err != nil {
		return err
	}
	if len(r.Histogram.Buckets) > MaxBuckets {
		return fmt.Errorf("%d buckets, want up to %d", len(r.Histogram.Buckets), MaxBuckets)
	}
	left := Count{t.Expired.Documents, t.Pending.Documents, t.Expired.Bytes + t.Pending.Bytes}
	if h.before, h.after = r.Histogram.Before, r.Histogram.After; !h.given && h.before.Documents()+h.after.Documents() != 0 {
		return errors.New("before and after must be 0 unless the width of the buckets was given")
	}
	if !left.take(h.before) || !left.take(h.after) {
		return errUneven
	}
	first, last := h.width.index(policy.MinInstant), h.width.index(policy.MaxInstant)
	if h.given {
		first, last = h.lo, h.hi
	}
	for i, b := range r.Histogram.Buckets {
		if len(b) != 4 {
			return fmt.Errorf("buckets[%d]: got %d numbers, want 4", i, len(b))
		}
		c := Count{b[1], b[2], b[3]}
		switch {
		case b[0] < first || b[0] > last || i > 0 && b[0] <= r.Histogram.Buckets[i-1][0]:
			return fmt.Errorf("buckets[%d]: the bucket's number is out of order, or out of range", i)
		case c.Documents() == 0:
			return fmt.Errorf("buckets[%d]: the bucket counts no documents", i)
		case !left.take(c):
			return fmt.Errorf("buckets[%d]: %w", i, errUneven)
		}
		h.place(b[0], c)
	}
	if left != (Count{}) {
		return errUneven
	}
	return nil
}

var errUneven = errors.New("the buckets do not add up to the documents with deadlines")

// take subtracts d from c. If a number of d is negative or above that of c, take returns
// false and changes nothing.
func (c *Count) take(d Count) bool {
	if min(d.Expired, d.Pending, d.Bytes) < 0 || d.Expired > c.Expired || d.Pending > c.Pending || d.Bytes > c.Bytes {
		return false
	}
	*c = Count{c.Expired - d.Expired, c.Pending - d.Pending, c.Bytes - d.Bytes}
	return true
}

// setRecordWidth sets the width of the empty histogram h. It returns an error for a width
// that h cannot have.
func (h *Histogram) setRecordWidth(text string) error {
	level := slices.IndexFunc(levels, func(w Width) bool { return w.String() == text })
	switch {
	case h.given && text == h.width.String():
	case h.given || level < 0:
		return fmt.Errorf("a bucket cannot have the width %q", text)
	default:
		h.setLevel(level)
	}
	return nil
}

func (r *Record) groups(t *Tally) error {
	left := t.Total()
	for i, g := range r.Groups {
		sum, err := g.checkedTotal()
		if err == nil && (!sum.isWithin(left) || sum.Documents == 0) {
			err = errors.New("the groups do not add up to the documents")
		}
		if err == nil && !t.Groups.add(Group{Value: dump.ID(g.Value), ByState: g.ByState, First: g.First}, math.MaxInt) {
			err = errors.New("the value of the group appears twice")
		}
		if err != nil {
			return fmt.Errorf("element %d: %w", i, err)
		}
		left = Sum{left.Documents - sum.Documents, left.Bytes - sum.Bytes}
	}
	if len(r.Groups) > 0 && left != (Sum{}) {
		return errors.New("the groups do not add up to the documents")
	}
	return nil
}

func (r *Record) bad(t *Tally) error {
	if r.Bad < 0 || (r.Bad > 0) != (r.FirstBad != nil) {
		return fmt.Errorf("%d documents could not be read; want firstBad exactly if that number is above 0", r.Bad)
	}
	t.Bad = r.Bad
	if r.FirstBad != nil {
		t.FirstBad = r.FirstBad
	}
	if t.Dialects = r.Dialects; t.Dialects != 0 && t.Dialects.String() == "" {
		return fmt.Errorf("unknown dialects %d", t.Dialects)
	}
	return nil
}

// Numbers are whole numbers, the largest part of a record. UnmarshalJSON reads them
// several times faster than encoding/json.
type Numbers []int64

// UnmarshalJSON reads an array of whole numbers.
func (n *Numbers) UnmarshalJSON(text []byte) error {
	*n = nil
	inside, ok := bytes.CutPrefix(text, []byte("["))
	if !ok {
		return fmt.Errorf("want an array of whole numbers, got %.20s", text)
	}
	inside = bytes.TrimSpace(inside[:len(inside)-1])
	if len(inside) == 0 {
		return nil
	}
	*n = make(Numbers, 0, bytes.Count(inside, []byte(","))+1)
	for one := range bytes.SplitSeq(inside, []byte(",")) {
		i, err := strconv.ParseInt(string(bytes.TrimSpace(one)), 10, 64)
		if err != nil {
			return fmt.Errorf("want whole numbers up to 64 bits: %w", err)
		}
		*n = append(*n, i)
	}
	return nil
}
