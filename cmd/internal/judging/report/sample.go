package report

import (
	"fmt"
	"math"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

// A Sample means that the documents of a collection were drawn at random. Of is the
// server's count of all documents; -1 if the server returns no count.
type Sample struct{ Of int64 }

// An interval is the 95 % confidence interval of a share of all documents. It also has
// the bounds as numbers of documents.
type interval struct {
	Least float64 `json:"least"` // the bounds of the share, from 0 to 1
	Most  float64 `json:"most"`
	// LeastDocuments and MostDocuments are null if the number of all documents is not
	// known.
	LeastDocuments *int64 `json:"leastDocuments"`
	MostDocuments  *int64 `json:"mostDocuments"`
}

// wilson returns the 95 % confidence interval of E. B. Wilson (Journal of the American
// Statistical Association 22, 1927) for the share k/n.
func wilson(k, n int64) (least, most float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959964
	p, m := float64(k)/float64(n), float64(n)
	middle := p + z*z/(2*m)
	half := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	scale := 1 + z*z/m
	return max(0, (middle-half)/scale), min(1, (middle+half)/scale)
}

// intervalOf returns the interval of a share of all documents, if k of n drawn documents
// belong to the share.
func (s *Sample) intervalOf(k, n int64) (i interval) {
	i.Least, i.Most = wilson(k, n)
	if s.Of >= 0 {
		least, most := int64(math.Floor(i.Least*float64(s.Of))), int64(math.Ceil(i.Most*float64(s.Of)))
		i.LeastDocuments, i.MostDocuments = &least, &most
	}
	return i
}

func (i interval) String() string {
	text := fmt.Sprintf("%.2f to %.2f %%", 100*i.Least, 100*i.Most)
	if i.LeastDocuments != nil {
		text += fmt.Sprintf(" (%s to %s)", cli.Number(*i.LeastDocuments), cli.Number(*i.MostDocuments))
	}
	return text
}

type sampleJSON struct {
	Documents  *int64   `json:"documents"` // the server's count of the whole collection; null if unknown
	Confidence float64  `json:"confidence"`
	Expired    interval `json:"expired"`
	Pending    interval `json:"pending"`
	Never      interval `json:"never"`
	Unknown    interval `json:"unknown"`
}

// sample returns the sample behind c's counts; nil if all documents were counted.
func (c Collection) sample() *sampleJSON {
	if c.Sample == nil {
		return nil
	}
	t := c.Tally
	all := t.Total().Documents
	out := &sampleJSON{Confidence: 0.95, Expired: c.Sample.intervalOf(t.Expired.Documents, all),
		Pending: c.Sample.intervalOf(t.Pending.Documents, all), Never: c.Sample.intervalOf(t.Never.Documents, all), Unknown: c.Sample.intervalOf(t.Unknown.Documents, all)}
	if c.Sample.Of >= 0 {
		out.Documents = &c.Sample.Of
	}
	return out
}

// Notes returns the notes of c's policy, and a note if its documents are a sample.
func (c Collection) Notes() []string {
	s := c.sample()
	if s == nil {
		return c.Policy.Notes
	}
	of := ""
	if s.Documents != nil {
		of = " of about " + cli.Number(*s.Documents)
	}
	note := fmt.Sprintf("A sample: %s%s, drawn at random. All that is counted here is of the sample. Of the whole collection, with 95 %% confidence, %s have expired, %s are pending, and %s never expire.",
		cli.Documents(c.Tally.Total().Documents), of, s.Expired, s.Pending, s.Never)
	if c.Tally.Unknown.Documents > 0 {
		note += fmt.Sprintf(" When the other %s expire is unknown.", s.Unknown)
	}
	return append([]string{note}, c.Policy.Notes...)
}
