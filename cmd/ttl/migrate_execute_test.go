package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump/dumptest"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/catalogtest"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An arrival is a migration to a system, at second 1000.
type arrival struct {
	name, system string
	args         []string
	documents    string // the documents before the migration, without _id; a document's _id is its number
	// due are the seconds since 1970, calculated by hand, at which the other system
	// deletes the documents; 0 for never.
	due []int64
	// The documents of the other system before the migration, by name, and the names of
	// those that, according to the report, are deleted as soon as the command has run.
	there map[string]string
	gone  []string
	says  string
}

func arrivals() []arrival {
	const dated = `{"t":{"$date":{"$numberLong":"995000"}}} {"t":{"$date":{"$numberLong":"5000"}}} {"t":{"$date":{"$numberLong":"5000000"}}} {"t":"text"} {}`
	index := []string{"--index", `{key: {t: 1}, expireAfterSeconds: 10}`}
	written := map[string]string{"over": `{"ttl":5,"_ts":900}`, "not over": `{"ttl":5000,"_ts":900}`, "without a ttl": `{"_ts":900}`, "for ever": `{"ttl":-1,"_ts":900}`}
	const deletesWritten = "This deletes every %s that was last written more than its own ttl seconds ago, as soon as it runs."
	return []arrival{
		{"a container", definition.CosmosNoSQL, append(index, "--to", "cosmos-nosql"), dated, []int64{1005, 1001, 5010, 0, 0}, written, []string{"over"},
			"This switches time to live on: items with a ttl of their own expire by it. " + fmt.Sprintf(deletesWritten, "item")},
		{"an index on _ts", definition.CosmosMongo, append(index, "--to", "cosmos-mongo"), dated, []int64{1005, 1001, 5010, 0, 0}, written, []string{"over"}, fmt.Sprintf(deletesWritten, "document")},
		{"a field with deadlines", definition.MongoDB, []string{"--container", `{"defaultTtl":3600}`, "--to", "mongodb", "--field", "due"}, `{"id":"0","_ts":900} {"id":"1","_ts":900,"ttl":5} {"id":"2","_ts":900,"ttl":-1}`, []int64{4500, 905, 0},
			map[string]string{"past": `{"due":{"$date":{"$numberLong":"999999"}}}`, "ahead": `{"due":{"$date":{"$numberLong":"1000001"}}}`, "without": `{}`}, []string{"past"},
			"This deletes every document whose due is past, as soon as it runs."},
	}
}

// faults carries out the commands on a server that holds the migrated documents, and
// returns the differences from the expected result.
func (a arrival) faults(t *testing.T, steps []string, migrated []policy.D) (faults []string) {
	parse := func(text string) policy.D { return policy.DOf(fixture.Value(t, text)) }
	server := func(documents map[string]policy.D) *catalogtest.Server {
		logs := &catalogtest.Collection{}
		for _, name := range slices.Sorted(maps.Keys(documents)) {
			logs.Documents = append(logs.Documents, catalogtest.Document{Name: name, Value: documents[name]})
		}
		s := &catalogtest.Server{System: a.system, Now: 1_000_000, Collections: map[string]*catalogtest.Collection{"logs": logs}}
		if a.system == definition.MongoDB {
			s.Release = mongo.Latest().String()
		}
		return s
	}
	run := func(documents map[string]policy.D) *catalogtest.Server {
		s := server(documents)
		for _, step := range steps {
			if !strings.Contains(step, "shop") || !strings.Contains(step, "logs") {
				faults = append(faults, step+" is about another collection")
			}
			if _, err := s.Run(step, nil); err != nil {
				faults = append(faults, err.Error())
			}
		}
		return s
	}
	goneAt := func(s *catalogtest.Server, seconds int64) map[string]bool {
		gone, err := s.Gone(policy.Instant(1000 * seconds))
		if err != nil {
			faults = append(faults, err.Error())
		}
		return gone
	}
	before := map[string]policy.D{}
	for name, text := range a.there {
		before[name] = parse(text)
	}
	s := run(before)
	for name := range before {
		if gone := goneAt(s, 1000)["logs/"+name]; gone != slices.Contains(a.gone, name) {
			faults = append(faults, fmt.Sprintf("the document %q goes at once: %v", name, gone))
		}
	}
	carried := map[string]policy.D{}
	for i, doc := range migrated {
		if a.system != definition.MongoDB { // documents get their _ts at the import
			doc = append(slices.Clone(doc), policy.E{Key: "_ts", Value: policy.Int64Value(1000)})
		}
		carried[fmt.Sprint(i)] = doc
	}
	s = run(carried)
	for _, at := range []int64{900, 999, 1000, 1001, 1004, 1005, 1006, 4499, 4500, 4501, 5009, 5011, 2_000_000_000} {
		gone := goneAt(s, at)
		for i, due := range a.due {
			if want := due > 0 && due <= at; at >= 1000 && gone[fmt.Sprint("logs/", i)] != want {
				faults = append(faults, fmt.Sprintf("document %d is gone at second %d: %v, want %v", i, at, !want, want))
			}
		}
	}
	return faults
}

