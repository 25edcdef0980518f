package cosmos

import (
	"github.com/ttlpolicy/ttlpolicy/internal/base/enum"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An Effect says how a change of a container's settings moves the deadlines of
// one kind of items. The zero Effect is [EffectUnspecified].
//
// Experimental: it may change in a minor release.
type Effect uint8

// The effects. The settings at the time of a read count, not those at the time of
// the write, so that each change takes effect at once and on old items too.
//
// Experimental: see [Effect].
const (
	EffectUnspecified Effect = iota // the effect of one of the settings is unspecified: items may expire at once
	EffectNone                      // the deadlines stay
	EffectStarts                    // items that never expired have deadlines; those in the past expire at once
	EffectStops                     // items that had deadlines never expire; those expired but not yet purged come back
	EffectEarlier                   // deadlines are earlier; those now in the past expire at once
	EffectLater                     // deadlines are later; those expired but not yet purged may come back
	EffectMixed                     // deadlines count from another property: items may expire at once, or come back
)

var effectNames = []string{"unspecified", "none", "starts", "stops", "earlier", "later", "mixed"}

// String returns a word such as "starts".
//
// Experimental: see [Effect].
func (e Effect) String() string { return enum.String(e, effectNames) }

// A ChangeResult is the effect of a change of settings on a container's items. Items
// whose own ttl is -1 never expire, before or after the change. The effect on items with
// a ttl that the service would refuse, stored while TTL was off, is unspecified.
//
// Experimental: it may change in a minor release.
type ChangeResult struct {
	// WithoutTTL is the effect on items without a ttl of their own.
	WithoutTTL Effect
	// WithTTL is the effect on items whose own ttl is 1 to 2147483647. Their ttl counts
	// while TTL is on, whatever the default is.
	WithTTL Effect
	// Rows is the effect on the rows of the analytical store, where expired
	// means hidden; see [AnalyticalStore].
	Rows Effect
	// ChangesIndex means that the TTL setting changes, which changes the
	// underlying index; Reindexes means that TTL is switched on, which rebuilds
	// it. In consistent mode neither has a visible effect.
	ChangesIndex, Reindexes bool
	// Warnings are further consequences.
	Warnings []Warning
}

// AssessChange reports the effect of a change of settings on a container's
// items. A null defaultTtl counts as absent, as both are off. Settings that the
// service would refuse have the effect [EffectUnspecified]; an
// analyticalStorageTtl that is absent keeps the previous one
// (https://learn.microsoft.com/azure/cosmos-db/time-to-live).
//
// Experimental: it may change in a minor release.
func AssessChange(before, after ContainerSpec) ChangeResult {
	after = after.inPlaceOf(before)
	from, to := defaultOf(before), defaultOf(after)
	change := ChangeResult{
		WithoutTTL:   effectOf(from, to),
		WithTTL:      effectOf(ownUnder(from), ownUnder(to)),
		Rows:         effectOnRows(before.AnalyticalStorageTTL, after.AnalyticalStorageTTL),
		ChangesIndex: from != to,
		Reindexes:    from.isAbsent() && !to.isAbsent(),
	}
	switch {
	case !before.isAccepted() || !after.isAccepted():
		change.WithoutTTL, change.WithTTL = EffectUnspecified, EffectUnspecified
	case baseOf(before) != baseOf(after):
		change.rebase(to)
	}
	if rebuildsLazily(before, after) {
		change.Warnings = append(change.Warnings, lazyRebuild)
	}
	return change
}

// ownUnder returns the effective ttl of an item whose own ttl is one second, or no ttl if
// TTL is off.
func ownUnder(def TTL) TTL {
	if def.isAbsent() || !def.isValid() {
		return def
	}
	return TTL{class: ttlSeconds, seconds: 1}
}

// effectOf compares the effective ttl before the change with the one after it.
func effectOf(before, after TTL) Effect {
	from, expired := before.Seconds()
	to, expires := after.Seconds()
	switch {
	case !expired && expires:
		return EffectStarts
	case expired && !expires:
		return EffectStops
	case from > to:
		return EffectEarlier
	case from < to:
		return EffectLater
	}
	return EffectNone
}

// effectOnRows compares the analyticalStorageTtl before the change with the one
// after it.
func effectOnRows(before, after policy.Value) Effect {
	becomes, err := updateAnalytical(before, after)
	_, errBefore := updateAnalytical(policy.Value{}, before)
	if err != nil || errBefore != nil {
		return EffectUnspecified
	}
	return effectOf(CompileAnalytical(before).ttl, CompileAnalytical(becomes).ttl)
}

// isAccepted reports whether the service accepts these settings for items.
func (s ContainerSpec) isAccepted() bool {
	if s.DefaultTTL.IsMissingOrNull() {
		s.DefaultTTL = policy.Value{} // null means off
	}
	s.AnalyticalStorageTTL = policy.Value{}
	return s.check(ContainerSpec{}, false) == nil
}

// baseOf returns the property that a container's default counts from.
func baseOf(spec ContainerSpec) string {
	if spec.TTLPropertyPath == "" {
		return "/_ts"
	}
	return spec.TTLPropertyPath
}

// rebase adjusts c for a change of the property that deadlines count from; to is the new
// default. The effect on items with a ttl of their own is unspecified then.
func (c *ChangeResult) rebase(to TTL) {
	if _, counts := to.Seconds(); counts && c.WithoutTTL != EffectStarts {
		c.WithoutTTL = EffectMixed
	}
	c.WithTTL = EffectUnspecified
}
