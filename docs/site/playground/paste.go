package playground

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mentions"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Half is the answer to a text that is no whole question, such as an index without a document.
type Half struct {
	Kind    string   `json:"kind"`    // "" for a whole question, or [OfPolicy], [OfDocument], [OfProgram], [OfWords]
	Word    string   `json:"word"`    // the headline
	Says    []string `json:"says"`    // in sentences
	Command string   `json:"command"` // a command that looks further; "" for none
	Page    string   `json:"page"`    // the file of the page about it; "" for none
}

// Kinds of texts that are no whole question. The page itself finds the messages of servers, which
// it has for the search.
const (
	OfPolicy   = "policy"   // an index, a listing, a collection or a container alone
	OfDocument = "document" // a document or an item alone
	OfProgram  = "program"  // code that mentions a time to live, and is not evaluated
	OfWords    = "words"    // a question in words
)

// HalfPages are the pages that a [Half] may name.
var HalfPages = []string{"problems/dates-are-strings.html", "recipes/index.html", "recipes/azure.html", "recipes/cosmos-sdks.html", "problems/ttl-index-not-deleting.html", "rules/cosmos.html", "start.html"}

// half answers a question with one half. It reports false for a whole question.
func (s State) half(problems []Problem) (h Half, ok bool) {
	now, err := readNow(s.Now)
	if err != nil || len(s.Policy) > mongosh.MaxText || len(s.Document) > mongosh.MaxText {
		return h, false
	}
	policyText, documentText := strings.TrimSpace(s.Policy), strings.TrimSpace(s.Document)
	switch {
	case policyText == "" && documentText == "":
		return Half{Kind: OfWords, Word: "Paste something", Says: []string{"An index, a listing of indexes or a container says what it deletes. A document says which of its fields can expire it. Both together give the answer. An error message or a line of the log leads to the page about it."}, Page: "start.html"}, true
	case documentText == "" && isWords(policyText), policyText == "" && isWords(documentText):
		return Half{Kind: OfWords, Word: "A question in words", Says: []string{"The search finds the page about it."}}, true
	case policyText != "":
		d, err := readDefinition(s, now)
		if err != nil {
			if h, ok := s.secondDocument(now); ok {
				return h, true
			}
			return s.unread(problems)
		}
		if documentText == "" {
			return d.alone(s, now), true
		}
		return h, false
	}
	documents, err := readDocuments(s, now, now)
	if err != nil {
		return h, false
	}
	return s.fields(documents[0].value), true
}

// secondDocument answers for a document, which has an _id or id, in the field of the policy,
// while the other field holds a document too.
func (s State) secondDocument(now policy.Instant) (h Half, ok bool) {
	if len(mentions.In("", s.Policy)) > 0 {
		return h, false
	}
	s.Policy, s.Document = "", s.Policy
	documents, err := readDocuments(s, now, now)
	if err != nil || documents[0].value.Field("_id").IsMissing() && documents[0].value.Field("id").IsMissing() {
		return h, false
	}
	h = s.fields(documents[0].value)
	last := len(h.Says)
	if h.Command != "" {
		last-- // the last sentence leads to the command
	}
	h.Says = slices.Insert(h.Says, last, "The document in the other field is left out. Put an index or a container in this field to judge it.")
	return h, true
}

// isWords reports whether a text is a sentence or a few words, and no code.
func isWords(text string) bool {
	return len(strings.Fields(text)) > 2 && !strings.ContainsAny(text, "{}[]()=<>;@")
}

