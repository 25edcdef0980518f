package behaviour

import (
	"math"
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
