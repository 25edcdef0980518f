package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A class is items that show one thing.
type class struct {
	kind
	value policy.Value // of the first item, if it is a whole number
	shown string       // that value for people
	name  string       // of the property, as the first item spells it
	tally
}

// A kind is what classes are told apart by.
type kind struct {
	hazard
	rule *policy.Rule
	name string // of the property, in lower case
	look look
}

// A hazard is what may be wrong with an item.
type hazard uint8

const (
	inert hazard = iota
	nullTTL
	zeroTTL
	negativeTTL
	textTTL
	fractionTTL
	otherTTL
	hugeTTL
	meantTTL // a value that means something else
	misnamedTTL
	timeless
	pathless
	twice
)

// hazards say what each means. {n} is the items, {value} what the first holds,
// {name} the property, {looks} what a value looks like.
//
// setting is the advice for a container's defaultTtl that is so.
var hazards = [...]struct {
	severity              Severity
	text, advice, setting string
}{
	inert: {Keeps, "{n} have a ttl of their own, but the container has no defaultTtl: time to live is off, and an item's ttl is not looked at.",
		"Set defaultTtl to -1, by which only items with a ttl expire, or to a number of seconds.", ""},
	nullTTL: {Unspecified, "{n} have ttl null. The service refuses to write that while time to live is on; what a stored one does is not established.",
		"Leave ttl out to follow the container, or write -1 for never.", "Leave defaultTtl out to switch time to live off."},
	zeroTTL: {Unspecified, "{n} have ttl 0, which is not 'at once': the service refuses to write it while time to live is on, and what a stored one does is not established.",
		"Write 1 for the shortest time, or -1 for never.", "Leave defaultTtl out to switch time to live off, or write -1 for on without a default."},
	negativeTTL: {Unspecified, "{n} have a negative ttl such as {value}. Only -1 means something; the service refuses the others while time to live is on, and what a stored one does is not established.",
		"Write -1 for never, or seconds from 1 on.", "Write -1 for on without a default, or seconds from 1 on."},
	textTTL: {Unspecified, "{n} have a string as ttl, such as {value}. A ttl is a number; what a stored string does is not established.",
		"Write the number without quotes.", "Write the number without quotes."},
	fractionTTL: {Unspecified, "{n} have a ttl with a fraction, or written like one, such as {value}. A ttl is an integer; what a stored fraction does is not established.",
		"Write a whole number of seconds, without a point or an exponent.", "Write a whole number of seconds, without a point or an exponent."},
	otherTTL: {Unspecified, "{n} have {value} as ttl, which is no number of seconds; what a stored one does is not established.",
		"Write a whole number of seconds.", "Write a whole number of seconds."},
	hugeTTL: {Unspecified, "{n} have a ttl above 2147483647, such as {value}{looks}. The service refuses to write that while time to live is on; what a stored one does is not established.",
		"ttl counts seconds from the item's last write; -1 is never.", "Write seconds up to 2147483647, or -1 for on without a default."},
	meantTTL: {Keeps, "{n} have a ttl such as {value}{looks}. It counts seconds from the item's last write: {years}.",
		"Write the seconds from the last write on.", ""},
	misnamedTTL: {Keeps, "{n} have a property {name} and no ttl. Only the property spelled exactly ttl, at the top of the item, counts.",
		"Rename it to ttl, with a whole number of seconds.", ""},
	timeless: {Harmless, "{n} have no whole number as _ts here, so that when they expire cannot be told.",
		"Export the system properties as well.", ""},
	pathless: {Unspecified, "{n} hold no whole number at the container's ttlPropertyPath, or a ttl beside it; what becomes of them is not established.",
		"Store whole seconds since 1970 there, and no ttl.", ""},
	twice: {Unspecified, "{n} have the property ttl or _ts twice; which of them counts is not established.",
		"Write it once.", ""},
}

// see sorts one item.
func (a *containerAudit) see(doc policy.Document, w place) {
	a.documents++
	a.bytes += int64(w.size)
	rule := a.by.Decide(doc, a.Now).Rule
	ttl := doc.Field("ttl")
	switch rule.ID {
	case "cosmos.no-timestamp":
		a.class(timeless, rule, "_ts", ttl).add(doc, w, "id")
	case "cosmos.path-unspecified":
		a.class(pathless, rule, "", ttl).add(doc, w, "id")
		return
	case "cosmos.duplicate-unspecified":
		a.class(twice, rule, "ttl", ttl).add(doc, w, "id")
		return
	}
	if ttl.IsMissing() {
		if name, v := misnamedProperty(doc); name != "" {
			a.class(misnamedTTL, catalogue["cosmos.property-name"], name, v).add(doc, w, "id")
		}
		return
	}
	if a.isOff() {
		a.class(inert, rule, "ttl", ttl).add(doc, w, "id")
	}
	if h, wrong := hazardOf(ttl); wrong {
		a.class(h, ruleFor(ttl), "ttl", ttl).add(doc, w, "id")
	}
}

