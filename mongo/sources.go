package mongo

import (
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/compiled"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
)

// Sources returns the sources of c in their order, for comparisons.
func (functions) Sources(c *Collection) (all []compiled.Source) {
	for _, s := range c.list() {
		if s.series != nil {
			all = append(all, s.series.compared())
			continue
		}
		all = append(all, s.index.compared())
	}
	return all
}

func (x *indexSource) compared() compiled.Source {
	return compiled.Source{
		Basis: compiled.Basis{
			Path: fieldpath.Dotted(x.path), Since: x.since, Floor: x.floor,
			Timestamps: x.timestamps, TimestampsUnspecified: x.timestampsUnspecified, Clustered: x.clustered,
		},
		Delay: int64(x.delay), Strict: !x.strict.IsZero(), Deletes: !x.isIdle(), Failed: x.failed, Late: x.late,
		Filter: x.filter, Filtered: !x.filter.IsAbsent(),
	}
}

func (s *seriesSource) compared() compiled.Source {
	basis := compiled.Basis{
		Series: true, Path: s.time.Name, ByIndex: s.byIndex, Flagged: s.flagged, BoundWraps: s.boundWraps,
		Rounds: uint8(s.rounds), Rounding: int64(s.unit), Span: int64(s.span),
	}
	if s.byIndex {
		basis.MetaField = s.metaField
	}
	return compiled.Source{Basis: basis, Delay: int64(s.delay), Deletes: s.failed.IsZero(), Failed: s.failed, Filter: s.filter, Filtered: s.byIndex}
}
