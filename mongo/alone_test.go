package mongo

import "github.com/ttlpolicy/ttlpolicy/policy"

// compileAlone compiles the index x of a collection c, without the other indexes of c.
func compileAlone(c CollectionSpec, x IndexSpec, p Profile) (*indexSource, error) {
	c.Indexes, c.ExpireAfterSeconds = []IndexSpec{x}, policy.Value{}
	of, err := CompileCollection(c, p)
	if err != nil {
		return nil, err
	}
	if x := of.indexAt(0); x != nil {
		return x, nil
	}
	return compileIndex(catalogIndex{x, p.behaviour, c}) // without an expireAfterSeconds
}

// boundsOf returns what Bounds returns for a source of c.
func boundsOf(c *Collection, source int, now policy.Instant) bounds {
	from, to := c.Bounds(source, now)
	return bounds{from, to}
}

// isEmpty reports whether b contains no date.
func (b bounds) isEmpty() bool { return b.from > b.to }

// contains reports whether date is within b.
func (b bounds) contains(date policy.Instant) bool { return b.from <= date && date <= b.to }

// Consulted is [Collection.Consulted] for one index.
func (x *indexSource) Consulted(d policy.Decision) []policy.Rule { return consulted(x.ladder, d.Rule) }
