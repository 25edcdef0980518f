package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// hundred returns a hundred documents, each with the fields that a function returns
// for its number, 0 to 99.
func hundred(fields func(i int) string) string {
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, "{\"_id\":%d,%s}\n", i, fields(i))
	}
	return b.String()
}

// date returns a field with a Date of the given milliseconds.
func date(name string, ms int64) string {
	return fmt.Sprintf(`%q:{"$date":{"$numberLong":"%d"}}`, name, ms)
}

// hoursAgo returns a field with a Date the given number of hours before now.
func hoursAgo(name string, hours int) string {
	return date(name, int64(now)-int64(hours)*time.Hour.Milliseconds())
}

// ttl returns a TTL index on one field. The name of the index is derived from that of the
// field.
func ttl(field string, seconds int64) string {
	return fmt.Sprintf(`{"v":2,"key":{%q:1},"name":"%[1]s_1","expireAfterSeconds":%d}`, field, seconds)
}

const month = 30 * daySeconds

// TestMistakesOfPrograms: the audit finds mistakes of programs in documents and in
// indexes, and accepts a similar case that is not a mistake.
func TestMistakesOfPrograms(t *testing.T) {
	const seconds = int64(now) / 1000
	for _, tt := range []struct {
		why, indexes, documents string
		want                    []string
		text                    string // of the first
	}{
		{"seconds stored as milliseconds", ttl("at", month), hundred(func(i int) string { return date("at", seconds-int64(i)) }),
			[]string{"deletes mongo.date at_1"},
			"100 documents hold dates in January or February 1970 in at, which is what seconds become that are stored as milliseconds: 1970-01-21T18:38:52.800Z would be 2026-11-20T00:00:00.000Z. Of them 100 have expired."},
		{"some of them", ttl("at", month), hundred(func(i int) string { return date("at", []int64{int64(now), seconds}[i%2]) }),
			[]string{"deletes mongo.date at_1"}, "50 documents hold dates "},
		{"people who were born then, and before, and after", ttl("born", 2147483646), hundred(func(i int) string { return date("born", int64(i-50)*86_400_000) }), nil, ""},
		{"1970-01-01 for at once", ttl("at", month), hundred(func(i int) string { return date("at", int64(i%2)*int64(now)) }), nil, ""},

		{"1970-01-01 for at once, and a few in seconds", ttl("at", month), hundred(func(i int) string { return date("at", int64(i%10)/9*seconds) }),
			[]string{"deletes mongo.date at_1"}, "10 documents hold dates "},
		{"a date that would wrap", ttl("at", month), hundred(func(int) string { return date("at", 18_446_745_073_709_552) }), nil, ""},

		{"microseconds stored as milliseconds", ttl("at", month), hundred(func(i int) string { return date("at", int64(now)*1000+int64(i)) }),
			[]string{"keeps mongo.date at_1"},
			"100 documents hold dates in at that no clock reaches, which is what microseconds or nanoseconds become that are stored as milliseconds: 1795132800000000ms would be 2026-11-20T00:00:00.000Z. No document expires by such a date."},
		{"nanoseconds", ttl("at", 0), hundred(func(i int) string { return date("at", int64(now)*1_000_000) }), []string{"keeps mongo.date at_1"}, "100 documents hold "},
		{"the year 9999 for never", ttl("at", month), hundred(func(int) string { return date("at", 253_402_300_799_999) }), nil, ""},
		{"the year 3001 for never", ttl("at", month), hundred(func(int) string { return date("at", 32_535_216_000_000) }), nil, ""},

		{"0 seconds after a creation", ttl("created_at", 0), hundred(func(i int) string { return hoursAgo("created_at", i+1) }),
			[]string{"deletes mongo.seconds-zero created_at_1"},
			"expireAfterSeconds is 0, and created_at is named like a date on which something happened: a document expires as soon as that date is not in the future. Of 100 documents here, 100 have expired by it."},
		{"0 seconds after a creation, of which nothing was read", ttl("meta.insertedAt", 0), "", []string{"deletes mongo.seconds-zero meta.insertedAt_1"}, "expireAfterSeconds is 0, "},
		{"a deadline that is named like a creation", ttl("timestamp", 0), hundred(func(i int) string { return hoursAgo("timestamp", i-1) }), nil, ""},
		{"a deadline that is named like one, and past", ttl("expireAt", 0), hundred(func(i int) string { return hoursAgo("expireAt", i+1) }), nil, ""},

		{"a leftover delay beside a deadline", ttl("createdAt", 60) + "," + ttl("expireAt", 0), hundred(func(i int) string { return hoursAgo("createdAt", i) + "," + hoursAgo("expireAt", i-1+i/99) }),
			[]string{"deletes mongo.earliest-source expireAt_1"},
			"The index createdAt_1 expires documents 1 min after createdAt, and the earliest deadline wins: of 100 documents with both dates, 99 go before expireAt."},
		{"a delay that ends what nobody ends", ttl("createdAt", month) + "," + ttl("expireAt", 0), hundred(func(i int) string { return hoursAgo("createdAt", i) + "," + hoursAgo("expireAt", i-1-i/80*9999) }), nil, ""},
		{"a delay from the last use", ttl("lastSeen", 60) + "," + ttl("expireAt", 0), hundred(func(i int) string { return hoursAgo("lastSeen", i) + "," + hoursAgo("expireAt", i-1) }), nil, ""},
		{"a delay for some", strings.Replace(ttl("createdAt", 60), `"v":2`, `"v":2,"partialFilterExpression":{"draft":true}`, 1) + "," + ttl("expireAt", 0),
			hundred(func(i int) string {
				return `"draft":true,` + hoursAgo("createdAt", i) + "," + hoursAgo("expireAt", i-1)
			}), nil, ""},

		{"a week in milliseconds", ttl("at", 604_800_000), "", []string{"keeps mongo.date at_1"}, "expireAfterSeconds 604800000 looks like 7 d in milliseconds. It counts seconds from at: 19.2 years."},
		{"a day in milliseconds", ttl("at", 86_400_000), "", []string{"keeps mongo.date at_1"}, "expireAfterSeconds 86400000 looks like 1 d in milliseconds."},
		{"five minutes in milliseconds", ttl("at", 300_000), "", []string{"keeps mongo.date at_1"}, "expireAfterSeconds 300000 looks like 5 min in milliseconds."},
		{"three hours in milliseconds, or 125 days", ttl("at", 10_800_000), "", []string{"harmless mongo.date at_1"}, "expireAfterSeconds 10800000 is 125 d. As milliseconds it would be 3 h."},
		{"250 days", ttl("at", 21_600_000), "", []string{"harmless mongo.date at_1"}, "expireAfterSeconds 21600000 is 250 d."},
		{"500 days", ttl("at", 43_200_000), "", []string{"harmless mongo.date at_1"}, ""},
		{"2,500 hours", ttl("at", 9_000_000), "", nil, ""},
		{"125 days, and documents that are older", ttl("at", 10_800_000), hundred(func(i int) string { return hoursAgo("at", 40*i) }), []string{"harmless mongo.date at_1"}, "expireAfterSeconds 10800000 is 125 d."},
		{"125 days, and documents of two days", ttl("at", 10_800_000), hundred(func(i int) string { return hoursAgo("at", i/2) }), []string{"keeps mongo.date at_1"}, "expireAfterSeconds 10800000 looks like 3 h in milliseconds. It counts seconds from at: 125 d."},
		{"1,000 hours, and documents that are older", ttl("at", 3_600_000), hundred(func(i int) string { return hoursAgo("at", 40*i) }), []string{"harmless mongo.date at_1"}, "expireAfterSeconds 3600000 is 1,000 h. As milliseconds it would be 1 h."},

		{"0 seconds after a date of any name, which is past in all", ttl("ts", 0), hundred(func(i int) string { return hoursAgo("ts", i+1) }), []string{"deletes mongo.seconds-zero ts_1"},
			"expireAfterSeconds is 0, and each of 100 documents here has a past date in ts, which is not named like a deadline: a document expires as soon as that date is not in the future. Of 100 documents here, 100 have expired by it."},
		{"0 seconds after a date, which is past in all", ttl("date", 0), hundred(func(i int) string { return hoursAgo("date", i+1) }), []string{"deletes mongo.seconds-zero date_1"}, ""},
		{"in the future in one", ttl("ts", 0), hundred(func(i int) string { return hoursAgo("ts", i-1) }), nil, ""},
		{"two weeks after a deadline", ttl("expire_date", 14*daySeconds), hundred(func(i int) string { return hoursAgo("expire_date", i-50) }), []string{"harmless mongo.date expire_date_1"},
			"expire_date is named like a deadline, and dates in it are in the future: each document stays 14 d longer than its date says."},
		{"two weeks after a deadline, which is past in all", ttl("expire_date", 14*daySeconds), hundred(func(i int) string { return hoursAgo("expire_date", i+1) }), nil, ""},
		{"two weeks after a date of another name", ttl("at", 14*daySeconds), hundred(func(i int) string { return hoursAgo("at", i-50) }), nil, ""},
		{"a name of a deadline", ttl("meta.validTo", 0), hundred(func(i int) string { return `"meta":{` + hoursAgo("validTo", i+1) + `}` }), nil, ""},
		{"few documents", ttl("ts", 0), strings.Join(strings.SplitAfter(hundred(func(i int) string { return hoursAgo("ts", i+1) }), "\n")[:49], ""), nil, ""},

		{"25 days", ttl("at", 2_160_000), "", nil, ""},
		{"30 days", ttl("at", month), "", nil, ""},
		{"100 days", ttl("at", 8_640_000), "", nil, ""},
		{"a year", ttl("at", 31_536_000), "", nil, ""},
		{"an hour", ttl("at", 3600), "", nil, ""},
	} {
		t.Run(tt.why, func(t *testing.T) {
			r := audited(t, with(t, described(t, `{}`, tt.indexes), tt.documents), on(t, "8.0.4"))
			checkFindings(t, r, tt.want...)
			if len(r.Findings) > 0 && !strings.HasPrefix(r.Findings[0].Text, tt.text) {
				t.Errorf("it says\n%s\nwant\n%s", r.Findings[0].Text, tt.text)
			}
			for _, f := range r.Findings {
				for _, repair := range f.Repairs {
					if strings.Contains(repair.AtOnce, " ,") {
						t.Errorf("a blank stands before a comma: %s", repair.AtOnce)
					}
				}
			}
		})
	}
}

