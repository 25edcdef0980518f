package playground

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Fix is a change that gives a document its probably intended deadline.
type Fix struct {
	Text string `json:"text"` // what is changed, in whole sentences
	// AtOnce says in a sentence what the change deletes as soon as it runs: "This deletes
	// every …", or "Nothing goes at once: …".
	AtOnce string `json:"atOnce"`
	// Count counts the documents in AtOnce. Where a command cannot tell them apart, it counts
	// more. It is empty if nothing is deleted at once.
	Count   string `json:"count"`
	Command string `json:"command"` // for mongosh, or for a shell
	State   State  `json:"state"`   // the question after the change
}

// A fixing is a Fix under construction.
type fixing struct {
	Fix
	name string // of the collection, "coll" if unknown
}

// on returns the collection as an expression of the shell.
func (f *fixing) on() string {
	if text, ok := mongosh.Collection("", f.name); ok {
		return text
	}
	return `db.getCollection("coll")`
}

// someSeconds is the time to live that a fix proposes if the policy states none.
const someSeconds = 3600

const yours = " 3600 stands for your seconds."

// fix returns the change for an explanation, and reports false if the answer may well be
// intended.
func (d stored) fix(s State, e reasons.Explanation, doc policy.Value) (_ Fix, ok bool) {
	f := &fixing{Fix{State: s}, cmp.Or(d.Name, "coll")}
	switch s.System {
	case definition.CosmosNoSQL:
		ok = d.fixContainer(f, e, doc)
	case definition.CosmosMongo:
		ok = d.fixStamp(f, e, doc)
	default:
		d.Indexes = meantToExpire(d.Indexes)
		switch {
		case len(d.Indexes) != 1:
		case d.Options.Field("capped").IsMissing():
			ok = d.Options.Kind() != policy.Object && (d.fixIndex(f, e, doc) || d.fixField(f, e, doc))
		default:
			ok = d.fixCapped(f, e)
		}
	}
	return f.Fix, ok
}

// meantToExpire returns the indexes that may have been meant to expire documents: those
// with seconds, or if no index has seconds, all except the index on _id.
func meantToExpire(all policy.A) policy.A {
	isPlain := func(index policy.Value) bool { return index.Field("expireAfterSeconds").IsMissing() }
	if slices.ContainsFunc(all, func(index policy.Value) bool { return !isPlain(index) }) {
		return slices.DeleteFunc(slices.Clone(all), isPlain)
	}
	return slices.DeleteFunc(slices.Clone(all), isIDIndex)
}

// isIDIndex reports whether an index is the index on _id that each collection has. A
// listing shows it first.
func isIDIndex(index policy.Value) bool {
	return index.Field("expireAfterSeconds").IsMissing() && len(policy.DOf(index.Field("key"))) == 1 && !index.Field("key").Field("_id").IsMissing()
}

// deletes notes which documents (or copies) are deleted at once by an index with a field, a
// filter, which may be Missing, and a delay. It reports false if the shell cannot count them.
func (f *fixing) deletes(what, field string, filter policy.Value, n int64) bool {
	f.AtOnce = reasons.DeletesDated(what, field, !filter.IsMissing(), n)
	count, ok := mongosh.CountOlder(f.on(), field, filter, n)
	f.Count = count
	return ok
}

// deletesByWrite notes which documents are deleted at once if they expire the given number of
// seconds after their last write. With -1 only documents with a ttl of their own expire. A
// client of the API for MongoDB does not see the last write, so the command counts all that have
// a ttl.
func (f *fixing) deletesByWrite(what string, seconds int32) {
	f.AtOnce = reasons.DeletesWritten(what, cosmos.TTLOf(policy.Int32Value(seconds)))
	switch {
	case what == "item":
		f.Count = fmt.Sprintf(`ttl forecast --container '{"defaultTtl":%d}' items.jsonl`, seconds)
	case seconds == -1:
		f.Count = f.on() + ".countDocuments({ttl: {$gt: 0}})"
	default:
		f.Count = f.on() + ".countDocuments({$or: [{ttl: {$gt: 0}}, {ttl: {$exists: false}}]})"
	}
}

// fixOf returns the fix that the record of the deciding rule proposes, "" if there is none.
func fixOf(e reasons.Explanation) reasons.Fix {
	if t := reasons.TextOf(e.Decision.Rule); t != nil {
		return t.Fix
	}
	return ""
}

