package playground

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/mongosh"
	"github.com/ttlpolicy/ttlpolicy/internal/policies"
	"github.com/ttlpolicy/ttlpolicy/internal/policytext"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Clock is what time it is where a State does not say: the same for everybody,
// or a link would answer differently tomorrow. It is 2026-11-20T12:00:00Z.
const Clock policy.Instant = 1_795_176_000_000

// A State is what somebody wrote and chose.
type State struct {
	// System is [policies.MongoDB], [policies.CosmosNoSQL], [policies.CosmosMongo] or
	// [Guess]. Anything else is MongoDB.
	System string `json:"system"`
	// Release is the server's, such as "8.0.4". One that has no profile, and
	// none, is the latest; Cosmos DB for NoSQL has none.
	Release string `json:"release"`
	// CustomPath is the account's capability for TTL on a field other than
	// _ts, of the API for MongoDB.
	CustomPath bool `json:"customPath"`
	// LegacyNull sets [mongo.LegacyNullParameter] on a server that has it.
	LegacyNull bool `json:"legacyNull"`
	// Policy is an index, several, createIndex(…), or a container.
	Policy string `json:"policy"`
	// Document is in Extended JSON or as the shell has it; an item of Cosmos DB
	// for NoSQL is plain JSON.
	Document string `json:"document"`
	// Now is the instant to judge at: 2026-11-20T12:00:00Z, 2026-11-20, or @
	// and seconds since 1970. Empty is [Clock].
	Now string `json:"now"`
}

// hasLegacyNull reports whether the server has [mongo.LegacyNullParameter].
func (s State) hasLegacyNull() bool {
	v, err := mongo.ParseVersion(s.Release)
	if err != nil || s.System != policies.MongoDB {
		return false
	}
	p, err := mongo.ProfileOf(v)
	if err == nil {
		_, err = p.WithParameter(mongo.LegacyNullParameter, policy.BoolValue(true))
	}
	return err == nil
}

// parameters returns the server parameters that are set.
func (s State) parameters() policy.D {
	if !s.LegacyNull || !s.hasLegacyNull() {
		return nil
	}
	return policy.D{{Key: mongo.LegacyNullParameter, Value: policy.BoolValue(true)}}
}

// normal returns s with a system and a release that there are.
func (s State) normal() State {
	if s.System == Guess {
		s.System = Guessed(s.Policy, s.Document)
	}
	switch s.System {
	case policies.CosmosNoSQL:
		s.Release = ""
	case policies.CosmosMongo:
		s.Release = stopOf(cosmosStops, s.Release).Release
	default:
		s.System = policies.MongoDB
		var ok bool
		if s.Release, ok = readRelease(s.Release); !ok {
			s.Release = mongo.Latest.String()
		}
	}
	return s
}

// readRelease reads a release as people write it: 8.0.4, v8.0.4, 8.0, or 8 for the last
// patch of 8.0. It reports false for one that does not exist.
func readRelease(text string) (release string, ok bool) {
	text = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(text)), "v")
	for _, line := range lines {
		if text == strconv.Itoa(int(line.Major)) {
			return line.String(), true // the first line of the major release, which is supported longest
		}
	}
	v, err := policytext.ParseRelease(text)
	isKnown := slices.ContainsFunc(lines, func(line mongo.Version) bool {
		return line.Major == v.Major && line.Minor == v.Minor && v.Patch <= line.Patch
	})
	return text, err == nil && isKnown
}

// nearReleases returns the last releases of the lines around one that does not exist.
func nearReleases(text string) (near []string) {
	v, err := mongo.ParseVersion(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(text)), "v"))
	if err != nil {
		return nil
	}
	i := slices.IndexFunc(lines, func(line mongo.Version) bool { return line.Compare(v) > 0 })
	if i < 0 {
		i = len(lines)
	}
	for _, line := range lines[max(i-1, 0):min(i+1, len(lines))] {
		near = append(near, line.String())
	}
	return near
}

// A Problem is what could not be read in an editor, and where.
type Problem struct {
	Editor  string `json:"editor"`  // "policy", "document" or "now"
	Line    int    `json:"line"`    // from 1
	Column  int    `json:"column"`  // from 1, in characters
	Offset  int    `json:"offset"`  // from 0, in UTF-16, as a browser counts
	Message string `json:"message"` // without the place
}

// problemOf says what an error is about in the text of an editor.
func problemOf(editor, text string, err error) Problem {
	offset := min(max(offsetOf(text, err), 0), len(text))
	for offset > 0 && offset < len(text) && !utf8.RuneStart(text[offset]) {
		offset--
	}
	before := text[:offset]
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return Problem{
		Editor: editor, Line: 1 + strings.Count(before, "\n"), Column: 1 + utf8.RuneCountInString(line),
		Offset: len(utf16.Encode([]rune(before))), Message: messageOf(err),
	}
}

// offsetOf returns the byte of text that an error is about: where the reader
// stopped, or where the field is written that a definition is refused for.
func offsetOf(text string, err error) int {
	var (
		shell  *mongosh.SyntaxError
		json   *policy.SyntaxError
		index  *mongo.SpecError
		cosmos *cosmos.SpecError
		lacks  *reasons.DocumentError
	)
	switch {
	case errors.As(err, &shell):
		return shell.Offset
	case errors.As(err, &json):
		return json.Offset
	case errors.As(err, &index):
		return find(text, index.Field)
	case errors.As(err, &cosmos):
		return find(text, cosmos.Field)
	case errors.As(err, &lacks):
		return find(text, lacks.Field)
	}
	return 0
}