// A commandMutation is a mistake in the text of a command.
type commandMutation struct {
	name string
	of   *regexp.Regexp
	to   string
}

var commandMutations = []commandMutation{
	{"another field", regexp.MustCompile(`\(\{(\w+): 1\}`), "({other: 1}"},
	{"a time to live in the place of -1", regexp.MustCompile(`(--ttl |expireAfterSeconds: )-1\b`), "${1}50"},
	{"more than 0", regexp.MustCompile(`expireAfterSeconds: 0\b`), "expireAfterSeconds: 3600"},
	{"another collection", regexp.MustCompile(`logs`), "carts"},
	{"another database", regexp.MustCompile(`shop`), "test"},
	{"no command", regexp.MustCompile(`.+`), "db.logs.getIndexes()"},
}

// TestMigratedCommands: in the other system, the printed command deletes the documents that
// the report names, and each document that is carried over is deleted when it is due. A
// mistake in the command makes the test fail.
func TestMigratedCommands(t *testing.T) {
	t.Parallel()
	applied := map[string]int{}
	for _, a := range arrivals() {
		var in strings.Builder
		for i, text := range strings.Split(a.documents, " ") {
			if text = strings.TrimPrefix(text, "{"); text != "}" {
				text = "," + text
			}
			fmt.Fprintf(&in, `{"_id":%d%s`+"\n", i, text)
		}
		out := filepath.Join(t.TempDir(), "out.json")
		m, r := migrateJSON(t, append(a.args, "--now", "@1000", "--namespace", "shop.logs", "--out", out, written(t, "in.json", in.String()))...)
		if r.code != cli.ExitOK || len(m.Steps) != 1 || m.Steps[0].Warning != a.says {
			t.Errorf("%s: exit %d, %s, %+v, want one command, and %q", a.name, r.code, r.err, m.Steps, a.says)
			continue
		}
		var migrated []policy.D
		for _, line := range lines(t, out) {
			migrated = append(migrated, policy.DOf(fixture.Value(t, line)))
		}
		for _, fault := range a.faults(t, []string{m.Steps[0].Command}, migrated) {
			t.Errorf("%s: %s: %s", a.name, m.Steps[0].Command, fault)
		}
		for _, mutation := range commandMutations {
			mutant := mutation.of.ReplaceAllString(m.Steps[0].Command, mutation.to)
			if mutant == m.Steps[0].Command {
				continue
			}
			if applied[mutation.name]++; len(a.faults(t, []string{mutant}, migrated)) == 0 {
				t.Errorf("%s: %s is not seen: %s", a.name, mutation.name, mutant)
			}
		}
	}
	for _, mutation := range commandMutations {
		if applied[mutation.name] == 0 {
			t.Errorf("%s: in no command, want it in one", mutation.name)
		}
	}
}

