// Command samples writes the sample dump and export that the README, the
// documentation and the tests use:
//
//	go run ./cmd/internal/tools/samples cmd/samples
//
// It writes the same bytes on every machine and with every Go release. With
// -docs it writes as many documents as asked for, one after another, so that
// the tool can be measured on dumps of any size:
//
//	go run ./cmd/internal/tools/samples -part logs -docs 10000000 /tmp/big
package main

import (
	"embed"
	"flag"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/output"
)

// seed is the seed of the random numbers of every part.
const seed = 20261120

// now is the instant of the documentation, 2026-11-20T00:00:00Z, in
// milliseconds. The samples were "exported" shortly before.
const now = 1_795_132_800_000

// files are the files that tools write beside documents: listings of indexes, settings.
//
//go:embed files
var files embed.FS

// A part is a file of documents together with the small files beside it.
type part struct {
	name   string   // as -part names it
	file   string   // below the directory
	docs   int      // how many documents the committed sample has
	beside []string // the names of the files beside it
	// append appends document i of n.
	append func(dst []byte, r *random, i, n int) []byte
}

var parts = []part{logs, sessions, items, hazards, upgrade}

func main() {
	only := flag.String("part", "", "write this part alone: logs, sessions, items, hazards or upgrade")
	docs := flag.Int("docs", 0, "write this many documents in place of the sample's own number")
	flag.Parse()
	if err := run(flag.Args(), *only, *docs); err != nil {
		fmt.Fprintln(os.Stderr, "samples:", err)
		os.Exit(1)
	}
}

func run(args []string, only string, docs int) error {
	if len(args) != 1 {
		return fmt.Errorf("got %d arguments, want one, the directory", len(args))
	}
	written := 0
	for _, p := range parts {
		if only != "" && only != p.name {
			continue
		}
		if docs > 0 {
			p.docs = docs
		}
		if err := p.write(args[0]); err != nil {
			return err
		}
		written++
	}
	if written == 0 {
		return fmt.Errorf("no part %q, want logs, sessions, items, hazards or upgrade", only)
	}
	return nil
}

// write writes p's files below dir.
func (p part) write(dir string) error {
	for _, name := range p.beside {
		text, err := files.ReadFile("files/" + name)
		if err != nil {
			return err
		}
		if err := output.Replace(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	file := filepath.Join(dir, p.file)
	if err := output.MakeFolder(filepath.Dir(file)); err != nil {
		return err
	}
	return p.writeDocs(file)
}

func (p part) writeDocs(name string) error {
	f, err := output.Create(name, output.Options{Force: true})
	if err != nil {
		return err
	}
	defer f.Discard()
	r := newRandom(p.name)
	var doc []byte
	for i := range p.docs {
		doc = p.append(doc[:0], r, i, p.docs)
		if _, err := f.Write(doc); err != nil {
			return err
		}
	}
	return f.Commit()
}

// random is a SplitMix64 generator (Steele, Lea, Flood: Fast Splittable
// Pseudorandom Number Generators, OOPSLA 2014). It is written out here because
// the samples must not change with a Go release.
type random struct{ state uint64 }

// newRandom returns the generator of a part. Each part has its own generator, so that no
// part depends on the number of documents in another.
func newRandom(part string) *random {
	r := &random{seed}
	for _, c := range []byte(part) {
		r.state = r.next() ^ uint64(c)
	}
	return r
}

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a random number from 0 to n-1.
func (r *random) below(n int) int {
	high, _ := bits.Mul64(r.next(), uint64(n))
	return int(high)
}

// among returns one of several texts at random.
func (r *random) among(texts []string) string { return texts[r.below(len(texts))] }

// A choice is a thing to write and its share among several.
type choice[T any] struct {
	share int
	pick  T
}

// choose draws a choice. The probability of each choice is its share of the total.
func choose[T any](r *random, choices []choice[T]) T {
	total := 0
	for _, c := range choices {
		total += c.share
	}
	n := r.below(total)
	for _, c := range choices {
		if n -= c.share; n < 0 {
			return c.pick
		}
	}
	panic("unreachable: n is below the total")
}

// missing is the value of a field that is left out.
type missing struct{}

// documents returns a function that appends documents in BSON. The documents that
// document returns may hold fields with the value [missing].
func documents(document func(r *random, i, n int) bson.D) func(dst []byte, r *random, i, n int) []byte {
	return func(dst []byte, r *random, i, n int) []byte {
		d := slices.DeleteFunc(document(r, i, n), func(e bson.E) bool { return e.Value == missing{} })
		text, err := bson.Marshal(d)
		if err != nil {
			panic(err) // every value above has a form in BSON
		}
		return append(dst, text...)
	}
}

// dates is an array of dates.
func dates(list ...int64) (a bson.A) {
	for _, at := range list {
		a = append(a, bson.DateTime(at))
	}
	return a
}
