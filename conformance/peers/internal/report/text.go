package report

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
)

// Text writes the table for a terminal, and a line that sums it up.
func Text(w io.Writer, results []race.Result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ROW\tWORK\tAGAINST\tRATIO\tGOAL\t\tALLOCS")
	met, all := 0, 0
	for _, r := range results {
		for _, o := range r.Outcomes {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Row, r.Name, o.Goal.Name, Ratio(o), Goal(o.Goal), verdict(r, o), allocations(r))
			all++
			if o.Met {
				met++
			}
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d of %d goals met\n", met, all)
	return err
}

// Times writes every side's nanoseconds per input, for orientation: those of
// two runs cannot be compared.
func Times(w io.Writer, results []race.Result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nROW\tWORK\tSIDE\tNS")
	for _, r := range results {
		for _, side := range r.Sides {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.Row, r.Name, side, plain(r.Medians[side]))
		}
	}
	return t.Flush()
}

// Ratio is an outcome's ratio with its unit, "-" if there is none.
func Ratio(o race.Outcome) string {
	if math.IsNaN(o.Ratio) {
		return "-"
	}
	return quantity(o.Ratio, o.Goal.Unit)
}

// Goal is a goal with its direction and unit, such as "≥ 2.2x".
func Goal(g race.Goal) string {
	sign := "≥ "
	if g.AtMost {
		sign = "≤ "
	}
	if g.Unit == "" {
		return sign + fmt.Sprintf("%gx", g.Want)
	}
	return sign + fmt.Sprintf("%g %s", g.Want, g.Unit)
}

// quantity writes a number to three digits, larger ones whole.
func quantity(f float64, unit string) string {
	decimals := 2
	if a := math.Abs(f); a >= 100 {
		decimals = 0
	} else if a >= 10 {
		decimals = 1
	}
	if unit == "" {
		return fmt.Sprintf("%.*fx", decimals, f)
	}
	return fmt.Sprintf("%.*f %s", decimals, f, unit)
}

func verdict(r race.Result, o race.Outcome) string {
	switch {
	case !r.Offered:
		return "not offered"
	case o.Met:
		return "met"
	}
	return "NOT MET"
}

func allocations(r race.Result) string {
	if math.IsNaN(r.Allocations) {
		return "-"
	}
	return fmt.Sprintf("%.4g", r.Allocations)
}