// TestMigrateFolder: one run migrates a folder of dumps: each has a file, collections that
// cannot be carried over are named, and the counts are added up.
func TestMigrateFolder(t *testing.T) {
	t.Parallel()
	const text = `{"options":{},"indexes":[{"v":2,"key":{"createdAt":1},"name":"createdAt_1","expireAfterSeconds":2592000}]}`
	dir := fixture.Files(t, map[string]string{
		"shop/logs.bson": contents(t, samples+"shop/logs.bson"), "shop/logs.metadata.json": text,
		"shop/a%2Fb.bson": "\x05\x00\x00\x00\x00", "shop/a%2Fb.metadata.json": `{"options":{},"indexes":[]}`,
		"shop/damaged.bson": "\x05\x00\x00\x00\x00\x09\x00", "shop/damaged.metadata.json": text,
		"shop/system.buckets.weather.bson": "", "shop/weather.metadata.json": `{}`,
	})
	out := filepath.Join(t.TempDir(), "out")
	report, r := migrateAll(t, "--to", "cosmos-nosql", "--now", sampleAt, "--out-folder", out, dir)
	if want := "1 document cannot be carried over as it is and was left out; 2 of 4 collections not carried over"; r.code != cli.ExitIncomplete || !strings.Contains(r.err, want) {
		t.Errorf("exit %d, %s, want 3 and %s", r.code, r.err, want)
	}
	got := map[string]string{}
	for _, m := range report.Collections {
		got[m.Collection] = fmt.Sprint(m.Create, len(m.Steps), m.Documents.Documents, m.Out != "", m.Error != "")
	}
	want := map[string]string{
		"shop.a/b": "0 1 true false", "shop.logs": `{"defaultTtl":-1}1 2000 true false`, "shop.damaged": `{"defaultTtl":-1}1 0 false true`, "shop.weather (time-series buckets)": "0 0 false true",
	}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %q, want %q", name, got[name], want[name])
		}
	}
	if total := report.Total; total.Documents != 2001 || total.Conflicts != 1 || total.Exact+total.Rounded+total.Approximate+total.Lost != 2000 {
		t.Errorf("in all %+v, want 2001 documents, one in conflict", total)
	}
	var files []string
	for _, path := range []string{"shop/logs.jsonl", "shop/a%2Fb.jsonl", "shop/damaged.jsonl"} {
		if found, _ := filepath.Glob(filepath.Join(out, path)); found != nil {
			files = append(files, path)
		}
	}
	if !slices.Equal(files, []string{"shop/logs.jsonl", "shop/a%2Fb.jsonl"}) || len(lines(t, filepath.Join(out, "shop/logs.jsonl"))) != 2000 {
		t.Errorf("wrote %v, want the files of logs and a/b", files)
	}
	if r := ttl(t, "", "migrate", "--to", "cosmos-nosql", "--out-folder", out, dir); r.code != cli.ExitUsage || !strings.Contains(r.err, "--force replaces it") {
		t.Errorf("again: exit %d, %s, want 2: the files are there", r.code, r.err)
	}
	if r := ttl(t, "", "migrate", "--to", "cosmos-nosql", "--out-folder", out, "--force", dir); r.code != cli.ExitIncomplete {
		t.Errorf("again with --force: exit %d, %s, want 3", r.code, r.err)
	}
	for _, want := range []string{"shop.a/b\nfrom ", "create  no time to live: no document expires\n", "not carried over: ", "4 collections, of which 2 are not carried over\n2,001 documents: ", "  and 204 more\n"} {
		if r := ttl(t, "", "migrate", "--to", "cosmos-nosql", "--now", sampleAt, dir); !strings.Contains(r.out, want) {
			t.Errorf("the text lacks %q:\n%s", want, r.out)
		}
	}
}

// TestMigrateParts: the files of one export count as one collection, and their items are
// written to one file.
func TestMigrateParts(t *testing.T) {
	t.Parallel()
	one, two := written(t, "one.json", `{"_id":1}`+"\n"+`{"_id":2}`+"\n"), written(t, "two.json", `{"_id":2}`+"\n"+`{"_id":3}`+"\n")
	out := filepath.Join(t.TempDir(), "items.jsonl")
	m, r := migrateJSON(t, "--to", "cosmos-nosql", "--index", `{"t":1}`, "--expire-after", "10", "--out", out, one, two)
	if want := []string{`{"_id":1,"id":"1"}`, `{"_id":2,"id":"2"}`, `{"_id":3,"id":"3"}`}; r.code != cli.ExitIncomplete || m.Documents.Documents != 4 || !slices.Equal(lines(t, out), want) {
		t.Errorf("exit %d, %s, %+v, wrote %s, want %s and the second 2 left out", r.code, r.err, m.Documents, lines(t, out), want)
	}
}