// TestMistakesOfProgramsRepaired: each mistake of a program gets the expected repairs,
// with purposes and commands.
func TestMistakesOfProgramsRepaired(t *testing.T) {
	ages := hundred(func(i int) string { return hoursAgo("createdAt", i) })
	const keep, drop = "keep every document", `db.getSiblingDB("shop").runCommand({dropIndexes: "logs", index: "createdAt_1"})`
	const again = `db.getSiblingDB("shop").runCommand({createIndexes: "logs", indexes: [{key: {createdAt: 1}, name: "createdAt_1"}]})`
	for _, tt := range []struct {
		why, indexes string
		after        policy.Value
		want         []string // the repairs of the first finding: purposes, documents deleted at once, commands
	}{
		{"milliseconds", ttl("createdAt", 86_400_000), policy.Value{}, []string{keep, "", drop, again,
			"let documents expire after 1 d", "This deletes every document whose createdAt is more than 1 d ago, as soon as it runs. Of 100 documents here, 76 go that would have stayed.",
			`db.getSiblingDB("shop").runCommand({collMod: "logs", index: {name: "createdAt_1", expireAfterSeconds: 86400}})`}},
		{"0 seconds", ttl("createdAt", 0), policy.Value{}, []string{keep, "", drop, again}},
		{"0 seconds, and how many were meant", ttl("createdAt", 0), day, []string{keep, "", drop, again,
			"let documents expire after 1 d", "This deletes every document whose createdAt is more than 1 d ago, as soon as it runs. Of 100 documents here, none goes that would have stayed.",
			`db.getSiblingDB("shop").runCommand({collMod: "logs", index: {name: "createdAt_1", expireAfterSeconds: 86400}})`}},
	} {
		r := audited(t, with(t, described(t, `{}`, tt.indexes), ages), Options{Options: on(t, "8.0.4").Options, ExpireAfter: tt.after})
		var got []string
		for _, repair := range r.Findings[0].Repairs {
			got = append(append(got, repair.Purpose, repair.AtOnce), repair.Commands...)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: the repairs are\n%q\nwant\n%q", tt.why, got, tt.want)
		}
	}
	leftover := audited(t, with(t, described(t, `{}`, ttl("createdAt", 60)+","+ttl("expireAt", 0)), hundred(func(i int) string { return hoursAgo("createdAt", i) + "," + hoursAgo("expireAt", i-1) })), Options{})
	if got := find(t, leftover, "mongo.earliest-source").Repairs; len(got) != 1 || got[0].AtOnce != "" || !slices.Equal(got[0].Commands, []string{drop}) {
		t.Errorf("the leftover index is to be repaired by %+v, want to be dropped", got)
	}
}