// ruleFor returns the rule about the value of a ttl.
func ruleFor(ttl policy.Value) *policy.Rule {
	if _, valid := cosmos.TTLOf(ttl).Seconds(); valid {
		return catalogue["cosmos.seconds"]
	}
	return catalogue["cosmos.item-unspecified"]
}

// hazardOf sorts the value of a ttl. It reports false for one that is as it
// should be.
func hazardOf(v policy.Value) (hazard, bool) {
	n, isInteger := v.AsInt64()
	switch {
	case v.Kind() == policy.Null:
		return nullTTL, true
	case v.Kind() == policy.String:
		return textTTL, true
	case v.Kind() == policy.Double:
		return ofDouble(v), true
	case !isInteger:
		return otherTTL, true
	case n == 0:
		return zeroTTL, true
	case n < -1:
		return negativeTTL, true
	case n > int64(policy.MaxSeconds):
		return hugeTTL, true
	}
	return meantTTL, lookOf(n) != itself
}

// ofDouble tells apart numbers of JSON that are no integers of 64 bits.
func ofDouble(v policy.Value) hazard {
	switch f, _ := v.AsDouble(); {
	case f >= 1<<63:
		return hugeTTL
	case f <= -1<<63:
		return negativeTTL
	}
	return fractionTTL
}

// The ranges in which a number of seconds is likelier to be something else:
// points in time from September 2001 on, and a time to live that is whole hours
// if taken for milliseconds.
const (
	epochSeconds = 1_000_000_000
	epochMillis  = 1_000_000_000_000
	hourMillis   = 3_600_000
)

// A look is what a number of seconds looks like. The zero look is itself.
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
	case n >= hourMillis && n < epochMillis && n%hourMillis == 0: // hardly a point in time, to the hour in another unit
		return millis
	case n >= epochSeconds && n < 10*epochSeconds:
		return instantSeconds
	}
	return itself
}

// phrase says what n looks like.
func (l look) phrase(n int64) string {
	switch l {
	case instantSeconds:
		return "the time " + policy.Instant(n*1000).String()
	case instantMillis:
		return "the time " + policy.Instant(n).String() + " in milliseconds"
	case millis:
		return duration(n/1000) + " in milliseconds"
	}
	return ""
}

// years writes a long time to live.
func years(n int64) string {
	const year = 31_556_952
	if n < 2*year {
		return duration(n)
	}
	return fmt.Sprintf("%.1f years", float64(n)/year)
}

// misnamed are names, in lower case, that are taken for the ttl of an item.
var misnamed = []string{"ttl", "_ttl", "timetolive", "time_to_live", "ttlseconds", "ttlinseconds", "ttl_seconds"}

// misnamedProperty returns a number, or a text, that was meant to be the ttl.
func misnamedProperty(doc policy.Document) (string, policy.Value) {
	d, ok := doc.(interface{ Value() policy.Value })
	if !ok {
		return "", policy.Value{}
	}
	f := d.Value().Fields()
	for f.Next() {
		k := f.Value().Kind()
		if !k.IsNumber() && k != policy.String {
			continue
		}
		if name := f.Name(); slices.Contains(misnamed, strings.ToLower(name)) {
			return name, f.Value()
		}
	}
	return "", policy.Value{}
}

// class returns the class of this kind, which is made if there is none.
func (a *containerAudit) class(h hazard, rule *policy.Rule, name string, v policy.Value) *class {
	k := kind{hazard: h, rule: rule, name: strings.ToLower(name)}
	n, isInteger := v.AsInt64()
	if h == hugeTTL || h == meantTTL {
		k.look = lookOf(n)
	}
	i := slices.IndexFunc(a.classes, func(c class) bool { return c.kind == k })
	if i < 0 {
		i = len(a.classes)
		a.classes = append(a.classes, class{kind: k, name: name, shown: plain(v)})
		if isInteger {
			a.classes[i].value = policy.Int64Value(n)
		}
	}
	return &a.classes[i]
}

// finding says what the items of a class show.
func (a *containerAudit) finding(c *class) Finding {
	h := hazards[c.hazard]
	n, _ := c.value.AsInt64()
	looks, text, items := "", h.text, cli.Number(c.documents)+" items"
	if c.look != itself {
		looks = ", which looks like " + c.look.phrase(n)
	}
	if c.documents == 1 {
		text, items = oneItem.Replace(text), "1 item"
	}
	f := Finding{Severity: h.severity, Rule: c.rule, Advice: h.advice, Documents: c.documents, Samples: c.samples}
	f.Text = strings.NewReplacer("{n}", items, "{value}", c.shown, "{name}", cli.Visible(c.name), "{looks}", looks, "{years}", years(n)).Replace(text)
	if c.hazard == inert {
		f.Repairs = a.ttlRepair("let the items with a ttl expire, and no others", policy.Int32Value(-1))
	}
	return f
}

// oneItem makes a text one of a single item.
var oneItem = strings.NewReplacer("{n} have", "{n} has", "{n} hold", "{n} holds", "they expire", "it expires", "of their own", "of its own", "of them", "of it")
