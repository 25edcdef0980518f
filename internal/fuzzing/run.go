package fuzzing

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var generate = flag.String("generate", "", "draw inputs without Go's fuzzer, for a time or a number of them: 10m, 1000000x")

// seeds is the number of seeds from which an ordinary test run draws inputs.
const seeds = 32

// Run is the body of a fuzz target whose inputs are drawn from choices. Every call
// of check is one execution.
func Run(f *testing.F, check func(t testing.TB, r Random)) {
	f.Helper()
	for i := range uint64(seeds) {
		f.Add(seeded(i)) // without bytes after the seed; the next line adds bytes to mutate
		f.Add(append(seeded(^i), make([]byte, i)...))
	}
	drawn(f, func(r Random) { check(f, r) }, func(seed []byte) []byte { return seed })
	f.Fuzz(func(t *testing.T, data []byte) { check(t, NewRandom(data)) })
}

// Texts is the body of a fuzz target whose input is a text, which Go's fuzzer mutates
// directly. The function draw makes the first texts; -generate makes more of them by the
// same function.
func Texts(f *testing.F, draw func(r Random) []byte, check func(t testing.TB, text []byte)) {
	f.Helper()
	for i := range uint64(seeds) {
		f.Add(draw(NewRandom(seeded(i))))
	}
	drawn(f, func(r Random) { check(f, draw(r)) }, func(seed []byte) []byte { return draw(NewRandom(seed)) })
	f.Fuzz(func(t *testing.T, text []byte) { check(t, text) })
}

// Property is the body of a fuzz target that is a property for rapid.
func Property(f *testing.F, property func(*rapid.T)) {
	f.Helper()
	const round = 1000
	if *generate != "" {
		must(f, flag.Set("rapid.checks", strconv.Itoa(round)))
		b := newBudget(f)
		for b.left(round) {
			rapid.Check(f, property)
		}
		b.report(f)
	}
	f.Fuzz(rapid.MakeFuzz(property))
}

// drawn checks as many inputs as -generate allows. It adds a failing input to the
// target's corpus. The function input makes this input from its seed.
func drawn(f *testing.F, check func(Random), input func(seed []byte) []byte) {
	f.Helper()
	if *generate == "" {
		return
	}
	const round = 64
	seed, b := rand.Uint64(), newBudget(f)
	var s choices
	finished := false
	defer func() {
		if !finished {
			f.Logf("the failing input is %s", keep(f, input(seeded(seed))))
		}
	}()
	for b.left(round) {
		for range round {
			seed++
			s = choices{state: seed}
			check(Random{rand.New(&s)})
			if f.Failed() {
				f.FailNow()
			}
		}
	}
	finished = true
	b.report(f)
}

// keep writes an input into the corpus of a target.
func keep(f *testing.F, input []byte) string {
	name := filepath.Join("testdata", "fuzz", f.Name(), fmt.Sprintf("%x", sha256.Sum256(input))[:16])
	must(f, os.MkdirAll(filepath.Dir(name), 0o777))
	must(f, os.WriteFile(name, fmt.Appendf(nil, "go test fuzz v1\n[]byte(%q)\n", input), 0o666))
	return name
}

func seeded(seed uint64) []byte { return binary.LittleEndian.AppendUint64(nil, seed) }

// A budget is the time, or the number of executions, that -generate allows a target.
type budget struct {
	start, end time.Time
	most, done int64
}

func newBudget(f *testing.F) *budget {
	f.Helper()
	b := &budget{start: time.Now()}
	if number, ok := strings.CutSuffix(*generate, "x"); ok {
		n, err := strconv.ParseInt(number, 10, 64)
		must(f, err)
		b.most = n
		return b
	}
	length, err := time.ParseDuration(*generate)
	must(f, err)
	b.end = b.start.Add(length)
	return b
}

// left reports whether n more executions are allowed, and counts them.
func (b *budget) left(n int64) bool {
	if b.most > 0 && b.done >= b.most || b.most == 0 && time.Now().After(b.end) {
		return false
	}
	b.done += n
	return true
}

func (b *budget) report(f *testing.F) {
	fmt.Printf("generated %s %d executions in %.0f s\n", f.Name(), b.done, time.Since(b.start).Seconds())
}

func must(f *testing.F, err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}
