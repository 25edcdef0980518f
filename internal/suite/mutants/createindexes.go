package mutants

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// createIndexes holds misreadings of what createIndexes refuses and keeps.
var createIndexes = map[string]misreading{
	"createindexes-unknown-option-ignored": asks(createIndex, func(q query) query { return q.with(knownOptions(q.get("index")), "index") }),
	"createindexes-name-of-any-type":       changes(createIndex, always, given(not(ofType(policy.String)), func(v policy.Value) policy.Value { return policy.StringValue(v.String()) }), "index", "name"),
	"createindexes-key-zero-ascends":       rekeys(turns(equals(0), policy.Int32Value(1))),
	"createindexes-key-of-unknown-type":    rekeys(turns(isUnknownType, policy.Int32Value(1))),
	"createindexes-key-descending-refused": refuses(createIndex, func(q query) bool { return isDescending(q.get("index")) && q.isTTL() }, 67),
	"createindexes-empty-name":             forgets(createIndex, where(isText(""), "index", "name"), "index", "name"),
	"createindexes-name-shared": asks(createIndex, func(q query) query {
		return q.each("existing", given(every(q.shares("name"), not(q.shares("key"))), put(policy.StringValue("renamed"), "name")))
	}),
	"createindexes-id-accepted":                   renames(createIndex, "index", func(parts []string) bool { return parts[0] == "_id" }),
	"createindexes-id-looked-at-last":             only(createIndex, where(below(0), "index", option), renames(createIndex, "index", func(parts []string) bool { return parts[0] == "_id" })),
	"createindexes-id-is-a-ttl-matter":            confuses(createIndex, always, 197, 67),
	"createindexes-id-hashed-refused":             refuses(createIndex, every(has("index", "key", "_id"), where(ofType(policy.String), "index", "key", "_id")), 197),
	"createindexes-filter-syntax-is-its-language": all(confuses(createIndex, has("index", partial), 2, 67), confuses(createIndex, has("index", partial), 224, 67), confuses(createIndex, has("index", partial), 14, 67)),
	"createindexes-filter-unknown-operator":       refilter(renamed(strings.NewReplacer("$foo", "foo").Replace)),
	"createindexes-filter-and-of-nothing":         forgets(createIndex, where(isEmptyList, "index", partial, "$and"), "index", partial, "$and"),
	"createindexes-filter-of-any-type":            forgets(createIndex, every(has("index", partial), not(where(ofType(policy.Object), "index", partial))), "index", partial),
	"createindexes-timeseries-collation-accepted": forgets(createIndex, has("collection", "timeseries"), "index", "collation"),
	"createindexes-timeseries-unique-accepted":    forgets(createIndex, has("collection", "timeseries"), "index", "unique"),
	"createindexes-timeseries-accepted":           atRelease(createIndex, "6.3.2", every(has("collection", "timeseries"), until("6.3.0"))),
	"createindexes-timeseries-since-7.0":          atRelease(createIndex, "6.2.1", every(has("collection", "timeseries"), query.isTTL, since("6.3.0"), until("7.0.0"))),
	"createindexes-timeseries-without-filter":     asks(createIndex, func(q query) query { return q.onMeta(policy.Value.IsMissing) }),
	"createindexes-timeseries-any-filter":         asks(createIndex, func(q query) query { return q.onMeta(named()) }),
	"createindexes-timeseries-some-filter":        asks(createIndex, func(q query) query { return q.onMeta(named("m")) }),
	"createindexes-timeseries-any-key": asks(createIndex, func(q query) query {
		time, _ := q.get("collection", "timeseries", "timeField").AsString()
		if time == "" || isCompound(q.get("index")) {
			return q
		}
		return q.with(object(time, policy.Int32Value(1)), "index", "key")
	}),
	"createindexes-timeseries-meta-key": refuses(createIndex, func(q query) bool {
		path, _, _ := keyOf(q.get("index"))
		time, isTimeseries := q.get("collection", "timeseries", "timeField").AsString()
		return isTimeseries && path == time && q.isTTL()
	}, 72),
	"createindexes-text-of-digits":            restates(since("4.2.0"), numerals),
	"createindexes-true-is-one":               restates(since("4.2.0"), becomes(ofType(policy.Bool), policy.Int32Value(1))),
	"createindexes-null-is-absent":            restates(since("4.2.0"), becomes(isNull, missing)),
	"createindexes-type-is-mismatch":          confuses(createIndex, func(q query) bool { v := q.get("index", option); return !v.IsMissing() && !v.Kind().IsNumber() }, 67, 14),
	"createindexes-nan-accepted":              restates(since("7.0.0"), becomes(policy.Value.IsNaN, policy.Int32Value(0))),
	"createindexes-nan-always-refused":        refuses(createIndex, func(q query) bool { return q.get("index", option).IsNaN() && !q.before("4.2.0") }, 67),
	"createindexes-nan-of-decimals-accepted":  restates(since("7.0.0"), becomes(func(v policy.Value) bool { return v.Kind() == policy.Decimal && v.IsNaN() }, policy.Int32Value(0))),
	"createindexes-large-accepted":            restates(since("5.0.0"), large(policy.Int32Value(1))),
	"createindexes-large-clamped":             restates(since("5.0.14"), large(policy.Int32Value(math.MaxInt32))),
	"createindexes-large-wraps":               restates(since("5.0.14"), given(every(ofType(policy.Int64), wrapsTo(0)), low32)),
	"createindexes-greatest-refused":          refuses(createIndex, func(q query) bool { return number(q.get("index", option)) == math.MaxInt32 && !q.before("5.0.14") }, 67),
	"createindexes-infinity-accepted":         restates(since("4.2.0"), becomes(isInfinite, policy.Int32Value(1))),
	"createindexes-negative-accepted":         restates(since("4.2.0"), becomes(func(v policy.Value) bool { return number(v) <= -1 }, policy.Int32Value(0))),
	"createindexes-minus-one-accepted":        restates(since("4.2.0"), becomes(equals(-1), policy.Int32Value(0))),
	"createindexes-zero-refused":              refuses(createIndex, where(isInt32Of(0), "index", option), 67),
	"createindexes-no-bound-of-1970":          restates(every(until("6.0.2"), refused), becomes(func(v policy.Value) bool { return number(v) > 0 && number(v) <= math.MaxInt32 }, policy.Int32Value(1))),
	"createindexes-bound-of-1970-always":      refuses(createIndex, every(query.isTTL, since("4.2.0"), func(q query) bool { return q.delay()*1000 > float64(q.now()) }), 67),
	"createindexes-bound-of-1970-exclusive":   refuses(createIndex, every(query.isTTL, since("4.2.0"), until("5.0.14"), func(q query) bool { return q.delay()*1000 == float64(q.now()) }), 67),
	"createindexes-bound-of-1970-in-seconds":  asks(createIndex, func(q query) query { return q.with(policy.DateValue(floor(q.now()+999, 1000)), "now") }),
	"createindexes-compound-accepted":         only(createIndex, every(query.isTTL, since("4.2.0"), where(isCompound, "index")), changes(createIndex, always, firstOfKey, "index")),
	"createindexes-option-as-field-refused":   refuses(createIndex, has("index", "key", option), 67),
	"createindexes-view-accepted":             forgets(createIndex, always, "collection", "viewOn"),
	"createindexes-view-is-a-bad-index":       confuses(createIndex, always, 166, 67),
	"createindexes-wildcard-accepted":         renames(createIndex, "index", func(parts []string) bool { return parts[len(parts)-1] == "$**" }),
	"createindexes-partial-sparse-accepted":   forgets(createIndex, has("index", partial), "index", "sparse"),
	"createindexes-partial-ttl-refused":       refuses(createIndex, every(has("index", partial), query.isTTL), 67),
	"createindexes-sparse-ttl-refused":        refuses(createIndex, every(has("index", "sparse"), query.isTTL), 67),
	"createindexes-hidden-ttl-refused":        all(refuses(createIndex, every(has("index", "hidden"), query.isTTL), 67), refuses(createIndex, every(has("index", "unique"), query.isTTL), 67)),
	"createindexes-filter-ne":                 speaks("$ne"),
	"createindexes-filter-nin":                speaks("$nin"),
	"createindexes-filter-not":                speaks("$not"),
	"createindexes-filter-nor":                speaks("$nor"),
	"createindexes-filter-size":               speaks("$size"),
	"createindexes-filter-operands-as-today":  atRelease(createIndex, "8.0.4", every(until("5.0.0"), speaking("$size", "$mod"))),
	"createindexes-filter-mod":                speaks("$mod"),
	"createindexes-filter-elemmatch":          speaks("$elemMatch"),
	"createindexes-filter-regex":              refilter(becomes(ofType(policy.Regex), policy.Int32Value(1))),
	"createindexes-filter-exists-false":       refilter(operands("$exists", turns(anyValue, policy.BoolValue(true)))),
	"createindexes-filter-or-always":          only(createIndex, every(until("6.0.0"), since("3.2.0")), speaks("$or", "$in")),
	"createindexes-filter-or-never":           refuses(createIndex, speaking("$or"), 67),
	"createindexes-filter-in-never":           refuses(createIndex, speaking("$in"), 67),
	"createindexes-filter-depth-unbounded":    only(createIndex, since("6.0.0"), refilter(turns(deeper(3), policy.ObjectValue(policy.D{})))),
	"createindexes-filter-depth-of-three":     refuses(createIndex, where(deeper(2), "index", partial), 67),
	"createindexes-capped-clustered-accepted": forgets(createIndex, has("collection", "clusteredIndex"), "collection", "capped"),
	"createindexes-capped-accepted":           uncapped(createIndex, not(has("collection", "clusteredIndex"))),
	"createindexes-capped-refused":            refuses(createIndex, every(query.isTTL, where(isTrue, "collection", "capped")), 67),
	"createindexes-conflict-none":             asks(createIndex, func(q query) query { return q.each("existing", given(not(q.shares(option)), drop)) }),
	"createindexes-conflict-keeps-first":      accepts(createIndex, refusedWith(85), map[string]any{"created": false}),
	"createindexes-conflict-updates":          accepts(createIndex, refusedWith(85), map[string]any{"created": true}),
	"createindexes-conflict-of-keys":          confuses(createIndex, always, 85, 86),
	"createindexes-same-under-other-name": asks(createIndex, func(q query) query {
		return q.each("existing", given(every(q.shares("key"), q.shares(option)), put(q.get("index", "name"), "name")))
	}),
	"createindexes-collation-is-no-difference": differsIn("collation"),
	"createindexes-filter-is-no-difference":    differsIn(partial),
	"createindexes-sparse-is-no-difference":    differsIn("sparse"),
	"createindexes-unique-is-no-difference":    differsIn("unique"),
	"createindexes-options-always-differ":      atRelease(createIndex, "5.0.0", every(until("5.0.0"), refusedWith(85))),
	"createindexes-hidden-differs":             refuses(createIndex, every(until("7.1.0"), beside("hidden")), 85),
	"createindexes-hidden-is-no-difference":    accepts(createIndex, every(since("8.0.0"), beside("hidden")), map[string]any{"created": false}),
	"createindexes-always-checked":             atRelease(createIndex, "4.2.0", every(until("4.2.0"), query.isTTL)),
	"createindexes-checked-since-4.4":          atRelease(createIndex, "4.0.0", every(since("4.2.0"), until("4.4.0"), query.isTTL)),
	"createindexes-double-rounded":             restates(since("4.2.0"), doubles(math.Round)),
	"createindexes-double-rounded-down":        whether(restates(since("4.2.0"), doubles(math.Floor))),
	"createindexes-range-before-rounding":      refuses(createIndex, every(since("4.2.0"), where(func(v policy.Value) bool { f := number(v); return f < 0 && f > -1 }, "index", option)), 67),
	"createindexes-decimal-truncated":          restates(since("7.3.0"), decimals(math.Trunc)),
	"createindexes-decimal-half-up":            restates(since("7.3.0"), decimals(math.Round)),
	"createindexes-decimal-refused":            refuses(createIndex, every(since("4.2.0"), where(ofType(policy.Decimal), "index", option)), 67),
	"createindexes-fraction-refused":           refuses(createIndex, every(since("4.2.0"), where(isFraction, "index", option)), 67),
	"createindexes-stored-as-given":            stored(since("7.3.0"), func(q query, _ policy.Value) policy.Value { return q.get("index", option) }),
	"createindexes-stored-as-int32":            atRelease(createIndex, "8.0.0", every(until("7.3.0"), since("4.2.0"), func(q query) bool { return q.ask().Kind == conformance.KindOut && !q.get("index", option).IsNaN() })),
	"createindexes-stored-as-int64":            stored(since("7.3.0"), func(_ query, v policy.Value) policy.Value { n, _ := v.AsInt64(); return policy.Int64Value(n) }),
	"createindexes-normalised-as-double":       stored(every(since("7.3.0"), not(where(ofType(policy.Int32), "index", option))), func(_ query, v policy.Value) policy.Value { return policy.DoubleValue(number(v)) }),
	"createindexes-normalised-in-7.0":          atRelease(createIndex, "7.3.0", every(since("7.0.0"), until("7.3.0"), query.isTTL)),
	"createindexes-hashed-refused":             special("hashed"),
	"createindexes-text-refused":               special("text"),
	"createindexes-2d-refused":                 special("2d"),
	"createindexes-2dsphere-refused":           special("2dsphere"),
	"createindexes-again-is-created":           forgets(createIndex, query.createdNothing, "existing"),
	"createindexes-again-refused":              refuses(createIndex, query.createdNothing, 85),
	"createindexes-any-version":                forgets(createIndex, always, "index", "v"),
	"createindexes-version-two-always":         atRelease(createIndex, "3.4.24", every(until("3.4.0"), has("index", "v"))),
	"createindexes-any-collation":              accepts(createIndex, every(has("index", "collation"), refusedWith(2)), map[string]any{"created": true}),
	"createindexes-collation-as-given":         refuses(createIndex, every(has("index", "collation"), query.createdNothing), 85),
	"createindexes-any-namespace":              forgets(createIndex, always, "index", "ns"),
	"createindexes-namespace-always-checked":   refuses(createIndex, has("index", "ns"), 2),
	"createindexes-prepares-what-is-unique":    forgets(createIndex, always, "index", "prepareUnique"),
	"createindexes-clustered-ignored":          forgets(createIndex, always, "index", "clustered"),
	"createindexes-special-options-ignored":    forgets(createIndex, always, "index", "weights"),
	"createindexes-storage-engine-ignored":     forgets(createIndex, always, "index", "storageEngine"),
	"createindexes-hidden-anywhere":            forgets(createIndex, has("index", "hidden"), "collection", "ns"),
	"createindexes-encrypted-accepted":         forgets(createIndex, always, "collection", "encryptedFields"),
	"createindexes-encrypted-never":            refuses(createIndex, has("collection", "encryptedFields"), 6346501),
	"createindexes-always-a-catalog":           atRelease(createIndex, "2.6.12", until("2.6.0")),
	"createindexes-collation-of-name":          confuses(createIndex, every(has("index", "collation"), until("5.0.0")), 85, 86),
	"createindexes-filters-always-read":        atRelease(createIndex, "5.0.31", every(until("5.0.0"), since("3.2.0"), has("index", partial), refusedWith(85))),
}