// TestByThousand: the audit reads a delay of 43200000 seconds as 500 days. If a program
// multiplies by 1000, the audit reads the delay as 12 hours.
func TestByThousand(t *testing.T) {
	for _, tt := range []struct {
		file, text string
		want       []string
	}{
		{"a.js", "db.logs.createIndex({at: 1}, {expireAfterSeconds: 1000 * 60 * 60 * 12})", []string{"keeps mongo.date at_1"}},
		{"a.ts", "await db.collection('logs').createIndex({ at: 1 }, { expireAfterSeconds: 12 * 3600 * 1000 });\n", []string{"keeps mongo.date at_1"}},
		{"a.py", "db.logs.create_index('at', expireAfterSeconds=12 * 3600 * 1000)\n", []string{"keeps mongo.date at_1"}},
		{"a.js", "db.logs.createIndex({at: 1}, {expireAfterSeconds: 500 * 24 * 60 * 60})", []string{"harmless mongo.date at_1"}},
	} {
		targets, err := catalog.Read(tt.file, strings.NewReader(tt.text))
		if err != nil || len(targets) != 1 {
			t.Errorf("%s: read %d, %v, want one", tt.text, len(targets), err)
			continue
		}
		t.Run(tt.text, func(t *testing.T) { checkFindings(t, audited(t, targets[0], Options{}), tt.want...) })
	}
}