// TestMigrateFoldersNames: no name of a collection leads out of the folder, or to the file of
// another collection.
func TestMigrateFoldersNames(t *testing.T) {
	archive := func(names ...string) string {
		documents := map[string]string{}
		for _, name := range names {
			documents[name] = "\x05\x00\x00\x00\x00"
		}
		return written(t, "dump.archive", archived("8.0.4", `{"options":{},"indexes":[]}`, names, documents))
	}
	index := []string{"--to", "cosmos-mongo", "--index", `{"t":1}`, "--expire-after", "10"} // the metadata of such names is refused
	parent := t.TempDir()
	out := filepath.Join(parent, "out")
	report, r := migrateAll(t, append(index, "--out-folder", out, archive("../../evil", "..", "logs"))...)
	if r.code != cli.ExitIncomplete || report.Collections[1].Error != "--out-folder: no file can be named after shop..." {
		t.Errorf("exit %d, %s, %+v, want 3, and all but the name of points", r.code, r.err, report)
	}
	if left, _ := filepath.Glob(filepath.Join(parent, "*")); !slices.Equal(left, []string{out}) || report.Collections[0].Out != filepath.Join(out, "shop", "..%2F..%2Fevil.bson") {
		t.Errorf("%v, %+v, want all of it in the folder", left, report)
	}
	report, r = migrateAll(t, append(index, "--force", "--out-folder", out, archive("logs", "Logs", "other"))...)
	if want := "--out-folder: shop.logs and shop.Logs differ only in the case of letters"; r.code != cli.ExitIncomplete || len(report.Collections) != 3 || !strings.HasPrefix(report.Collections[1].Error, want) || report.Collections[0].Out == "" || report.Collections[2].Out == "" {
		t.Errorf("names that some systems do not tell apart: exit %d, %s, %+v, want 3 and %q about the second of three", r.code, r.err, report, want)
	}
	if _, r := migrateAll(t, append(index, "--force", "--out-folder", out, archive("logs"), archive("logs"))...); r.code != cli.ExitUsage || !strings.Contains(r.err, "would both be") {
		t.Errorf("one name twice: exit %d, %s, want 2", r.code, r.err)
	}
}

// TestMigrateReadsArchivesOnce: the collections of an archive are carried over in one
// reading, also from standard input, and into the same files as if each collection were
// migrated by itself. If an archive has 40 collections side by side, the last 8 are named.
func TestMigrateReadsArchivesOnce(t *testing.T) {
	const metadata = `{"options":{},"indexes":[{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":10}]}`
	var side, behind []dumptest.Collection
	for i := range 40 {
		c := dumptest.Collection{Name: fmt.Sprint("c", i), Metadata: metadata}
		for n := range 3 {
			raw, err := policy.AppendBSON(nil, fixture.Value(t, fmt.Sprintf(`{"_id":%d,"t":{"$date":{"$numberLong":"%d"}}}`, 100+3*i+n, 995000+i)))
			if err != nil {
				t.Fatal(err)
			}
			c.Blocks = append(c.Blocks, raw)
		}
		side = append(side, c)
		c.Blocks = [][]byte{slices.Concat(c.Blocks...)}
		behind = append(behind, c)
	}
	archives := map[string]string{"side by side": string(dumptest.Archive("8.0.4", side...)), "one behind the other": string(dumptest.Archive("8.0.4", behind...))}
	carry := func(input string, more ...string) (map[string]string, reportJSON, result) {
		out := filepath.Join(t.TempDir(), "out")
		report, r := migrateAll(t, append([]string{"--to", "cosmos-nosql", "--now", "@1000", "--out-folder", out, input}, more...)...)
		files := map[string]string{}
		for i := range side {
			if text, err := os.ReadFile(filepath.Join(out, "shop", fmt.Sprintf("c%d.jsonl", i))); err == nil {
				files[fmt.Sprint("c", i)] = string(text)
			}
		}
		return files, report, r
	}
	alone := map[string]string{}
	for i := range side {
		files, _, _ := carry(written(t, "one.archive", archives["side by side"]), "--ns", fmt.Sprint("shop.c", i))
		maps.Copy(alone, files)
	}
	if want := `{"_id":219,"t":{"$date":{"$numberLong":"995039"}},"id":"219","ttl":6}` + "\n"; len(alone) != 40 || !strings.HasSuffix(alone["c39"], want) {
		t.Fatalf("%d collections, the last of %q, want 40, and at its end %s", len(alone), alone["c39"], want)
	}
	for name, text := range archives {
		path := written(t, "dump.archive", text)
		fromFile, report, r := carry(path)
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		old := os.Stdin
		os.Stdin = file
		fromInput, _, in := carry("-")
		os.Stdin = old
		file.Close()
		if in.code != r.code || !maps.Equal(fromInput, fromFile) || len(report.Collections) != 40 {
			t.Errorf("%s: standard input has exit %d and %d files, the file exit %d and %d files of %d collections", name, in.code, len(fromInput), r.code, len(fromFile), len(report.Collections))
			continue
		}
		switch left, why := report.Collections[39], "the input interleaves more than 32 collections; choose some with --ns"; {
		case name != "side by side" && (r.code != cli.ExitOK || report.Total.Documents != 120 || !maps.Equal(fromFile, alone)):
			t.Errorf("%s: exit %d, %s, %d files, want all", name, r.code, r.err, len(fromFile))
		case name == "side by side" && (r.code != cli.ExitIncomplete || len(fromFile) != 32 || left.Error != why):
			t.Errorf("%s: exit %d, %s, %d files, and of the last %q, want 32 and %s", name, r.code, r.err, len(fromFile), left.Error, why)
		}
	}
	// With --namespace the collections become one, in the order of the archive's blocks.
	_, report, r := carry(written(t, "dump.archive", archives["one behind the other"]), "--namespace", "a.b", "--index", `{"t":1}`, "--expire-after", "10")
	var want []string
	for i := range side {
		want = append(want, alone[fmt.Sprint("c", i)])
	}
	if r.code != cli.ExitOK || len(report.Collections) != 1 || strings.Join(lines(t, report.Collections[0].Out), "\n")+"\n" != strings.Join(want, "") {
		t.Errorf("under one name: exit %d, %s, %+v, want all documents in the order of the collections", r.code, r.err, report.Collections)
	}
	_, report, r = carry(written(t, "dump.archive", archives["side by side"]), "--namespace", "a.b", "--index", `{"t":1}`, "--expire-after", "10")
	all := lines(t, report.Collections[0].Out)
	slices.Sort(all)
	if r.code != cli.ExitOK || strings.Join(all, "\n")+"\n" != strings.Join(want, "") {
		t.Errorf("under one name, side by side: exit %d, %s, %d lines, want all documents", r.code, r.err, len(all))
	}
}

