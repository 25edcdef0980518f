package playground

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Clock is the time for a State that names none, 2026-11-20T12:00:00Z. It is constant,
// because a link would otherwise answer differently tomorrow.
const Clock policy.Instant = 1_795_176_000_000

// A State holds what the user wrote and chose.
type State struct {
	// System is [definition.MongoDB], [definition.CosmosNoSQL], [definition.CosmosMongo] or
	// [Guess]. Anything else is MongoDB.
	System string `json:"system"`
	// Release is the server's release, such as "8.0.4"; "8.0" and "8" are the newest patch
	// of 8.0. An empty or unknown release stands for the newest one; Cosmos DB for NoSQL
	// has no releases.
	Release string `json:"release"`
	// CustomPath means that the account of the API for MongoDB has the capability for TTL
	// on other fields than _ts.
	CustomPath bool `json:"customPath"`
	// LegacyNull sets behaviour.LegacyNullParameter on a server that has this parameter.
	LegacyNull bool `json:"legacyNull"`
	// Policy is an index, several indexes, a call such as createIndex(…), or a container.
	Policy string `json:"policy"`
	// Document is a document in Extended JSON or in the syntax of the shell. An item of
	// Cosmos DB for NoSQL is plain JSON.
	Document string `json:"document"`
	// Written is the time of the last write of a document without _ts, because clients of
	// the API for MongoDB do not see _ts. It has the forms of Now. Empty means the time
	// in Now.
	Written string `json:"written"`
	// Now is the instant to judge at: 2026-11-20T12:00:00Z, 2026-11-20, or seconds since
	// 1970, optionally after an @. Empty means [Clock].
	Now string `json:"now"`
}

// hasLegacyNull reports whether the server has behaviour.LegacyNullParameter.
func (s State) hasLegacyNull() bool {
	v, err := mongo.ParseVersion(s.Release)
	if err != nil || s.System != definition.MongoDB {
		return false
	}
	p, err := mongo.ProfileOf(v)
	if err == nil {
		_, err = p.WithParameter(behaviour.LegacyNullParameter, policy.BoolValue(true))
	}
	return err == nil
}

// parameters returns the server parameters that are set.
func (s State) parameters() policy.D {
	if !s.LegacyNull || !s.hasLegacyNull() {
		return nil
	}
	return policy.D{{Key: behaviour.LegacyNullParameter, Value: policy.BoolValue(true)}}
}

// system returns s with a known system.
func (s State) system() State {
	if s.System == Guess {
		s.System = Guessed(s.Policy, s.Document)
	}
	if s.System != definition.CosmosNoSQL && s.System != definition.CosmosMongo {
		s.System = definition.MongoDB
	}
	return s
}

// normal returns s with a known system and an existing release.
func (s State) normal() State {
	s = s.system()
	s.Release = s.readRelease().text
	if s.System == definition.MongoDB {
		s.Written = ""
	}
	return s
}

// A Problem says which text of an editor could not be read, and where.
type Problem struct {
	Editor  string `json:"editor"`  // "policy", "document", "written" or "now"
	Line    int    `json:"line"`    // from 1
	Column  int    `json:"column"`  // from 1, in characters
	Offset  int    `json:"offset"`  // from 0, in UTF-16, as a browser counts
	Message string `json:"message"` // the text of the error, without its place
}

// problemOf returns an error with its place in the text of an editor.
func problemOf(editor, text string, err error) Problem {
	offset, message := placed(text, err)
	offset = min(max(offset, 0), len(text))
	for offset > 0 && offset < len(text) && !utf8.RuneStart(text[offset]) {
		offset--
	}
	before := text[:offset]
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return Problem{
		Editor: editor, Line: 1 + strings.Count(before, "\n"), Column: 1 + utf8.RuneCountInString(line),
		Offset: len(utf16.Encode([]rune(before))), Message: message,
	}
}

// placed returns the text of an error without its place, and the offset in text that it is about:
// the place where the reader stopped, or the field for which a definition is refused.
func placed(text string, err error) (offset int, message string) {
	var (
		shell  *mongosh.SyntaxError
		json   *policy.SyntaxError
		index  *mongo.SpecError
		cosmos *cosmos.SpecError
		lacks  *reasons.DocumentError
	)
	message = err.Error()
	switch {
	case errors.As(err, &shell):
		return shell.Offset, shell.Err.Error()
	case errors.As(err, &json):
		return json.Offset, json.Err.Error()
	case errors.As(err, &index):
		return find(text, index.Field), message
	case errors.As(err, &cosmos):
		return find(text, cosmos.Field), message
	case errors.As(err, &lacks):
		return find(text, lacks.Field), message
	}
	return 0, message
}

