package mongo

import "github.com/ttlpolicy/ttlpolicy/policy"

// An Index decides by one index. It is immutable and safe for concurrent use;
// deciding does not allocate. Make one with [CompileIndex]. The zero Index keeps
// every document.
type Index struct {
	name   string
	path   []component // of the keys it holds; nil for none
	delay  delay
	filter partialFilter
	// since is the earliest date that the scan takes in, floor the rule that
	// keeps earlier ones, nil if there are none.
	since policy.Instant
	floor *policy.Rule
	// until is the last clock at which the index deletes, late the rule by
	// which it keeps everything after it, nil if there is no such clock.
	until policy.Instant
	late  *policy.Rule
	// clustered means that the scan is of a collection clustered by _id.
	clustered bool
	// plain is for the short cut of DecideBSON.
	plain plainIndex
	// strict means that the date of the cutoff itself is not expired.
	strict bool
	// timestamps means that what becomes of a timestamp is open.
	timestamps bool
	// failed is the rule by which the index deletes nothing at all, nil for
	// one that does; ladder is all its rules in order.
	failed *policy.Rule
	ladder []*policy.Rule
}

// CompileIndex prepares an index x of a collection c that stands in the catalog
// of a release, whether or not that release would create it today. An index
// without expireAfterSeconds, or one that the server skips, compiles and decides
// [policy.Never].
//
// Of c its kind and its namespace count, not its other indexes: a TTL index of a
// capped collection may delete nothing. The zero CollectionSpec is an ordinary
// collection. To decide by all that deletes in a collection, use
// [CompileCollection].
//
// The error is a [*SpecError], and the index nil then. It is for a partial
// filter that the release cannot hold, for a clustered collection of a release
// that has none, for a namespace that is none, and for a time-series collection,
// of which whole buckets are deleted: that is for CompileCollection.
func CompileIndex(c CollectionSpec, x IndexSpec, p Profile) (*Index, error) {
	if !c.TimeSeries.IsMissing() {
		return nil, &SpecError{Code: InvalidOptions, Field: "timeseries", Reason: "an index of a time-series collection deletes no documents but buckets"}
	}
	if err := checkNamespace(c.Namespace); err != nil {
		return nil, err
	}
	return compileIndex(compiling{x, p, c})
}

func compileIndex(c compiling) (*Index, error) {
	spec, p := c.spec, c.profile
	if spec.Clustered && !spec.ExpireAfterSeconds.IsMissing() {
		return compileClustered(c)
	}
	x := &Index{name: spec.Name, since: policy.MinInstant, strict: p.byQuery, timestamps: p.timestampsOpen}
	x.ladder, x.failed = c.run(indexChecks)
	err := x.hold(&c)
	if x.failed != nil {
		return x, nil // what is skipped is not looked at further
	}
	if err != nil {
		return nil, err
	}
	x.delay = delayOf(spec.ExpireAfterSeconds)
	if last, limited := x.delay.lastClock(); limited {
		x.until, x.late = last, c.lateRule()
	}
	x.ladder = append(x.ladder, x.dateLadder(!spec.PartialFilterExpression.IsMissing())...)
	x.plain = x.shortCut()
	return x, nil
}

// hold sets what tells which keys the index holds, whatever it deletes. It sets
// nothing for an index that has none of documents' dates. The error is for the
// filter.
func (x *Index) hold(c *compiling) error {
	if _, failed := c.run(keyChecks); failed != nil {
		return nil
	}
	filter, err := compileFilter(c.spec.PartialFilterExpression, c.spec.Collation, c.profile)
	if err != nil {
		return err
	}
	x.path, x.filter = pathOf(c.spec.Key[0].Key), filter
	if c.isVersionZero() && c.profile.versionZero == versionZeroUnsigned {
		x.path, x.since, x.floor = withoutPositions(x.path), 0, ruleVersionZero
	}
	return nil
}

// Name returns the index's name.
func (x *Index) Name() string { return x.name }