// TestMigrateDates: items from BSON and from text have their dates in each form of
// --dates.
func TestMigrateDates(t *testing.T) {
	t.Parallel()
	const doc = `{"_id":1,"t":{"$date":{"$numberLong":"995000"}},"l":[{"at":{"$date":{"$numberLong":"0"}}}]}`
	raw, err := policy.AppendBSON(nil, fixture.Value(t, doc))
	if err != nil {
		t.Fatal(err)
	}
	for _, input := range []string{written(t, "in.json", doc+"\n"), written(t, "in.bson", string(raw))} {
		for dates, want := range map[string]string{
			"extjson": `{"_id":1,"t":{"$date":{"$numberLong":"995000"}},"l":[{"at":{"$date":{"$numberLong":"0"}}}],"id":"1","ttl":5}`,
			"iso":     `{"_id":1,"t":"1970-01-01T00:16:35.000Z","l":[{"at":"1970-01-01T00:00:00.000Z"}],"id":"1","ttl":5}`,
			"millis":  `{"_id":1,"t":995000,"l":[{"at":0}],"id":"1","ttl":5}`,
		} {
			out := filepath.Join(t.TempDir(), "items.jsonl")
			_, r := migrateJSON(t, "--to", "cosmos-nosql", "--index", `{"t":1}`, "--expire-after", "10", "--now", "@1000", "--dates", dates, "--out", out, input)
			if r.code != cli.ExitOK {
				t.Fatalf("--dates %s %s: exit %d, %s", dates, input, r.code, r.err)
			}
			if got := lines(t, out); !slices.Equal(got, []string{want}) {
				t.Errorf("--dates %s: wrote %s, want %s", dates, got, want)
			}
		}
	}
	late := written(t, "late.json", `{"_id":1,"t":{"$date":{"$numberLong":"253402300800000"}}}`+"\n")
	m, r := migrateJSON(t, "--to", "cosmos-nosql", "--index", `{"t":1}`, "--expire-after", "10", "--dates", "iso", late)
	if r.code != cli.ExitIncomplete || m.Documents.Conflicts != 1 || !strings.Contains(m.Documents.First[0].What, "outside the years 0 to 9999") {
		t.Errorf("a date without a form: exit %d, %+v, want it left out and named", r.code, m.Documents)
	}
}
