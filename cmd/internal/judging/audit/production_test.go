package audit

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump/dumptest"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/catalogtest"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var update = flag.Bool("update", false, "write the dumps below testdata/production")

const production = "testdata/production"

// A mistake is a mistake seen in production: a folder with the mistake, a similar correct
// folder, and the findings about the wrong folder.
type mistake struct {
	folder  string
	options Options
	// made holds the collections of both folders if the folders are dumps. Otherwise the
	// folders hold programs.
	made map[bool][]dumped
	want []string // severity, rule, and the file:line of a program or the name of an index
	// atOnce is the number of documents that each repair deletes at once, in the order of
	// the findings; -1 for a repair that names none.
	atOnce []int
}

// A dumped is one collection of a dumped folder.
type dumped struct{ name, options, indexes, documents string }

// logs returns a folder with the single collection logs.
func logs(indexes, documents string) []dumped { return []dumped{{"logs", `{}`, indexes, documents}} }

func mistakes(t *testing.T) []mistake {
	const seconds, halfDay = int64(now) / 1000, 12 * 3_600_000
	recent := hundred(func(i int) string { return hoursAgo("at", i) })
	sources := func(folder string, want ...string) mistake { return mistake{folder: folder, want: want} }
	plain := func(field string) string { return fmt.Sprintf(`{"v":2,"key":{%q:1},"name":"%[1]s_1"}`, field) }
	capped := []dumped{{"ring", `{"capped":true,"size":4096}`, ttl("at", month), ""}, {"logs", `{}`, ttl("at", month), recent}}
	return []mistake{
		{"unix-seconds", on(t, "8.0.4"), map[bool][]dumped{
			false: logs(ttl("at", month), hundred(func(i int) string { return date("at", seconds-int64(i)) })),
			true:  logs(ttl("at", month), hundred(func(i int) string { return date("at", int64(i%2)*int64(now)) })),
		}, []string{"deletes mongo.date at_1"}, []int{-1, -1}},
		{"microseconds", on(t, "8.0.4"), map[bool][]dumped{
			false: logs(ttl("at", month), hundred(func(i int) string { return date("at", (int64(now)-int64(i)*halfDay)*1000+int64(i)) })),
			true:  logs(ttl("at", month), hundred(func(i int) string { return date("at", []int64{int64(now), 253_402_300_799_999}[i%2]) })),
		}, []string{"keeps mongo.date at_1"}, []int{40}},
		{"nanoseconds", on(t, "8.0.4"), map[bool][]dumped{
			false: logs(ttl("at", month), hundred(func(i int) string { return date("at", (int64(now)-int64(i)*halfDay)*1_000_000+int64(i)) })),
			true:  logs(ttl("at", month), hundred(func(i int) string { return date("at", []int64{int64(now), math.MaxInt64}[i%2]) })),
		}, []string{"keeps mongo.date at_1"}, []int{40}},
		{"texts", on(t, "8.0.4"), map[bool][]dumped{
			false: logs(ttl("at", month), hundred(func(i int) string { return fmt.Sprintf(`"at":%q`, policy.Instant(int64(now)-int64(i)*halfDay)) })),
			true:  logs(ttl("at", month), recent),
		}, []string{"keeps mongo.field-not-date at_1"}, []int{40}},
		{"numbers", on(t, "8.0.4"), map[bool][]dumped{
			false: logs(ttl("meta.at", month), hundred(func(i int) string {
				return fmt.Sprintf(`"meta":{"at":%d,"n":1}`, (int64(now)-int64(i)*halfDay)/[]int64{1, 1000}[i%2])
			})),
			true: logs(ttl("meta.at", month), hundred(func(i int) string { return `"meta":{` + hoursAgo("at", i) + `}` })),
		}, []string{"keeps mongo.field-not-date meta.at_1"}, []int{40}},
		{"another-field", on(t, "8.0.4"), map[bool][]dumped{
			false: logs(ttl("user", month), hundred(func(i int) string { return fmt.Sprintf(`"user":"u%d","meta":{%s}`, i, hoursAgo("seen", 12*i)) })),
			true:  logs(ttl("meta.seen", month), hundred(func(i int) string { return fmt.Sprintf(`"user":"u%d","meta":{%s}`, i, hoursAgo("seen", 12*i)) })),
		}, []string{"keeps mongo.field-not-date user_1"}, []int{40}},
		{"zero", Options{Options: on(t, "8.0.4").Options, ExpireAfter: day}, map[bool][]dumped{
			false: logs(ttl("createdAt", 0), hundred(func(i int) string { return hoursAgo("createdAt", i) })),
			true:  logs(ttl("expiresAt", 0), hundred(func(i int) string { return hoursAgo("expiresAt", i) })),
		}, []string{"deletes mongo.seconds-zero createdAt_1"}, []int{-1, 0}},
		{"zero-past", Options{Options: on(t, "8.0.4").Options, ExpireAfter: day}, map[bool][]dumped{
			false: logs(ttl("ts", 0), hundred(func(i int) string { return hoursAgo("ts", i) })),
			true:  logs(ttl("ts", 0), hundred(func(i int) string { return hoursAgo("ts", i-50) })),
		}, []string{"deletes mongo.seconds-zero ts_1"}, []int{-1, 0}},
		{"milliseconds-short", on(t, "8.0.4"), map[bool][]dumped{
			false: logs(ttl("at", 10800000), hundred(func(i int) string { return hoursAgo("at", i/2) })),
			true:  logs(ttl("at", 10886400), hundred(func(i int) string { return hoursAgo("at", 40*i) })),
		}, []string{"keeps mongo.date at_1"}, []int{-1, 94}},
		{"leftover", on(t, "8.0.4"), map[bool][]dumped{
			false: logs(ttl("createdAt", 60)+","+ttl("expireAt", 0), hundred(func(i int) string { return hoursAgo("createdAt", 1) + "," + hoursAgo("expireAt", -i) })),
			true:  logs(ttl("lastSeen", 60)+","+ttl("expireAt", 0), hundred(func(i int) string { return hoursAgo("lastSeen", 1) + "," + hoursAgo("expireAt", -i) })),
		}, []string{"deletes mongo.earliest-source expireAt_1"}, []int{-1}},
		{"milliseconds", on(t, "8.0.4"), map[bool][]dumped{
			false: logs(ttl("at", 604800000), hundred(func(i int) string { return hoursAgo("at", 4*i) })),
			true:  logs(ttl("at", 604800), hundred(func(i int) string { return hoursAgo("at", 4*i) })),
		}, []string{"keeps mongo.date at_1"}, []int{-1, 58}},
		{"spelling", on(t, "8.0.4"), map[bool][]dumped{
			false: logs(ttl("createdAt", 86400), hundred(func(i int) string { return hoursAgo("created_at", i) })),
			true:  logs(ttl("createdAt", 86400), hundred(func(i int) string { return hoursAgo([]string{"createdAt", "created_at"}[i/95], i) })),
		}, []string{"keeps mongo.field-missing createdAt_1"}, []int{76}},
		{"deadline", on(t, "8.0.4"), map[bool][]dumped{
			false: logs(plain("expires_at"), hundred(func(i int) string { return hoursAgo("expires_at", i-30) })),
			true:  logs(plain("expires_at"), hundred(func(i int) string { return hoursAgo("expires_at", -i-1) })),
		}, []string{"harmless mongo.no-ttl expires_at_1"}, []int{70}},
		{"pass", on(t, "2.4.14"), map[bool][]dumped{false: capped, true: capped[1:]}, []string{"keeps mongo.capped at_1", "keeps mongo.monitor-stops at_1"}, []int{-1, -1}},

		sources("source-several", "keeps mongo.date init-mongo.js:3", "deletes mongo.seconds-zero init-mongo.js:4"),
		sources("source-change", "keeps mongo.command-type init-mongo.js:3", "keeps mongo.createindexes-conflict init-mongo.js:5", "keeps mongo.date init-mongo.js:6"),
		{folder: "source-refused", want: []string{"keeps mongo.createindexes-seconds-type indexes.js:1", "keeps mongo.createindexes-seconds-type indexes.js:2", "keeps mongo.createindexes-compound indexes.js:3"}, atOnce: []int{0}},
		sources("mongoose", "keeps mongo.date session.js:1"),
		sources("python", "keeps mongo.date db.py:1"),
		sources("php", "keeps mongo.date db.php:2", "unspecified mongo.no-ttl db.php:3"),
		sources("arm", "keeps cosmos.seconds azuredeploy.json:7", "keeps cosmos.seconds azuredeploy.json:17"),
	}
}

