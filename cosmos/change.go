package cosmos

import "github.com/ttlpolicy/ttlpolicy/policy"

// An Effect is what a change of a container's settings does to the deadlines of
// one kind of items. The zero Effect is [EffectNone].
type Effect uint8

// The effects. Settings are looked at when an item is read, not when it was
// written, so each of them takes effect at once and on old items too.
const (
	EffectNone        Effect = iota // the deadlines stay
	EffectStarts                    // items that never expired have deadlines; those in the past expire at once
	EffectStops                     // items that had deadlines never expire; those expired but not yet purged come back
	EffectEarlier                   // deadlines come nearer; those now in the past expire at once
	EffectLater                     // deadlines move off; those expired but not yet purged may come back
	EffectMixed                     // deadlines count from another property
	EffectUnspecified               // what one of the settings does is not established
)

var effectNames = [...]string{"none", "starts", "stops", "earlier", "later", "mixed", "unspecified"}

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

// A Change is what becomes of a container's items when its settings change. The
// zero Change changes nothing. Items whose own ttl is -1 never expire either
// way.
type Change struct {
	// WithoutTTL is the effect on items without a ttl of their own.
	WithoutTTL Effect
	// WithTTL is the effect on items whose own ttl is 1 to 2147483647: it
	// wakes up when TTL is switched on and falls asleep when it is switched
	// off, whatever the default is.
	WithTTL Effect
	// ChangesIndex means that the TTL setting is another, which changes the
	// underlying index; Reindexes that TTL is switched on, which builds it
	// anew. In consistent mode nobody notices.
	ChangesIndex, Reindexes bool
	// Warnings are what to beware of.
	Warnings []Warning
}

// AssessChange reports what a change of settings does to a container's items.
// A null defaultTtl counts as absent, as both are off. Settings that the
// service would refuse have the effect [EffectUnspecified]
// (https://learn.microsoft.com/azure/cosmos-db/time-to-live).
func AssessChange(before, after ContainerSpec) Change {
	from, to := defaultOf(before), defaultOf(after)
	change := Change{
		WithoutTTL:   effectOf(from, to),
		WithTTL:      effectOf(ownUnder(from), ownUnder(to)),
		ChangesIndex: from != to,
		Reindexes:    from.IsAbsent() && !to.IsAbsent(),
	}
	if isOther(before, after) {
		change.rebase()
	}
	if after.IndexingMode == IndexingLazy && change.ChangesIndex {
		change.Warnings = append(change.Warnings, Warning{ruleIndexingRebuild, "queries are neither complete nor correct while a lazy index is rebuilt"})
	}
	return change
}

// defaultOf returns the default as it stands in the matrix.
func defaultOf(spec ContainerSpec) TTL {
	if isAbsent(spec.DefaultTTL) {
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
	case !isSetting(before) || !isSetting(after):
		return EffectUnspecified
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

// isSetting reports whether t is a setting that the service takes.
func isSetting(t TTL) bool { return t.IsAbsent() || t.isValid() }

// isOther reports whether defaults count from another property than before.
func isOther(before, after ContainerSpec) bool {
	return baseOf(before) != baseOf(after)
}

func baseOf(spec ContainerSpec) string {
	if spec.TTLPropertyPath == "" {
		return "/_ts"
	}
	return spec.TTLPropertyPath
}

// rebase weakens what is said of items that count from another property now.
// Items with a ttl of their own are open then.
func (c *Change) rebase() {
	if c.WithoutTTL == EffectNone || c.WithoutTTL == EffectEarlier || c.WithoutTTL == EffectLater {
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