// find returns where the last name of a dotted path that text has is written.
// It is a guess to put the cursor somewhere useful, and no more.
func find(text, path string) int {
	names := strings.Split(path, ".")
	for i := len(names) - 1; i >= 0; i-- {
		if at := strings.Index(text, names[i]); at >= 0 && names[i] != "" {
			return at
		}
	}
	return 0
}

// messageOf is an error without the place, which is shown by itself.
func messageOf(err error) string {
	var shell *mongosh.SyntaxError
	var json *policy.SyntaxError
	switch {
	case errors.As(err, &shell):
		return shell.Err.Error()
	case errors.As(err, &json):
		return json.Err.Error()
	}
	return err.Error()
}

// A definition is what the policy editor holds, before a release reads it.
type definition struct {
	policytext.Collection
	container policytext.Container // of Cosmos DB for NoSQL
}

// readDefinition reads the policy editor.
func readDefinition(s State, now policy.Instant) (d definition, err error) {
	if s.System == policies.CosmosNoSQL {
		d.container, err = policytext.ReadContainer(s.Policy)
		d.Notes = d.container.Notes
		return d, err
	}
	d.Collection, err = policytext.ReadCollection(s.Policy, now)
	if err == nil && !d.Key.IsMissing() {
		err = policytext.ErrNothing // nothing says how long
	}
	return d, err
}

// compile returns the policy of a definition in one release.
func (d definition) compile(s State) (*reasons.Policy, error) {
	whole, err := d.whole(s)
	if err != nil {
		return nil, err
	}
	return reasons.Compile(whole)
}

// whole returns the definition with the release that s asks about.
func (d definition) whole(s State) (whole policies.Definition, err error) {
	switch s.System {
	case policies.CosmosNoSQL:
		return policies.OfContainer(d.container.Spec), nil
	case policies.CosmosMongo:
		spec, err := d.cosmosMongo(s)
		return policies.OfCosmosMongo(spec), err
	}
	release, err := mongo.ParseVersion(s.Release)
	if err != nil {
		return whole, err
	}
	spec, err := mongo.ParseListedCollection(d.Options, policy.ListValue(d.Indexes))
	return policies.OfMongoDB(spec, release, s.parameters()), err
}

func (d definition) cosmosMongo(s State) (spec cosmos.CollectionSpec, err error) {
	spec.ServerVersion = s.Release
	if s.CustomPath {
		spec.Capabilities = []string{cosmos.CustomPathCapability}
	}
	for i, v := range d.Indexes {
		x, err := cosmos.ParseListedIndex(v)
		if err != nil {
			return spec, &mongosh.SyntaxError{Offset: d.Places[i], Err: err}
		}
		if named, err := mongo.ParseListedIndex(v); err == nil {
			x.Name = named.Name // the one that shells and drivers give
		}
		spec.Indexes = append(spec.Indexes, x)
	}
	return spec, nil
}

// A document is what the document editor holds.
type document struct {
	policy.Document              // to be judged
	value           policy.Value // to be shown
	notes           []mongosh.Note
}

// readDocument reads the document editor: a document, or insertOne(…).
func readDocument(s State, now policy.Instant) (document, error) {
	if s.System == policies.CosmosNoSQL {
		if len(s.Document) > mongosh.MaxText {
			return document{}, mongosh.ErrTooLong
		}
		item, err := policy.ParseJSON([]byte(s.Document))
		return document{Document: &item, value: item.Value()}, err
	}
	v, notes, at, err := documentOf(s.Document, now)
	if err == nil && v.Kind() != policy.Object {
		err = &mongosh.SyntaxError{Offset: at, Err: fmt.Errorf("want a document, not %s", v.Kind())}
	}
	return document{v, v, notes}, err
}

func documentOf(text string, now policy.Instant) (v policy.Value, notes []mongosh.Note, at int, err error) {
	script, err := mongosh.Parse(text, now)
	if err != nil || len(script.Calls) != 1 || script.Calls[0].Method == "" {
		v, notes, err = mongosh.ParseValue(text, now)
		return v, notes, 0, err
	}
	c := script.Calls[0]
	if c.Method != "insertOne" && c.Method != "insert" || len(c.Args) != 1 {
		return v, nil, c.At, &mongosh.SyntaxError{Offset: c.At, Err: errors.New("want a document, or insertOne(document)")}
	}
	return c.Args[0], script.Notes, c.At, nil
}

// readNow reads the clock, in UTC unless it has a zone.
func readNow(text string) (policy.Instant, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Clock, nil
	}
	at, ok := policytext.ParseInstant(text, "02.01.2006 15:04:05", "02.01.2006 15:04", "02.01.2006", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04")
	if !ok {
		return 0, errors.New("want an instant in UTC such as 2026-11-20T12:00:00Z, 2026-11-20, 20.11.2026 12:00 or @1795176000")
	}
	return at, nil
}