// unread answers for code that mentions a time to live. It is not known what it does.
func (s State) unread(problems []Problem) (h Half, ok bool) {
	list := mentions.In("", s.Policy)
	i := slices.IndexFunc(problems, func(p Problem) bool { return p.Editor == "policy" })
	if i < 0 || len(list) == 0 && !strings.Contains(s.Policy, "expire") {
		return h, false
	}
	message := problems[i].Message
	h = Half{Kind: OfProgram, Word: "Not known", Page: "recipes/index.html", Command: `db.getCollection("coll").getIndexes()`}
	word := "expire"
	if len(list) > 0 {
		word = list[0].Word
	}
	isTerraform := strings.Contains(s.Policy, "azurerm_cosmosdb_")
	switch {
	case strings.Contains(s.Policy, "azurerm_cosmosdb_mongo_collection"):
		h.Page = "recipes/azure.html"
		h.Says = append(h.Says, "default_ttl_seconds of azurerm_cosmosdb_mongo_collection makes an index on _ts with these expireAfterSeconds: paste createIndex({_ts: 1}, {expireAfterSeconds: 3600}) with your seconds.")
	case len(list) > 0 && list[0].IsCosmos:
		h.Page, h.Command = "recipes/cosmos-sdks.html", "az cosmosdb sql container show --account-name ACCOUNT --resource-group GROUP --database-name DATABASE --name CONTAINER --query resource"
		if isTerraform || strings.Contains(s.Policy, "Microsoft.DocumentDB") {
			h.Page = "recipes/azure.html"
		}
		h.Says = append(h.Says, message+".")
	case strings.Contains(message, word):
		h.Says = append(h.Says, message+".")
	default:
		h.Says = append(h.Says, fmt.Sprintf("%s mentions a time to live, and stands in a form that is not evaluated here.", word))
	}
	h.Says = append(h.Says, "Whether it deletes something, and when, is not known from this text. Ask the database, and paste its answer:")
	return h, true
}

// alone says what a policy does, and what a document needs for it.
func (d stored) alone(s State, now policy.Instant) Half {
	h := Half{Kind: OfPolicy, Word: "What it does", Says: []string{}}
	p, err := d.compile(s)
	if err != nil {
		h.Word, h.Says = "Refused", append(h.Says, messageOf(err)+".")
		return h
	}
	if s.System == definition.CosmosNoSQL {
		h.Says, h.Page = append(h.Says, containerSays(p)), "rules/cosmos.html"
		return h
	}
	if len(p.Sources) == 0 {
		h.Word, h.Page = "No TTL index", "problems/ttl-index-not-deleting.html"
		h.Says = append(h.Says, "None of what is written here has expireAfterSeconds, so it deletes no document.")
		return h
	}
	deletes := false
	for _, source := range p.Sources {
		text, ok := sourceSays(s, p, source, now)
		h.Says, deletes = append(h.Says, text), deletes || ok
	}
	switch {
	case !deletes:
		h.Page = "problems/ttl-index-not-deleting.html"
		return h
	case s.System == definition.CosmosMongo:
		h.Says = append(h.Says, "_ts is the time of the last write, which the service keeps. A ttl in a document replaces the seconds.")
	case d.Options.Field("timeseries").IsMissing():
		h.Says = append(h.Says, "Only a Date counts, such as ISODate(\"2026-11-20T09:30:00Z\"), or the earliest Date of an array. A document with a string, a number or nothing there stays for ever.")
		h.Page = "problems/dates-are-strings.html"
	default:
		h.Says = append(h.Says, "A time-series collection deletes whole buckets, each after the span of its measurements.")
	}
	h.Says = append(h.Says, "Paste a document beside it to see when that one goes.")
	return h
}

// containerSays says what the setting of a container does.
func containerSays(p *reasons.Policy) string {
	if len(p.Sources) == 0 || p.Sources[0].Option.IsMissingOrNull() {
		return "Time to live is off: no item expires, and a ttl in an item is ignored."
	}
	if n, ok := p.Sources[0].Option.AsInt64(); ok && n > 0 {
		return fmt.Sprintf("An item expires %s after its last write, _ts. A ttl in the item replaces these seconds, and -1 there keeps it for ever.", spanOf(n))
	}
	if n, ok := p.Sources[0].Option.AsInt64(); ok && n == -1 {
		return "Time to live is on, without a default: only an item with a ttl of its own expires, that number of seconds after its last write, _ts."
	}
	return p.Description + "."
}

