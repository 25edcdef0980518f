package audit

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Report is what an audit of all targets found.
type Report struct {
	Now     policy.Instant
	Results []Result
}

// Count returns how many findings there are of each severity.
func (r Report) Count() (n [Deletes + 1]int) {
	for _, one := range r.Results {
		for _, f := range one.Findings {
			n[f.Severity]++
		}
	}
	return n
}

// Wrong returns how many findings are graver than [Harmless].
func (r Report) Wrong() int {
	n := r.Count()
	return n[Keeps] + n[Unspecified] + n[Deletes]
}

// Bad returns how many documents could not be read and were skipped.
func (r Report) Bad() (n int64) {
	for _, one := range r.Results {
		n += one.Bad
	}
	return n
}

// Summary says in one line what was found.
func (r Report) Summary() string {
	var parts []string
	count := r.Count()
	for s := int(Deletes); s >= 0; s-- {
		switch n := count[s]; n {
		case 0:
		case 1:
			parts = append(parts, "1 "+severities[s].phrase)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", n, severities[s].several))
		}
	}
	if len(parts) == 0 {
		return "nothing found"
	}
	return "found: " + strings.Join(parts, ", ")
}

// scope says what was looked at: "2 TTL indexes, 2,000 documents".
func (r *Result) scope() string {
	what := "no time to live"
	switch {
	case r.Target.Container() && r.Sources > 0:
		what = "time to live on"
	case r.Target.Container():
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
