package cosmos

import (
	"math"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Warning is something about settings that the service takes, but that does
// not come out as it reads.
type Warning struct {
	Rule *policy.Rule
	Text string
}

// ValidateContainer reports whether the service takes a container's settings,
// at creation or in place of previous ones (nil for creation). A null counts as
// written out: where it stands for an absent property, leave the property out.
//
// The error is a [*SpecError] with the status and, where it is known, the
// service's text. What the service replies to a defaultTtl that is no whole
// number is not established: the error wraps [ErrUnspecified].
func ValidateContainer(spec ContainerSpec, previous *ContainerSpec) ([]Warning, error) {
	if err := checkTTL(spec.DefaultTTL, "defaultTtl", ruleDefaultRefused, ruleDefaultUnspecified); err != nil {
		return nil, err
	}
	isOn := !spec.DefaultTTL.IsMissing()
	switch {
	case isOn && spec.IndexingMode == IndexingNone:
		return nil, badRequest(ruleIndexingNone, "indexingPolicy.indexingMode", "Indexing mode value cannot be 'none' when 'defaultTtl' is specified in the collection")
	case !isOn && spec.TTLPropertyPath != "":
		return nil, badRequest(rulePathWithoutDefault, "ttlPropertyPath", "ttlPropertyPath needs a defaultTtl")
	}
	var before policy.Value
	if previous != nil {
		before = previous.AnalyticalStorageTTL
	}
	if _, err := UpdateAnalytical(before, spec.AnalyticalStorageTTL); err != nil {
		return nil, err
	}
	return warnings(spec), nil
}

func warnings(spec ContainerSpec) (list []Warning) {
	if spec.IndexingMode == IndexingLazy {
		list = append(list, Warning{ruleIndexingLazy, "indexingMode lazy is stored as consistent"})
	}
	return list
}

// ValidateItem reports whether the service takes an item with this ttl in a
// container. Of the item only the root property ttl is looked at, spelled
// exactly so; a JSON null is a value.
//
// The error is a [*SpecError], as for [ValidateContainer]. While TTL is off it
// is not established whether a ttl is looked at.
func ValidateItem(spec ContainerSpec, item policy.Document) error {
	if isRepeated(item, "ttl") {
		return unspecified(ruleDuplicateUnspecified, "ttl")
	}
	ttl := item.Field("ttl")
	switch def := TTLOf(spec.DefaultTTL); {
	case isAbsent(spec.DefaultTTL) && (ttl.IsMissing() || TTLOf(ttl).isValid()):
		return nil
	case isAbsent(spec.DefaultTTL):
		return unspecified(ruleItemOffUnspecified, "ttl")
	case !def.isValid():
		return unspecified(ruleContainerUnspecified, "defaultTtl")
	}
	return checkTTL(ttl, "ttl", ruleItemRefused, ruleItemTypeUnspecified)
}

// isRepeated reports whether a JSON item has several properties of one name.
func isRepeated(item policy.Document, name string) bool {
	switch j := item.(type) {
	case policy.JSON:
		return j.Count(name) > 1
	case *policy.JSON:
		return j.Count(name) > 1
	}
	return false
}

// checkTTL refuses a ttl that is null or out of range. What is no whole number
// is open, but for numbers that are out of range however they are read.
func checkTTL(v policy.Value, name string, refused, open *policy.Rule) error {
	ttl := TTLOf(v)
	f, isDouble := v.AsDouble()
	switch {
	case ttl.IsAbsent() || ttl.isValid():
		return nil
	case ttl.class == ttlRefused, isDouble && (f < -1 || f > math.MaxInt32):
		return badRequest(refused, name, "The input %s '%s' is invalid. Ensure to provide a nonzero positive integer less than or equal to '2147483647', or '-1' which means never expire.",
			name, written(v))
	}
	return unspecified(open, name)
}

// written returns a number or null as JSON spells it.
func written(v policy.Value) string {
	if n, ok := v.AsInt64(); ok {
		return strconv.FormatInt(n, 10)
	}
	if f, ok := v.AsDouble(); ok {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return v.Kind().String()
}
