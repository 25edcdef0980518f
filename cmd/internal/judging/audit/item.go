package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A class groups items with the same fault.
type class struct {
	classKey
	value policy.Value // the value in the first item, if it is a whole number
	shown string       // the value as the report shows it
	name  string       // the name of the property, as the first item spells it
	tally
}

// A classKey holds what the items of a class have in common.
type classKey struct {
	rule  policy.Rule
	fault reasons.Fault
	name  string // the name of the property, in lower case
	look  look
}

// noTimestamp is the rule of an item without the time of its last write.
var noTimestamp = reasons.Rule("cosmos.no-timestamp")

// see counts an item in the class of each of its faults.
func (a *containerAudit) see(doc policy.Document, w place) {
	a.documents++
	a.bytes += int64(w.size)
	rule := a.by.Decide(doc, a.Now).Rule
	ttl := doc.Field("ttl")
	switch rule {
	case noTimestamp:
		a.class(rule, reasons.AnyTTL, "_ts", ttl).add(doc, w)
	case reasons.Rule("cosmos.path-unspecified"):
		a.class(rule, reasons.AnyTTL, "", ttl).add(doc, w)
		return
	case reasons.Rule("cosmos.duplicate-unspecified"):
		a.class(rule, reasons.AnyTTL, "ttl", ttl).add(doc, w)
		return
	}
	if ttl.IsMissing() {
		if name, v := misnamedProperty(doc); name != "" {
			a.class(reasons.Rule("cosmos.property-name"), reasons.AnyTTL, name, v).add(doc, w)
		}
		return
	}
	if a.isOff() {
		a.class(reasons.Rule("cosmos.off"), reasons.AnyTTL, "ttl", ttl).add(doc, w)
	}
	if f := faultOf(ttl); f != reasons.AnyTTL {
		a.class(ruleOf(f), f, "ttl", ttl).add(doc, w)
	}
}

// ruleOf returns the rule about a ttl with this fault.
func ruleOf(f reasons.Fault) policy.Rule {
	if f == reasons.UnlikelyTTL {
		return reasons.Rule("cosmos.seconds")
	}
	return reasons.Rule("cosmos.item-unspecified")
}

// faultOf returns the fault of a ttl's value, or [reasons.AnyTTL] if the value has no
// fault.
func faultOf(v policy.Value) reasons.Fault {
	n, isInteger := v.AsInt64()
	switch {
	case v.Kind() == policy.Null:
		return reasons.NullTTL
	case v.Kind() == policy.String:
		return reasons.StringTTL
	case v.Kind() == policy.Double:
		return faultOfDouble(v)
	case !isInteger:
		return reasons.OtherTTL
	case n == 0:
		return reasons.ZeroTTL
	case n < -1:
		return reasons.NegativeTTL
	case n > int64(policy.MaxSeconds):
		return reasons.HugeTTL
	case lookOf(n) != itself:
		return reasons.UnlikelyTTL
	}
	return reasons.AnyTTL
}

// faultOfDouble returns the fault of a JSON number that is not an integer of 64 bits.
func faultOfDouble(v policy.Value) reasons.Fault {
	switch f, _ := v.AsDouble(); {
	case f >= 1<<63:
		return reasons.HugeTTL
	case f <= -1<<63:
		return reasons.NegativeTTL
	}
	return reasons.FractionTTL
}

// A number in these ranges is probably not a number of seconds. It is a point in time
// from September 2001 on, or a time to live of whole hours in milliseconds.
const (
	epochSeconds = 1_000_000_000
	epochMillis  = 1_000_000_000_000
	hourMillis   = 3_600_000
)

// A look is the unit that a number given as seconds is probably in. The zero look is
// seconds.
type look uint8

const (
	itself look = iota
	instantSeconds
	instantMillis
	millis
)