// TestProduction: the audit finds each mistake in its folder, and in an archive of the
// folder. Each repair does what its text says, and a second audit does not find the
// mistake. In the other folder the audit finds nothing.
func TestProduction(t *testing.T) {
	for _, m := range mistakes(t) {
		t.Run(m.folder, func(t *testing.T) {
			for _, isRight := range []bool{false, true} {
				dir := filepath.Join(production, m.folder, map[bool]string{false: "wrong", true: "right"}[isRight])
				if *update && m.made != nil {
					writeDump(t, dir, m.made[isRight])
				}
				targets, err := catalog.FindWithSources(dir, nil, true)
				if err != nil {
					t.Fatal(err)
				}
				results := auditAll(t, targets, m.options)
				want := m.want
				if isRight {
					want = nil
				}
				if got := foundIn(results); !slices.Equal(got, want) {
					t.Errorf("%s: found\n\t%s\nwant\n\t%s", dir, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
				}
				if !isRight {
					m.checkRepairs(t, results)
				}
				if m.made != nil {
					m.checkArchive(t, dir, m.made[isRight], want)
				}
			}
		})
	}
	folders, err := os.ReadDir(production)
	if want := len(mistakes(t)) + len(containerMistakes); err != nil || len(folders) != want {
		t.Errorf("%d folders in %s (%v), want %d", len(folders), production, err, want)
	}
}

func auditAll(t *testing.T, targets []*catalog.Target, o Options) []Result {
	t.Helper()
	o.Now = now
	results := Audit(t.Context(), targets, o)
	for _, r := range results {
		if r.Failed != nil && len(r.Target.Unread) == 0 {
			t.Fatal(r.Failed)
		}
	}
	return results
}

// foundIn returns the findings as text, in the order of the report.
func foundIn(results []Result) (list []string) {
	for _, r := range results {
		for _, f := range r.Findings {
			place := f.Index
			if f.Line > 0 {
				place = filepath.Base(r.Target.File) + ":" + strconv.Itoa(f.Line)
			}
			list = append(list, strings.TrimSpace(f.Severity.String()+" "+f.Rule.ID()+" "+place))
		}
	}
	return list
}

// writeDump writes collections as mongodump does.
func writeDump(t *testing.T, dir string, list []dumped) {
	t.Helper()
	dir = filepath.Join(dir, "shop")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		metadata := `{"collectionName":"` + c.name + `","options":` + c.options + `,"indexes":[` + c.indexes + `]}`
		var documents []byte
		for line := range strings.Lines(c.documents) {
			documents = append(documents, bsonOf(t, line)...)
		}
		for end, data := range map[string][]byte{".metadata.json": []byte(metadata), ".bson": documents} {
			if err := os.WriteFile(filepath.Join(dir, c.name+end), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func bsonOf(t *testing.T, line string) []byte {
	t.Helper()
	raw, err := policy.AppendBSON(nil, fixture.Value(t, line))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// checkArchive checks that an archive of mongodump gives the same findings.
func (m mistake) checkArchive(t *testing.T, dir string, list []dumped, want []string) {
	t.Helper()
	var packed []dumptest.Collection
	for _, c := range list {
		one := dumptest.Collection{Name: c.name, Metadata: `{"options":` + c.options + `,"indexes":[` + c.indexes + `]}`, Blocks: [][]byte{nil}}
		for line := range strings.Lines(c.documents) {
			one.Blocks[0] = append(one.Blocks[0], bsonOf(t, line)...)
		}
		packed = append(packed, one)
	}
	got := foundIn(auditAll(t, inArchive(t, dumptest.Archive("8.0.4", packed...)), m.options))
	if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("%s as an archive: found %q, want %q", dir, got, want)
	}
}

// checkRepairs carries out each repair on the collection and its documents.
func (m mistake) checkRepairs(t *testing.T, results []Result) {
	t.Helper()
	var got []int
	for _, r := range results {
		if r.Target.IsContainer() || len(r.Target.Unread) > 0 {
			continue
		}
		for _, f := range r.Findings {
			for _, repair := range f.Repairs {
				server := m.server(t, r.Target)
				for _, fault := range printedFaults(server, repair) {
					if r.Target.IsWritten && strings.HasPrefix(fault, "it does not count: ") {
						continue // the mistake has no documents
					}
					t.Errorf("%s: to %s: %s", f.Rule, repair.Purpose, fault)
				}
				after, err := ran(server, repair.Commands)
				if err != nil {
					t.Fatal(err)
				}
				names, err := moreGone(server, after, now)
				if err != nil {
					t.Fatal(err)
				}
				more := len(names)
				if repair.AtOnce == "" {
					more = -1
				}
				got = append(got, more)
				m.checkGone(t, after, r.Target, f)
			}
		}
	}
	if m.made != nil && !slices.Equal(got, m.atOnce) {
		t.Errorf("at once the repairs let go %v, want %v", got, m.atOnce)
	}
}

// server returns a server with only the collection of a target, and its documents.
func (m mistake) server(t *testing.T, target *catalog.Target) *catalogtest.Server {
	t.Helper()
	o := m.options.Options
	o.Now = now
	stored, err := target.Collection(o)
	if err != nil {
		t.Fatal(err)
	}
	if target.IsWritten {
		stored.Spec.Indexes = slices.DeleteFunc(stored.Spec.Indexes, func(x mongo.IndexSpec) bool {
			_, isNumber := x.ExpireAfterSeconds.AsInt64()
			return len(x.Key) != 1 || !isNumber // the server refuses such an index
		})
		for i, x := range stored.Spec.Indexes {
			stored.Spec.Indexes[i].Name = x.Key[0].Key + "_1"
		}
	}
	c := &catalogtest.Collection{Mongo: stored.Spec}
	for _, one := range m.made[false] {
		if one.name == target.Name {
			c.Documents = documentsOf(t, one.documents)
		}
	}
	return mongoServer(stored.Release.String(), map[string]*catalogtest.Collection{target.Name: c})
}

// checkGone audits the collection after a repair: the finding must not appear again.
func (m mistake) checkGone(t *testing.T, server *catalogtest.Server, target *catalog.Target, f Finding) {
	t.Helper()
	gone, err := server.Gone(now)
	if err != nil {
		t.Fatal(err)
	}
	left := ""
	for _, d := range server.Collections[target.Name].Documents {
		if !gone[target.Name+"/"+d.Name] {
			left += string(policy.AppendExtJSON(nil, policy.ObjectValue(d.Value))) + "\n"
		}
	}
	var indexes []string
	for _, x := range server.Collections[target.Name].Mongo.Indexes {
		indexes = append(indexes, listedIndex(x))
	}
	again := named(read(t, `{"collectionName":"`+target.Name+`","options":{},"indexes":[`+strings.Join(indexes, ",")+`]}`)[0])
	for _, found := range audited(t, with(t, again, left), m.options).Findings {
		if found.Rule == f.Rule && found.Index == f.Index && found.Severity > Harmless {
			t.Errorf("after its repair it is found again: %s", found.Text)
		}
	}
}

// listedIndex writes an index as a server lists it.
func listedIndex(x mongo.IndexSpec) string {
	d := policy.D{{Key: "v", Value: policy.Int32Value(2)}, {Key: "key", Value: policy.ObjectValue(x.Key)}, {Key: "name", Value: policy.StringValue(x.Name)}}
	if !x.ExpireAfterSeconds.IsMissing() {
		d = append(d, policy.E{Key: "expireAfterSeconds", Value: x.ExpireAfterSeconds})
	}
	return policy.ObjectValue(d).String()
}
