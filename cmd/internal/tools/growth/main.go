//go:build linux

// Command growth runs the tool on each shape of hostile input in two sizes, and compares
// the costs: the instructions that valgrind counts, and the peak of memory that the
// kernel saw. Twice the input may take at most 2.2 times the instructions, which allows
// for sorting. A shape whose size is limited in the tool is measured up to that limit,
// and may take 4,000,000,000 instructions, which last about a second. The command prints
// a row for each shape, and fails if one grows faster.
//
//	growth TTL           all shapes, by the program TTL
//	growth TTL PATTERN   those whose names the regular expression matches
//
// The load of the machine does not matter. The instructions that the tool needs to start
// are subtracted from both sizes.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

func main() {
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// most is the largest ratio of the instructions for twice the input to those for the
// input.
const most = 2.2

// mostAtLimit is the largest number of instructions for a shape at the limit of
// its size.
const mostAtLimit = 4_000_000_000

func run(w io.Writer, args []string) error {
	if len(args) == 0 || len(args) > 2 {
		return errors.New("usage: growth TTL [PATTERN]")
	}
	pattern, err := regexp.Compile(strings.Join(args[1:], ""))
	if err != nil {
		return err
	}
	ttl, err := filepath.Abs(args[0])
	if err != nil {
		return err
	}
	start, err := instructions(ttl, ".", []string{"--version"})
	if err != nil {
		return err
	}
	var faster []string
	for _, s := range allShapes() {
		if !pattern.MatchString(s.name) {
			continue
		}
		c, err := s.compare(ttl, start)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		verdict, isLimited := "", slices.Contains(limited, s.name)
		switch {
		case isLimited && c.twice <= mostAtLimit:
			verdict = "  at the limit"
		case isLimited || c.growth() > most:
			verdict = "  GROWS FASTER"
			faster = append(faster, s.name)
		}
		fmt.Fprintf(w, "%-28s n = %6d %14d  2n: %14d  %5.2f times %5d MB  2n: %5d MB%s\n", s.name, s.n, c.once, c.twice, c.growth(), c.peak>>20, c.peakTwice>>20, verdict)
	}
	if len(faster) > 0 {
		return fmt.Errorf("the cost of these shapes grows faster than their input: %s", strings.Join(faster, ", "))
	}
	return nil
}

// A cost holds the cost of a shape in two sizes.
type cost struct {
	once, twice     int64 // instructions
	peak, peakTwice int64 // bytes
}

func (c cost) growth() float64 { return float64(c.twice) / float64(max(1, c.once)) }

// compare runs the tool on s in two sizes.
func (s shape) compare(ttl string, start int64) (c cost, err error) {
	dir, err := os.MkdirTemp("", "growth")
	if err != nil {
		return c, err
	}
	defer os.RemoveAll(dir)
	var counted, peaks [2]int64
	for i, n := range []int{s.n, 2 * s.n} {
		size := filepath.Join(dir, strconv.Itoa(n))
		if err := os.Mkdir(size, 0o700); err != nil {
			return c, err
		}
		args, err := s.make(ttl, size, n)
		if err != nil {
			return c, err
		}
		if counted[i], err = instructions(ttl, size, args); err != nil {
			return c, err
		}
		if peaks[i], err = peak(ttl, size, args); err != nil {
			return c, err
		}
	}
	return cost{counted[0] - start, counted[1] - start, peaks[0], peaks[1]}, nil
}

var refs = regexp.MustCompile(`I\s+refs:\s+([\d,]+)`)

// instructions counts the instructions of a run of the tool in a folder. The environment
// turns garbage collections off, because they depend on the memory in use and not on the
// work. It names a memory limit, because the tool otherwise sets its own.
func instructions(ttl, dir string, args []string) (int64, error) {
	cmd := exec.Command("valgrind", append([]string{"--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", ttl}, args...)...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=off", "GOMEMLIMIT=1TiB", "GODEBUG=asyncpreemptoff=1,cpu.all=off")
	errs, err := runIn(dir, cmd)
	if err != nil {
		return 0, err
	}
	m := refs.FindSubmatch(errs)
	if m == nil {
		return 0, fmt.Errorf("valgrind counted nothing:\n%s", errs)
	}
	return strconv.ParseInt(strings.ReplaceAll(string(m[1]), ",", ""), 10, 64)
}

// peak returns the peak memory of a run of the tool in a folder, in bytes.
func peak(ttl, dir string, args []string) (int64, error) {
	cmd := exec.Command(ttl, args...)
	if _, err := runIn(dir, cmd); err != nil {
		return 0, err
	}
	return int64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) * 1024, nil
}

// runIn runs a command in a folder, and returns its standard error. It returns an error
// if the command was killed or ended with the exit code of a usage error, 2. It accepts
// all other codes, because the tool may refuse a shape. It also accepts code 2 of plan,
// because this code says that there are changes.
func runIn(dir string, cmd *exec.Cmd) ([]byte, error) {
	const usage = 2
	var errs bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &errs
	err := cmd.Run()
	code := cmd.ProcessState.ExitCode()
	if code < 0 || code == usage && !slices.Contains(cmd.Args, "plan") {
		return nil, fmt.Errorf("%v: %w\n%s", cmd.Args, err, errs.Bytes())
	}
	return errs.Bytes(), nil
}
