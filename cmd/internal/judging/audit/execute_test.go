package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/catalogtest"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

var countsLoss = regexp.MustCompile(` Of [\d,]+ documents? here, (none|[\d,]+) goe?s? that would have stayed\.$`)

// printedFaults carries out the commands of a repair on the audited collection and its
// documents. If the repair names no loss, every document that would have stayed must
// stay, at once and later. If the repair counts a loss, exactly that number of documents
// must be deleted at once.
func printedFaults(before *catalogtest.Server, r Repair) (faults []string) {
	if strings.HasPrefix(r.Commands[0], "mongod ") {
		return nil // the command is for another server
	}
	after, err := ran(before, r.Commands)
	if err != nil {
		return []string{err.Error()}
	}
	for _, h := range []int32{0, 1, 777, 86400, 40 * 86400, 20000 * 86400} {
		at, _ := before.Now.Add(h)
		names, err := moreGone(before, after, at)
		if err != nil {
			return []string{err.Error()}
		}
		more := len(names)
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

// countFaults carries out a repair of an audit without documents. A repair that deletes must come
// with a command that counts every document that it deletes at once.
func countFaults(before *catalogtest.Server, r Repair) (faults []string) {
	after, err := ran(before, r.Commands)
	if err != nil || !reasons.IsLoss(r.AtOnce) {
		return nil
	}
	more, err := moreGone(before, after, before.Now)
	if err != nil {
		return []string{err.Error()}
	}
	o, err := before.Clone().Run(r.Count, nil)
	if err != nil || !o.Asked || o.Changes {
		return []string{fmt.Sprintf("its count is %q: %v", r.Count, err)}
	}
	for _, name := range more {
		if !o.Found[name] {
			faults = append(faults, fmt.Sprintf("%q does not find %s, which goes", r.Count, name))
		}
	}
	gone, err := after.Gone(before.Now)
	for name := range o.Found {
		if err != nil || !gone[name] {
			faults = append(faults, fmt.Sprintf("%q finds %s, which stays", r.Count, name))
		}
	}
	return faults
}

// TestPropertyPrintedRepairs: for all indexes and documents, the printed commands do what
// the audit says.
func TestPropertyPrintedRepairs(t *testing.T) {
	options := []string{`{"$numberDouble":"NaN"}`, `"3600"`, `null`, `-1`, `0`, `60`, `300000`, `4.5`, `2147483647`, `{"$numberLong":"2147483648"}`}
	keys := []string{`{"t":1}`, `{"t":-1}`, `{"t":"hashed"}`, `{"u":"hashed"}`, `{"u":1,"t":1}`, `{"t":1,"u":1}`, `{"$**":1}`, `{"a.t":1}`, `{"createdAt":1}`}
	more := []string{``, `,"sparse":true`, `,"partialFilterExpression":{"k":{"$gt":1}}`, `,"partialFilterExpression":{"a.t":null}`, `,"partialFilter":{"k":1}`}
	collections := []string{`{}`, `{}`, `{}`, `{"capped":true,"size":4096}`, `{"clusteredIndex":{"v":2,"key":{"_id":1},"name":"_id_","unique":true},"expireAfterSeconds":60}`}
	releases := []string{"3.2.0", "4.0.0", "4.4.0", "5.0.9", "5.0.14", "6.0.1", "7.0.0", "8.2.0", fixture.Latest}
	values := []string{`{"$date":"2026-11-19T23:50:00Z"}`, `{"$date":"2026-11-01T00:00:00Z"}`, `{"$date":"1950-01-01T00:00:00Z"}`, `{"$date":"2027-01-01T00:00:00Z"}`, `null`, `"2026"`, `5`,
		`"2026-11-01"`, `"2026-11-19T23:50:00Z"`, `["2026-11-01"]`, `{"$numberLong":"1795132200000"}`, `1793000000`, `1793000000.5`, `{"$date":{"$numberLong":"1793000000"}}`, `{"$date":{"$numberLong":"1793000000000000"}}`, `{"$date":{"$numberLong":"1793000000000000000"}}`}
	repairs := 0
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(list []string, label string) string { return rapid.SampledFrom(list).Draw(rt, label) }
		index := func(name string) string {
			return `{"v":2,"key":` + draw(keys, "key") + `,"name":"` + name + `","expireAfterSeconds":` + draw(options, "option") + draw(more, "more") + `}`
		}
		lines := ""
		for i := range rapid.IntRange(1, 6).Draw(rt, "documents") {
			lines += fmt.Sprintf(`{"_id":%d,"t":%s,"u":%s,"a":{"t":%s},"createdAt":%s,"T":%s,"expiresAt":%s,"k":%d}`+"\n", i, draw(values, "t"), draw(values, "u"), draw(values, "a.t"), draw(values, "createdAt"), draw(values, "T"), draw(values, "expiresAt"), i%3)
		}
		o := Options{Options: on(t, draw(releases, "release")).Options, ExpireAfter: policy.Int32Value(777)}
		listed := index("a") + "," + index("b")
		options := draw(collections, "collection")
		r, err := auditOne(t, with(t, described(t, options, listed), lines), o)
		if err != nil {
			return // the release has no such collection
		}
		stored, err := described(t, options, listed).Collection(o.Options)
		if err != nil {
			rt.Fatal(err)
		}
		coll := &catalogtest.Collection{Mongo: stored.Spec, Documents: documentsOf(t, lines)}
		server := mongoServer(o.Release.String(), map[string]*catalogtest.Collection{"logs": coll})
		if _, err := server.Gone(now); err != nil {
			return // the release cannot hold these indexes
		}
		if blind, err := auditOne(t, described(t, options, listed), o); err == nil {
			for _, f := range blind.Findings {
				for _, repair := range f.Repairs {
					for _, fault := range countFaults(server, repair) {
						rt.Fatalf("%s\n%s\nMongoDB %s, %s: to %s\n%q\n%s", listed, lines, o.Release, f.Rule, repair.Purpose, repair.Commands, fault)
					}
				}
			}
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
	if repairs < 10 {
		t.Errorf("%d repairs were carried out, want dozens", repairs)
	}
}

// TestContainerRepairs: the printed repairs of a container delete at once exactly the
// items that the audit names.
func TestContainerRepairs(t *testing.T) {
	items := ""
	for i, ttl := range []string{``, `,"ttl":60`, `,"ttl":86400`, `,"ttl":-1`} {
		for j, age := range []int64{30, 120, 7200, 400 * 86400} {
			items += fmt.Sprintf(`{"id":"%d.%d","_ts":%d%s}`+"\n", i, j, int64(now)/1000-age, ttl)
		}
	}
	const common = `"id":"items","partitionKey":{"paths":["/id"]}`
	for _, tt := range []struct {
		container string
		want      []string // the items that each repair deletes at once
	}{
		{`{` + common + `}`, []string{"1.1 1.2 1.3 2.3"}}, // the container has no default
		{`{` + common + `,"defaultTTL":3600}`, []string{"0.2 0.3 1.1 1.2 1.3 2.3", "1.1 1.2 1.3 2.3"}},
		{`{` + common + `,"defaultTTL":-1}`, []string{"1.1 1.2 1.3 2.3", "1.1 1.2 1.3 2.3"}},
		{`{` + common + `,"defaultTtl":3600000}`, []string{"0.2"}}, // a default in milliseconds; item 0.3 has expired already
		{`{` + common + `,"defaultTtl":-1}`, nil},
	} {
		r := audited(t, with(t, read(t, tt.container)[0], items), Options{})
		before := cosmosServer(t, read(t, tt.container)[0], items)
		var got []string
		for _, f := range r.Findings {
			for _, repair := range f.Repairs {
				after, err := ran(before, repair.Commands)
				if err != nil {
					t.Fatal(err)
				}
				more, err := moreGone(before, after, now)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, strings.ReplaceAll(strings.Join(more, " "), "items/", ""))
				says := "This deletes every item that was last written more than its own ttl seconds ago"
				if strings.Contains(got[len(got)-1], "0.2") {
					says += ", and every one without a ttl that was last written more than 1 h ago"
				}
				if says += ", as soon as it runs."; repair.AtOnce != says {
					t.Errorf("%s: %q says %q, want %q", tt.container, repair.Commands, repair.AtOnce, says)
				}
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: at once its repairs delete %q, want %q", tt.container, got, tt.want)
		}
	}
}
