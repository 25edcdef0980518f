package reasons

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Text says in words by what a rule keeps documents, as far as the rule's
// statement is not the best way to say it. The zero Text adds nothing to the
// statement.
//
// Its texts hold placeholders: {field} is the field that the source looks at,
// {found} what the field holds, {n} how many documents there are, {option} the
// expireAfterSeconds, {release} the server's release, {type} the kind of a special
// index, {name} and {value} a property of an item, {looks} what a number of
// seconds looks like, and {years} how long it is.
type Text struct {
	// Kept says why a document never expires.
	Kept string
	// ByKind replaces Kept for some kinds of what the field holds. It is nil
	// unless Kept depends on the kind.
	ByKind map[policy.Kind]string
	// Field is the field that Kept is about, where it is not the source's.
	Field string
	// Lack is why a document has no date, if that is why it is kept.
	Lack Lack
	// Holds says what stands in the place of a Date; empty if that depends on
	// the kind, see [Holding].
	Holds string
	// Idle means that by this rule a source deletes no document at all. Source
	// says so of the source; empty for the statement.
	Idle   bool
	Source string
	// Documents says what {n} documents show.
	Documents string
	// Items says what is wrong with items of Azure Cosmos DB, by their ttl.
	Items map[Fault]ItemText
}

// A Lack is why a document has no date to count from.
type Lack uint8

const (
	NoLack  Lack = iota // it has one, or that is not why it is kept
	Absent              // nothing is there, which is how to keep a document on purpose
	NotDate             // what is there is not a Date
)

// A Fault is what may be wrong with an item's ttl.
type Fault uint8

const (
	AnyTTL      Fault = iota // the rule is not about the value
	NullTTL                  // null
	ZeroTTL                  // 0
	NegativeTTL              // below -1
	StringTTL                // a number between quotes, or other text
	FractionTTL              // a fraction, or a number written like one
	OtherTTL                 // another type
	HugeTTL                  // above 2147483647
	UnlikelyTTL              // valid, and likely to mean something else
)

// An ItemText says what items with a fault show, and what to do about it.
type ItemText struct {
	Documents string
	Advice    string
	// Setting is the advice for the defaultTtl of a container with this fault.
	Setting string
}