// find returns the offset of the last name of a dotted path that occurs in text. The
// offset is only a guess of a useful place for the cursor.
func find(text, path string) int {
	names := strings.Split(path, ".")
	for i := len(names) - 1; i >= 0; i-- {
		if at := strings.Index(text, names[i]); at >= 0 && names[i] != "" {
			return at
		}
	}
	return 0
}

// messageOf returns the text of an error without its place.
func messageOf(err error) string {
	_, message := placed("", err)
	return message
}

// A definition is the content of the policy editor, before it is compiled for a
// release.
type stored struct {
	pasted.Collection
	container pasted.Container // the policy, if the system is Cosmos DB for NoSQL
}

// readDefinition reads the policy editor.
func readDefinition(s State, now policy.Instant) (d stored, err error) {
	if s.System == definition.CosmosNoSQL {
		d.container, err = pasted.ReadContainer(s.Policy)
		d.Notes = d.container.Notes
		return d, err
	}
	d.Collection, err = pasted.ReadCollection(s.Policy, now)
	if err == nil && !d.Key.IsMissing() {
		err = pasted.ErrNothing // the policy gives no seconds
	}
	if err == nil {
		err = d.strangeOption(s.Policy)
	}
	return d, err
}

// strangeOption returns an error about an option of a call that MongoDB does not have, and that
// may be the option of another language for the seconds. In a listing such an option has no
// effect; a call may never have reached the server in this form.
func (d stored) strangeOption(text string) error {
	if !strings.Contains(text, "(") {
		return nil
	}
	for i, index := range d.Indexes {
		for _, r := range pasted.IndexRemarks(index) {
			if r.Meant == "expireAfterSeconds" && index.Field(r.Meant).IsMissing() && !index.Field(r.Field).IsMissing() {
				return &mongosh.SyntaxError{Offset: d.Places[i], Err: fmt.Errorf("%s is not an option of MongoDB; expireAfterSeconds is, and whether your program makes one of the other is not known here", r.Field)}
			}
		}
	}
	return nil
}

// compile returns the policy of a definition in one release.
func (d stored) compile(s State) (*reasons.Policy, error) {
	whole, err := d.whole(s)
	if err != nil {
		return nil, err
	}
	return reasons.Compile(whole)
}

// whole returns the definition for the release of s.
func (d stored) whole(s State) (whole definition.Definition, err error) {
	switch s.System {
	case definition.CosmosNoSQL:
		return definition.OfContainer(d.container.Spec), nil
	case definition.CosmosMongo:
		spec, err := d.cosmosMongo(s)
		return definition.OfCosmosMongo(spec), err
	}
	release, err := mongo.ParseVersion(s.Release)
	if err != nil {
		return whole, err
	}
	spec, err := mongo.ParseListedCollection(d.Options, policy.ListValue(d.Indexes))
	return definition.OfMongoDB(spec, release, s.parameters()), err
}

func (d stored) cosmosMongo(s State) (spec cosmos.CollectionSpec, err error) {
	spec.ServerVersion = s.Release
	if s.CustomPath {
		spec.Capabilities = []string{definition.CustomPathCapability}
	}
	for i, v := range d.Indexes {
		x, err := cosmos.ParseListedIndex(v)
		if err != nil {
			return spec, &mongosh.SyntaxError{Offset: d.Places[i], Err: err}
		}
		if named, err := mongo.ParseListedIndex(v); err == nil {
			x.Name = named.Name // the default name that shells and drivers give
		}
		spec.Indexes = append(spec.Indexes, x)
	}
	return spec, nil
}

// layouts are the forms of an instant beside RFC 3339 and a date.
var layouts = []string{
	"2006-01-02T15:04Z07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04Z07:00", "2006-01-02T15:04:05-0700", "2006-01-02T15:04-0700",
	"02.01.2006 15:04:05", "02.01.2006 15:04", "02.01.2006", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04",
}