// restates asks about an index as if it had another option.
func restates(when test, edit change) misreading {
	return changes(createIndex, when, edit, "index", option)
}

// rekeys asks about an index as if its fields had other directions.
func rekeys(edit change) misreading {
	return changes(createIndex, always, func(key policy.Value) policy.Value {
		fields := policy.DOf(key)
		for i := range fields {
			fields[i].Value = edit(fields[i].Value)
		}
		return policy.ObjectValue(fields)
	}, "index", "key")
}

// refilter asks about an index as if it had another filter.
func refilter(edit change) misreading {
	return changes(createIndex, always, edit, "index", partial)
}

// speaks takes filters with one of these operators for empty ones.
func speaks(operators ...string) misreading {
	return puts(createIndex, speaking(operators...), policy.ObjectValue(policy.D{}), "index", partial)
}

// speaking tests for operators in the filter that is asked about.
func speaking(operators ...string) test {
	return where(uses(anyValue, operators...), "index", partial)
}

// depth returns how deep $and and $or nest.
func depth(filter policy.Value) (deepest int) {
	for _, e := range policy.DOf(filter) {
		for _, clause := range policy.AOf(e.Value) {
			deepest = max(deepest, 1+depth(clause))
		}
	}
	return deepest
}

// onMeta returns q with a filter on the meta field of its time-series
// collection in place of one that passes a test.
func (q query) onMeta(such func(filter policy.Value) bool) query {
	meta, _ := q.get("collection", "timeseries", "metaField").AsString()
	if meta == "" || !such(q.get("index", partial)) {
		return q
	}
	return q.with(object(meta, policy.Int32Value(1)), "index", partial)
}

