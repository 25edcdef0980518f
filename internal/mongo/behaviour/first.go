package behaviour

import (
	"math"
	"strings"
	"sync"
)

// FirstRelease returns the first release in which documents expire as in p. legacyNull
// reports whether p has the server parameter that reads null as earlier releases do. For
// the zero Profile ok is false.
func FirstRelease(p Profile) (first Version, legacyNull, ok bool) {
	if p.BrokenPaths == BrokenPathsLegacyNull {
		p.BrokenPaths, legacyNull = BrokenPathsNull, true
	}
	if p.EitherEngine {
		p.CollModStores = StoresByEngine // CollModStores does not affect expiry
	}
	first, ok = firstReleases()[p]
	return first, legacyNull && ok, ok
}

// firstReleases returns a map from the profile of each release to the first release with
// that profile.
var firstReleases = sync.OnceValue(func() map[Profile]Version {
	first := map[Profile]Version{}
	for _, line := range []Version{Oldest, OldestDocumentDB} {
		for ; ; line = line.NextLine() {
			last := line
			last.Patch = math.MaxUint16
			end, ok := Of(last)
			if !ok {
				break
			}
			for {
				here, _ := Of(line)
				if _, ok := first[here]; !ok {
					first[here] = line
				}
				if here == end {
					break
				}
				line.Patch++
			}
		}
	}
	return first
})

// A Development is a state of the main branch of MongoDB's server that was compiled and
// run. A state of the main branch is not a release: it may have what no release has, and
// lack what the release after it has. So it has no version, and its profile is that of the
// release after it with the named differences.
type Development struct {
	Name        string // such as "4.4-dev"
	Commit      string // the commit that was compiled
	Date        string // the day of the commit, in ISO 8601
	Release     Version
	Differences []Difference
}

// A Difference is a behaviour in which a Development and the release after it differ.
type Difference struct {
	Behaviour string // the name of the behaviour in testdata/boundaries
	Why       string
	set       func(p *Profile)
}

// Developments are the states of the main branch whose answers testdata/corpus holds
// (cswanson310/mongo, branch new-optimizer-feature-flag).
var Developments = []Development{
	{"4.4-dev", "cc814e4c87c1ae20ef7c0840344496043dbdf18d", "2020-04-21", v(4, 4, 0), []Difference{
		{"hiddenIndexes", "hidden indexes came after the branch of 4.4 (SERVER-9306, bad7c538e7), and to 4.4 by a backport",
			func(p *Profile) { p.HiddenIndexes = false }},
		{"collModRepliesChange", "the commit of hidden indexes changed the reply too",
			func(p *Profile) { p.CollModRepliesChange = true }},
	}},
	{"5.0-dev", "5c9288ff2d32ef9b24625883e6f67d279f344356", "2021-05-18", v(5, 0, 0), []Difference{
		{"collModRange", "no file of 5.0.0 shows whether the bound by the seconds since 1970 came in the weeks between; this state stores any number of 32 bits",
			func(p *Profile) { p.CollModRange = CollModStoresInt32 }},
		{"seriesRounds", "no file of 5.0.0 shows whether buckets are rounded; in this state they are not",
			func(p *Profile) { p.SeriesRounds = Refused }},
	}},
}

// Profile returns the profile of d.
func (d Development) Profile() Profile {
	p, _ := Of(d.Release)
	for _, difference := range d.Differences {
		difference.set(&p)
	}
	return p
}

// DevelopmentNamed returns the state with a name such as "4.4-dev".
func DevelopmentNamed(name string) (Development, bool) {
	for _, d := range Developments {
		if d.Name == name {
			return d, true
		}
	}
	return Development{}, false
}

// ProcessingIn returns whether a release deletes in a namespace, by the kinds of
// the namespace's database and of its name.
func (p Profile) ProcessingIn(database, name string) processing {
	inDatabase, byName := p.Namespaces[kindOfDatabase(database)], p.Namespaces[kindOf(database, name)]
	if inDatabase == Processed || byName == neverProcessed {
		return byName
	}
	return inDatabase
}

// UseOf returns whether clients may write in a namespace, in releases whose monitor asks
// the same before it deletes there.
func (p Profile) UseOf(database, name string) acceptance {
	switch p.ProcessingIn(database, name) {
	case Processed:
		return Accepted
	case neverProcessed:
		return Refused
	}
	return AcceptanceUnspecified
}

// NamespaceThatCounts returns the empty string for an ordinary namespace, and namespace
// itself if its name may affect which documents expire.
func NamespaceThatCounts(namespace string) string {
	database, name, ok := strings.Cut(namespace, ".")
	if ok && kindOfDatabase(database) == OrdinaryName && kindOf(database, name) == OrdinaryName && !strings.HasPrefix(name, BucketsPrefix) {
		return ""
	}
	return namespace
}