// fixStamp proposes a change for the API for MongoDB if no index counts from the last
// write.
func (d stored) fixStamp(f *fixing, e reasons.Explanation, doc policy.Value) bool {
	if fixOf(e) != reasons.FixStamp {
		return false
	}
	seconds, note := int32(someSeconds), yours
	if ttl, isWhole := doc.Field("ttl").AsInt64(); isWhole && ttl > 0 {
		seconds, note = -1, " By -1 only documents with a ttl of their own expire."
	}
	f.Text = "Make an index on _ts, the one that expires documents in every account." + note
	f.deletesByWrite("document", seconds)
	if !f.setIndex(policy.D{{Key: "_ts", Value: policy.Int32Value(1)}}, policy.D{{Key: "expireAfterSeconds", Value: policy.Int32Value(seconds)}}) {
		return false
	}
	var drops string
	for _, index := range d.Indexes {
		if index.Field("expireAfterSeconds").IsMissing() && index.Field("key").Field("_ts").IsMissing() {
			continue
		}
		if name, ok := nameOf(index); ok {
			drops += f.on() + ".dropIndex(" + name + ")\n"
		}
	}
	f.Command = drops + f.Command
	return true
}

// fixIndex proposes a change for an index that deletes nothing, or everything.
func (d stored) fixIndex(f *fixing, e reasons.Explanation, doc policy.Value) bool {
	index := d.Indexes[0]
	switch fix := fixOf(e); {
	case e.Source.NotNumber, e.Source.ZeroBy != "" && f.isBefore(mongo.Version{Major: 2, Minor: 4}): // collMod does not change such an index
		return f.remake(index, doc)
	case e.Source.ZeroBy != "", fix == reasons.FixSeconds:
		f.Text = "Write a number of seconds." + yours
		return f.deletes("document", e.Source.Field, index.Field("partialFilterExpression"), someSeconds) &&
			f.setSeconds(e.Source.Name, index, policy.Int32Value(someSeconds))
	case fix == reasons.FixFilter && !doc.Field(e.Source.Field).IsMissing():
		return f.unfilter(index, e.Source.Field)
	case fix == reasons.FixIndex:
		return f.remake(index, doc)
	}
	return false
}

// fixCapped proposes a copy of a capped collection, in which no TTL index deletes, and an
// index on the copy.
func (d stored) fixCapped(f *fixing, e reasons.Explanation) bool {
	index := d.Indexes[0]
	n, isWhole := mongofunc.WholeSeconds(index.Field("expireAfterSeconds"))
	if fixOf(e) != reasons.FixCopy || !isWhole || n < 0 || f.isBefore(mongo.Version{Major: 2, Minor: 6}) { // such a release has no $out
		return false
	}
	from := f.on()
	isCounted := f.deletes("copy", e.Source.Field, index.Field("partialFilterExpression"), n)
	f.name += "_by_time"
	to, ok := mongosh.Literal(policy.StringValue(f.name))
	if !ok || !isCounted || !f.setIndex(policy.DOf(index.Field("key")), append(policy.D{{Key: "expireAfterSeconds", Value: pasted.Integer(n)}}, optionsOf(index)...)) {
		return false
	}
	f.Text = "Copy the documents into an ordinary collection, and make the index there; the capped collection stays as it is."
	f.Command = from + ".aggregate([{$out: " + to + "}])\n" + f.Command
	return true
}

// unfilter makes an index again without its filter. The filter may exclude the document
// on purpose.
func (f *fixing) unfilter(index policy.Value, field string) bool {
	n, isWhole := mongofunc.WholeSeconds(index.Field("expireAfterSeconds"))
	name, isNamed := nameOf(index)
	options := slices.DeleteFunc(optionsOf(index), func(e policy.E) bool { return e.Key == "partialFilterExpression" })
	if !isWhole || n < 0 || !isNamed || !f.setIndex(policy.DOf(index.Field("key")), append(policy.D{{Key: "expireAfterSeconds", Value: pasted.Integer(n)}}, options...)) {
		return false
	}
	f.Text = "Make the index without its filter, if such documents are to expire: the filter leaves them out, which may be meant."
	f.Command = f.on() + ".dropIndex(" + name + ")\n" + f.Command
	return f.deletes("document", field, policy.Value{}, n)
}

