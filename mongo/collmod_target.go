package mongo

import (
	"iter"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// finds looks for the index that the command addresses.
func (m *collMod) finds() error {
	if !m.change.name.IsMissing() {
		return m.findsByName()
	}
	return m.findsByKey()
}

func (m *collMod) findsByName() error {
	for i, x := range m.catalog() {
		if m.change.name.CompareText(x.Name) == 0 {
			m.aim(i, x)
			return nil
		}
	}
	return refuseBy(IndexNotFound, ruleCollModNotFound, "index.name", "cannot find index %s", shown(m.change.name))
}

func (m *collMod) findsByKey() error {
	matches := 0
	for i, x := range m.catalog() {
		if c, ok := compareValues(policy.ObjectValue(storedKey(x.Key)), m.change.key); !ok || c != 0 {
			continue
		}
		if matches++; matches > 1 {
			return refuseBy(AmbiguousIndexKeyPattern, ruleCollModAmbiguous, "index.keyPattern",
				"index keyPattern %s matches several indexes, must use index name. Conflicting indexes: %s, %s", shown(m.change.key), m.target.Name, x.Name)
		}
		m.aim(i, x)
	}
	if matches == 0 {
		return refuseBy(IndexNotFound, ruleCollModNotFound, "index.keyPattern", "cannot find index %s", shown(m.change.key))
	}
	return nil
}

// aim makes an index of the catalog the target.
func (m *collMod) aim(position int, x IndexSpec) {
	m.target, m.result.Index = x, x.Name
	if m.position = position; position == len(m.collection.Indexes) {
		m.position = implicit
	}
}

// catalog yields the indexes that collMod can find, those listed at their
// positions and an index on _id that is not listed behind them. A clustered
// collection's own key is none, and the buckets of a time-series collection
// have none on _id.
func (m *collMod) catalog() iter.Seq2[int, IndexSpec] {
	return func(yield func(int, IndexSpec) bool) {
		hasID := m.collection.Clustered || !m.collection.TimeSeries.IsMissing()
		for i, x := range m.collection.Indexes {
			hasID = hasID || isIDPattern(policy.ObjectValue(x.Key))
			if !x.Clustered && !yield(i, x) {
				return
			}
		}
		if !hasID {
			yield(len(m.collection.Indexes), idIndex)
		}
	}
}

// idIndex is the index that every ordinary collection has.
var idIndex = IndexSpec{Name: "_id_", Key: policy.D{{Key: "_id", Value: policy.Int32Value(1)}}}

// isIDPattern reports whether key is the pattern of an index on _id, whose
// direction may be either.
func isIDPattern(key policy.Value) bool {
	f := key.Fields()
	if !f.Next() || f.CompareName("_id") != 0 {
		return false
	}
	direction := wholeSeconds(f.Value()) // 0 for what is no number
	return !f.Next() && (direction == 1 || direction == -1)
}

// isWildcard reports whether key is the pattern of a wildcard index.
func isWildcard(key policy.D) bool {
	return slices.ContainsFunc(key, func(e policy.E) bool { return e.Key == "$**" || strings.HasSuffix(e.Key, ".$**") })
}

// storedKey returns the key pattern that the catalog holds: a text index is
// given as {a: "text"} and keeps two fields of its own in the place of those
// that it searches.
func storedKey(key policy.D) policy.D {
	isText := func(e policy.E) bool { return e.Value.CompareText("text") == 0 }
	first := slices.IndexFunc(key, isText)
	if first < 0 || key[first].Key == "_fts" {
		return key
	}
	stored := append(slices.Clone(key[:first]), policy.E{Key: "_fts", Value: policy.StringValue("text")}, policy.E{Key: "_ftsx", Value: policy.Int32Value(1)})
	return append(stored, slices.DeleteFunc(slices.Clone(key[first:]), isText)...)
}
