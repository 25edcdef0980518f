package suite

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// small returns the suite of testdata/small with old replaced in the named file. Without
// the replacement the suite has no fault. Each of the tests below breaks the suite in one
// place.
func small(t testing.TB, file, old, replacement string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range []string{tablesFile, sourcesFile, "vectors/a.json", lockFile} {
		text, err := os.ReadFile("testdata/small/" + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	text := string(files[file].Data)
	if !strings.Contains(text, old) {
		t.Fatalf("%s does not contain %q", file, old)
	}
	files[file].Data = []byte(strings.Replace(text, old, replacement, 1))
	return files
}

func TestLoadTakesTheSmallSuite(t *testing.T) {
	s, err := Load(small(t, tablesFile, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Vectors) != 2 || s.Version != "0.1.0" || s.Vector("date-null").Twin != "date-past" {
		t.Errorf("Load read %d vectors of version %s", len(s.Vectors), s.Version)
	}
	if name, line := s.Vector("date-null").At.File, s.Vector("date-null").At.Line; name != "vectors/a.json" || line != 24 {
		t.Errorf("date-null begins at %s:%d, want vectors/a.json:24", name, line)
	}
}

func TestLoadRefuses(t *testing.T) {
	const (
		vectors  = "vectors/a.json"
		outNever = `"out": {"state": "never", "deadline": null},
     "cites": ["page"]`
	)
	tests := []struct {
		file, old, replacement string
		want                   string // place and beginning of the text of some problem
	}{
		// Form.
		{vectors, `"title": "past",`, `"title": "past"`, "vectors/a.json:9: found '\"', want a comma or '}'"},
		{vectors, `"suite": "small",`, `"suite": "small", "sweet": 1,`, `vectors/a.json:3: unknown field "sweet"`},
		{vectors, `"title": "past",`, `"tittle": "past",`, `vectors/a.json:8: unknown field "tittle"`},
		{vectors, `"title": "past",`, "", `vectors/a.json:6: "title" is missing`},
		{vectors, `"title": "past",`, `"title": "past", "title": "again",`, `vectors/a.json:8: "title" stands twice`},
		{vectors, `"title": "past",`, `"title": 5,`, `vectors/a.json:8: "title" is 5, want a text`},
		{vectors, `"title": "past",`, `"title": "` + strings.Repeat("x", 141) + `",`, `vectors/a.json:6: the title is longer than 140`},
		{vectors, `"rev": 1,`, `"rev": 0,`, `vectors/a.json:7: "rev" is 0, want a whole number from 1 on`},
		{vectors, `"id": "date-past"`, `"id": "Date"`, `vectors/a.json:6: id "Date": want words of lower-case letters`},
		{vectors, `"id": "date-past"`, `"id": "date-null"`, `vectors/a.json:24: id "date-null" is used at vectors/a.json:6 too`},
		{vectors, `"format": "1.0"`, `"format": "2.0"`, `vectors/a.json:1: want "1.0" in "format"`},
		{vectors, `"rules": ["mongo.date"]`, `"rules": []`, `vectors/a.json:9: "rules" is [], want an array that is not empty`},
		{vectors, `"flags": ["Threshold"]`, `"flags": ["Threshold", "Threshold"]`, `vectors/a.json:9: "flags" is "Threshold", want no text twice`},
		{vectors, `"title": "past",`, `"title": "past", "status": "old",`, `vectors/a.json:8: "status" is "old", want one of ["approved" "proposed" "retired"]`},
		{vectors, `{"state": "never", "deadline": null}`, `[1`, "vectors/a.json:37: found ':', want a comma or ']'"},
		{tablesFile, `"kind": "boundary"`, `"kind": "edge"`, `suite.json:5: "kind" is "edge", want one of`},
		{tablesFile, `"version": "0.1.0",`, ``, `suite.json:1: "version" is missing`},
		{tablesFile, `"3.2.0-3.2.22"`, `"3.2.22-3.2.0"`, `suite.json:4: versions 3.2.22 to 3.2.0 are not of one release line`},
		{tablesFile, `"3.2.0-3.2.22"`, `"2.2.0"`, `suite.json:4: version 2.2.0 is listed after 3.0.15`},
		{tablesFile, `"3.2.0-3.2.22"`, `"3.2.0-3.4.2"`, `suite.json:4: versions 3.2.0 to 3.4.2 are not of one release line`},
		{tablesFile, `["3.2.22"]`, `["5.0.32"]`, `suite.json:4: landmark "5.0.32" is not among the releases`},
		{tablesFile, `{"$numberDouble": "NaN"}`, `{"$numberDouble": "NaNaN"}`, `suite.json:9: malformed Extended JSON`},
		{sourcesFile, `"address": "a"`, `"address": ""`, `sources.json:3: "address" is "", want a text`},

		{sourcesFile, `"kind": "test"`, `"kind": "rumour"`, `sources.json:3: "kind" is "rumour", want one of ["documentation" "specification" "ticket" "report" "source" "test"]`},
		{sourcesFile, `"kind": "documentation"`, `"kind": "documentation", "versions": "*"`, `sources.json:3: "versions" are those that a test can run on`},
		{sourcesFile, `"versions": "*"`, `"versions": "all"`, `sources.json:3: versions "all": `},

		// References.
		{vectors, `"rules": ["mongo.date"]`, `"rules": ["mongo.dates"]`, `vectors/a.json:6: unknown rule "mongo.dates"`},
		{vectors, `"flags": ["Threshold"]`, `"flags": ["Treshold"]`, `vectors/a.json:6: unknown flag "Treshold"`},
		{vectors, `"needs": ["far-dates"]`, `"needs": ["near-dates"]`, `vectors/a.json:6: unknown feature "near-dates"`},
		{vectors, `"page#top"`, `"leaf#top"`, `vectors/a.json:16: unknown source "leaf"`},
		{vectors, `"op": "mongodb.decide", "flags"`, `"op": "mongodb.divide", "flags"`, `vectors/a.json:6: unknown op "mongodb.divide"`},
		{vectors, `"rule": "mongo.date"}`, `"rule": "mongo.dates"}`, `vectors/a.json:16: unknown rule "mongo.dates"`},
		{vectors, `"twin": "date-past"`, `"twin": "date-passed"`, `vectors/a.json:24: unknown twin "date-passed"`},
		{vectors, `"core": ["mongo.date"]`, `"core": ["mongo.dates"]`, `vectors/a.json:4: unknown rule "mongo.dates"`},
		{vectors, `"core": ["mongo.date"]`, `"core": []`, `vectors/a.json:4: "core" is [], want an array that is not empty`},
		{vectors, `"core": ["mongo.date"]`, `"core": ["mongo.unreachable"]`, `vectors/a.json:4: no vector of this file is about mongo.unreachable, which it lists in the rule set "core"`},
		{vectors, `"core": ["mongo.date"]`, `"care": ["mongo.date"]`, `vectors/a.json:4: unknown rule set "care"`},
		{tablesFile, `"mongo.malformed"`, `"mongo.date"`, `vectors/a.json:6: rule mongo.date is listed as untestable in suite.json`},
		{tablesFile, `"mongo.malformed"`, `"mongo.missing"`, `suite.json:7: unknown rule "mongo.missing"`},

		// Questions.
		{vectors, `"document": {"t": null}`, `"doc": {"t": null}`, `vectors/a.json:24: "in" lacks "document"`},
		{vectors, `"in": {
    "now": {"$date": {"$numberLong": "1000"}},
    "indexes": [{"key": {"t": 1}, "expireAfterSeconds": 1}],
    "document": {"t": null}
   }`, `"in": 5`, `vectors/a.json:24: "in" is not an object`},
		{vectors, `"in": {
    "now": {"$date": {"$numberLong": "1000"}},
    "indexes": [{"key": {"t": 1}, "expireAfterSeconds": 1}],
    "document": {"t": null}
   },`, ``, `vectors/a.json:24: "in" is missing`},
		{vectors, `"document": {"t": null}`, `"doc": {"t": null}`, `vectors/a.json:24: mongodb.decide has no "doc" in "in"`},
		{vectors, `"now": {"$date": {"$numberLong": "1000"}}`, `"now": 1000`, `vectors/a.json:6: "now" is not a date`},
		{vectors, `"document": {"t": null}`, `"document": {"t": {"$date": 5}}`, `vectors/a.json:24: "document": malformed Extended JSON`},

		{vectors, `"op": "mongodb.decide",
   "twin": "date-past",
   "in": {
    "now": {"$date": {"$numberLong": "1000"}},
    "indexes": [{"key": {"t": 1}, "expireAfterSeconds": 1}],
    "document": {"t": null}
   }`, `"op": "mongodb.create",
   "twin": "date-past",
   "in": {"now": {"$date": {"$numberLong": "1000"}}, "command": {"create": "c", "capped": true}}`, `vectors/a.json:24: the command of mongodb.create stands without the collection's name: leave "create" out`},

		// Rows.
		{vectors, `"versions": "<3.2.0"`, `"versions": "<5.0.0"`, `vectors/a.json:21: mongodb 3.2.0 is in the range of line 16 too`},
		{vectors, `"versions": "<3.2.0"`, `"versions": "<=3.2.0"`, `vectors/a.json:21: versions "<=3.2.0": version "=3.2.0" is not of the form`},
		{vectors, `"versions": "<3.2.0"`, `"versions": "<3.2.99"`, `vectors/a.json:21: 3.2.99 is not a release that the suite knows`},
		{vectors, `"versions": "<3.2.0"`, `"versions": "<3.0.0"`, `vectors/a.json:21: versions "<3.0.0" hold for no release`},
		{vectors, `"versions": ">=3.2.0"`, `"versions": ">=5.0.0 <3.2.0"`, `vectors/a.json:16: versions ">=5.0.0 <3.2.0": want`},
		{vectors, `"versions": ">=3.2.0", `, ``, `vectors/a.json:16: "versions" is missing`},
		{vectors, `"system": "mongodb", "versions": ">=3.2.0"`, `"system": "cosmos-mongo", "versions": ">=3.6"`, `vectors/a.json:16: the question is about "mongodb", not "cosmos-mongo"`},
		{vectors, `"versions": ">=3.2.0"`, `"versions": ">=3.2.0", "capabilities": ["x"]`, `vectors/a.json:16: mongodb has no capabilities`},
		{vectors, `"versions": ">=3.2.0"`, `"versions": ">=3.2.0", "parameters": {"x": null}`, `vectors/a.json:16: "parameters": x: want true, false, a number or a string`},
		{vectors, `"versions": ">=3.2.0"`, `"versions": ">=3.2.0", "parameters": {"x": true}`, `vectors/a.json:6: a row has "parameters": add "parameters" to "needs"`},
		{vectors, `"needs": ["far-dates"]`, `"needs": ["far-dates", "parameters"]`, `vectors/a.json:6: no row has "parameters": remove "parameters" from "needs"`},
		{vectors, `"versions": ">=3.2.0"`, `"versions": ">=3.2.0", "asOf": "2025-01-01"`, `vectors/a.json:16: want "asOf" in the row of a service`},
		{vectors, `"evidence": "vendor-test"`, `"evidence": "inferred"`, `vectors/a.json:16: a "must" row must not rest on evidence that is "inferred"`},
		{vectors, `"evidence": "vendor-test"`, `"evidence": "disputed"`, `vectors/a.json:16: a "must" row must not rest on evidence that is "disputed"`},
		{vectors, `"evidence": "vendor-test"`, `"evidence": "unspecified"`, `vectors/a.json:16: "evidence" is "unspecified", want one of`},
		{vectors, `"level": "must"`, `"level": "optional"`, `vectors/a.json:16: a row that is "optional" wants "anyOf"`},
		{vectors, `"level": "must"`, `"level": "disputed"`, `vectors/a.json:16: a row that is "disputed" wants "anyOf"`},
		{vectors, `"level": "must"`, `"level": "profile"`, `vectors/a.json:16: want a rule set, as "profile", beside the level "profile"`},
		{vectors, `"level": "must"`, `"level": "must", "profile": "core"`, `vectors/a.json:16: want a rule set, as "profile", beside the level "profile"`},
		{vectors, `"level": "must"`, `"level": "profile", "profile": "apple"`, `vectors/a.json:16: unknown rule set "apple"`},
		{vectors, `"cites": ["page"]`, `"cites": []`, `vectors/a.json:37: "cites" is [], want an array that is not empty`},
		{vectors, `"cites": ["page"]`, `"cites": ["page"], "error": {"class": "refused"}`, `vectors/a.json:35: want one of "out", "error" and "anyOf"`},
		{vectors, `"out": {"state": "never", "deadline": null}`, `"error": {"class": "failed"}`, `vectors/a.json:35: the class of an error is "failed", want "refused"`},
		{vectors, `"note": "n", "rule": "mongo.timestamp-unspecified"`, `"note": "n"`, `vectors/a.json:21: "rule" is missing`},
		{vectors, `"rule": "mongo.timestamp-unspecified"`, `"rule": "mongo.date"`, `vectors/a.json:21: rule mongo.date does not end in -unspecified`},
		{vectors, outNever, `"anyOf": [{"label": "a", ` + outNever + `}, {"label": "b", ` + outNever + `}]`, `vectors/a.json:35: a "must" row has one answer`},
		{vectors, outNever, `"anyOf": [{"label": "a", ` + outNever + `}, {"label": "a", ` + outNever + `}]`, `vectors/a.json:35: two answers are labelled "a"`},
		{vectors, outNever, `"anyOf": [{` + outNever + `}]`, `vectors/a.json:36: "label" is missing`},

		// Evidence.
		{sourcesFile, `"versions": "*"`, `"versions": ">=3.2.0"`, `vectors/a.json:35: evidence is "vendor-test", but no test cited can run on 3.0.0 (t runs on ">=3.2.0"): split the row there`},
		{sourcesFile, `"versions": "*"`, `"versions": "<5.0.31"`, `vectors/a.json:16: evidence is "vendor-test", but no test cited can run on 5.0.31 (t runs on "<5.0.31")`},
		{sourcesFile, `"kind": "test", "versions": "*"`, `"kind": "test"`, `vectors/a.json:16: evidence is "vendor-test", but no test cited can run on 3.2.0 (t runs on "")`},
		{vectors, `"cites": ["page"]`, `"cites": ["manual"]`, `vectors/a.json:35: evidence is "vendor-test", but none of the sources cited is of the kind "test"`},
		{vectors, `"level": "must", "evidence": "vendor-test"`, `"level": "must", "evidence": "source"`, `vectors/a.json:16: evidence is "source", but none of the sources cited is of the kind "source"`},
		{vectors, `"level": "must", "evidence": "vendor-test"`, `"level": "must", "evidence": "documented"`, `vectors/a.json:16: evidence is "documented", but none of the sources cited is of the kind "documentation" or "ticket"`},
		{vectors, `"level": "must", "evidence": "vendor-test"`, `"level": "must", "evidence": "reported"`, `vectors/a.json:16: evidence is "reported", but none of the sources cited is of the kind "report"`},

		// Answers.
		{vectors, `"rule": "mongo.date"}`, `"rules": "mongo.date"}`, `vectors/a.json:16: mongodb.decide has no "rules" in "out"`},
		{vectors, `"state": "expired"`, `"state": "pending"`, `vectors/a.json:16: state "pending" does not go with the deadline`},
		{vectors, `"state": "expired"`, `"state": "dead"`, `vectors/a.json:16: state "dead" does not go with the deadline`},
		{vectors, `"state": "never", "deadline": null`, `"state": "never"`, `vectors/a.json:35: state "never" does not go with the deadline`},
		{vectors, `"state": "expired", "deadline": {"$date": {"$numberLong": "1000"}}`, `"state": "expired", "deadline": null`, `vectors/a.json:16: state "expired" does not go`},
		{vectors, `"flags": ["Threshold"], `, ``, `vectors/a.json:16: the deadline is within a millisecond of the clock: add a flag`},

		// Twins.
		{vectors, `"twin": "date-past",`, ``, `vectors/a.json:24: date-null expects that nothing happens, and names no "twin"`},
		{vectors, `"twin": "date-past"`, `"twin": "date-null"`, `vectors/a.json:24: the twin date-null differs in 0 places, want 1`},
		{vectors, `"document": {"t": null}`, `"document": {"t": null, "u": 1}`, `vectors/a.json:24: the twin date-past differs in 2 places, want 1`},
		{vectors, `"twin": "date-past"`, `"twin": "date-past", "flags": ["Twofold"]`, `vectors/a.json:24: the twin date-past differs in 1 places, want 2`},
		{vectors, `"state": "expired", "deadline": {"$date": {"$numberLong": "1000"}}, "rule": "mongo.date"`, `"state": "never", "deadline": null`,
			`vectors/a.json:35: the twin date-past expects that nothing happens`},

		// The lock.
		{vectors, `"document": {"t": null}`, `"document": {"t": true}`, `vectors/a.json:24: date-null@1 has changed; give it rev 2`},
		{vectors, `"id": "date-null", "rev": 1`, `"id": "date-null", "rev": 2`, `vectors/a.json:24: date-null@2 is not in ids.lock; append the line`},
		{vectors, `"id": "date-null", "rev": 1`, `"id": "date-null", "rev": 3`, `vectors/a.json:24: date-null has rev 3, want 1 or 2`},
		{lockFile, `date-past 1 `, `date-passed 1 `, `ids.lock:1: date-passed is locked but gone`},
		{lockFile, `date-null 1 `, `date-nil 1 `, `ids.lock:2: date-nil is locked but gone`},
		{vectors, `"twin": "date-past",`, `"status": "retired",`, `vectors/a.json:24: retired without a "comment"`},
		{vectors, `"title": "past",`, "\"title\": \"past \xff\",", `vectors/a.json:8: the text is not UTF-8`},
		{lockFile, `date-past 1 `, `date-past 2 `, `ids.lock:1: rev 2 of date-past follows rev 0`},
		{lockFile, `date-past 1 `, `date-past `, `ids.lock:1: "date-past`},
	}
	for _, tt := range tests {
		_, err := Load(small(t, tt.file, tt.old, tt.replacement))
		if !slices.ContainsFunc(split(err), func(s string) bool { return strings.HasPrefix(s, tt.want) }) {
			t.Errorf("with %s for %s in %s: Load fails with\n%v\nwant a problem\n%s", tt.replacement, tt.old, tt.file, err, tt.want)
		}
		var p *Problem
		if err != nil && !errors.As(err, &p) {
			t.Errorf("with %s: the error holds no Problem", tt.replacement)
		}
	}
}

func split(err error) []string {
	if err == nil {
		return nil
	}
	var all []string
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			all = append(all, e.Error())
		}
		return all
	}
	return []string{err.Error()}
}

func TestLoadMissesFiles(t *testing.T) {
	for _, name := range []string{tablesFile, sourcesFile, lockFile, "vectors/a.json"} {
		files := small(t, tablesFile, "", "")
		delete(files, name)
		if _, err := Load(files); err == nil {
			t.Errorf("Load without %s does not fail", name)
		}
	}
}

// A retired vector needs no twin, but its line stays.
func TestLoadKeepsWhatWasRetired(t *testing.T) {
	files := small(t, "vectors/a.json", `"twin": "date-past",`, `"status": "retired", "comment": "It says nothing.",`)
	s, err := Load(files)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Vector("date-null").Status; got != retired {
		t.Errorf("status = %s, want retired", got)
	}
}