// Decide reports what the index does to doc at now.
func (x *Index) Decide(doc policy.Document, now policy.Instant) policy.Decision {
	if b, ok := doc.(*policy.BSON); ok && b.Bytes() != nil {
		return x.DecideBSON(b.Bytes(), now)
	}
	if x.plain.onTop && x.plain.filter == nil && doc != nil {
		top := doc.Field(x.path[0].name)
		if date, ok := policy.DateOf(&top); ok { // nearly always
			return x.DecideKey(date, now)
		}
		return x.decideKeys(keysFrom(top, x.path), now)
	}
	r := recordOf(doc)
	return x.decide(&r, now)
}

// DecideBSON is Decide for raw BSON that need not have been checked. It looks
// at no more of it than the answer needs: fields in front are passed over by
// their lengths, what follows is not read, in embedded documents likewise.
// Damage that it meets keeps the document by the rule mongo.malformed; to have
// the whole document checked, use [policy.ParseBSON], which also tells the
// place.
func (x *Index) DecideBSON(doc []byte, now policy.Instant) policy.Decision {
	if !x.plain.onTop {
		return x.decideRaw(doc, now)
	}
	if n := x.plain.filter; n != nil {
		found, _ := n.path[0].finder.Find(doc)
		switch text, isText := found.AsString(); {
		case !isText:
			return x.decideRaw(doc, now)
		case string(text) != n.text:
			return policy.Keep(ruleFilterMismatch)
		}
	}
	found, ok := x.path[0].finder.Find(doc)
	if date, isDate := found.AsDate(); isDate { // nearly always, so there is no record in the way
		return x.DecideKey(date, now)
	}
	return x.decideFound(doc, found, !ok, now)
}

// decideRaw is DecideBSON for any index.
func (x *Index) decideRaw(doc []byte, now policy.Instant) policy.Decision {
	r := rawRecord(doc)
	return r.unlessDamaged(x.decide(&r, now))
}

// decideFound is DecideBSON once the field on top is found, or damage.
func (x *Index) decideFound(doc []byte, found policy.Raw, damaged bool, now policy.Instant) policy.Decision {
	if k, ok := datesIn(found); ok {
		return x.decideKeys(k, now)
	}
	r := record{raw: doc, damaged: damaged}
	return r.unlessDamaged(x.decideKeys(r.keysAt(found, x.path), now))
}

// DecideKey is Decide for a document of which the index holds one key, and that
// key is a Date: for storage engines that have their keys at hand, and for stores
// that keep what [Index.Key] returned. A partial index holds no keys of documents
// outside its filter, so do not ask about the date of such a document.
func (x *Index) DecideKey(key policy.Instant, now policy.Instant) policy.Decision {
	if deadline := key + x.plain.delay; x.plain.rule != nil && deadline >= key {
		return policy.ExpireAt(deadline, x.plain.rule, now)
	}
	return x.decideKey(key, now)
}

// Key returns the date by which the index decides about doc: the earliest Date
// among the keys that it holds of it. It reports false if it holds none, because
// the document is outside the filter, say, or if that is not established.
//
// The key does not depend on expireAfterSeconds. A store that keeps it beside
// the document, or sorted in an index of its own, has nothing to do when that
// option is changed: [Index.Bounds] tells what is due, and [Index.DecideKey] why.
func (x *Index) Key(doc policy.Document) (policy.Instant, bool) {
	if x.path == nil {
		return 0, false
	}
	r := recordOf(doc)
	switch {
	case x.clustered:
		return r.field(&x.path[0]).AsDate()
	case x.filter.match(&r) != inside:
		return 0, false
	}
	k := x.keysOf(&r)
	return k.earliest, k.found && k.reason != isAmbiguous && !r.damaged
}

// A plainIndex is what decides about a single Date in most indexes. It is what
// decide comes to, as tests hold, in half the time for a document whose date
// stands first. The zero plainIndex is for all other indexes.
type plainIndex struct {
	rule  *policy.Rule
	delay policy.Instant // in milliseconds, not negative
	// onTop means that the Date is at the top of documents, and that filter is
	// all there is of a filter.
	onTop bool
	// filter is of the form {field: "text"}, or nil.
	filter *node
}

