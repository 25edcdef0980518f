package reasons

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Fields returns the names of the top-level fields of a document that p needs to decide
// and to explain, besides the identifier: a document with only these fields gets the same
// answer as the whole document. It reports false if there is no such list, as for a field
// whose name no query can request.
func (p *Policy) Fields() (names []string, ok bool) {
	reads, ok := p.Evaluator.(interface{ Reads() []string })
	if !ok {
		return nil, false
	}
	names = reads.Reads()
	if p.System != definition.MongoDB { // explanations for Azure Cosmos DB need these fields also if TTL is off
		names = append(names, "_ts", "ttl")
	}
	if p.System == definition.CosmosNoSQL { // a query can name any property there
		return slices.Compact(slices.Sorted(slices.Values(names))), true
	}
	for _, s := range p.Sources { // also an index that deletes nothing: the explanation mentions its field
		names = append(names, s.Field)
	}
	return onTop(names)
}

// FieldsOf is [Policy.Fields] for a collection of MongoDB in all releases at once: a
// release may read a filter, or an index, that another one ignores.
func FieldsOf(spec mongo.CollectionSpec) (names []string, ok bool) {
	ok = true
	for _, p := range Parts(spec) {
		if names = append(names, p.Field); p.Position >= 0 {
			names, ok = filterFields(names, spec.Indexes[p.Position].PartialFilterExpression, ok)
		}
	}
	if len(names) > 0 && !spec.TimeSeries.IsMissing() {
		names = append(names, "control", "meta") // fields of a stored bucket
		for _, option := range []string{"timeField", "metaField"} {
			if field, given := spec.TimeSeries.Field(option).AsString(); given {
				names = append(names, field)
			}
		}
	}
	if names, known := onTop(names); ok && known {
		return names, true
	}
	return nil, false
}

// filterFields appends the paths in a filter. It reports false if ok is false, or if the
// filter has an operator that may read any field.
func filterFields(names []string, filter policy.Value, ok bool) ([]string, bool) {
	f := filter.Fields()
	for f.Next() {
		switch name := f.Name(); {
		case !strings.HasPrefix(name, "$"):
			names = append(names, name)
		case f.Value().Kind() == policy.List:
			e := f.Value().Elements()
			for e.Next() {
				names, ok = filterFields(names, e.Value(), ok)
			}
		default:
			ok = false
		}
	}
	return names, ok
}

// onTop returns the first components of paths, without repetitions. It reports false if a
// projection cannot name such a component.
func onTop(paths []string) (names []string, ok bool) {
	for _, path := range paths {
		name, _, _ := strings.Cut(path, ".")
		if name == "" || name[0] == '$' || strings.ContainsRune(name, 0) {
			return nil, false
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names), true
}
