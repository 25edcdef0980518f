package mongo

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// onBucket returns a filter on the meta field as it reads on stored buckets,
// which keep the metadata under "meta". It reports false if the filter is
// absent, or looks at anything but the meta field.
func (s *series) onBucket(filter policy.Value) (policy.D, bool) {
	if filter.Kind() != policy.Object || s.metaField == "" {
		return nil, false
	}
	return s.renamed(filter)
}

// renamed returns a document of clauses with the meta field renamed.
func (s *series) renamed(clauses policy.Value) (policy.D, bool) {
	var d policy.D
	for f := clauses.Fields(); f.Next(); {
		e, ok := s.renamedClause(f.Name(), f.Value())
		if !ok {
			return nil, false
		}
		d = append(d, e)
	}
	return d, len(d) > 0
}

func (s *series) renamedClause(name string, v policy.Value) (policy.E, bool) {
	if name == "$and" || name == "$or" {
		return s.renamedList(name, v)
	}
	first, rest, dotted := strings.Cut(name, ".")
	if first != s.metaField {
		return policy.E{}, false
	}
	if dotted {
		return policy.E{Key: "meta." + rest, Value: v}, true
	}
	return policy.E{Key: "meta", Value: v}, true
}

func (s *series) renamedList(name string, v policy.Value) (policy.E, bool) {
	var list policy.A
	for e := v.Elements(); e.Next(); {
		d, ok := s.renamed(e.Value())
		if !ok {
			return policy.E{}, false
		}
		list = append(list, policy.ObjectValue(d))
	}
	return policy.E{Key: name, Value: policy.ListValue(list)}, true
}

// ofMeasurements has f look at the metadata of measurements, which is as it was
// written, as it will be stored: with its fields sorted, and with the positions
// of elements for their names (mongodb/mongo: src/mongo/db/timeseries/metadata.cpp).
func (f partialFilter) ofMeasurements() {
	if f.root != nil {
		f.root.sortMetadata()
	}
}

func (n *node) sortMetadata() {
	for i := range n.path {
		n.path[i].renumbered = true
	}
	for i := range n.operands {
		kind := n.operands[i].value.Kind()
		n.operands[i].sorted = kind == policy.Object || kind == policy.List
	}
	for i := range n.children {
		n.children[i].sortMetadata()
	}
}
