package program

import (
	"slices"
	"strings"
)

// An option describes a name that drivers and SDKs use for a time to live.
type option struct {
	// setting is the service's name of a container's option; it is empty for an option of an
	// index.
	setting string
	only    condition
	// read reads an option that has a special form; nil if the option has the usual
	// forms.
	read func(b *Builder, t *tree, i int)
}

// A condition says in which files a name is an option of a database.
type condition uint8

const (
	always      condition = iota // no other system has such a name
	unlessOther                  // see [systems.have]
	ofMongo                      // in a file that mentions MongoDB
	ofCosmos                     // in a file that mentions Azure Cosmos DB
)

// options are the options by their names, in the form that [plainName] returns.
var options map[string]option

func init() {
	const analytical = "analyticalStorageTtl"
	options = map[string]option{
		"expireafterseconds": {}, "setexpireafterseconds": {}, "withexpireafterseconds": {},
		"expireafter": {only: ofMongo}, "setexpireafter": {only: ofMongo},
		"expire":  {only: ofMongo, read: (*Builder).readFluent},
		"expires": {only: unlessOther, read: (*Builder).readExpires},

		"defaultttlseconds": {setting: "defaultTtl"}, "defaultttl": {setting: "defaultTtl", only: ofCosmos}, "withdefaultttl": {setting: "defaultTtl", only: ofCosmos},
		"defaulttimetolive": {setting: "defaultTtl", only: unlessOther}, "setdefaulttimetolive": {setting: "defaultTtl", only: unlessOther},
		"withdefaulttimetolive": {setting: "defaultTtl", only: unlessOther}, "hasdefaulttimetolive": {setting: "defaultTtl", only: unlessOther},
		"defaulttimetoliveinseconds": {setting: "defaultTtl"}, "setdefaulttimetoliveinseconds": {setting: "defaultTtl"},
		"ttlinseconds": {setting: "defaultTtl", only: ofCosmos}, "timetolive": {setting: "defaultTtl", only: ofCosmos, read: (*Builder).readContainerAnnotation},
		"analyticalstoragettl": {setting: analytical}, "analyticalstoretimetoliveinseconds": {setting: analytical},
		"setanalyticalstoretimetoliveinseconds": {setting: analytical}, "hasanalyticalstoretimetolive": {setting: analytical},
	}
}

// systems says which systems a file mentions.
type systems struct{ mongo, cosmos, other bool }

// Words that mention each system, in lower case.
var (
	mongoWords  = []string{"mongo", "createindex", "create_index", "ensureindex", "indexoptions", "indexmodel", "indexkeys", "doctrine", `odm\`, "@indexed", "@schema(", "beanie", "typegoose", "blueprint", "schema::", "bson"}
	cosmosWords = []string{"cosmos", "documentdb", "partitionkey", "partition_key", "containerproperties", "createcontainer", "create_container", "definecontainer", "tocontainer"}
	otherWords  = []string{"cache", "cdn", "cloudfront", "redis", "dns", "route53", "keyspaces", "cassandra", "dynamodb", "jms", "rabbit", "servicebus", "fastly", "varnish", "hazelcast"}
)

func systemsOf(text string) systems {
	lower := strings.ToLower(text)
	return systems{speaksOf(lower, mongoWords), speaksOf(lower, cosmosWords), speaksOf(lower, otherWords)}
}

// speaksOf reports whether a lower-case text contains one of the words.
func speaksOf(text string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// have reports whether, in a file that mentions the systems s, a name with this spelling
// counts as the option o. The condition unlessOther holds in a file that mentions Azure Cosmos
// DB, or no other system; for the option of an index also in a file that mentions MongoDB. In
// a file without Cosmos DB, the setting of a container counts only with a capital, as .NET
// spells it.
func (s systems) have(o option, spelled string) bool {
	switch o.only {
	case ofMongo:
		return s.mongo
	case ofCosmos:
		return s.cosmos
	case unlessOther:
		return s.cosmos || s.mongo && o.setting == "" || !s.other && (o.setting == "" || spelled[0] <= 'Z')
	}
	return true
}

// givesSeconds returns the offset of the sign by which a text gives a value to the option
// of an index, as a member of an object or an argument; -1 if the text gives no value. A
// mention in a sentence does not count.
func givesSeconds(text string) int {
	for at := 0; ; {
		i := strings.Index(text[at:], "expire")
		if i < 0 {
			return -1
		}
		i += at
		at = i + 1
		name := WordAt(text, i)
		if name != secondsOption && name != "expire_after_seconds" {
			continue
		}
		before := strings.TrimRight(trimQuote(text[:i], strings.TrimSuffix), "\\")
		before = strings.TrimRight(before, asciiSpace)
		behind := trimQuote(strings.TrimLeft(text[i+len(name):], "\\"), strings.TrimPrefix)
		behind = strings.TrimLeft(behind, asciiSpace)
		if before != "" && strings.IndexByte("{,(", before[len(before)-1]) >= 0 && behind != "" && strings.IndexByte(":=", behind[0]) >= 0 {
			return len(text) - len(behind)
		}
	}
}

const asciiSpace = " \t\n\f\r"

// trimQuote trims one quote.
func trimQuote(text string, trim func(s, cut string) string) string {
	if short := trim(text, `"`); short != text {
		return short
	}
	return trim(text, "'")
}

// readContainerAnnotation reads timeToLive of @Container of Spring Data.
func (b *Builder) readContainerAnnotation(t *tree, i int) {
	at := t.annotation(i)
	if at < 0 || !t.is(at+1, "Container", "Document") {
		return
	}
	if why := b.readSetting(t, i, "defaultTtl"); why != "" {
		b.Refuse(t.tokens[i].at, t.tokens[i].text, why, true)
	}
}
