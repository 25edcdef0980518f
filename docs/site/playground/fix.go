package playground

import (
	"cmp"
	_ "embed" // of recorded.json
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Fix is a repair in the record of the deciding rule, with the names of the question. The
// documents expire by it that were probably meant to.
type Fix struct {
	Text string `json:"text"` // what is changed, in whole sentences
	// AtOnce says in a sentence what the change deletes as soon as it runs: "This deletes
	// every …", or "Nothing goes at once: …".
	AtOnce string `json:"atOnce"`
	// Count counts the documents in AtOnce. Where a command cannot tell them apart, it counts
	// more. It is empty if nothing is deleted at once.
	Count   string `json:"count"`
	Command string `json:"command"` // for mongosh, or for a shell
}

// recorded.json has the repairs of docs/site/records/rules.json that a fix may be, by the rules, and
// the last patch of each line of MongoDB's releases. "go run ./docs/site/reference" writes it,
// because the playground must stay small, and holds neither records nor suite.
//
//go:embed recorded.json
var recordedJSON []byte

var recorded = sync.OnceValue(func() policy.Value {
	all, err := policy.ParseJSON(recordedJSON)
	if err != nil {
		panic("recorded.json: " + err.Error()) // a test compares the file with the records
	}
	return all.Value()
})

// lines are the lines of releases of MongoDB that the vectors are for, each by its last patch.
var lines = sync.OnceValue(func() (all []mongo.Version) {
	for _, v := range policy.AOf(recorded().Field("releases")) {
		text, _ := v.AsString()
		release, _ := mongo.ParseVersion(text)
		all = append(all, release)
	}
	return all
})

// repairOf returns the first repair of a rule for documents of one of some kinds, as the record
// has it. It reports false if there is none.
func repairOf(rule string, kinds ...string) (f Fix, ok bool) {
	for _, way := range policy.AOf(recorded().Field("repairs").Field(rule)) {
		text := func(name string) string { s, _ := way.Field(name).AsString(); return s }
		if of := text("for"); of == "any" || slices.Contains(kinds, of) {
			var commands []string
			for _, c := range policy.AOf(way.Field("commands")) {
				s, _ := c.AsString()
				commands = append(commands, s)
			}
			return Fix{text("text"), text("atOnce"), text("count"), strings.Join(commands, "\n")}, true
		}
	}
	return f, false
}

// fill replaces the names of the record in the commands.
func (f *Fix) fill(pairs ...string) {
	names := strings.NewReplacer(pairs...)
	f.Count, f.Command = names.Replace(f.Count), names.Replace(f.Command)
}

// fix returns the repair for an explanation, and reports false if there is none, or if the answer
// may well be intended.
func (d stored) fix(s State, e reasons.Explanation, doc policy.Value) (f Fix, ok bool) {
	if s.System == definition.MongoDB {
		return d.fixMongo(s, e, doc)
	}
	kind, ttl := "no ttl", doc.Field("ttl")
	if n, isWhole := ttl.AsInt64(); isWhole && n > 0 {
		kind = "own ttl"
	} else if !ttl.IsMissing() {
		return f, false
	}
	f, ok = repairOf(e.Decision.Rule.String(), kind)
	if s.System == definition.CosmosNoSQL {
		name := "items"
		if id, isText := d.container.Value.Field("id").AsString(); isText && id != "" && !strings.ContainsFunc(id, unicode.IsControl) {
			name = quoteWord(id)
		}
		f.fill("-n items", "-n "+name)
		accepts := !strings.EqualFold(d.container.Spec.IndexingMode, "none") && d.container.Value.Field("ttlPropertyPath").IsMissing()
		return f, ok && accepts
	}
	f.fill("db.coll.", d.on("")+".")
	return f, ok && !slices.ContainsFunc(d.Indexes, func(index policy.Value) bool { // a collection has one TTL index
		return !index.Field("expireAfterSeconds").IsMissing() || !index.Field("key").Field("_ts").IsMissing()
	})
}

// on returns the collection as an expression of the shell, or the one whose name has an ending
// more.
func (d stored) on(ending string) string {
	text, ok := mongosh.Collection("", cmp.Or(d.Name, "coll")+ending)
	if !ok {
		return `db.getCollection("coll` + ending + `")`
	}
	return text
}

// someSeconds is the time to live in the records, for a policy that states none.
const someSeconds = 3600

// fixMongo returns the repair for one index of MongoDB.
func (d stored) fixMongo(s State, e reasons.Explanation, doc policy.Value) (f Fix, ok bool) {
	indexes := meantToExpire(d.Indexes)
	if len(indexes) != 1 {
		return f, false
	}
	index, rule := indexes[0], e.Decision.Rule.String()
	if e.Decision.State != policy.Never && e.Source.ZeroBy != "" {
		rule = e.Source.ZeroBy
	}
	key := policy.DOf(index.Field("key"))
	isPlain := false
	if len(key) == 1 {
		_, isPlain = key[0].Value.AsInt64()
	}
	if !isPlain {
		key = slices.DeleteFunc(slices.Clone(key), func(e policy.E) bool { return !holdsDate(valueAt(doc, e.Key)) })
	}
	if len(key) != 1 || strings.Contains(key[0].Key, "$") {
		return f, false // the question does not say which field is meant
	}
	field, there := key[0].Key, valueAt(doc, key[0].Key)
	kinds := []string{kindOf(there)}
	if isPlain {
		kinds = append(kinds, "one field")
	}
	f, ok = repairOf(rule, kinds...)
	isCopy, isUpdate := strings.Contains(f.Command, "$out"), strings.Contains(f.Command, ".updateMany(")
	release, err := mongo.ParseVersion(s.Release)
	switch {
	case !ok, err != nil:
		return f, false
	case d.Options.Kind() == policy.Object && !isCopy,
		isCopy && release.Compare(mongo.Version{Major: 2, Minor: 6}) < 0,
		isUpdate && release.Compare(mongo.Version{Major: 4, Minor: 2}) < 0, // such a release cannot compute a value
		isUpdate && strings.Contains(field, ".") && there.IsMissing():      // the update would replace other values on the path
		return f, false
	}
	filter := index.Field("partialFilterExpression")
	delay, isWhole := mongofunc.WholeSeconds(index.Field("expireAfterSeconds"))
	if isMade := strings.Contains(f.Command, "expireAfterSeconds: 3600"); isMade && (!isWhole || index.Field("expireAfterSeconds").IsNaN() || delay < 0 || delay > int64(policy.MaxSeconds)) {
		delay, f.Text = someSeconds, f.Text+" 3600 stands for your seconds."
	}
	delay = max(delay, 0)
	spec, _ := mongo.ParseListedIndex(index)
	options := policy.D{{Key: "expireAfterSeconds", Value: pasted.Integer(delay)}}
	switch {
	case isPlain:
		options = append(options, optionsOf(index)...)
	case spec.Name == field+"_1": // the other index stays, and has the name
		options = append(options, policy.E{Key: "name", Value: policy.StringValue(field + "_ttl")})
	}
	if !isPlain && !filter.IsMissing() {
		options = append(options, policy.E{Key: "partialFilterExpression", Value: filter})
	}
	w := writer{isWritten: true}
	name := strings.TrimSuffix(strings.TrimPrefix(w.literal(policy.ObjectValue(policy.D{{Key: field, Value: policy.Int32Value(1)}})), "{"), ": 1}")
	if !filter.IsMissing() && isUpdate {
		f.Count = strings.Replace(f.Count, ".aggregate([", ".aggregate([{$match: "+w.literal(filter)+"}, ", 1)
	}
	f.fill("db.coll.", d.on("")+".", "db.coll_new.", d.on("_new")+".", `"coll_new"`, w.literal(policy.StringValue(cmp.Or(d.Name, "coll")+"_new")),
		`"t_1"`, w.literal(policy.StringValue(cmp.Or(spec.Name, field+"_1"))), "{expireAfterSeconds: 3600}", w.literal(policy.ObjectValue(options)),
		"{t: ", "{"+name+": ", `"$t"`, w.literal(policy.StringValue("$"+field)), "new Date(Date.now() - 3600e3)", mongosh.Before(delay))
	switch {
	case isUpdate && reasons.IsLoss(f.AtOnce):
		f.AtOnce = reasons.DeletesConverted(field, !filter.IsMissing(), delay, forms[kinds[0]])
	case !isUpdate:
		what := "document"
		if isCopy {
			what = "copy"
		}
		f.AtOnce = reasons.DeletesDated(what, field, !filter.IsMissing(), delay)
		var isCounted bool
		f.Count, isCounted = mongosh.CountOlder(d.on(""), field, filter, delay)
		w.isWritten = w.isWritten && isCounted
	}
	return f, w.isWritten
}

// A writer notes whether the shell can write all values.
type writer struct{ isWritten bool }

func (w *writer) literal(v policy.Value) string {
	text, ok := mongosh.Literal(v)
	w.isWritten = w.isWritten && ok
	return text
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

// holdsDate reports whether a value is a Date, or an array that holds one.
func holdsDate(v policy.Value) bool {
	isDate := func(v policy.Value) bool { return v.Kind() == policy.Date }
	return isDate(v) || slices.ContainsFunc(policy.AOf(v), isDate)
}

// forms are the kinds of times in place of a Date, as the sentences of package reasons name them.
var forms = map[string]string{"zoned text": reasons.AsZonedText, "local text": reasons.AsLocalText, "seconds": reasons.AsSeconds, "milliseconds": reasons.AsMillis}

var (
	zonedText = pattern.Lazy(`^[-0-9]+T[0-9:.]+(Z|[+-][0-9:]+)$`)
	localText = pattern.Lazy(`^[-0-9]+[T ][0-9:.]+$`)
)

// leastMillis is the smallest number that counts as milliseconds rather than seconds.
// Read as milliseconds, it is an instant in the first years after 1970.
const leastMillis = 100_000_000_000

// kindOf names the form in which a value is a time, such as "seconds"; "" if the value is no time.
func kindOf(v policy.Value) string {
	text, _ := v.AsString()
	n, isWhole := v.AsInt64()
	if !isWhole || !v.Kind().IsNumber() {
		n = 0
	}
	if f, ok := v.AsDouble(); ok && -1e15 < f && f < 1e15 {
		n = int64(f)
	}
	switch {
	case zonedText().MatchString(text):
		return "zoned text"
	case localText().MatchString(text):
		return "local text"
	case n >= leastMillis:
		return "milliseconds"
	case n > 0:
		return "seconds"
	}
	return ""
}

// valueAt returns the value at a dotted path.
func valueAt(doc policy.Value, path string) policy.Value {
	for name := range strings.SplitSeq(path, ".") {
		doc = doc.Field(name)
	}
	return doc
}

// quoteWord writes text as one word of a POSIX shell, between quotes if it needs them.
func quoteWord(text string) string {
	isPlain := func(c rune) bool {
		return c == '_' || c == '-' || c == '.' || c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c))
	}
	if text[0] != '-' && !strings.ContainsFunc(text, func(c rune) bool { return !isPlain(c) }) {
		return text
	}
	return quoteShell(text)
}
