package cosmos

import "github.com/ttlpolicy/ttlpolicy/policy"

// An Effect is what a change of a container's settings does to the deadlines of
// one kind of items. The zero Effect is [EffectUnspecified].
type Effect uint8

// The effects. Settings are looked at when an item is read, not when it was
// written, so each of them takes effect at once and on old items too.
const (
	EffectUnspecified Effect = iota // what one of the settings does is not established
	EffectNone                      // the deadlines stay
	EffectStarts                    // items that never expired have deadlines; those in the past expire at once
	EffectStops                     // items that had deadlines never expire; those expired but not yet purged come back
	EffectEarlier                   // deadlines come nearer; those now in the past expire at once
	EffectLater                     // deadlines move off; those expired but not yet purged may come back
	EffectMixed                     // deadlines count from another property
)

var effectNames = [...]string{"unspecified", "none", "starts", "stops", "earlier", "later", "mixed"}

// String returns a word such as "starts".
func (e Effect) String() string {
	if int(e) < len(effectNames) {
		return effectNames[e]
	}
	return "invalid"
}

// ExpiresItems reports whether items that had not expired may expire at the
// instant of the change.
func (e Effect) ExpiresItems() bool {
	return e == EffectStarts || e == EffectEarlier || e == EffectMixed
}

// RevivesItems reports whether items that had expired, and were not purged yet,
// may be visible again.
func (e Effect) RevivesItems() bool {
	return e == EffectStops || e == EffectLater || e == EffectMixed
}

// A ChangeResult is what becomes of a container's items when its settings change. The
// zero ChangeResult is one of which nothing is known. Items whose own ttl is -1 never expire either
// way; what those do whose own ttl the service would refuse, stored while TTL
// was off, is not established.
type ChangeResult struct {
	// WithoutTTL is the effect on items without a ttl of their own.
	WithoutTTL Effect
	// WithTTL is the effect on items whose own ttl is 1 to 2147483647: it
	// wakes up when TTL is switched on and falls asleep when it is switched
	// off, whatever the default is.
	WithTTL Effect
	// Rows is the effect on the rows of the analytical store, where expired
	// means hidden; see [AnalyticalStore].
	Rows Effect
	// ChangesIndex means that the TTL setting is another, which changes the
	// underlying index; Reindexes that TTL is switched on, which builds it
	// anew. In consistent mode nobody notices.
	ChangesIndex, Reindexes bool
	// Warnings are what to beware of.
	Warnings []Warning
}

// AssessChange reports what a change of settings does to a container's items.
// A null defaultTtl counts as absent, as both are off. Settings that the
// service would refuse have the effect [EffectUnspecified]; an
// analyticalStorageTtl that is absent keeps the previous one
// (https://learn.microsoft.com/azure/cosmos-db/time-to-live).
func AssessChange(before, after ContainerSpec) ChangeResult {
	after = after.inPlaceOf(before)
	from, to := defaultOf(before), defaultOf(after)
	change := ChangeResult{
		WithoutTTL:   effectOf(from, to),
		WithTTL:      effectOf(ownUnder(from), ownUnder(to)),
		Rows:         effectOnRows(before.AnalyticalStorageTTL, after.AnalyticalStorageTTL),
		ChangesIndex: from != to,
		Reindexes:    from.IsAbsent() && !to.IsAbsent(),
	}
	switch {
	case !before.isTaken() || !after.isTaken():
		change.WithoutTTL, change.WithTTL = EffectUnspecified, EffectUnspecified
	case baseOf(before) != baseOf(after):
		change.rebase(to)
	}
	if rebuildsLazily(before, after) {
		change.Warnings = append(change.Warnings, lazyRebuild)
	}
	return change
}

var lazyRebuild = Warning{ruleIndexingRebuild, "queries are neither complete nor correct while a lazy index is rebuilt"}

// rebuildsLazily reports whether a change of the TTL setting meets a lazy index.
func rebuildsLazily(before, after ContainerSpec) bool {
	return (before.IndexingMode == IndexingLazy || after.IndexingMode == IndexingLazy) && defaultOf(before) != defaultOf(after)
}

// defaultOf returns the default as it stands in the matrix.
func defaultOf(spec ContainerSpec) TTL {
	if spec.DefaultTTL.IsAbsent() {
		return TTL{}
	}
	return TTLOf(spec.DefaultTTL)
}

// ownUnder returns the ttl that counts for an item with one of its own: that
// itself, here a second, unless TTL is off.
func ownUnder(def TTL) TTL {
	if def.IsAbsent() || !def.isValid() {
		return def
	}
	return TTL{class: ttlSeconds, seconds: 1}
}

// effectOf compares the ttl that counts before with the one after.
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

// effectOnRows compares what an analyticalStorageTtl was with what it becomes.
func effectOnRows(before, after policy.Value) Effect {
	becomes, err := UpdateAnalytical(before, after)
	_, errBefore := UpdateAnalytical(policy.Value{}, before)
	if err != nil || errBefore != nil {
		return EffectUnspecified
	}
	return effectOf(CompileAnalytical(before).ttl, CompileAnalytical(becomes).ttl)
}

// isTaken reports whether a container can have these settings for its items.
func (s ContainerSpec) isTaken() bool {
	if s.DefaultTTL.IsAbsent() {
		s.DefaultTTL = policy.Value{} // a null is off
	}
	s.AnalyticalStorageTTL = policy.Value{}
	return s.check(ContainerSpec{}) == nil
}

// baseOf returns the property that a container's default counts from.
func baseOf(spec ContainerSpec) string {
	if spec.TTLPropertyPath == "" {
		return "/_ts"
	}
	return spec.TTLPropertyPath
}

// rebase weakens what is said of items that count from another property now,
// under the default to. Items with a ttl of their own are open then.
func (c *ChangeResult) rebase(to TTL) {
	if _, counts := to.Seconds(); counts && c.WithoutTTL != EffectStarts {
		c.WithoutTTL = EffectMixed
	}
	c.WithTTL = EffectUnspecified
}

// Written returns the decision about an item that is written at an instant with
// this ttl: its clock starts there, and so does the question. Use [Item] to ask
// later.
func (c *Container) Written(ttl TTL, at policy.Instant) policy.Decision {
	return c.DecideItem(Item{TTL: ttl}.Rewritten(at), at)
}
