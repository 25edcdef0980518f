// Package report writes what a race came to: as a table, as JSON, and as the
// page docs/performance.md with its charts.
package report

import (
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
)

// Text writes the table for a terminal, and a line that sums it up.
func Text(w io.Writer, results []race.Result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ROW\tWORK\tAGAINST\tRATIO\tGOAL\t\tALLOCS")
	met, all := 0, 0
	for _, r := range results {
		for _, o := range r.Outcomes {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Row, r.Name, o.Goal.Name, Ratio(o), Goal(o.Goal), verdict(o), allocations(r))
			switch {
			case o.Goal.Open:
			case o.Met:
				met, all = met+1, all+1
			default:
				all++
			}
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d of %d goals met\n", met, all)
	return err
}

// Ratio is an outcome's ratio with its unit.
func Ratio(o race.Outcome) string { return quantity(o.Ratio, o.Goal.Unit) }

// Goal is a goal with its direction and unit, such as "≥ 2.2x", and "none" for what is
// there for information.
func Goal(g race.Goal) string {
	if g.Open {
		return "none"
	}
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

func verdict(o race.Outcome) string {
	switch {
	case o.Goal.Open:
		return "information"
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

// Conditions are under which the table was measured.
type Conditions struct {
	Day         time.Time
	Machine     string // see Machine
	Rounds      int
	Turn        time.Duration
	Sweep, Rows int
}

// Machine describes the machine without naming it: the processor's model, how
// many of them Go uses, the Go version, and how busy all of it was.
func Machine() string {
	return fmt.Sprintf("%s, %d logical processors, %s/%s, %s, and a load average of %s at the end",
		processor(), runtime.GOMAXPROCS(0), runtime.GOOS, runtime.GOARCH, runtime.Version(), load())
}

// load is the load average of the last minute, as Linux tells it. The program
// itself makes 1; what is more is others.
func load() string {
	averages, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	last, _, _ := strings.Cut(string(averages), " ")
	return last
}

var modelName = regexp.MustCompile(`(?m)^model name\s*:\s*(.+)$`)

// processor is the model as Linux tells it.
func processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "a processor of unknown model"
	}
	m := modelName.FindSubmatch(info)
	if m == nil {
		return "a processor of unknown model"
	}
	return string(m[1])
}
