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

// isEmpty reports whether b contains no date.
func (b Bounds) isEmpty() bool { return b.From() > b.To() }

// contains reports whether date is between From and To, or equal to one of them.
func (b Bounds) contains(date policy.Instant) bool { return b.From() <= date && date <= b.To() }

// Consulted is [Collection.Consulted] for one index.
func (x *indexSource) Consulted(d policy.Decision) []policy.Rule { return consulted(x.ladder, d.Rule) }
