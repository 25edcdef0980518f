package audit

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/catalogtest"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// now is 2026-11-20T00:00:00Z, the instant of the samples.
const now = policy.Instant(1_795_132_800_000)

func version(t testing.TB, text string) (v mongo.Version) {
	t.Helper()
	if text == "" {
		return v
	}
	v, err := mongo.ParseVersion(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// read returns the targets that a text describes.
func read(t testing.TB, text string) []*catalog.Target {
	t.Helper()
	targets, err := catalog.Read("policies", strings.NewReader(text))
	if err != nil {
		t.Fatalf("Read(%s): %v", text, err)
	}
	return targets
}

// described returns a collection as mongodump describes it.
func described(t testing.TB, options, indexes string) *catalog.Target {
	t.Helper()
	return named(read(t, `{"collectionName":"logs","options":`+options+`,"indexes":[`+indexes+`]}`)[0])
}

func named(t *catalog.Target) *catalog.Target {
	t.Database = "shop"
	return t
}

// with returns the target with these documents, one a line.
func with(t testing.TB, target *catalog.Target, lines string) *catalog.Target {
	t.Helper()
	if lines == "" {
		return target
	}
	return withFile(t, target, filepath.Join(fixture.Files(t, map[string]string{"documents.jsonl": lines}), "documents.jsonl"))
}

// withFile returns the target with the documents of a file.
func withFile(t testing.TB, target *catalog.Target, path string) *catalog.Target {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	target.Documents = dump.NewInput(dump.File{Path: path, Size: info.Size()}).Collections
	return target
}

// targetsAt returns the targets that the files at path describe.
func targetsAt(t testing.TB, path string) []*catalog.Target {
	t.Helper()
	targets, err := catalog.Find(path, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	return targets
}

// inArchive returns the collections of an archive of mongodump.
func inArchive(t testing.TB, archive []byte) []*catalog.Target {
	t.Helper()
	return targetsAt(t, filepath.Join(fixture.Files(t, map[string]string{"dump.archive": string(archive)}), "dump.archive"))
}

// auditOne audits one target, and also returns the error of its result.
func auditOne(t testing.TB, target *catalog.Target, o Options) (Result, error) {
	t.Helper()
	r := Audit(t.Context(), []*catalog.Target{target}, o)[0]
	return r, r.Failed
}

func audited(t testing.TB, target *catalog.Target, o Options) Result {
	t.Helper()
	if o.Now == 0 {
		o.Now = now
	}
	r, err := auditOne(t, target, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// checkFindings compares the findings, in order, with texts of the form "severity rule
// index", or "severity rule" for a finding without an index.
func checkFindings(t *testing.T, r Result, want ...string) {
	t.Helper()
	got := []string{}
	for _, f := range r.Findings {
		line := f.Severity.String() + " " + f.Rule.String()
		if f.Index != "" {
			line += " " + f.Index
		}
		got = append(got, line)
	}
	if !slices.Equal(got, want) {
		t.Errorf("found\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// find returns the finding with this rule.
func find(t *testing.T, r Result, rule string) Finding {
	t.Helper()
	for _, f := range r.Findings {
		if f.Rule.String() == rule {
			return f
		}
	}
	t.Fatalf("nothing is found by %s", rule)
	return Finding{}
}

const oneIndex = `{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`

// day is one day as an expireAfterSeconds.
var day = policy.Int64Value(86400)

// The function on returns the options of an audit for a release, and for moves to other
// releases. An empty text names no release.
func on(t testing.TB, release string, movingTo ...string) Options {
	t.Helper()
	o := Options{Options: catalog.Options{Now: now, Release: version(t, release)}}
	for _, to := range movingTo {
		if to != "" {
			o.MovingTo = append(o.MovingTo, version(t, to))
		}
	}
	return o
}

// documentsOf reads documents from lines of Extended JSON, one from each line. The name
// of a document is its number.
func documentsOf(t testing.TB, lines string) (list []catalogtest.Document) {
	t.Helper()
	for line := range strings.Lines(lines) {
		list = append(list, catalogtest.Document{Name: fmt.Sprint(len(list)), Value: policy.DOf(fixture.Value(t, line))})
	}
	return list
}

// itemsOf reads items from lines of JSON, one from each line. The name of an item is its
// identifier.
func itemsOf(t testing.TB, lines string) (list []catalogtest.Document) {
	t.Helper()
	for line := range strings.Lines(lines) {
		item, err := policy.ParseJSON([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		id, _ := item.Field("id").AsString()
		list = append(list, catalogtest.Document{Name: id, Value: &item})
	}
	return list
}

// mongoServer returns a server with these collections of MongoDB.
func mongoServer(release string, collections map[string]*catalogtest.Collection) *catalogtest.Server {
	return &catalogtest.Server{System: definition.MongoDB, Release: release, Now: now, Collections: collections}
}

// cosmosServer returns a service with the container items, as a target describes it.
func cosmosServer(t testing.TB, target *catalog.Target, items string) *catalogtest.Server {
	t.Helper()
	stored, err := target.Container(catalog.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	c := &catalogtest.Collection{Container: stored.Spec, Documents: itemsOf(t, items)}
	return &catalogtest.Server{System: definition.CosmosNoSQL, Now: now, Collections: map[string]*catalogtest.Collection{"items": c}}
}

// ran returns the server as it is after the commands.
func ran(before *catalogtest.Server, commands []string) (*catalogtest.Server, error) {
	after := before.Clone()
	for _, c := range commands {
		if _, err := after.Run(c, nil); err != nil {
			return nil, fmt.Errorf("%s: %w", c, err)
		}
	}
	return after, nil
}

// moreGone returns the names of the documents that are gone at an instant on the server
// after, and not on the server before, in alphabetical order.
func moreGone(before, after *catalogtest.Server, at policy.Instant) (names []string, err error) {
	here, err := before.Gone(at)
	there, wrong := after.Gone(at)
	for name := range there {
		if !here[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, errors.Join(err, wrong)
}