// TestTextsAdvised: values in place of Dates that no update is known for get advice, and the
// reason why none is printed.
func TestTextsAdvised(t *testing.T) {
	for _, value := range []string{
		`"Fri Jul 10 06:32:23 UTC 2009"`, `"Sat Apr 25 16:19:01 +0000 2015"`, `"Sat, 25 Apr 2015 16:19:03 GMT"`, `"2015-04-25 16:19:03.0"`, `"25/04/2015"`, `"04/25/2015 4:19 PM"`,
		`"1429978743"`, `"1429978743000"`, `"/Date(1429978743000)/"`, `"ISODate(\"2015-04-25T16:19:03Z\")"`, `"25 avril 2015"`, `"20150425"`,
		`{"seconds":1429978743,"nanoseconds":0}`, `{"date":"2015-04-25 16:19:03.000000","timezone_type":3,"timezone":"UTC"}`, `["Sat Apr 25 16:19:01 +0000 2015"]`, `{"$timestamp":{"t":1429978743,"i":1}}`,
	} {
		r := audited(t, with(t, described(t, `{}`, ttl("at", 86_400)), hundred(func(int) string { return `"at":` + value })), on(t, "8.0.4"))
		advised := 0
		for _, f := range r.Findings {
			if strings.HasPrefix(f.Advice, "Find out what writes them, and have it store BSON Dates. No update is printed") && len(f.Repairs) == 0 {
				advised++
			}
		}
		if advised != 1 {
			t.Errorf("%s: %d findings with advice, want 1: %+v", value, advised, r.Findings)
		}
	}
}