// Texts by the rule's identifier. Every rule by which a decision may keep a
// document has an entry.
var textsByID = map[string]Text{
	"mongo.malformed": {},

	// Rules by which a source deletes nothing at all.
	"mongo.no-ttl":                         {Idle: true, Source: "The collection's own expireAfterSeconds {option} does nothing: only time-series and clustered collections have one."},
	"mongo.namespace-excluded":             {Idle: true, Source: "{release} deletes nothing from this system collection: nothing expires there."},
	"mongo.namespace-unspecified":          {Idle: true},
	"mongo.index-compound":                 {Idle: true, Source: "An index of several fields never deletes, so its expireAfterSeconds {option} does nothing."},
	"mongo.index-special":                  {Idle: true, Source: "A {type} index never deletes, so its expireAfterSeconds {option} does nothing."},
	"mongo.index-special-unspecified":      {Idle: true},
	"mongo.path-refused":                   {Idle: true, Source: "The path {field} cannot be indexed, so nothing expires by this index."},
	"mongo.seconds-not-number":             {Idle: true, Source: "expireAfterSeconds is {option} and not a number: {release} skips the index."},
	"mongo.nan-aborts":                     {Idle: true, Source: "expireAfterSeconds is NaN: every pass over the index fails with an error in the log, and nothing is deleted. MongoDB 5.0.0 to 5.0.13, 6.0.0 and 6.0.1 take it for 0 and delete every document whose {field} is not in the future, so repair it before an upgrade, an initial sync or a restore."},
	"mongo.nan-skipped":                    {Idle: true, Source: "expireAfterSeconds is NaN: {release} skips the index, until a member becomes primary and turns it into 2147483647, 68 years."},
	"mongo.seconds-invalid":                {Idle: true, Source: "expireAfterSeconds {option} is outside 0 to 2147483647: {release} skips the index, until a member becomes primary and turns it into 2147483647, 68 years."},
	"mongo.seconds-overflow":               {Idle: true, Source: "expireAfterSeconds {option} is too large to compute with: every pass over the index fails, and nothing is deleted."},
	"mongo.seconds-unspecified":            {Idle: true, Source: "What expireAfterSeconds {option} does in {release} is not established."},
	"mongo.capped":                         {Idle: true, Source: "The collection is capped, and {release} deletes nothing from such a collection by an index."},
	"mongo.capped-unspecified":             {Idle: true},
	"mongo.filter-language-unspecified":    {Idle: true},
	"mongo.timeseries-index-refused":       {Idle: true},
	"mongo.timeseries-index-shape":         {Idle: true},
	"mongo.collection-seconds-unspecified": {Idle: true},
	"mongo.timeseries-extended-range": {
		Idle:      true,
		Source:    "The collection is flagged as holding dates before 1970 or after 2038, and {release} skips such a time-series collection as a whole: nothing expires.",
		Documents: "{n} lie before 1970 or after 2038. {release} therefore skips the whole time-series collection: nothing expires.",
	},
	"mongo.timeseries-extended-range-unspecified": {
		Idle:      true,
		Documents: "{n} lie before 1901-12-13 or after 2106-02-07. What becomes of them in {release} is not established.",
	},

	// Rules about single documents of MongoDB.
	"mongo.index-v0-unspecified": {},
	"mongo.index-v0":             {},
	"mongo.path-ambiguous":       {},
	"mongo.filter-mismatch":      {Kept: "outside the partial filter"},
	"mongo.filter-unspecified":   {Documents: "Whether the partial filter takes in {n} is not decided here."},
	"mongo.field-missing":        {Kept: "{field} is missing", Lack: Absent, Holds: "missing"},
	"mongo.field-null": {
		Kept:   "{field} leads to null",
		ByKind: map[policy.Kind]string{policy.Null: "{field} is null", policy.Undefined: "{field} is undefined"},
		Lack:   Absent, Holds: "null",
	},
	"mongo.array-empty":  {Kept: "{field} is an empty array", Lack: Absent, Holds: "an empty array"},
	"mongo.array-nested": {Kept: "{field} holds an array inside an array, which is no Date whatever it holds", Lack: NotDate, Holds: "an array inside an array"},
	"mongo.field-not-date": {
		Kept:   "{field} holds {found}, not a Date",
		ByKind: map[policy.Kind]string{policy.List: "{field} holds an array without a Date"},
		Lack:   NotDate,
	},
	"mongo.clustered-not-date":                 {Kept: "{field} holds {found}, not a Date", ByKind: kindOnly, Lack: NotDate},
	"mongo.timestamp-unspecified":              {Documents: "{n} hold a replication timestamp in {field}. Whether {release} deletes them is not established."},
	"mongo.unreachable":                        {Kept: "the date in {field} is so late that no clock reaches the deadline"},
	"mongo.clustered-before-1970":              {Documents: "{n} have a Date before 1970 as _id. The scan of a clustered collection begins at 1970, so they never expire."},
	"mongo.clustered-before-1970-unspecified":  {Documents: "{n} have a Date before 1970 as _id. Whether {release} deletes them is not established."},
	"mongo.timeseries-no-time":                 {Documents: "{n} have no Date in {field}, which a time-series collection cannot hold."},
	"mongo.timeseries-before-2017":             {Documents: "{n} lie in buckets before 2017-11-28T00:21:29Z, which {release} never visits, so they never expire. 6.0.13, 7.0.5 and 8.0 delete them: look before an upgrade."},
	"mongo.timeseries-before-2017-unspecified": {Documents: "{n} lie in buckets before 2017-11-28T00:21:29Z. Whether {release} deletes them is not established."},

	// Azure Cosmos DB.
	"cosmos.malformed":             {},
	"cosmos.container-unspecified": {},
	"cosmos.off": {Items: map[Fault]ItemText{AnyTTL: {
		Documents: "{n} have a ttl of their own, but the container has no defaultTtl: time to live is off, and an item's ttl is not looked at.",
		Advice:    "Set defaultTtl to -1, by which only items with a ttl expire, or to a number of seconds.",
	}}},
	"cosmos.item-never": {Kept: "{field} is -1", Field: "ttl"},
	"cosmos.no-default": {Kept: "no {field}, and the container has no default", Field: "ttl"},
	"cosmos.no-timestamp": {
		Kept: "{field} holds {found}, not whole seconds", Field: "_ts",
		ByKind: map[policy.Kind]string{policy.Missing: "{field} is missing, so when they expire cannot be told; export the system properties"},
		Items: map[Fault]ItemText{AnyTTL: {
			Documents: "{n} have no whole number as _ts here, so that when they expire cannot be told.",
			Advice:    "Export the system properties as well.",
		}},
	},
	"cosmos.item-unspecified": {
		Kept: "{field} holds {found}, not a number of seconds", Field: "ttl",
		ByKind: map[policy.Kind]string{
			policy.Null:   "{field} is null, which no container with a time to live accepts",
			policy.Int32:  "{field} is neither -1 nor 1 to 2147483647",
			policy.Int64:  "{field} is above 2147483647 or far below -1",
			policy.Double: "{field} is a number that is not whole, or written as if it were not",
		},
		Items: map[Fault]ItemText{
			NullTTL: {
				Documents: "{n} have ttl null. The service refuses to write that while time to live is on; what a stored one does is not established.",
				Advice:    "Leave ttl out to follow the container, or write -1 for never.",
				Setting:   "Leave defaultTtl out to switch time to live off.",
			},
			ZeroTTL: {
				Documents: "{n} have ttl 0, which is not 'at once': the service refuses to write it while time to live is on, and what a stored one does is not established.",
				Advice:    "Write 1 for the shortest time, or -1 for never.",
				Setting:   "Leave defaultTtl out to switch time to live off, or write -1 for on without a default.",
			},
			NegativeTTL: {
				Documents: "{n} have a negative ttl such as {value}. Only -1 means something; the service refuses the others while time to live is on, and what a stored one does is not established.",
				Advice:    "Write -1 for never, or seconds from 1 on.",
				Setting:   "Write -1 for on without a default, or seconds from 1 on.",
			},
			StringTTL: {
				Documents: "{n} have a string as ttl, such as {value}. A ttl is a number; what a stored string does is not established.",
				Advice:    "Write the number without quotes.",
				Setting:   "Write the number without quotes.",
			},
			FractionTTL: {
				Documents: "{n} have a ttl with a fraction, or written like one, such as {value}. A ttl is an integer; what a stored fraction does is not established.",
				Advice:    "Write a whole number of seconds, without a point or an exponent.",
				Setting:   "Write a whole number of seconds, without a point or an exponent.",
			},
			OtherTTL: {
				Documents: "{n} have {value} as ttl, which is no number of seconds; what a stored one does is not established.",
				Advice:    "Write a whole number of seconds.",
				Setting:   "Write a whole number of seconds.",
			},
			HugeTTL: {
				Documents: "{n} have a ttl above 2147483647, such as {value}{looks}. The service refuses to write that while time to live is on; what a stored one does is not established.",
				Advice:    "ttl counts seconds from the item's last write; -1 is never.",
				Setting:   "Write seconds up to 2147483647, or -1 for on without a default.",
			},
		},
	},
	"cosmos.seconds": {Items: map[Fault]ItemText{UnlikelyTTL: {
		Documents: "{n} have a ttl such as {value}{looks}. It counts seconds from the item's last write: {years}.",
		Advice:    "Write the seconds from the last write on.",
	}}},
	"cosmos.property-name": {Items: map[Fault]ItemText{AnyTTL: {
		Documents: "{n} have a property {name} and no ttl. Only the property spelled exactly ttl, at the top of the item, counts.",
		Advice:    "Rename it to ttl, with a whole number of seconds.",
	}}},
	"cosmos.path-unspecified": {Items: map[Fault]ItemText{AnyTTL: {
		Documents: "{n} hold no whole number at the container's ttlPropertyPath, or a ttl beside it; what becomes of them is not established.",
		Advice:    "Store whole seconds since 1970 there, and no ttl.",
	}}},
	"cosmos.duplicate-unspecified": {Items: map[Fault]ItemText{AnyTTL: {
		Documents: "{n} have the property ttl or _ts twice; which of them counts is not established.",
		Advice:    "Write it once.",
	}}},
	"cosmos.unreachable": {},

	// The API for MongoDB.
	"cosmos.mongo-off":                     {},
	"cosmos.mongo-index-unspecified":       {},
	"cosmos.mongo-ttl-version-unspecified": {},
	"cosmos.mongo-ttl-unspecified":         {},
	"cosmos.mongo-field-ttl-unspecified":   {},
	"cosmos.mongo-field-array-unspecified": {},
	"cosmos.mongo-field-missing":           {Kept: "{field} is missing"},
	"cosmos.mongo-field-type":              {Kept: "{field} holds {found}, neither a Date nor a number", ByKind: kindOnly},
}

