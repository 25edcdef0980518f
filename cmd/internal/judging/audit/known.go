package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/namespace"
)

// Known is the reason why a finding does not count.
type Known string

// Reasons why a finding does not count.
const (
	Ignored   Known = "ignored"  // an Ignore names the rule of the finding
	Baselined Known = "baseline" // the baseline holds the finding
)

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

// A Baseline is a list of findings known from an earlier audit. The zero Baseline holds
// no findings.
type Baseline struct {
	// Version is the version of the format, which is 1.
	Version  int            `json:"version"`
	Findings []KnownFinding `json:"findings"`
}

// A KnownFinding counts findings that differ only in documents and wording. A finding
// that becomes more severe counts as new.
type KnownFinding struct {
	fingerprint
	Count int `json:"count"`
}

// A fingerprint holds the parts of a finding by which a baseline recognizes it.
type fingerprint struct {
	Namespace string   `json:"namespace"` // the namespace, or the file that describes the collection
	Index     string   `json:"index,omitempty"`
	Rule      string   `json:"rule"`
	Severity  Severity `json:"severity"`
}

func (r *Result) fingerprint(f *Finding) fingerprint {
	return fingerprint{r.Target.Title(), f.Index, f.Rule.String(), f.Severity}
}

// Baseline returns the findings that count.
func (r *Report) Baseline() Baseline {
	b := Baseline{Version: 1, Findings: []KnownFinding{}}
	at := map[fingerprint]int{}
	for i := range r.Results {
		for _, f := range r.Results[i].shown() {
			p := r.Results[i].fingerprint(f)
			if _, ok := at[p]; !ok {
				at[p] = len(b.Findings)
				b.Findings = append(b.Findings, KnownFinding{fingerprint: p})
			}
			b.Findings[at[p]].Count++
		}
	}
	return b
}

// counts returns the number of findings in b, by fingerprint.
func (b Baseline) counts() map[fingerprint]int {
	n := make(map[fingerprint]int, len(b.Findings))
	for _, k := range b.Findings {
		n[k.fingerprint] = k.Count
	}
	return n
}

// Compare marks the findings that b holds. If the report has more findings with a
// fingerprint than b holds, Compare marks none of them, because it cannot tell which are
// new. Compare returns the number of findings of b that the report lacks.
func (r *Report) Compare(b Baseline) (gone int) {
	known, now := b.counts(), r.Baseline().counts()
	for i := range r.Results {
		for _, f := range r.Results[i].shown() {
			if p := r.Results[i].fingerprint(f); now[p] <= known[p] {
				f.Known = Baselined
			}
		}
	}
	for p, n := range known {
		gone += max(n-now[p], 0)
	}
	return gone
}

// maxCount is the largest count of one finding that a baseline may have.
const maxCount = 1_000_000

// ReadBaseline reads the JSON form of a Baseline that [Report.Baseline] returned.
func ReadBaseline(text []byte) (b Baseline, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&b); err != nil {
		return Baseline{}, fmt.Errorf("at byte %d: %w", d.InputOffset(), err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Baseline{}, fmt.Errorf("at byte %d: unexpected data after the baseline", d.InputOffset())
	}
	if b.Version != 1 {
		return Baseline{}, fmt.Errorf("version %d, want 1", b.Version)
	}
	seen := map[fingerprint]bool{}
	for _, k := range b.Findings {
		switch {
		case seen[k.fingerprint]:
			return Baseline{}, fmt.Errorf("a finding of the rule %s is listed twice; list it once, with its count", cli.Visible(k.Rule))
		case k.Count < 1 || k.Count > maxCount:
			return Baseline{}, fmt.Errorf("a finding of the rule %s has the count %d, want 1 to %d", cli.Visible(k.Rule), k.Count, maxCount)
		}
		seen[k.fingerprint] = true
	}
	return b, nil
}