// differsIn refuses an index beside one that differs in an option.
func differsIn(name string) misreading {
	return refuses(createIndex, beside(name), 85)
}

// beside is about an index beside one on the same key that differs in an option.
func beside(name string) test {
	return func(q query) bool {
		all := policy.AOf(q.get("existing"))
		return len(all) > 0 && q.shares("key")(all[0]) && !q.shares(name)(all[0])
	}
}

// special refuses the option on an index of a type.
func special(kind string) misreading {
	return refuses(createIndex, every(query.isTTL, where(isOfType(kind), "index")), 67)
}

// stored answers that the catalog keeps another number.
func stored(when test, edit func(q query, kept policy.Value) policy.Value) misreading {
	return only(createIndex, every(when, query.isTTL, accepted), func(q query) conformance.Answer {
		return q.result(func(q query, name string, v policy.Value) policy.Value {
			if name == option {
				return edit(q, v)
			}
			return v
		})
	})
}

// result answers with the result of the reference, its members changed.
func (q query) result(edit func(q query, name string, v policy.Value) policy.Value) conformance.Answer {
	out := map[string]json.RawMessage{}
	result, _ := valuefunc.ParseExtJSONInt32(q.ask().Out)
	for _, e := range policy.DOf(result) {
		out[e.Key] = policy.AppendExtJSON(nil, edit(q, e.Key, e.Value))
	}
	return conformance.Result(out)
}

