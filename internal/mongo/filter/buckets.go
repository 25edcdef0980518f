package filter

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// OnBuckets translates a filter on the meta field into a filter on stored buckets, which
// keep the metadata under "meta". It reports false if the filter is absent, or reads a
// field other than the meta field.
func OnBuckets(filter policy.Value, metaField string) (policy.D, bool) {
	if filter.Kind() != policy.Object || metaField == "" {
		return nil, false
	}
	var d policy.D
	for f := filter.Fields(); f.Next(); {
		e, ok := clauseOnBuckets(f.Name(), f.Value(), metaField)
		if !ok {
			return nil, false
		}
		d = append(d, e)
	}
	return d, len(d) > 0
}

func clauseOnBuckets(name string, v policy.Value, metaField string) (policy.E, bool) {
	first, _, _ := strings.Cut(name, ".")
	switch {
	case name == "$and" || name == "$or":
		list, ok := clausesOnBuckets(v, metaField)
		return policy.E{Key: name, Value: policy.ListValue(list)}, ok
	case first == metaField:
		return policy.E{Key: "meta" + name[len(first):], Value: v}, true
	}
	return policy.E{}, false
}

func clausesOnBuckets(clauses policy.Value, metaField string) (list policy.A, ok bool) {
	for e := clauses.Elements(); e.Next(); {
		d, ok := OnBuckets(e.Value(), metaField)
		if !ok {
			return nil, false
		}
		list = append(list, policy.ObjectValue(d))
	}
	return list, true
}
