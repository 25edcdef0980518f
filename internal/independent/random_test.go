package independent

import (
	"flag"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

var (
	seedFlag      = flag.Uint64("independent.seed", 1, "the seed of the random documents")
	documentsFlag = flag.Int("independent.documents", 20_000, "how many random documents each release is asked about")
)

// documents returns the number of documents for each release.
func documents() int {
	switch {
	case testing.Short():
		return 5_000
	case raceDetector:
		return *documentsFlag / 2
	}
	return *documentsFlag
}

// dice are the source of all random choices.
type dice struct{ fuzzing.Random }

func newDice(stream uint64) dice {
	return dice{fuzzing.Random{Rand: rand.New(rand.NewPCG(*seedFlag, stream))}}
}

// profiles caches the profiles that profileOf has returned.
var profiles = map[string]mongo.Profile{}

// profileOf returns the profile of a release.
func profileOf(t testing.TB, release string) mongo.Profile {
	t.Helper()
	if profile, ok := profiles[release]; ok {
		return profile
	}
	profiles[release] = fixture.Profile(t, release)
	return profiles[release]
}

// A tally counts how often each class of documents came up.
type tally map[string]int

// require fails the test unless each class has enough of the total of documents: at least
// one in oneOf[class].
func (c tally) require(t *testing.T, total int, oneOf map[string]int) {
	t.Helper()
	for class, n := range oneOf {
		if c[class]*n < total {
			t.Errorf("class %q: %d of %d documents, want one of %d at least", class, c[class], total, n)
		}
	}
	t.Logf("%d documents: %v", total, map[string]int(c))
}

// numbered returns an array whose elements sometimes have names other than their
// positions: shifted, shuffled or repeated positions, or names that are not numbers. Some
// names are taken from the rest of a path.
func (d dice) numbered(elements []*node, path ...string) *node {
	a := array(elements...)
	if len(elements) == 0 || !d.Percent(30) {
		return a
	}
	for i := range a.fields {
		switch d.IntN(6) {
		case 0, 1:
			a.fields[i].name = strconv.Itoa(i + 1)
		case 2:
			a.fields[i].name = strconv.Itoa(d.IntN(3))
		case 3:
			a.fields[i].name = fuzzing.Pick(d.Random, append(path, "a", "b", "c", "00", "01", "-1", "")...)
		}
	}
	return a
}

// scattered returns an object of the fields, now and then with a second field of the same
// name, or with further fields.
func (d dice) scattered(extra func() *node, fields ...member) *node {
	if len(fields) > 0 && d.Percent(5) {
		again := member{fields[0].name, extra()}
		if d.Percent(50) {
			fields = append([]member{again}, fields...)
		} else {
			fields = append(fields, again)
		}
	}
	if d.Percent(20) {
		fields = append(fields, member{fuzzing.Pick(d.Random, "a", "b", "c", "0", "1", "x"), extra()})
	}
	return object(fields...)
}

// byPosition returns n with all elements named by their positions.
func byPosition(n *node) *node {
	same := *n
	same.fields = nil
	for i, f := range n.fields {
		name := f.name
		if n.typ == tArray {
			name = strconv.Itoa(i)
		}
		same.fields = append(same.fields, member{name, byPosition(f.value)})
	}
	return &same
}

// isTurn reports whether path meets an array that has an element of the next
// component's name.
func isTurn(doc *node, path []string) bool {
	for i, component := range path {
		doc = named(doc.fields, component)
		if doc == nil {
			return false
		}
		if doc.typ == tArray {
			return i+1 < len(path) && named(doc.fields, path[i+1]) != nil
		}
	}
	return false
}
