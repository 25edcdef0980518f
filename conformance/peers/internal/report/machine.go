package report

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"time"
)

// Conditions are under which the table was measured.
type Conditions struct {
	Rounds      int
	Turn        time.Duration
	Sweep, Rows int
}

// machine describes the machine without naming it: the processor's model, how
// many of them Go uses, and the Go version.
func machine() string {
	return fmt.Sprintf("%s, %d logical processors, %s/%s, %s",
		processor(), runtime.GOMAXPROCS(0), runtime.GOOS, runtime.GOARCH, runtime.Version())
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