// knownOptions returns an index without options that MongoDB does not know.
func knownOptions(index policy.Value) policy.Value {
	known := []string{"key", "name", option, partial, "sparse", "unique", "hidden", "collation", "v", "background"}
	return policy.ObjectValue(slices.DeleteFunc(policy.DOf(index), func(e policy.E) bool { return !slices.Contains(known, e.Key) }))
}

// isUnknownType is the shape of directions that no index has.
func isUnknownType(v policy.Value) bool {
	s, ok := v.AsString()
	return ok && !slices.Contains([]string{"hashed", "text", "2d", "2dsphere"}, s)
}

// deeper is the shape of filters that nest deeper.
func deeper(than int) shape {
	return func(f policy.Value) bool { return depth(f) > than }
}

// large returns a change of numbers beyond 32 bits.
func large(to policy.Value) change {
	return becomes(func(v policy.Value) bool { return number(v) >= math.MaxInt32+1 }, to)
}

// delay returns the option of that index as a double.
func (q query) delay() float64 { return number(q.get("index", option)) }

// shares is the shape of indexes that agree in an option with the one that is asked for.
func (q query) shares(name string) shape {
	return func(x policy.Value) bool { return sameValue(x.Field(name), q.get("index", name)) }
}

// isTTL tests for the option on the index that is asked for.
func (q query) isTTL() bool { return !q.get("index", option).IsMissing() }

