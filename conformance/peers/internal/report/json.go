package report

import (
	"encoding/json"
	"io"
	"math"

	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
)

// A line is one goal, as JSON shows it.
type line struct {
	Name  string   `json:"name"`
	Ratio *float64 `json:"ratio"` // null if the library does not offer the work
	Goal  float64  `json:"goal"`
	Met   bool     `json:"met"`
}

// JSON writes {"lines":[…]}.
func JSON(w io.Writer, results []race.Result) error {
	lines := []line{}
	for _, r := range results {
		for _, o := range r.Outcomes {
			lines = append(lines, line{r.Label(o), number(o.Ratio), o.Goal.Want, o.Met})
		}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(map[string][]line{"lines": lines})
}

// number is f to three decimals; what JSON has no number for is null.
func number(f float64) *float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	f = math.Round(f*1000) / 1000
	return &f
}
