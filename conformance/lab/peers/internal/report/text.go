// Package report writes the results of the benchmarks: as a table for a terminal, and as
// the page docs/performance.md with its charts.
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

	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/goals"
)

// Text writes the table for a terminal, and a line that sums it up.
func Text(w io.Writer, lines []goals.Line) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ROW\tWORK\tAGAINST\tRATIO\tGOAL\t\tALLOCS")
	met, all := 0, 0
	for _, l := range lines {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.Row, l.Work, l.Against, ratio(l), l.Text, verdict(l), allocations(l))
		if !l.Open {
			all++
		}
		if !l.Open && l.Met() {
			met++
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d of %d goals met\n", met, all)
	return err
}

// ratio returns a line's ratio with its unit, rounded to three digits, or to a whole
// number from 100 on.
func ratio(l goals.Line) string {
	decimals := 2
	if a := math.Abs(l.Ratio); a >= 100 {
		decimals = 0
	} else if a >= 10 {
		decimals = 1
	}
	return strings.Replace(fmt.Sprintf("%.*f %s", decimals, l.Ratio, l.Unit), " x", "x", 1)
}

func verdict(l goals.Line) string {
	switch {
	case l.Open:
		return "information"
	case l.Met():
		return "met"
	}
	return "NOT MET"
}

func allocations(l goals.Line) string {
	if math.IsNaN(l.Allocations) {
		return "-"
	}
	return fmt.Sprintf("%.4g", l.Allocations)
}

// Conditions are the conditions under which the table was measured.
type Conditions struct {
	Day         time.Time
	Machine     string // see Machine
	Rounds      int
	Turn        time.Duration
	Sweep, Rows int
}

// Machine describes the machine without naming it: the processor's model, the number of
// logical processors that Go uses, the Go version, and the load average.
func Machine() string {
	return fmt.Sprintf("%s, %d logical processors, %s/%s, %s, and a load average of %s at the end",
		processor(), runtime.GOMAXPROCS(0), runtime.GOOS, runtime.GOARCH, runtime.Version(), load())
}

// load is the load average of the last minute that Linux reports. The program itself
// causes 1; other programs cause the rest.
func load() string {
	averages, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	last, _, _ := strings.Cut(string(averages), " ")
	return last
}

var modelName = regexp.MustCompile(`(?m)^model name\s*:\s*(.+)$`)

// processor is the processor's model that Linux reports.
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