// shortCut returns the plainIndex of x, which is not clustered.
func (x *Index) shortCut() plainIndex {
	if x.strict || x.delay < 0 {
		return plainIndex{}
	}
	filter := x.filter.root
	return plainIndex{
		rule:   ruleDate,
		delay:  policy.Instant(x.delay),
		onTop:  len(x.path) == 1 && (filter == nil || filter.isText()),
		filter: filter,
	}
}

// decideKey decides by the only key.
func (x *Index) decideKey(key policy.Instant, now policy.Instant) policy.Decision {
	switch {
	case x.isIdle():
		return policy.Keep(x.idleRule())
	case x.clustered:
		return x.decideID(key, now)
	case x.isLate(now):
		return policy.Keep(x.late)
	case x.floor != nil && key < x.since:
		return policy.Keep(x.floor)
	}
	return x.decideKeys(keys{earliest: key, found: true}, now)
}

// Ladder returns the rules that were consulted on the way to d, those of other
// releases left out.
func (x *Index) Ladder(d policy.Decision) []*policy.Rule { return consulted(x.ladder, d.Rule) }

// consulted returns the rules of ladder up to decided. An evaluator without
// rules has no TTL, and damage is found before any ladder.
func consulted(ladder []*policy.Rule, decided *policy.Rule) []*policy.Rule {
	if decided == ruleMalformed || len(ladder) == 0 && decided == ruleNoTTL {
		return []*policy.Rule{decided}
	}
	return policy.Consulted(ladder, decided)
}

// decide consults the rules that dateLadder lists.
func (x *Index) decide(r *record, now policy.Instant) policy.Decision {
	switch {
	case x.isIdle():
		return policy.Keep(x.idleRule())
	case x.clustered:
		return x.decideClustered(r, now)
	case x.isLate(now):
		return policy.Keep(x.late)
	}
	switch x.filter.match(r) {
	case undecidable:
		return policy.Keep(ruleFilterUnspecified)
	case outside:
		return policy.Keep(ruleFilterMismatch)
	}
	return x.decideKeys(x.keysOf(r), now)
}

// keysOf returns the keys of the record that a scan may come to.
func (x *Index) keysOf(r *record) keys {
	k := r.keys(x.path)
	if x.floor != nil && k.found && k.earliest < x.since {
		k = keys{unsigned: true}
		k.walk(r.field(&x.path[0]), x.path[1:])
	}
	return k
}

// isLate reports whether the index, whose delay is negative, deletes nothing at
// now because its cutoff overflows.
func (x *Index) isLate(now policy.Instant) bool { return x.late != nil && now > x.until }

// decideKeys decides by the keys that the index holds of a document.
func (x *Index) decideKeys(k keys, now policy.Instant) policy.Decision {
	if !k.found || k.reason == isAmbiguous {
		return policy.Keep(x.reasonRule(k.reason))
	}
	deadline, ok := x.delay.deadlineAfter(k.earliest, x.strict)
	if !ok {
		return policy.Keep(ruleUnreachable)
	}
	return policy.ExpireAt(deadline, x.dateRule(k), now)
}

// isIdle reports whether the index deletes nothing at all.
func (x *Index) isIdle() bool { return x.failed != nil || x.path == nil }

func (x *Index) idleRule() *policy.Rule {
	if x.failed == nil {
		return ruleNoTTL
	}
	return x.failed
}

// reasonRule returns the rule that keeps a document without a Date.
func (x *Index) reasonRule(r reason) *policy.Rule {
	if r == isTimestamp && !x.timestamps {
		r = isOther
	}
	return reasonRules[r]
}

// dateRule returns the rule by which a date decides.
func (x *Index) dateRule(k keys) *policy.Rule {
	switch {
	case x.strict:
		return ruleDateStrict
	case k.expanded:
		return ruleEarliest
	}
	return ruleDate
}