// createdNothing tests for an index that exists.
func (q query) createdNothing() bool { return strings.Contains(string(q.ask().Out), `"created":false`) }

// create holds misreadings of a collection's own option, which create and
// collMod take, and of the collections that have one.
var create = map[string]misreading{
	"own-of-any-collection":           all(forgets(createColl, hasNoOwn, "command", option), forgets(collModify, hasNoOwn, "command", option)),
	"own-of-capped":                   forgets(createColl, has("command", "capped"), "command", option),
	"own-of-views":                    forgets(createColl, has("command", "viewOn"), "command", option),
	"own-of-timeseries-only":          all(refuses(createColl, has("command", "clusteredIndex"), 72), refuses(collModify, every(has("collection", "clusteredIndex"), has("command", option)), 72)),
	"own-kind-is-a-bad-index":         all(confuses(createColl, hasNoOwn, 72, 67), confuses(collModify, hasNoOwn, 72, 67)),
	"own-negative-clamped":            owns(becomes(isNegative, policy.Int32Value(0))),
	"own-minus-one-is-off":            owns(becomes(func(v policy.Value) bool { return number(v) == -1 }, policy.Int32Value(0))),
	"own-zero-refused":                ownRefused(isInt32Of(0)),
	"own-negative-is-a-bad-index":     all(confuses(createColl, negativeOwn, 72, 67), confuses(collModify, negativeOwn, 72, 67)),
	"own-no-bound-of-1970":            owns(becomes(func(v policy.Value) bool { return number(v) > math.MaxInt32/2 && !math.IsInf(number(v), 0) }, policy.Int32Value(1))),
	"own-bound-of-32-bits":            ownRefused(above(math.MaxInt32)),
	"own-bound-of-1970-exclusive":     all(refuses(createColl, reaches1970, 72), refuses(collModify, reaches1970, 72)),
	"own-nan-refused":                 ownRefused(policy.Value.IsNaN),
	"own-rounded-down":                owns(doubles(math.Floor)),
	"own-decimal-truncated":           owns(decimals(math.Trunc)),
	"own-decimal-rounded-down":        owns(decimals(math.Floor)),
	"own-infinity-clamped":            owns(becomes(isInfinite, policy.Int32Value(1))),
	"own-double-refused":              ownRefused(ofType(policy.Double)),
	"own-null-refused":                refuses(createColl, where(isNull, "command", option), 14),
	"own-text-of-digits":              changes(createColl, always, numerals, "command", option),
	"own-true-is-one":                 changes(createColl, always, becomes(ofType(policy.Bool), policy.Int32Value(1)), "command", option),
	"create-capped-without-size":      puts(createColl, has("command", "capped"), policy.Int32Value(4096), "command", "size"),
	"create-capped-code":              confuses(createColl, always, 14832, 72),
	"create-id-index-with-view":       forgets(createColl, has("command", "viewOn"), "command", "idIndex"),
	"create-id-index-of-a-cluster":    forgets(createColl, has("command", "clusteredIndex"), "command", "idIndex"),
	"create-no-index-of-a-cluster":    forgets(createColl, has("command", "clusteredIndex"), "command", "autoIndexId"),
	"create-unknown-always-refused":   atRelease(createColl, "3.4.0", until("3.4.0")),
	"create-comment-always":           forgets(createColl, always, "command", "comment"),
	"create-size-negative":            accepts(createColl, where(isNegative, "command", "size"), struct{}{}),
	"create-view-of-nothing":          accepts(createColl, where(isText(""), "command", "viewOn"), struct{}{}),
	"create-clustered-by-any-field":   puts(createColl, has("command", "clusteredIndex", "key"), object("_id", policy.Int32Value(1)), "command", "clusteredIndex", "key"),
	"create-clustered-without-unique": puts(createColl, has("command", "clusteredIndex"), policy.BoolValue(true), "command", "clusteredIndex", "unique"),
	"create-timeseries-without-time":  puts(createColl, every(has("command", "timeseries"), not(has("command", "timeseries", "timeField"))), policy.StringValue("time"), "command", "timeseries", "timeField"),
	"create-missing-field-is-a-value": confuses(createColl, always, 40414, 2),
	"create-granularity-of-days":      changes(createColl, always, turns(isText("days"), policy.StringValue("hours")), "command", "timeseries", "granularity"),
	"create-span-of-zero":             changes(createColl, always, turns(equals(0), policy.Int64Value(100)), ownSpan...),
	"create-span-unbounded":           changes(createColl, always, turns(above(31_536_000), policy.Int64Value(31_536_000)), ownSpan...),
	"create-span-below-a-year":        refuses(createColl, where(equals(31_536_000), ownSpan...), 2),
	"create-value-is-an-option":       confuses(createColl, always, 2, 72),
	"create-meta-is-time": forgets(createColl, func(q query) bool {
		return sameValue(q.get("command", "timeseries", "timeField"), q.get("command", "timeseries", "metaField"))
	}, "command", "timeseries", "metaField"),
	"create-meta-is-id":              changes(createColl, always, turns(isText("_id"), policy.StringValue("meta")), "command", "timeseries", "metaField"),
	"create-buckets-unequal":         roundsBySpan(every(has(ownRounding...), where(func(v policy.Value) bool { return number(v) >= 1 && number(v) <= 31_536_000 }, ownSpan...))),
	"create-buckets-span-alone":      roundsBySpan(every(has(ownSpan...), not(has(ownRounding...)))),
	"create-buckets-and-granularity": forgets(createColl, has(ownSpan...), "command", "timeseries", "granularity"),
	"create-buckets-never":           refuses(createColl, has(ownSpan...), 72),
}

