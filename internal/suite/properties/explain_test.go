package properties

import (
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/testdata"
)

// shrunk caches the result of failing, because shrinking takes a while.
var shrunk string

// failing returns the shrunk failure of the test of a broken system.
func failing(t *testing.T) string {
	t.Helper()
	if shrunk != "" {
		return shrunk
	}
	setFlag(t, "rapid.shrinktime", "60s") // it ends when nothing becomes simpler, long before
	i := slices.IndexFunc(systems(), func(b broken) bool { return b.property == "mongodb-later-date" })
	b := systems()[i]
	shrunk = failureOf(t, b, propertyOf(t, b.property), 300)
	return shrunk
}

func TestFailuresSayWhatToDo(t *testing.T) {
	got := failing(t)
	for _, want := range []string{
		"A later date at the end of an array changes nothing.", "but   answers 1 and 2: state expired, then pending",
		"rule  mongo.array-earliest: If the path leads to Dates in an array, or in the subdocuments of an array", `1     {"out":{"state":`, "ask   mongodb.decide mongodb@" + fixture.Latest + " {",
		`"title": "A later date at the end of an array changes nothing",`, `"want": []`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the failure says\n%s\nwhich lacks %q", got, want)
		}
	}
}

// TestFailuresAreShrunk: shrinking removes every unnecessary field, element and option.
func TestFailuresAreShrunk(t *testing.T) {
	questions := regexp.MustCompile(`(?m)^ +"in": (.*),$`).FindAllStringSubmatch(failing(t), -1)
	if len(questions) != 2 {
		t.Fatalf("%d vectors, want 2", len(questions))
	}
	first, second := questions[0][1], questions[1][1]
	if len(first) > 230 || strings.Count(first, "$date") != 2 || strings.Count(second, "$date") != 3 || strings.Contains(second, ".") {
		t.Errorf("the questions are %s and %s, want them small", first, second)
	}
}

// TestVectorsOfFailuresLoad: a suite with the printed vectors loads after their answers
// are filled in, and the missing lines are added to ids.lock.
func TestVectorsOfFailuresLoad(t *testing.T) {
	_, vectors, ok := strings.Cut(failing(t), "where that is established:\n")
	if !ok {
		t.Fatal("no vectors")
	}
	end := strings.LastIndex(vectors, "\n  }")
	want := `"want": [{"system": "mongodb", "versions": ">=3.2.0", "level": "must", "evidence": "vendor-test",
    "out": {"state": "expired"}, "cites": ["ttl1.js"]}]`
	text := strings.ReplaceAll(vectors[:end], `"want": []`, want) + "\n  }"
	files := suiteOf(t, `{"format": "1.0", "suite": "found", "about": "Found by properties.", "vectors": [`+text+`]}`)
	for _, line := range suite.Unlocked(files) {
		files["ids.lock"].Data = append(files["ids.lock"].Data, line+"\n"...)
	}
	if s, err := suite.Load(files); err != nil {
		t.Errorf("Load = %v", err)
	} else if got, want := len(s.Vectors), 2; got != want {
		t.Errorf("the suite has %d vectors, want %d", got, want)
	}
}

// TestVectorsOfFailuresWantAnswers: the loader refuses the printed vectors, which have no
// answers.
func TestVectorsOfFailuresWantAnswers(t *testing.T) {
	files := suiteOf(t, `{"format": "1.0", "suite": "found", "about": "x", "vectors": [{"id": "a-b", "rev": 1, "title": "t", "rules": ["mongo.date"], "op": "mongodb.create", "in": {"now": {"$date": {"$numberLong": "0"}}, "command": {}}, "want": []}]}`)
	_, err := suite.Load(files)
	var problem *suite.Problem
	if !errors.As(err, &problem) || !strings.Contains(err.Error(), `"want" is []`) {
		t.Errorf("Load = %v, want a complaint about \"want\"", err)
	}
}

// suiteOf returns the embedded suite with other vectors.
func suiteOf(t *testing.T, vectors string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{"vectors/found.json": {Data: []byte(vectors)}, "ids.lock": {}}
	for _, name := range []string{"suite.json", "sources.json"} {
		text, err := fs.ReadFile(testdata.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	return files
}