// remake makes an index of one field in place of an index that never deletes; an index of
// several fields or of a special kind stays, for its queries.
func (f *fixing) remake(index, doc policy.Value) bool {
	fields, seconds, ok := meant(index)
	if !ok {
		return false
	}
	n, known := mongofunc.WholeSeconds(seconds)
	note := ""
	if !known || seconds.IsNaN() || n < 0 || n > int64(policy.MaxSeconds) {
		n, note = someSeconds, yours
	}
	option := policy.E{Key: "expireAfterSeconds", Value: pasted.Integer(n)}
	_, isDirection := index.Field("key").Field(fields[0]).AsInt64()
	if len(fields) == 1 && isDirection && !strings.Contains(fields[0], "$") {
		if !f.setIndex(policy.D{{Key: fields[0], Value: policy.Int32Value(1)}}, append(policy.D{option}, optionsOf(index)...)) {
			return false
		}
		f.Text = "Drop it, and make an index of one field with expireAfterSeconds." + note
		if name, ok := nameOf(index); ok {
			f.Command = f.on() + ".dropIndex(" + name + ")\n" + f.Command
		}
		return f.deletes("document", fields[0], index.Field("partialFilterExpression"), n)
	}
	fields = slices.DeleteFunc(fields, func(name string) bool { return !holdsDate(valueAt(doc, name)) })
	if len(fields) != 1 {
		return false // the question does not say which field is meant
	}
	options := policy.D{option}
	if spec, err := mongo.ParseIndexSpec(index); err == nil && spec.Name == fields[0]+"_1" {
		options = append(options, policy.E{Key: "name", Value: policy.StringValue(fields[0] + "_ttl")})
	}
	if filter := index.Field("partialFilterExpression"); !filter.IsMissing() {
		options = append(options, policy.E{Key: "partialFilterExpression", Value: filter})
	}
	there, written := mongosh.Literal(index)
	made, ok := mongosh.Literal(policy.ObjectValue(append(policy.D{{Key: "key", Value: policy.ObjectValue(policy.D{{Key: fields[0], Value: policy.Int32Value(1)}})}}, options...)))
	if !ok || !written || !f.setIndex(policy.D{{Key: fields[0], Value: policy.Int32Value(1)}}, options) {
		return false
	}
	f.Text = "Keep it for its queries, and index the date in an index of its own." + note
	f.State.Policy = "[" + there + ", " + made + "]"
	return f.deletes("document", fields[0], index.Field("partialFilterExpression"), n)
}

// holdsDate reports whether a value is a Date, or an array that holds one.
func holdsDate(v policy.Value) bool {
	isDate := func(v policy.Value) bool { return v.Kind() == policy.Date }
	return isDate(v) || slices.ContainsFunc(policy.AOf(v), isDate)
}

// setSeconds changes the seconds of an index in place. Up to 3.2 the command can name the
// index only by its key.
func (f *fixing) setSeconds(name string, index, seconds policy.Value) bool {
	address := policy.E{Key: "name", Value: policy.StringValue(name)}
	if f.isBefore(mongo.Version{Major: 3, Minor: 4}) {
		address = policy.E{Key: "keyPattern", Value: index.Field("key")}
	}
	command, ok := mongosh.Literal(policy.ObjectValue(policy.D{
		{Key: "collMod", Value: policy.StringValue(f.name)},
		{Key: "index", Value: policy.ObjectValue(policy.D{address, {Key: "expireAfterSeconds", Value: seconds}})},
	}))
	changed, written := mongosh.Literal(pasted.WithField(index, "expireAfterSeconds", seconds))
	f.Command, f.State.Policy = "db.runCommand("+command+")", changed
	return ok && written
}

// isBefore reports whether the question is about a release before v.
func (f *fixing) isBefore(v mongo.Version) bool {
	release, err := mongo.ParseVersion(f.State.Release)
	return err != nil || release.Compare(v) < 0
}

// setIndex proposes the index as the only index of the policy.
func (f *fixing) setIndex(key, options policy.D) bool {
	fields, ok := mongosh.Literal(policy.ObjectValue(key))
	rest, written := mongosh.Literal(policy.ObjectValue(options))
	f.Command = f.on() + ".createIndex(" + fields + ", " + rest + ")"
	f.State.Policy = f.Command
	return ok && written
}

// optionsOf returns the options that an index keeps when it is made again. It leaves out
// the seconds, misspelt options, and fields that a new index does not take over, such as
// v.
func optionsOf(index policy.Value) (options policy.D) {
	left := []string{"key", "name", "v", "ns", "background", "expireAfterSeconds"}
	for _, r := range pasted.IndexRemarks(index) {
		left = append(left, r.Field)
	}
	return pasted.Without(index, left...)
}