// kindOnly marks a text that names the kind, and depends on it in no other way.
var kindOnly = map[policy.Kind]string{}

var texts = func() map[*policy.Rule]*Text {
	m := make(map[*policy.Rule]*Text, len(textsByID))
	for id, text := range textsByID {
		m[Rule(id)] = &text
	}
	return m
}()

// TextOf returns the text of a rule, nil for one that keeps no document.
func TextOf(r *policy.Rule) *Text { return texts[r] }

// Rule returns the rule with an identifier that is known to exist, of either
// engine. It panics if there is none.
func Rule(id string) *policy.Rule {
	r, ok := mongo.RuleByID(id)
	if !ok {
		r, ok = cosmos.RuleByID(id)
	}
	if !ok {
		panic("reasons: no rule " + id)
	}
	return r
}

// IsIdle reports whether by this rule a source deletes no document at all.
func IsIdle(r *policy.Rule) bool {
	t := TextOf(r)
	return t != nil && t.Idle
}

// Kept says why documents never expire by a rule: source is the index or setting
// that decided, found the kind of what its field holds.
func Kept(r *policy.Rule, source Source, found policy.Kind) string {
	if r == nil {
		return "no rule was named"
	}
	t := TextOf(r)
	if t == nil || t.Kept == "" {
		return r.Statement
	}
	field := source.Field
	if t.Field != "" {
		field = t.Field
	}
	if field == "" && strings.Contains(t.Kept, "{field}") {
		return r.Statement
	}
	text, ok := t.ByKind[found]
	if !ok {
		text = t.Kept
	}
	return strings.NewReplacer("{field}", "`"+field+"`", "{found}", KindName(found)).Replace(text)
}