// readNow reads the clock, in UTC unless it has a zone. A text that is only a number
// counts seconds since 1970, or milliseconds if it has 12 digits or more.
func readNow(text string) (policy.Instant, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Clock, nil
	}
	at, ok := pasted.ParseInstant(text, layouts...)
	if isDigits(text) {
		number := "@" + text
		if len(text) >= 12 {
			number = text + "ms"
		}
		at, ok = pasted.ParseInstant(number)
	}
	if !ok {
		return 0, errors.New("want an instant in UTC such as 2026-11-20T12:00:00Z, 2026-11-20T13:00+01:00, 2026-11-20, 20.11.2026 12:00 or 1795176000, which counts seconds since 1970")
	}
	return at, nil
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// Guess is the System of a State that names no system: [Guessed] finds it from the
// policy.
const Guess = "guess"

// Guessed returns the system that a policy and a document seem to be for. A container
// names its default or its partition key; an index on _ts belongs to the API for
// MongoDB.
func Guessed(policy, document string) string {
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(policy, w) {
				return true
			}
		}
		return false
	}
	switch {
	case has("defaultTtl", "DefaultTimeToLive", "default_ttl", "partitionKey"):
		return definition.CosmosNoSQL
	case has("expireAfterSeconds", "createIndex", "create_index") && has(`"_ts"`, "'_ts'", "{_ts", "{ _ts"):
		return definition.CosmosMongo
	case !has("expire", "ndex", "key", "imeseries") && strings.Contains(document, `"_ts"`):
		return definition.CosmosNoSQL // an empty container, {}
	}
	return definition.MongoDB
}

// meant returns the system that s is likely about, "" if s names it already or
// nothing shows it.
func (s State) meant() string {
	guessed := Guessed(s.Policy, s.Document)
	isIndex := strings.Contains(s.Policy, "expireAfterSeconds")
	switch {
	case guessed == s.System, guessed == definition.MongoDB && !(isIndex && s.System == definition.CosmosNoSQL):
		return ""
	case guessed == definition.CosmosMongo && s.System == definition.MongoDB && !strings.Contains(s.Document, "_ts"):
		return "" // a field of MongoDB may have the name _ts
	}
	return guessed
}

// A release is the result of reading the release that somebody wrote.
type release struct {
	text string // "8.0.4"; "" for a service without releases
	// note explains the reading of the release if it is not obvious.
	note string
	// unknown means that there is no such release; text is then the newest.
	unknown bool
}

// readRelease reads a release of the system as people write it: 8.0.4 or v8.0.4; 8.0 and
// 8 stand for the newest patch of 8.0.
func (s State) readRelease() release {
	written := strings.TrimSpace(s.Release)
	plain := strings.TrimPrefix(strings.ToLower(written), "v")
	switch s.System {
	case definition.CosmosNoSQL:
		if written == "" {
			return release{}
		}
		return release{note: "Azure Cosmos DB for NoSQL has no releases, so that the release is not looked at."}
	case definition.CosmosMongo:
		newest := cosmosStops[len(cosmosStops)-1]
		if plain == "" || slices.ContainsFunc(cosmosStops, func(s Stop) bool { return s.Release == plain }) {
			return release{text: cmp.Or(plain, newest.Release)}
		}
		return noSuch(written, cosmosStops[0].Release, newest.Release)
	}
	if plain == "" {
		return release{text: mongo.Latest().String()}
	}
	if plain == definition.DocumentDB {
		newest := documentDBStops()[len(documentDBStops())-1]
		return release{text: newest.Release}
	}
	for _, line := range lines() {
		if plain == strconv.Itoa(int(line.Major)) || plain == fmt.Sprintf("%d.%d", line.Major, line.Minor) {
			return release{text: line.String(), note: fmt.Sprintf("%s is read as %s, the newest patch of %d.%d.", written, line, line.Major, line.Minor)}
		}
	}
	v, err := pasted.ParseRelease(plain)
	isKnown := func(line mongo.Version) bool {
		return line.Major == v.Major && line.Minor == v.Minor && v.Patch <= line.Patch
	}
	if err == nil && (v.Product != "" || slices.ContainsFunc(lines(), isKnown)) {
		return release{text: plain}
	}
	return noSuch(written, fmt.Sprintf("%d.%d", lines()[0].Major, lines()[0].Minor), mongo.Latest().String())
}

// noSuch returns the last release, with a note that the written one does not exist.
func noSuch(written, first, last string) release {
	written = written[:min(len(written), 20)]
	return release{last, fmt.Sprintf("%q is not a release that is known here; those from %s to %s are.", written, first, last), true}
}