// meant returns the fields of an index and its seconds, even if their name is misspelt.
// It reports false if the index has no fields, or if an option other than the seconds is
// misspelt.
func meant(index policy.Value) (fields []string, seconds policy.Value, ok bool) {
	seconds = index.Field("expireAfterSeconds")
	remarks := pasted.IndexRemarks(index)
	for _, r := range remarks {
		if r.Meant != "expireAfterSeconds" {
			return nil, seconds, false
		}
		for _, v := range []policy.Value{index.Field(r.Field), index.Field("key").Field(r.Field)} {
			if seconds.IsMissing() && v.Kind().IsNumber() && !v.IsNaN() {
				seconds = v
			}
		}
	}
	for f := index.Field("key").Fields(); f.Next(); {
		if !slices.ContainsFunc(remarks, func(r pasted.Remark) bool { return r.Field == f.Name() }) {
			fields = append(fields, f.Name())
		}
	}
	return fields, seconds, len(fields) > 0
}

// nameOf returns the name of an index as the shell writes it. It reports false if
// the index is not valid or has no name.
func nameOf(index policy.Value) (string, bool) {
	spec, err := mongo.ParseListedIndex(index)
	if err != nil || spec.Name == "" {
		return "", false
	}
	return mongosh.Literal(policy.StringValue(spec.Name))
}

// week is the time from now to the date that a fix gives documents without a date, in
// milliseconds.
const week = 7 * 24 * 3600 * 1000

// fixField proposes a change for a value in the place of a Date.
func (d stored) fixField(f *fixing, e reasons.Explanation, doc policy.Value) bool {
	if f.isBefore(mongo.Version{Major: 4, Minor: 2}) { // updates of such a release cannot compute a value
		return false
	}
	path, isNested := strings.Split(e.Source.Field, "."), strings.Contains(e.Source.Field, ".")
	name, written := mongosh.Literal(policy.StringValue(e.Source.Field))
	value, ok := mongosh.Literal(policy.StringValue("$" + e.Source.Field))
	if !written || !ok || strings.ContainsAny(e.Source.Field, "$") {
		return false
	}
	partial := d.Indexes[0].Field("partialFilterExpression")
	within, isText := mongosh.Literal(partial)
	delay, _ := mongofunc.WholeSeconds(e.Source.Option)
	delay = max(delay, 0)
	// converts notes which documents are deleted at once because their values become Dates. The
	// expression counted stands for the Date that is compared.
	converts := func(was, filter, counted string) {
		f.AtOnce = reasons.DeletesConverted(e.Source.Field, !partial.IsMissing(), delay, was)
		match := "{$match: {" + name + ": " + filter + "}}"
		if !partial.IsMissing() {
			match += ", {$match: " + within + "}"
		}
		f.Count = fmt.Sprintf(`%s.aggregate([%s, {$match: {$expr: {$lt: [%s, %s]}}}, {$count: "n"}])`, f.on(), match, counted, mongosh.Before(delay))
	}
	there := valueAt(doc, e.Source.Field)
	at, isDate := dateOf(there)
	var filter, set string
	switch fix := fixOf(e); {
	case !partial.IsMissing() && !isText:
		return false
	case isNested && fix != reasons.FixType:
		return false // such an update would replace other values on the path
	case fix == reasons.FixDate && e.Found != policy.List, fix == reasons.FixArray:
		ahead, _ := e.Now.Add(week / 1000)
		at, isDate = policy.DateValue(ahead), true
		filter, set = "null", fmt.Sprintf(`{$add: ["$$NOW", %d]}`, week)
		if fix == reasons.FixArray {
			filter = "[]"
		}
		which := "Without one they are kept, which may be meant."
		if filter == "null" {
			which += " The command changes every document that lacks the field, and every one in which it is null."
		}
		f.Text = "Write a Date into the field, a week ahead for instance, if such documents are to expire. " + which
		f.AtOnce = reasons.DeletesNothing("each document expires after a week plus the delay of the index")
	case fix != reasons.FixType:
		return false
	case e.Found == policy.String:
		text, _ := there.AsString()
		form := formOfText(text)
		filter, set = fmt.Sprintf(`{$regex: %q}`, form.pattern), form.date(value, value)
		f.Text = form.text
		converts(form.was, filter, form.date(value, `"$$NOW"`))
	case e.Found.IsNumber() && isSeconds(there):
		filter, set = fmt.Sprintf(`{$type: "number", $gt: 0, $lt: %d}`, leastMillis), "{$toDate: {$multiply: [{$toLong: "+value+"}, 1000]}}"
		f.Text = "Convert the numbers, which count seconds, to Dates."
		converts(reasons.AsSeconds, filter, set)
	case e.Found.IsNumber():
		filter, set = fmt.Sprintf(`{$type: "number", $gte: %d}`, leastMillis), "{$toDate: {$toLong: "+value+"}}"
		f.Text = "Convert the numbers, which count milliseconds, to Dates."
		converts(reasons.AsMillis, filter, set)
	default:
		return false
	}
	changed, ok := mongosh.Literal(withPath(doc, path, at))
	f.Command = fmt.Sprintf("%s.updateMany({%s: %s}, [{$set: {%s: %s}}])", f.on(), name, filter, name, set)
	f.State.Document = changed
	return ok && isDate
}