func spanOf(seconds int64) string {
	n, unit := reasons.LargestUnit(seconds)
	return strconv.FormatInt(n, 10) + " " + unit
}

// sourceSays says what one index, or the option of a collection, does to a document that has a
// Date in its field. It reports false if that deletes nothing.
func sourceSays(s State, p *reasons.Policy, source reasons.Source, now policy.Instant) (says string, deletes bool) {
	doc := policy.DateValue(now)
	for _, name := range slices.Backward(strings.Split(source.Field, ".")) {
		doc = policy.ObjectValue(policy.D{{Key: name, Value: doc}})
	}
	if s.System == definition.CosmosMongo {
		doc = pasted.WithField(doc, "_ts", policy.Int64Value(int64(now)/1000))
	}
	e := reasons.Of(p, doc, now)
	for _, one := range e.Each {
		if one.Source.Name == source.Name {
			e.Decision, e.Source = one.Decision, one.Source
		}
	}
	isFiltered := strings.HasPrefix(e.Decision.Rule.String(), "mongo.filter-")
	name, about := source.Name, source.About
	if name == "collection" {
		name = "The option of the collection"
	}
	about, _, _ = strings.Cut(about, " where ")
	switch {
	case e.Decision.State == policy.Never && !isFiltered:
		return name + " deletes nothing in this release: " + e.Because(), false
	case isFiltered:
		filter := ""
		for _, index := range p.Collection.Indexes {
			if text, ok := mongosh.Literal(index.PartialFilterExpression); ok && index.Name == source.Name {
				filter = " " + text
			}
		}
		return name + " deletes a document " + about + ", if its filter" + filter + " takes the document in.", true
	}
	return name + " deletes each document " + about + ".", true
}

// fields says which fields of a document are Dates, and which index would let it expire.
func (s State) fields(doc policy.Value) Half {
	h := Half{Kind: OfDocument, Word: "What could expire it", Says: []string{}}
	if s.System != definition.MongoDB {
		h.Page = "rules/cosmos.html"
		h.Says = append(h.Says, "It expires the container's defaultTtl after its last write, _ts. Without a defaultTtl nothing expires.")
		if ttl := doc.Field("ttl"); !ttl.IsMissing() {
			text, _ := mongosh.Literal(ttl)
			h.Says = append(h.Says, "Its own ttl is "+text+": it counts if the container has a defaultTtl, even -1.")
		}
		return h
	}
	var dates, others []string
	walkFields(doc, "", 0, func(path string, v policy.Value) {
		at, isDate := v.AsDate()
		for _, one := range policy.AOf(v) {
			if first, ok := one.AsDate(); ok && (!isDate || first < at) {
				at, isDate = first, true
			}
		}
		switch {
		case len(dates)+len(others) >= 12:
		case isDate:
			dates = append(dates, path)
			h.Says = append(h.Says, fmt.Sprintf("%s is a Date, %s. An index {%s: 1} with expireAfterSeconds deletes the document that many seconds later.", path, at, quotedPath(path)))
		case kindOf(v) == "seconds" && isSmall(v): // a count of something else, as likely
		case kindOf(v) != "":
			others = append(others, path)
		}
	})
	for _, path := range others {
		h.Says = append(h.Says, fmt.Sprintf("%s looks like a time and is a %s: no index lets the document expire by it. Convert it to a Date first.", path, kindWord(valueAt(doc, path))))
	}
	if len(others) > 0 {
		h.Page = "problems/dates-are-strings.html"
	}
	if len(dates) == 0 {
		h.Says = append(h.Says, "No field is a Date, so no TTL index lets this document expire.")
	}
	h.Says = append(h.Says, "Paste your index beside it, or the answer of this command:")
	h.Command = `db.getCollection("coll").getIndexes()`
	return h
}

