package reasons

import (
	_ "embed" // embeds texts.json
	"strings"
	"sync"

	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Text says in words why a rule keeps documents, if the rule's statement is
// not the best way to say it. The zero Text adds nothing to the statement.
//
// Its texts hold placeholders: {field} is the field that the source reads, {found} what
// the field holds, {n} the number of documents, {option} the expireAfterSeconds,
// {release} the server's release, {type} the kind of a special index, {name} and {value}
// a property of an item, {looks} the likely meaning of a number of seconds, and {years}
// its length in years.
type Text struct {
	// Kept says why a document never expires.
	Kept string
	// ByKind replaces Kept for some kinds of the field's value, by MongoDB's alias.
	// It is nil unless Kept depends on the kind, or names it.
	ByKind map[string]string
	// Field is the field that Kept is about, if it is not the source's.
	Field string
	// Lack is the reason that a document has no date, if the rule keeps the document for
	// this reason.
	Lack Lack
	// Holds describes the value in the place of a Date; empty if that depends on
	// the kind, see [Holding].
	Holds string
	// Unknown means that a decision by this rule says nothing about the stored document: the
	// given form of the document lacks a value that the deadline depends on. Such a document
	// counts as neither kept nor deleted.
	Unknown bool
	// Idle means that by this rule a source deletes no document at all. Source is the
	// sentence about the source that says so; if it is empty, use the statement.
	Idle   bool
	Source string
	// Documents is a sentence about {n} documents that the rule keeps.
	Documents string
	// Items says what is wrong with items of Azure Cosmos DB, by their ttl.
	Items map[Fault]ItemText
}

// A Lack is a reason why a document has no date to count from.
type Lack uint8

const (
	NoLack  Lack = iota // it has a date, or is kept for another reason
	Absent              // the field is absent, the way to keep a document on purpose
	NotDate             // the value is not a Date
)

// A Fault is a fault in an item's ttl.
type Fault string

const (
	AnyTTL      Fault = "any"      // the rule is not about the value
	NullTTL     Fault = "null"     // null
	ZeroTTL     Fault = "zero"     // 0
	NegativeTTL Fault = "negative" // below -1
	StringTTL   Fault = "string"   // a number between quotes, or other text
	FractionTTL Fault = "fraction" // a fraction, or a whole number in the form of a fraction
	OtherTTL    Fault = "other"    // another type
	HugeTTL     Fault = "huge"     // above 2147483647
	UnlikelyTTL Fault = "unlikely" // valid, and likely to mean something else
)

// An ItemText describes items with a fault, and says how to repair them.
type ItemText struct {
	Documents string
	Advice    string
	// Setting is the advice for the defaultTtl of a container with this fault.
	Setting string
}

// texts.json maps identifiers of rules to texts. It is a copy of the texts in
// docs/site/records/rules.json, where people edit them. Every rule by which a decision may
// keep a document has an entry.
//
//go:embed texts.json
var textsJSON []byte

// allTexts are the texts by their rules. They are read at the first use, so that a
// program that uses no text does not hold them. Package policy reads them, because
// encoding/json would make the program of the playground a tenth larger.
var allTexts = sync.OnceValue(func() map[policy.Rule]*Text {
	all, err := policy.ParseJSON(textsJSON)
	if err != nil {
		panic("texts.json: " + err.Error()) // a test checks that the file can be read
	}
	texts := map[policy.Rule]*Text{}
	for f := all.Value().Fields(); f.Next(); {
		texts[Rule(f.Name())] = textOf(f.Value())
	}
	return texts
})

// textOf reads an entry of texts.json.
func textOf(v policy.Value) *Text {
	t := &Text{Kept: stringAt(v, "kept"), Field: stringAt(v, "field"), Holds: stringAt(v, "holds"), Source: stringAt(v, "source"), Documents: stringAt(v, "documents")}
	t.Idle, _ = v.Field("idle").AsBool()
	t.Unknown, _ = v.Field("unknown").AsBool()
	t.Lack = map[string]Lack{"absent": Absent, "not a date": NotDate}[stringAt(v, "lack")]
	if !v.Field("byKind").IsMissing() {
		t.ByKind = map[string]string{}
	}
	for f := v.Field("byKind").Fields(); f.Next(); {
		t.ByKind[f.Name()], _ = f.Value().AsString()
	}
	if !v.Field("items").IsMissing() {
		t.Items = map[Fault]ItemText{}
	}
	for f := v.Field("items").Fields(); f.Next(); {
		t.Items[Fault(f.Name())] = ItemText{stringAt(f.Value(), "documents"), stringAt(f.Value(), "advice"), stringAt(f.Value(), "setting")}
	}
	return t
}

func stringAt(v policy.Value, name string) string {
	text, _ := v.Field(name).AsString()
	return text
}

// TextOf returns the text of a rule; nil for a rule that keeps no document.
func TextOf(r policy.Rule) *Text { return allTexts()[r] }

// Rule returns the rule with an identifier, from the catalogue of either engine. It
// panics if there is no such rule.
func Rule(id string) policy.Rule {
	r, ok := valuefunc.F.RuleByID(id)
	if !ok {
		panic("reasons: no rule " + id)
	}
	return r
}

// IsIdle reports whether a source deletes no document at all by this rule.
func IsIdle(r policy.Rule) bool {
	t := TextOf(r)
	return t != nil && t.Idle
}

// IsUnknown reports whether a decision by this rule does not say when the stored document
// expires, because the given form of the document lacks a value that the deadline depends
// on. It is the one place that separates such decisions from those by which a document
// never expires.
func IsUnknown(r policy.Rule) bool {
	t := TextOf(r)
	return t != nil && t.Unknown
}

// StateOf returns the name of a decision's state: "expired", "pending", "never", or
// "unknown" by [IsUnknown].
func StateOf(d policy.Decision) string {
	if IsUnknown(d.Rule) {
		return Unknown
	}
	return d.State.String()
}

// Unknown is the name of the state of a document about which [IsUnknown] is true.
const Unknown = "unknown"

// Kept says why documents never expire by a rule: source is the index or setting that
// decided, and found is the kind of the value in the source's field.
func Kept(r policy.Rule, source Source, found policy.Kind) string {
	if r.IsZero() {
		return "no rule was named"
	}
	t := TextOf(r)
	if t == nil || t.Kept == "" {
		return r.Statement()
	}
	field := fieldOf(r, source)
	if field == "" && strings.Contains(t.Kept, "{field}") {
		return r.Statement()
	}
	text, ok := t.ByKind[found.String()]
	if !ok {
		text = t.Kept
	}
	return strings.NewReplacer("{field}", "`"+field+"`", "{found}", KindName(found)).Replace(text)
}

// fieldOf returns the field that the text of a rule is about, "" for none.
func fieldOf(r policy.Rule, source Source) string {
	if t := TextOf(r); t != nil && t.Field != "" {
		return t.Field
	}
	return source.Field
}

// Holding describes the value that a document has in place of a Date, which is the reason
// for keeping the document.
func Holding(r policy.Rule, found policy.Kind) string {
	switch t := TextOf(r); {
	case t != nil && t.Holds != "":
		return t.Holds
	case found == policy.List:
		return "an array without a Date"
	}
	return KindName(found)
}

// ForOne turns a text about {n} documents or items into a text about a single
// one.
func ForOne(text string) string { return singular.Replace(text) }

var singular = strings.NewReplacer(
	"{n} hold ", "{n} holds ", "{n} have ", "{n} has ", "{n} lie ", "{n} lies ",
	"they never expire", "it never expires", "they expire", "it expires",
	"deletes them", "deletes it", "of their own", "of its own", "becomes of them", "becomes of it",
)

// KindAt returns the kind of the value at path in doc, or of the first array on
// the way.
func KindAt(doc policy.Document, path []string) policy.Kind { return ValueAt(doc, path).Kind() }

// ValueAt returns the value at path in doc, or the first array on the way.
func ValueAt(doc policy.Document, path []string) policy.Value {
	v := doc.Field(path[0])
	for _, name := range path[1:] {
		if v.Kind() == policy.List {
			break
		}
		v = v.Field(name)
	}
	return v
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
