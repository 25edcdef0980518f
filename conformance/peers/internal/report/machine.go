package report

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"time"
)

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
