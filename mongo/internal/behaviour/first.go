package behaviour

import "math"

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
	for line := Oldest; line.Compare(Beyond) < 0; line = line.NextLine() {
		last := line
		last.Patch = math.MaxUint16
		end, _ := Of(last)
		for {
			here, _ := Of(line)
			if here == p {
				return line, legacyNull, true
			}
			if here == end {
				break
			}
			line.Patch++
		}
	}
	return Version{}, false, false
}