func lookOf(n int64) look {
	switch {
	case n >= epochMillis && n < 10*epochMillis:
		return instantMillis
	case n >= hourMillis && n < epochMillis && n%hourMillis == 0 && (n >= longSeconds || n%daySeconds != 0 && isUsual(n/1000)): // a multiple of an hour is hardly ever a point in time
		return millis
	case n >= epochSeconds && n < 10*epochSeconds:
		return instantSeconds
	}
	return itself
}

// phrase returns words for n in the unit of l.
func (l look) phrase(n int64) string {
	switch l {
	case instantSeconds:
		return "the time " + policy.Instant(n*1000).String()
	case instantMillis:
		return "the time " + policy.Instant(n).String() + " in milliseconds"
	case millis:
		return catalog.Span(n/1000) + " in milliseconds"
	}
	return ""
}

// years returns a long time to live in years, as text.
func years(n int64) string {
	const year = 31_556_952
	if n < 2*year {
		return catalog.Span(n)
	}
	return fmt.Sprintf("%.1f years", float64(n)/year)
}

// misnamed are names, in lower case, that people write in place of ttl.
var misnamed = []string{"ttl", "_ttl", "timetolive", "time_to_live", "ttlseconds", "ttlinseconds", "ttl_seconds"}

// misnamedProperty returns a property with a number or a text that was probably meant as
// the ttl.
func misnamedProperty(doc policy.Document) (string, policy.Value) {
	for f := fieldsOf(doc); f.Next(); {
		isValue := f.Value().Kind().IsNumber() || f.Value().Kind() == policy.String
		if name := f.Name(); isValue && slices.Contains(misnamed, strings.ToLower(name)) {
			return name, f.Value()
		}
	}
	return "", policy.Value{}
}

// class returns the class with this rule, fault and name, and adds it if it is missing.
// For some faults, values that look like different units have classes of their own. A new
// class shows v.
func (a *containerAudit) class(rule policy.Rule, f reasons.Fault, name string, v policy.Value) *class {
	k := classKey{rule: rule, fault: f, name: strings.ToLower(name)}
	n, isInteger := v.AsInt64()
	if f == reasons.HugeTTL || f == reasons.UnlikelyTTL {
		k.look = lookOf(n)
	}
	i := slices.IndexFunc(a.classes, func(c class) bool { return c.classKey == k })
	if i < 0 {
		i = len(a.classes)
		a.classes = append(a.classes, class{classKey: k, name: name, shown: catalog.Plain(v)})
		if a.NoIDs {
			a.classes[i].shown = reasons.KindName(v.Kind())
		}
		if isInteger {
			a.classes[i].value = policy.Int64Value(n)
		}
	}
	return &a.classes[i]
}

// withoutValues removes the placeholder for an item's value from a text.
var withoutValues = strings.NewReplacer(", such as {value}", "", " such as {value}", "", ": {years}", "")

// finding returns the finding about the items of a class.
func (a *containerAudit) finding(c *class) Finding {
	t := reasons.TextOf(c.rule).Items[c.fault]
	n, _ := c.value.AsInt64()
	looks, text, items := "", t.Documents, cli.Number(c.documents)+" items"
	if c.look != itself {
		looks = ", which looks like " + c.look.phrase(n)
	}
	if a.NoIDs {
		looks, text = "", withoutValues.Replace(text)
	}
	if c.documents == 1 {
		text, items = reasons.ForOne(text), "1 item"
	}
	f := Finding{Severity: keepsBy(c.rule), Rule: c.rule, Advice: t.Advice, Documents: c.documents, Samples: c.samples}
	f.Text = strings.NewReplacer("{n}", items, "{value}", c.shown, "{name}", cli.Visible(c.name), "{looks}", looks, "{years}", years(n)).Replace(text)
	switch c.rule {
	case noTimestamp:
		f.Severity = Harmless // in the service, every stored item has a _ts
	case reasons.Rule("cosmos.off"):
		f.Repairs = a.settingOf("defaultTtl").repair(a, "let the items with a ttl expire, and no others", policy.Int32Value(-1))
	}
	return f
}
