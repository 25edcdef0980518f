package audit

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/catalog/catalogtest"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var countsLoss = regexp.MustCompile(` Of [\d,]+ documents? here, (none|[\d,]+) goe?s? that would have stayed\.$`)

// printedFaults carries out the commands of a repair on the collection that was audited and
// on its documents. One that says of nothing that it goes lets no document expire that
// would have stayed, at once or later; one that counts them deletes as many at once.
func printedFaults(before *catalogtest.Server, r Repair) (faults []string) {
	after := before.Clone()
	for _, c := range r.Commands {
		if strings.HasPrefix(c, "mongod ") {
			return nil // is for another server
		}
		if _, err := after.Run(c, nil); err != nil {
			return []string{err.Error()}
		}
	}
	for _, h := range []policy.Seconds{0, 1, 777, 86400, 40 * 86400, 20000 * 86400} {
		at, _ := before.Now.Add(h)
		here, err := before.Gone(at)
		there, wrong := after.Gone(at)
		if err := errors.Join(err, wrong); err != nil {
			return []string{err.Error()}
		}
		more := 0
		for name := range there {
			if !here[name] {
				more++
			}
		}
		switch m := countsLoss.FindStringSubmatch(r.AtOnce); {
		case r.AtOnce == "" && more > 0:
			faults = append(faults, fmt.Sprintf("%d more have gone after %d s, and it says of none", more, h))
		case m == nil && r.AtOnce != "":
			faults = append(faults, "it does not count: "+r.AtOnce)
		case r.AtOnce != "" && h == 0:
			if n, _ := strconv.Atoi(strings.ReplaceAll(m[1], ",", "")); n != more {
				faults = append(faults, fmt.Sprintf("%d go at once, and it says %s", more, m[1]))
			}
		}
	}
	return faults
}

// TestPropertyPrintedRepairs: whatever the indexes and documents, what an audit prints does
// what it says.
func TestPropertyPrintedRepairs(t *testing.T) {
	options := []string{`{"$numberDouble":"NaN"}`, `"3600"`, `null`, `-1`, `0`, `60`, `4.5`, `2147483647`, `{"$numberLong":"2147483648"}`}
	keys := []string{`{"t":1}`, `{"t":-1}`, `{"t":"hashed"}`, `{"u":"hashed"}`, `{"u":1,"t":1}`, `{"t":1,"u":1}`, `{"$**":1}`, `{"a.t":1}`}
	more := []string{``, `,"sparse":true`, `,"partialFilterExpression":{"k":{"$gt":1}}`, `,"partialFilterExpression":{"a.t":null}`, `,"partialFilter":{"k":1}`}
	collections := []string{`{}`, `{}`, `{}`, `{"capped":true,"size":4096}`, `{"clusteredIndex":{"v":2,"key":{"_id":1},"name":"_id_","unique":true},"expireAfterSeconds":60}`}
	releases := []string{"3.2.0", "4.0.0", "4.4.0", "5.0.9", "5.0.14", "6.0.1", "7.0.0", "8.2.0", "9.0.2"}
	values := []string{`{"$date":"2026-11-19T23:50:00Z"}`, `{"$date":"2026-11-01T00:00:00Z"}`, `{"$date":"1950-01-01T00:00:00Z"}`, `{"$date":"2027-01-01T00:00:00Z"}`, `null`, `"2026"`, `5`}
	repairs := 0
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(list []string, label string) string { return rapid.SampledFrom(list).Draw(rt, label) }
		index := func(name string) string {
			return `{"v":2,"key":` + draw(keys, "key") + `,"name":"` + name + `","expireAfterSeconds":` + draw(options, "option") + draw(more, "more") + `}`
		}
		lines := ""
		for i := range rapid.IntRange(1, 6).Draw(rt, "documents") {
			lines += fmt.Sprintf(`{"_id":%d,"t":%s,"u":%s,"a":{"t":%s},"k":%d}`+"\n", i, draw(values, "t"), draw(values, "u"), draw(values, "a.t"), i%3)
		}
		o := Options{Options: catalog.Options{Now: now, Release: version(t, draw(releases, "release"))}, ExpireAfter: policy.Int32Value(777)}
		listed := index("a") + "," + index("b")
		options := draw(collections, "collection")
		r, err := auditOne(t, with(t, described(t, options, listed), lines), o)
		if err != nil {
			return // the release knows no such collection
		}
		stored, err := described(t, options, listed).Collection(o.Options)
		if err != nil {
			rt.Fatal(err)
		}
		coll := &catalogtest.Collection{Mongo: stored.Spec}
		for i, line := range strings.Split(strings.TrimSpace(lines), "\n") {
			v, err := policy.ParseExtJSON([]byte(line))
			if err != nil {
				rt.Fatal(err)
			}
			coll.Documents = append(coll.Documents, catalogtest.Document{Name: fmt.Sprint(i), Value: policy.DOf(v)})
		}
		server := &catalogtest.Server{System: reasons.MongoDB, Release: o.Release.String(), Now: now, Collections: map[string]*catalogtest.Collection{"logs": coll}}
		if _, err := server.Gone(now); err != nil {
			return // which the release cannot hold
		}
		for _, f := range r.Findings {
			for _, repair := range f.Repairs {
				repairs++
				for _, fault := range printedFaults(server, repair) {
					rt.Fatalf("%s\n%s\nMongoDB %s, %s of %s: to %s: %s\n%q\n%s", listed, lines, o.Release, f.Rule, f.Index, repair.Purpose, repair.AtOnce, repair.Commands, fault)
				}
			}
		}
	})
	if repairs < 100 {
		t.Errorf("%d repairs were carried out, want hundreds", repairs)
	}
}