// hasNoOwn tests for an own option on a collection that can have none.
func hasNoOwn(q query) bool {
	where := "collection"
	if q.Op == createColl {
		where = "command"
	}
	return has("command", option)(q) && !has(where, "timeseries")(q) && !has(where, "clusteredIndex")(q)
}

// negativeOwn tests for an own option below 0.
var negativeOwn = where(isNegative, "command", option)

// reaches1970 tests for one that reaches back to 1970.
func reaches1970(q query) bool {
	return has("command", option)(q) && number(q.get("command", option))*1000 == float64(q.now())
}

// owns asks create and collMod as if the own option were another.
func owns(edit change) misreading {
	return all(changes(createColl, always, edit, "command", option), changes(collModify, always, edit, "command", option))
}

// ownRefused refuses own options in both.
func ownRefused(such shape) misreading {
	when := every(has("command", option), where(such, "command", option))
	return all(refuses(createColl, when, 72), refuses(collModify, when, 72))
}

// Where a time-series collection has a span and a rounding of its own.
var (
	ownSpan     = []string{"command", "timeseries", "bucketMaxSpanSeconds"}
	ownRounding = []string{"command", "timeseries", "bucketRoundingSeconds"}
)

// roundsBySpan asks as if the rounding were the span.
func roundsBySpan(when test) misreading {
	return only(createColl, when, asks(createColl, func(q query) query { return q.with(q.get(ownSpan...), ownRounding...) }))
}