// valueAt returns the value at a dotted path.
func valueAt(doc policy.Value, path string) policy.Value {
	for name := range strings.SplitSeq(path, ".") {
		doc = doc.Field(name)
	}
	return doc
}

// leastMillis is the smallest number that counts as milliseconds rather than seconds.
// Read as milliseconds, it is an instant in the first years after 1970.
const leastMillis int64 = 100_000_000_000

// isSeconds reports whether a number counts seconds rather than milliseconds.
func isSeconds(v policy.Value) bool {
	n, ok := wholeNumber(v)
	return ok && 0 < n && n < leastMillis
}

// wholeNumber returns an integer or a double without its fraction. It reports false for
// any other value, and for a double that is too large for a time in milliseconds.
func wholeNumber(v policy.Value) (int64, bool) {
	if f, ok := v.AsDouble(); ok {
		return int64(f), -1e15 < f && f < 1e15
	}
	return v.AsInt64()
}

// A textForm is a form of dates in strings, with the update that converts them.
type textForm struct {
	pattern, zone string
	was, text     string
}

// textForms are the forms of dates that a command converts. The commands are those of the page
// docs/problems/dates-are-strings.md.
var textForms = []textForm{
	{"^[-0-9]+T[0-9:.]+(Z|[+-][0-9:]+)$", "", reasons.AsZonedText, "Convert the strings that name their zone to Dates."},
	{"^[-0-9]+[T ][0-9:.]+$", LastZone, reasons.AsLocalText, "Convert the strings without a zone to Dates. Put the zone of the program that wrote them in place of " + LastZone + ", such as America/New_York: " + LastZone + " is the last zone of all, and deletes no document too early. The server alone would read them as UTC, and those from west of Greenwich would go hours too early."},
}

// LastZone is the zone in which a local time is latest.
const LastZone = "-12:00"

// formOfText returns the form of a date in a string; the zero textForm if no command converts it.
func formOfText(text string) textForm {
	isOf := func(text, chars string) bool { return text != "" && strings.Trim(text, chars) == "" }
	day, time, ok := strings.Cut(strings.Replace(text, " ", "T", 1), "T")
	if !ok || !isOf(day, "-0123456789") {
		return textForm{}
	}
	if isOf(time, "0123456789:.") {
		return textForms[1]
	}
	clock := strings.TrimRight(time, "0123456789:.")
	isZoned := strings.HasSuffix(time, "Z") || clock != "" && strings.ContainsAny(clock[len(clock)-1:], "+-")
	if isZoned && !strings.Contains(text, " ") && isOf(strings.TrimRight(clock, "Z+-"), "0123456789:.") {
		return textForms[0]
	}
	return textForm{}
}

// date is the expression for the Date of a value, or for another value if the server cannot
// read it.
func (form textForm) date(value, otherwise string) string {
	if form.zone == "" {
		return fmt.Sprintf(`{$convert: {input: %s, to: "date", onError: %s}}`, value, otherwise)
	}
	return fmt.Sprintf(`{$dateFromString: {dateString: %s, timezone: %q, onError: %s}}`, value, form.zone, otherwise)
}

// dateOf returns the Date that a fix makes of a text or a number. It reports false if it makes
// none.
func dateOf(v policy.Value) (policy.Value, bool) {
	if text, ok := v.AsString(); ok {
		form := formOfText(text)
		if form.zone != "" {
			text = strings.Replace(text, " ", "T", 1) + form.zone
		}
		at, err := readNow(text)
		return policy.DateValue(at), err == nil && form.pattern != ""
	}
	n, ok := wholeNumber(v)
	if isSeconds(v) {
		n *= 1000
	}
	return policy.DateValue(policy.Instant(n)), ok && n > 0
}