func kindWord(v policy.Value) string {
	if v.Kind() == policy.String {
		return "string"
	}
	return "number"
}

// isSmall reports whether a number of seconds since 1970 would be in the first years.
func isSmall(v policy.Value) bool {
	n, ok := v.AsDouble()
	if whole, isWhole := v.AsInt64(); isWhole {
		n, ok = float64(whole), true
	}
	return ok && n <= 100_000_000
}

// quotedPath writes a path as a name in an object of JavaScript.
func quotedPath(path string) string {
	if strings.Contains(path, ".") {
		return strconv.Quote(path)
	}
	return path
}

// walkFields calls see for each field of a document, and of the documents in it up to a depth of
// three.
func walkFields(v policy.Value, path string, depth int, see func(path string, v policy.Value)) {
	for f := v.Fields(); f.Next(); {
		name := path + f.Name()
		if see(name, f.Value()); f.Value().Kind() == policy.Object && depth < 3 {
			walkFields(f.Value(), name+".", depth+1, see)
		}
	}
}

// A mending is a reading of a text that cannot be read as it is, with a note about it.
type mending struct {
	note string
	mend func(text string) string
}

// characters are mendings of single characters, carried out together.
var characters = []mending{
	{"Typographic quotes and brackets are read as plain ones.", strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‟", `"`, "″", `"`, "‘", "'", "’", "'", "（", "(", "）", ")", "｛", "{", "｝", "}", "［", "[", "］", "]", "：", ":", "，", ",", "\u00a0", " ").Replace},
	{"The prompt of the shell and its query are left out.", func(text string) string { return query().ReplaceAllString(text, "") }},
	{"The comma before a closing bracket is left out.", func(text string) string { return lastComma().ReplaceAllString(text, "$1") }},
}

var (
	query     = pattern.Lazy(`(?m)^[^\n{\["]*> *(?:db\.[^\n]*)?$\n?`)
	lastComma = pattern.Lazy(`,(\s*[}\]])`)
	apart     = pattern.Lazy(`\}\s*\n\s*\{`)
	property  = pattern.Lazy(`(?s)^@Prop\(\s*(\{.*\})\s*\)\s*(?:(?:public|private|readonly)\s+)*(\w+)`)
	oneField  = pattern.Lazy(`^["']?\w+["']?\s*:\s*\{`)
)

// structures are mendings of the form of a policy, each tried alone.
var structures = []mending{
	{"Read as the fields and the options of one index.", func(text string) string { return apart().ReplaceAllString(text, "}, {") }},
	{"Read as a property of a schema of mongoose.", func(text string) string {
		if m := property().FindStringSubmatch(text); m != nil {
			return "{" + m[2] + ": " + withType(m[1]) + "}"
		}
		return text
	}},
	{"Read as a field of a schema of mongoose.", func(text string) string {
		if oneField().MatchString(text) {
			return "{" + strings.TrimSuffix(text, ",") + "}"
		}
		return text
	}},
	{"Read as the answer of getCollectionInfos.", collectionInfos},
	{"Read as a collection of Azure Cosmos DB for MongoDB.", mongoResource},
}

// withType adds the type Date to the options of a property that NestJS takes from TypeScript.
func withType(options string) string {
	if strings.Contains(options, "type") {
		return options
	}
	return "{type: Date, " + strings.TrimPrefix(options, "{")
}

// collectionInfos writes the collection that getCollectionInfos shows, if it shows one.
func collectionInfos(text string) string {
	v, _, err := mongosh.ParseValue(text, 0)
	list := policy.AOf(v)
	if err != nil {
		return text
	}
	if v.Kind() == policy.Object {
		list = policy.A{v}
	}
	if len(list) != 1 || list[0].Field("options").Kind() != policy.Object || list[0].Field("type").Kind() != policy.String {
		return text
	}
	options, ok := mongosh.Literal(list[0].Field("options"))
	name, isNamed := mongosh.Literal(list[0].Field("name"))
	if !ok || !isNamed {
		return text
	}
	return "db.createCollection(" + name + ", " + options + ")"
}

// mongoResource writes the indexes that az and Azure Resource Manager show of a collection of the
// API for MongoDB.
func mongoResource(text string) string {
	v, err := pasted.ParseJSON(text)
	if err != nil {
		return text
	}
	for _, name := range []string{"properties", "resource"} {
		if inner := v.Field(name); inner.Kind() == policy.Object {
			v = inner
		}
	}
	var calls []string
	for _, x := range policy.AOf(v.Field("indexes")) {
		var key policy.D
		for _, field := range policy.AOf(x.Field("key").Field("keys")) {
			name, _ := field.AsString()
			key = append(key, policy.E{Key: name, Value: policy.Int32Value(1)})
		}
		options := policy.D(nil)
		if seconds := x.Field("options").Field("expireAfterSeconds"); !seconds.IsMissing() {
			options = policy.D{{Key: "expireAfterSeconds", Value: seconds}}
		}
		if len(key) == 0 {
			return text
		}
		fields, ok := mongosh.Literal(policy.ObjectValue(key))
		rest, isWritten := mongosh.Literal(policy.ObjectValue(options))
		if !ok || !isWritten {
			return text
		}
		if len(key) != 1 || key[0].Key != "_id" {
			calls = append(calls, "db.c.createIndex("+fields+", "+rest+")")
		}
	}
	if len(calls) == 0 {
		return text
	}
	return strings.Join(calls, "\n")
}

// mended returns s with texts that can be read, and notes about the changes. It changes a text only
// if it cannot be read as it is, and can be read afterwards.
func (s State) mended() (State, []string) {
	now, err := readNow(s.Now)
	if err != nil || len(s.Policy) > mongosh.MaxText || len(s.Document) > mongosh.MaxText {
		return s, nil
	}
	isRead := func(s State) bool { _, err := readDefinition(s.system(), now); return err == nil }
	isDocument := func(s State) bool { _, err := readDocuments(s.system(), now, now); return err == nil }
	var notes []string
	// A text in the wrong field, if the other field is empty or has the other text.
	if swapped := s; s.Policy != "" && !isRead(s) || s.Policy == "" && s.Document != "" {
		swapped.Policy, swapped.Document = s.Document, s.Policy
		isContainer := Guessed(swapped.Policy, "") == definition.CosmosNoSQL
		isRead := func(s State) bool { return isRead(s) && (isContainer || s.system().System != definition.CosmosNoSQL) }
		isEmpty := s.Document == "" && len(mentions.In("", s.Policy)) == 0 && isDocument(swapped) || s.Policy == "" && isRead(swapped)
		if isEmpty || s.Policy != "" && s.Document != "" && isRead(swapped) && isDocument(swapped) {
			return swapped, nil
		}
	}
	try := func(text string, set func(*State, string), isRead func(State) bool) bool {
		trial := s
		if set(&trial, text); !isRead(trial) {
			return false
		}
		s = trial
		return true
	}
	mend := func(text string, set func(*State, string), isRead func(State) bool, all []mending) {
		if text == "" || isRead(s) {
			return
		}
		var made []string
		for _, m := range characters {
			if after := m.mend(text); after != text {
				text, made = after, append(made, m.note)
			}
		}
		if len(made) > 0 && try(text, set, isRead) {
			notes = append(notes, made...)
			return
		}
		for _, m := range all {
			if after := m.mend(strings.TrimSpace(text)); after != strings.TrimSpace(text) && try(after, set, isRead) {
				notes = append(append(notes, made...), m.note)
				return
			}
		}
	}
	mend(s.Policy, func(s *State, text string) { s.Policy = text }, isRead, structures)
	mend(s.Document, func(s *State, text string) { s.Document = text }, isDocument, nil)
	slices.Sort(notes)
	return s, slices.Compact(notes)
}
