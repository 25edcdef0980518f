package mongo

import (
	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
	"github.com/ttlpolicy/ttlpolicy/internal/engine"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/fieldpath"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/filter"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Decide decides about doc at now by one index.
func (x *indexSource) Decide(doc policy.Document, now policy.Instant) policy.Decision {
	if b, ok := doc.(*policy.BSON); ok && b != nil && b.Bytes() != nil {
		return x.DecideBSON(b.Bytes(), now)
	}
	if x.plain.onTop && x.plain.filter == nil && !engine.IsNil(doc) {
		top := doc.Field(x.path[0].Name)
		if date, ok := valuefunc.F.DateOf(&top); ok { // the usual case
			return x.DecideKey(date, now)
		}
		return x.decideKeys(keysFrom(top, x.path), now)
	}
	r := fieldpath.Of(doc)
	return x.decide(&r, now)
}

// DecideBSON does the work of [Collection.DecideBSON] for one index.
func (x *indexSource) DecideBSON(doc []byte, now policy.Instant) policy.Decision {
	if !x.plain.onTop {
		if x.plain.within {
			return x.decideWithin(doc, now)
		}
		return x.decideRaw(doc, now)
	}
	if n := x.plain.filter; n != nil {
		found, _ := n.Field.Finder.Find(doc)
		switch text, isText := found.AsString(); {
		case !isText:
			return x.decideRaw(doc, now)
		case string(text) != n.Text:
			return keptBy(rules.FilterMismatch)
		}
	}
	found, ok := x.path[0].Finder.Find(doc)
	if date, isDate := found.AsDate(); isDate { // the usual case, decided without a record
		return x.DecideKey(policy.Instant(date), now)
	}
	return x.decideFound(doc, found, !ok, now)
}

// decideWithin is DecideBSON for an index on a field of an embedded document. It
// needs no record as long as the path leads through documents only.
func (x *indexSource) decideWithin(doc []byte, now policy.Instant) policy.Decision {
	path := x.path
	found, ok := path[0].Finder.Find(doc)
	for len(path) > 1 && policy.Kind(found.Type) == policy.Object {
		path = path[1:]
		found, ok = path[0].Finder.Find(found.Body)
	}
	if date, isDate := found.AsDate(); isDate && len(path) == 1 {
		return x.DecideKey(policy.Instant(date), now)
	}
	r := fieldpath.Record{Raw: doc, Damaged: !ok}
	return unlessDamaged(&r, x.decideKeys(keysAt(&r, found, path), now))
}

// decideRaw is DecideBSON for any index.
func (x *indexSource) decideRaw(doc []byte, now policy.Instant) policy.Decision {
	r := fieldpath.OfBSON(doc)
	return unlessDamaged(&r, x.decide(&r, now))
}

// decideFound is DecideBSON after the search for the top-level field, which may
// have found damage.
func (x *indexSource) decideFound(doc []byte, found rawbson.Value, damaged bool, now policy.Instant) policy.Decision {
	if k, ok := datesIn(found); ok {
		return x.decideKeys(k, now)
	}
	r := fieldpath.Record{Raw: doc, Damaged: damaged}
	return unlessDamaged(&r, x.decideKeys(keysAt(&r, found, x.path), now))
}

// DecideKey is Decide for a document whose only key in the index is this Date.
func (x *indexSource) DecideKey(key policy.Instant, now policy.Instant) policy.Decision {
	if deadline := key + x.plain.delay; !x.plain.rule.IsZero() && deadline >= key {
		return expireAt(deadline, x.plain.rule, now)
	}
	return x.decideKey(key, now)
}

// Key does the work of [Collection.Key] for one index.
func (x *indexSource) Key(doc policy.Document) (policy.Instant, bool) {
	if !x.holdsKeys() {
		return 0, false
	}
	r := fieldpath.Of(doc)
	switch {
	case x.clustered:
		return r.Field(&x.path[0]).AsDate()
	case x.isAmbiguous(&r), x.filter.Match(&r) != filter.Inside:
		return 0, false
	}
	k := x.keysOf(&r)
	return k.earliest, k.found && k.reason != isAmbiguous && !r.Damaged
}

// decideKey decides by the document's only key.
func (x *indexSource) decideKey(key policy.Instant, now policy.Instant) policy.Decision {
	switch {
	case x.isIdle():
		return keptBy(x.idleRule())
	case x.clustered:
		return x.decideID(key, now)
	case x.isLate(now):
		return keptBy(x.late)
	case !x.floor.IsZero() && key < x.since:
		return keptBy(x.floor)
	}
	return x.decideKeys(keys{earliest: key, found: true}, now)
}

// decide consults the rules that dateLadder lists.
func (x *indexSource) decide(r *fieldpath.Record, now policy.Instant) policy.Decision {
	switch {
	case x.isIdle():
		return keptBy(x.idleRule())
	case x.clustered:
		return x.decideClustered(r, now)
	case x.isLate(now):
		return keptBy(x.late)
	case x.terms != nil && x.isAmbiguous(r):
		return keptBy(rules.DocumentDBPathUnspecified)
	}
	switch x.filter.Match(r) {
	case filter.Undecidable:
		return keptBy(x.undecidedRule())
	case filter.Outside:
		return keptBy(rules.FilterMismatch)
	}
	return x.decideKeys(x.keysOf(r), now)
}

// keysOf returns the keys of the record that a scan may visit.
func (x *indexSource) keysOf(r *fieldpath.Record) keys {
	k := keysOf(r, x.path)
	if x.timestamps || !x.floor.IsZero() && k.found && k.earliest < x.since {
		k = keys{unsigned: !x.floor.IsZero(), timestamps: x.timestamps}
		k.walk(r.Field(&x.path[0]), x.path[1:])
	}
	return k
}

// decideKeys decides by the index keys of a document.
func (x *indexSource) decideKeys(k keys, now policy.Instant) policy.Decision {
	if !k.found || k.reason == isAmbiguous {
		return keptBy(x.reasonRule(k.reason))
	}
	deadline, ok := x.delay.deadlineAfter(k.earliest, !x.strict.IsZero())
	if !ok {
		return keptBy(rules.Unreachable)
	}
	return expireAt(deadline, x.dateRule(k), now)
}

// decideClustered consults the rules in the order of [clusteredLadder].
func (x *indexSource) decideClustered(r *fieldpath.Record, now policy.Instant) policy.Decision {
	id, ok := r.Field(&x.path[0]).AsDate()
	if !ok {
		return keptBy(rules.ClusteredNotDate)
	}
	return x.decideID(id, now)
}

// decideID decides about a document of a clustered collection whose _id is the Date id.
func (x *indexSource) decideID(id policy.Instant, now policy.Instant) policy.Decision {
	if id < x.since {
		return keptBy(x.floor)
	}
	deadline, ok := x.delay.deadlineAfter(id, false)
	if !ok {
		return keptBy(rules.Unreachable)
	}
	return expireAt(deadline, rules.Clustered, now)
}