// withPath returns an object with the field at a path set.
func withPath(object policy.Value, path []string, v policy.Value) policy.Value {
	if len(path) > 1 {
		v = withPath(object.Field(path[0]), path[1:], v)
	}
	return pasted.WithField(object, path[0], v)
}

// azUpdate returns the command that changes the default of a container, without the seconds
// at its end. Names that the container does not hold are placeholders in capitals.
func azUpdate(container policy.Value) string {
	name := "CONTAINER"
	if id, ok := container.Field("id").AsString(); ok && id != "" && !strings.ContainsFunc(id, unicode.IsControl) {
		name = quoteWord(id)
	}
	return "az cosmosdb sql container update --account-name ACCOUNT --resource-group GROUP \\\n  --database-name DATABASE --name " + name + " --ttl "
}

// quoteWord writes text as one word of a POSIX shell, between quotes if it needs them.
func quoteWord(text string) string {
	isPlain := func(c rune) bool {
		return c == '_' || c == '-' || c == '.' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	}
	if text[0] != '-' && !strings.ContainsFunc(text, func(c rune) bool { return !isPlain(c) }) {
		return text
	}
	return quoteShell(text)
}

// fixContainer proposes a change if time to live is off, or not understood. A
// container without an index accepts no default.
func (d stored) fixContainer(f *fixing, e reasons.Explanation, item policy.Value) bool {
	if strings.EqualFold(d.container.Spec.IndexingMode, "none") {
		return false
	}
	seconds, container := int32(someSeconds), d.container.Value
	switch fixOf(e) {
	case reasons.FixSwitch:
		if name, n, ok := misspelt(container); ok {
			f.Text = "Spell the setting defaultTtl."
			seconds, container = n, pasted.WithoutField(container, name)
			break
		}
		f.Text = "Switch time to live on, with a default in seconds." + yours
		switch ttl, isWhole := item.Field("ttl").AsInt64(); {
		case isWhole && ttl > 0:
			seconds, f.Text = -1, "Switch time to live on. By -1 only items with a ttl of their own expire."
		case !item.Field("ttl").IsMissing():
			return false
		}
	case reasons.FixItem:
		return f.setTTL(e.Now, item, "By -1 only items with a ttl of their own expire: give this one a ttl, if it is to.")
	case reasons.FixContainer:
		f.Text = "Write whole seconds from 1 on, or -1 for on without a default." + yours
	case reasons.FixTTL:
		return f.setTTL(e.Now, item, "Write the ttl as a whole number of seconds from 1 on, or leave it out to follow the container.")
	default:
		return false
	}
	f.deletesByWrite("item", seconds)
	f.Command = azUpdate(container) + fmt.Sprint(seconds)
	f.State.Policy = string(plainjson.Append(nil, pasted.WithField(container, "defaultTtl", policy.Int32Value(seconds))))
	return true
}

// misspelt returns the property that was likely meant for the default of a container,
// with its seconds.
func misspelt(container policy.Value) (name string, seconds int32, ok bool) {
	for _, r := range pasted.ContainerRemarks(container) {
		n, isWhole := container.Field(r.Field).AsInt64()
		if r.Meant == "defaultTtl" && isWhole && (n == -1 || 0 < n && n <= 1<<31-1) {
			return r.Field, int32(n), true
		}
	}
	return "", 0, false
}

// setTTL writes a time to live into an item, which sets its _ts as every write does.
func (f *fixing) setTTL(now policy.Instant, item policy.Value, text string) bool {
	f.Text, f.AtOnce = text+yours, reasons.DeletesNothing("the write starts the time anew")
	f.Command = `curl -X PATCH "https://$ACCOUNT.documents.azure.com/dbs/$DATABASE/colls/$CONTAINER/docs/$ID" \
  -H "authorization: $TOKEN" -H "x-ms-date: $DATE" -H "x-ms-version: 2020-07-15" \
  -H "x-ms-documentdb-partitionkey: $KEY" -H 'content-type: application/json_patch+json' \
  -d '{"operations": [{"op": "set", "path": "/ttl", "value": 3600}]}'`
	item = pasted.WithField(item, "_ts", policy.Int64Value(int64(now)/1000))
	f.State.Document = string(plainjson.Append(nil, pasted.WithField(item, "ttl", policy.Int32Value(someSeconds))))
	return true
}
