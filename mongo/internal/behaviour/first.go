package behaviour

import (
	"math"
	"sync"
)

// FirstRelease returns the first release in which documents expire as in p, and whether p
// has the parameter set by which null is read as in earlier releases. It reports false for
// the zero Profile.
func FirstRelease(p Profile) (first Version, legacyNull, ok bool) {
	if p.BrokenPaths == BrokenPathsLegacyNull {
		p.BrokenPaths, legacyNull = BrokenPathsNull, true
	}
	if p.EitherEngine {
		p.CollModStores = StoresByEngine // which deletes nothing
	}
	first, ok = firstReleases()[p]
	return first, legacyNull && ok, ok
}

// firstReleases returns the first release of each profile that a release has.
var firstReleases = sync.OnceValue(func() map[Profile]Version {
	first := map[Profile]Version{}
	for line := Oldest; line.Compare(Beyond) < 0; line = line.NextLine() {
		last := line
		last.Patch = math.MaxUint16
		end, _ := Of(last)
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
	return first
})
