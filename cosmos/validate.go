package cosmos

import (
	"cmp"
	"errors"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Warning says that settings which the service accepts have an unexpected
// effect.
type Warning struct {
	Rule policy.Rule
	Text string
}

// ValidateContainer reports what the service does with a container's settings, at
// creation or in place of previous ones (nil for creation), as far as TTL is concerned:
// what it stores, with warnings, or why it refuses. An empty IndexingMode and an absent
// AnalyticalStorageTTL are replaced by the previous settings, and the mode lazy by consistent. It
// is unspecified whether an empty mode keeps the mode none. A null stands for a JSON null in the request, and a
// Missing value for an absent property.
//
// The error is a [*SpecError] with the status and, where it was seen, the service's
// text, as for a defaultTtl of 0. Three replies are unspecified, and the error then wraps
// [policy.ErrUnspecified]: to a setting that occurs twice, to a defaultTtl that is not a
// whole number, and to a defaultTtl without an indexing mode if the previous mode is none. If there are several
// errors, an established refusal is returned first.
func ValidateContainer(spec ContainerSpec, previous *ContainerSpec) (stored ContainerSpec, warnings []Warning, err error) {
	var before ContainerSpec
	if previous != nil {
		before = *previous
	}
	leftOut := spec.IndexingMode == ""
	spec = spec.inPlaceOf(before)
	if err := spec.check(before, leftOut); err != nil {
		return ContainerSpec{}, nil, err
	}
	stored = spec
	stored.AnalyticalStorageTTL, _ = updateAnalytical(before.AnalyticalStorageTTL, spec.AnalyticalStorageTTL)
	if spec.IndexingMode == indexingLazy {
		stored.IndexingMode = indexingConsistent
		warnings = append(warnings, Warning{ruleIndexingLazy, "indexingMode lazy is stored as consistent"})
	}
	if previous != nil && rebuildsLazily(before, spec) {
		warnings = append(warnings, lazyRebuild)
	}
	return stored, warnings, nil
}

var lazyRebuild = Warning{ruleIndexingRebuild, "queries are neither complete nor correct while a lazy index is rebuilt"}

// rebuildsLazily reports whether the TTL setting changes in a container whose index is
// lazy before or after the change.
func rebuildsLazily(before, after ContainerSpec) bool {
	return (before.IndexingMode == indexingLazy || after.IndexingMode == indexingLazy) && defaultOf(before) != defaultOf(after)
}

// inPlaceOf returns the settings with an empty indexing mode replaced by the
// previous one.
func (s ContainerSpec) inPlaceOf(before ContainerSpec) ContainerSpec {
	s.IndexingMode = cmp.Or(s.IndexingMode, before.IndexingMode)
	return s
}

// check returns the refusal of settings that replace before, or nil. leftOut means that
// the request has no indexing mode, so that s has the mode of before.
func (s ContainerSpec) check(before ContainerSpec, leftOut bool) error {
	if s.Repeated != "" {
		return unspecified(ruleDuplicateUnspecified, s.Repeated)
	}
	_, analytical := updateAnalytical(before.AnalyticalStorageTTL, s.AnalyticalStorageTTL)
	return firstRefusal(
		checkTTL(s.DefaultTTL, "defaultTtl", ruleDefaultRefused, ruleDefaultRange, ruleDefaultUnspecified),
		s.checkIndexing(leftOut),
		s.checkPath(),
		analytical,
	)
}

// firstRefusal returns the first established refusal, or else the first error that
// wraps policy.ErrUnspecified.
func firstRefusal(errs ...error) error {
	for _, err := range errs {
		if err != nil && !errors.Is(err, policy.ErrUnspecified) {
			return err
		}
	}
	return cmp.Or(errs...)
}

func (s ContainerSpec) checkIndexing(leftOut bool) error {
	switch {
	case s.DefaultTTL.IsMissing() || !s.hasNoIndex():
		return nil
	case leftOut:
		return unspecified(ruleIndexingLeftOut, "indexingPolicy")
	}
	return refuse(ruleIndexingNone, "indexingPolicy.indexingMode", "Indexing mode value cannot be 'none' when 'defaultTtl' is specified in the collection")
}

func (s ContainerSpec) checkPath() error {
	const at = "ttlPropertyPath"
	switch _, isPath := cutPath(s.TTLPropertyPath); {
	case s.TTLPropertyPath == "":
		return nil
	case s.DefaultTTL.IsMissing():
		return refuse(rulePathWithoutDefault, at, "ttlPropertyPath needs a defaultTtl%s", notSeen)
	case !isPath:
		return unspecified(rulePathUnspecified, at)
	}
	return nil
}

// ValidateItem reports whether the service accepts an item with this ttl in a
// container. Only the item's root property spelled exactly ttl counts; a JSON null
// is a value.
//
// The error is a [*SpecError], as for [ValidateContainer]. While TTL is off it
// is unspecified whether the service checks a ttl.
func ValidateItem(spec ContainerSpec, item policy.Document) error {
	doc := policy.ObjectValue(item) // the item may be nil
	if isRepeated(doc, "ttl") {
		return unspecified(ruleDuplicateUnspecified, "ttl")
	}
	ttl := doc.Field("ttl")
	switch def := TTLOf(spec.DefaultTTL); {
	case spec.Repeated != "":
		return unspecified(ruleDuplicateUnspecified, spec.Repeated)
	case spec.DefaultTTL.IsMissingOrNull() && (ttl.IsMissing() || TTLOf(ttl).isValid()):
		return nil
	case spec.DefaultTTL.IsMissingOrNull():
		return unspecified(ruleItemOffUnspecified, "ttl")
	case !def.isValid() || spec.hasNoIndex():
		return unspecified(ruleContainerUnspecified, "defaultTtl")
	}
	if isZero(ttl) {
		return checkTTL(ttl, "ttl", ruleItemZero, ruleItemZero, ruleItemTypeUnspecified)
	}
	return checkTTL(ttl, "ttl", ruleItemRefused, ruleItemRange, ruleItemTypeUnspecified)
}

// isZero reports whether v is a 0, in whatever way it is written.
func isZero(v policy.Value) bool {
	n, isInteger := v.AsInt64()
	f, isDouble := v.AsDouble()
	return isInteger && n == 0 || isDouble && f == 0
}

// checkTTL returns an error for a ttl that the service does not accept, with one of three
// rules. The first rule, refused, is about null, 0 and integers below -1. The second,
// outside, is about all other numbers out of range, which no test sends. The third,
// otherwise, says that the outcome is unspecified: for numbers with a fraction or an
// exponent, such as 10.0, that are in range if truncated or rounded, and for values that are
// no number.
func checkTTL(v policy.Value, name string, refused, outside, otherwise policy.Rule) error {
	ttl := TTLOf(v)
	n, isInteger := v.AsInt64()
	f, isDouble := v.AsDouble()
	switch {
	case ttl.isAbsent() || ttl.isValid():
		return nil
	case ttl.class == ttlRefused && (!isInteger || n <= 0):
		return refuse(refused, name, invalidTTL, name, written(v), seen(name, v))
	case isInteger, isZero(v), isDouble && (f <= -2 || f >= maxTTL+1):
		return refuse(outside, name, invalidTTL, name, written(v), notSeen)
	}
	return unspecified(otherwise, name)
}

// invalidTTL is the service's text for a ttl of 0.
const invalidTTL = "The input %s '%s' is invalid. Ensure to provide a nonzero positive integer less than or equal to '2147483647', or '-1' which means never expire.%s"

// seen returns the end of the text for a null or a whole number: "" if the service was
// seen to send the text for that value.
func seen(name string, v policy.Value) string {
	if _, isInteger := v.AsInt64(); isInteger && isZero(v) || !isInteger && name == "ttl" {
		return ""
	}
	return notSeen
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

// isAnalyticalOff reports whether a setting means that there is no analytical store.
func isAnalyticalOff(setting policy.Value) bool {
	n, isInteger := setting.AsInt64()
	return setting.IsMissingOrNull() || isInteger && n == 0
}

// updateAnalytical returns the analyticalStorageTtl of a container after an update of a
// previous setting (Missing for a new container). An absent setting keeps the previous
// one. The effect of null or 0 while the store is on is unspecified, and so is the reply
// to a setting other than -1, 0 and 1 to 2147483647: the error then wraps
// [policy.ErrUnspecified].
func updateAnalytical(previous, setting policy.Value) (policy.Value, error) {
	const at = "analyticalStorageTtl"
	switch {
	case setting.IsMissing(), setting.IsMissingOrNull() && isAnalyticalOff(previous):
		return previous, nil
	case setting.IsMissingOrNull():
		return previous, unspecified(ruleAnalyticalNullUnspecified, at)
	case isAnalyticalOff(setting) && !isAnalyticalOff(previous):
		return previous, unspecified(ruleAnalyticalDisableUnspecified, at)
	case isAnalyticalOff(setting) || TTLOf(setting).isValid():
		return setting, nil
	}
	return previous, unspecified(ruleAnalyticalUnspecified, at)
}
