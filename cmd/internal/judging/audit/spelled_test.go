package audit

import (
	"slices"
	"strings"
	"testing"
)

func TestSpellings(t *testing.T) {
	for name, want := range map[string]string{
		"createdAt":      "created_at CreatedAt createdat",
		"created_at":     "createdAt CreatedAt createdat",
		"a.b_c.expireOn": "a.b_c.expire_on a.b_c.ExpireOn a.b_c.expireon",
		"CreatedAt":      "createdAt created_at createdat",
		"t":              "T",
		"sentUTC":        "sentUtc sent_utc SentUtc sentutc",
		"":               "", "_id": "id Id", "größe": "", "_": "",
	} {
		if got := strings.Join(spellings(name), " "); got != want {
			t.Errorf("spellings(%q) = %s, want %s", name, got, want)
		}
	}
}

// TestSpelledOtherwise: the audit reports Dates in a field whose name is similar to that
// of an index's field, and fields that are named like deadlines while no document expires
// by them.
func TestSpelledOtherwise(t *testing.T) {
	plain := func(field string) string { return `{"v":2,"key":{"` + field + `":1},"name":"` + field + `_1"}` }
	for _, tt := range []struct {
		why, options, indexes, documents string
		want                             []string
		text                             string // the text of the last finding
		repair                           []string
	}{
		{"another spelling", `{}`, ttl("createdAt", 86400), hundred(func(i int) string { return hoursAgo("created_at", i) }),
			[]string{"keeps mongo.field-missing createdAt_1"},
			"createdAt holds a Date in none of 100 documents, so nothing expires by it: missing in 100. 100 documents hold dates in created_at and lack createdAt, which this index looks at: the name is spelled otherwise, and they do not expire.",
			[]string{"let documents expire 1 d after created_at", "This deletes every document whose created_at is more than 1 d ago, as soon as it runs. Of 100 documents here, 76 go that would have stayed.",
				`db.getSiblingDB("shop").runCommand({createIndexes: "logs", indexes: [{key: {created_at: 1}, name: "created_at_1", expireAfterSeconds: 86400}]})`}},
		{"another spelling of an optional deadline", `{}`, ttl("expireAt", 0), hundred(func(i int) string { return hoursAgo("expire_at", i-30) }),
			[]string{"keeps mongo.field-missing expireAt_1"},
			"expireAt holds a Date in none of 100 documents,",
			[]string{"let documents expire at expire_at", "This deletes every document whose expire_at is past, as soon as it runs. Of 100 documents here, 70 go that would have stayed.",
				`db.getSiblingDB("shop").runCommand({createIndexes: "logs", indexes: [{key: {expire_at: 1}, name: "expire_at_1", expireAfterSeconds: 0}]})`}},
		{"another spelling in most", `{}`, ttl("createdAt", 86400), hundred(func(i int) string {
			return hoursAgo([]string{"createdAt", "created_at"}[min(i/10, 1)], i)
		}),
			[]string{"keeps mongo.field-missing createdAt_1"},
			"90 documents hold dates in created_at and lack createdAt, which this index looks at: the name is spelled otherwise, and they do not expire.",
			[]string{"let documents expire 1 d after created_at", "This deletes every document whose created_at is more than 1 d ago, as soon as it runs. Of 100 documents here, 76 go that would have stayed.",
				`db.getSiblingDB("shop").runCommand({createIndexes: "logs", indexes: [{key: {created_at: 1}, name: "created_at_1", expireAfterSeconds: 86400}]})`}},
		{"another spelling under a filter", `{}`, strings.Replace(ttl("createdAt", 86400), `"v":2`, `"v":2,"partialFilterExpression":{"_id":{"$gt":9}}`, 1), hundred(func(i int) string {
			return hoursAgo([]string{"createdAt", "created_at"}[min(i/20, 1)], i)
		}),
			[]string{"keeps mongo.field-missing createdAt_1"},
			"80 documents hold dates in created_at and lack createdAt,", nil},
		{"both spellings", `{}`, ttl("createdAt", 86400), hundred(func(i int) string { return hoursAgo("createdAt", i) + "," + hoursAgo("created_at", i) }), nil, "", nil},
		{"both spellings before another", `{}`, ttl("createdAt", 86400), hundred(func(i int) string {
			return map[bool]string{true: hoursAgo("createdAt", 1) + "," + hoursAgo("created_at", 30), false: hoursAgo("created_at", 1)}[i < 40]
		}),
			[]string{"keeps mongo.field-missing createdAt_1"}, "60 documents hold dates in created_at and lack createdAt,",
			[]string{"let documents expire 1 d after created_at", "This deletes every document whose created_at is more than 1 d ago, as soon as it runs. Of 100 documents here, 40 go that would have stayed.",
				`db.getSiblingDB("shop").runCommand({createIndexes: "logs", indexes: [{key: {created_at: 1}, name: "created_at_1", expireAfterSeconds: 86400}]})`}},
		{"half under each spelling", `{}`, ttl("createdAt", 86400), hundred(func(i int) string {
			return hoursAgo([]string{"createdAt", "created_at"}[i%2], i)
		}), nil, "", nil},
		{"another spelling outside of a filter", `{}`, strings.Replace(ttl("createdAt", 86400), `"v":2`, `"v":2,"partialFilterExpression":{"_id":{"$lt":10}}`, 1), hundred(func(i int) string {
			return hoursAgo([]string{"createdAt", "created_at"}[min(i/10, 1)], i)
		}), nil, "", nil},
		{"an older spelling in a few", `{}`, ttl("createdAt", 86400), hundred(func(i int) string {
			return hoursAgo([]string{"createdAt", "created_at"}[i/95], i)
		}), nil, "", nil},
		{"an index for each spelling", `{}`, ttl("createdAt", 86400) + "," + ttl("created_at", 86400), hundred(func(i int) string {
			return hoursAgo([]string{"createdAt", "created_at"}[min(i/10, 1)], i)
		}), nil, "", nil},

		{"a deadline without an index", `{}`, "", hundred(func(i int) string { return hoursAgo("expiresAt", i-30) }),
			[]string{"harmless mongo.no-ttl"},
			"100 documents hold dates in expiresAt, past in 70, and no document expires by it. No index is about it.",
			[]string{"let documents expire at expiresAt", "This deletes every document whose expiresAt is past, as soon as it runs. Of 100 documents here, 70 go that would have stayed.",
				`db.getSiblingDB("shop").runCommand({createIndexes: "logs", indexes: [{key: {expiresAt: 1}, name: "expiresAt_1", expireAfterSeconds: 0}]})`}},
		{"a deadline with a plain index", `{}`, plain("expires_at"), hundred(func(i int) string { return hoursAgo("expires_at", i-30) }),
			[]string{"harmless mongo.no-ttl expires_at_1"},
			"100 documents hold dates in expires_at, past in 70, and no document expires by it. This index has no expireAfterSeconds.",
			[]string{"let documents expire at expires_at", "This deletes every document whose expires_at is past, as soon as it runs. Of 100 documents here, 70 go that would have stayed.",
				`db.getSiblingDB("shop").runCommand({collMod: "logs", index: {name: "expires_at_1", expireAfterSeconds: 0}})`}},
		{"a deadline with a partial index", `{}`, strings.Replace(plain("expires_at"), `"v":2`, `"v":2,"partialFilterExpression":{"_id":{"$gt":9}}`, 1), hundred(func(i int) string { return hoursAgo("expires_at", i) }),
			[]string{"harmless mongo.no-ttl expires_at_1"}, "", nil},
		{"deadlines to come", `{}`, "", hundred(func(i int) string { return hoursAgo("expiresAt", -i-1) }), nil, "", nil},
		{"a deadline that is text", `{}`, "", hundred(func(i int) string { return `"expiresAt":"2026-01-01"` }), nil, "", nil},
		{"a deadline that an index is about", `{}`, ttl("expiresAt", 0), hundred(func(i int) string { return hoursAgo("expiresAt", i) }), nil, "", nil},
		{"a deadline in a capped collection of old", `{"capped":true,"size":4096}`, "", hundred(func(i int) string { return hoursAgo("expiresAt", i) }), nil, "", nil},
		{"a deadline in a time series", `{"timeseries":{"timeField":"t"}}`, "", hundred(func(i int) string { return hoursAgo("expiresAt", i) }), nil, "", nil},
	} {
		t.Run(tt.why, func(t *testing.T) {
			r := audited(t, with(t, described(t, tt.options, tt.indexes), tt.documents), on(t, "7.0.4"))
			checkFindings(t, r, tt.want...)
			if len(tt.want) == 0 || len(r.Findings) == 0 {
				return
			}
			f := r.Findings[len(r.Findings)-1]
			if !strings.HasPrefix(f.Text, tt.text) {
				t.Errorf("it says\n%s\nwant\n%s", f.Text, tt.text)
			}
			var got []string
			for _, repair := range f.Repairs {
				got = append(append(got, repair.Purpose, repair.AtOnce), repair.Commands...)
			}
			if tt.text != "" && !slices.Equal(got, tt.repair) {
				t.Errorf("the repairs are\n%q\nwant\n%q", got, tt.repair)
			}
		})
	}
}

// TestDeadlinesInBSON reads the sessions of the samples, in BSON, without their indexes.
// 390 sessions hold a Date in the field expiresAt, and 98 of these Dates are past.
func TestDeadlinesInBSON(t *testing.T) {
	target := withFile(t, described(t, `{}`, ""), "../../../../cmd/samples/shop/sessions.bson")
	r := audited(t, target, on(t, "8.0.4"))
	checkFindings(t, r, "harmless mongo.no-ttl")
	if f := r.Findings[0]; !strings.HasPrefix(f.Text, "390 documents hold dates in expiresAt, past in 98, ") || !strings.HasSuffix(f.Repairs[0].AtOnce, " Of 2,000 documents here, 98 go that would have stayed.") {
		t.Errorf("it says %s, and %s", f.Text, f.Repairs[0].AtOnce)
	}
}