// Holding says what stands in the place of a Date in a document that is kept for
// the lack of one.
func Holding(r *policy.Rule, found policy.Kind) string {
	switch t := TextOf(r); {
	case t != nil && t.Holds != "":
		return t.Holds
	case found == policy.List:
		return "an array without a Date"
	}
	return KindName(found)
}

// ForOne makes a text about {n} documents or items one about a single one.
func ForOne(text string) string { return singular.Replace(text) }

var singular = strings.NewReplacer(
	"{n} hold ", "{n} holds ", "{n} have ", "{n} has ", "{n} lie ", "{n} lies ",
	"they never expire", "it never expires", "they expire", "it expires",
	"deletes them", "deletes it", "of their own", "of its own", "becomes of them", "becomes of it",
)

// KindAt returns the kind of what is at path in doc, or of the first array on
// the way.
func KindAt(doc policy.Document, path []string) policy.Kind {
	v := doc.Field(path[0])
	for _, name := range path[1:] {
		if v.Kind() == policy.List {
			break
		}
		v = v.Field(name)
	}
	return v.Kind()
}

// KindName names a kind by MongoDB's alias, and by an easier word if there is one:
// "a string", "a number (long)", "nothing".
func KindName(k policy.Kind) string {
	switch k {
	case policy.Missing:
		return "nothing"
	case policy.Int32, policy.Int64, policy.Double, policy.Decimal:
		return "a number (" + k.String() + ")"
	case policy.Object:
		return "an embedded document"
	case policy.ObjectID:
		return "an ObjectId"
	case policy.Binary:
		return "binary data"
	case policy.Bool:
		return "a boolean"
	case policy.List:
		return "an array"
	case policy.Undefined, policy.Null:
		return k.String()
	}
	return "a " + k.String()
}
