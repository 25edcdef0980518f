package audit

import (
	"slices"
	"strings"
	"testing"
)

// TestDatedFields: the audit proposes an index of a field that holds Dates in the
// documents read, and of no other. The collection has a hashed index {user} and a
// compound index {region, at}, and only at holds Dates.
func TestDatedFields(t *testing.T) {
	const indexes = `{"v":2,"key":{"user":"hashed"},"name":"u","expireAfterSeconds":90},{"v":2,"key":{"region":1,"at":1},"name":"c","expireAfterSeconds":86400}`
	const documents = `{"_id":1,"user":"a","region":"eu","at":{"$date":"2026-11-01T00:00:00Z"}}
{"_id":2,"user":"b","region":"us","at":{"$date":"2026-11-19T12:00:00Z"}}
{"_id":3,"user":"c","region":"us"}
`
	r := audited(t, with(t, described(t, `{}`, indexes), documents), Options{})
	var hashed, compound Finding
	for _, f := range r.Findings {
		switch f.Index {
		case "u":
			hashed = f
		case "c":
			compound = f
		}
	}
	if len(hashed.Repairs) != 1 || hashed.Repairs[0].Purpose != "keep every document" {
		t.Errorf("the hashed index is to be repaired by %+v, want to keep every document and nothing else", hashed.Repairs)
	}
	if want := "No document of 3 here holds a Date in user, so that nothing would expire by a TTL index of it."; hashed.Advice != want {
		t.Errorf("the advice is %q, want %q", hashed.Advice, want)
	}
	if len(compound.Repairs) != 2 {
		t.Fatalf("the compound index is to be repaired by %+v, want two ways", compound.Repairs)
	}
	got := compound.Repairs[1]
	if want := []string{`db.getSiblingDB("shop").runCommand({createIndexes: "logs", indexes: [{key: {at: 1}, name: "at_1", expireAfterSeconds: 86400}]})`}; !slices.Equal(got.Commands, want) {
		t.Errorf("the commands are %q, want %q", got.Commands, want)
	}
	if want := "This deletes every document whose at is more than 1 d ago, as soon as it runs. Of 3 documents here, 1 goes that would have stayed."; got.AtOnce != want {
		t.Errorf("it says %q, want %q", got.AtOnce, want)
	}
}

// TestDatedFieldWithAnIndex: the field that holds Dates already has an index of its own.
// If that index deletes nothing, it gets the delay; if it deletes, it stays unchanged.
func TestDatedFieldWithAnIndex(t *testing.T) {
	const compound, documents = `{"v":2,"key":{"region":1,"t":1},"name":"c","expireAfterSeconds":86400}`, `{"_id":1,"region":"eu","t":{"$date":"2026-11-01T00:00:00Z"}}` + "\n"
	for _, tt := range []struct {
		why, index string
		want       []string // the last repair of the compound index
	}{
		{"NaN", nanIndex, []string{`db.getSiblingDB("shop").runCommand({collMod: "logs", index: {name: "t_1", expireAfterSeconds: 86400}})`}},
		{"no delay", `{"v":2,"key":{"t":1},"name":"t_1"}`, []string{`db.getSiblingDB("shop").runCommand({dropIndexes: "logs", index: "t_1"})`, `db.getSiblingDB("shop").runCommand({createIndexes: "logs", indexes: [{key: {t: 1}, name: "t_1", expireAfterSeconds: 86400}]})`}},
		{"another delay", `{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":60}`, nil},
	} {
		r := audited(t, with(t, described(t, `{}`, compound+","+tt.index), documents), on(t, "4.4.0"))
		f := find(t, r, "mongo.index-compound")
		var got []string
		if len(f.Repairs) > 1 {
			got = f.Repairs[1].Commands
		}
		if !slices.Equal(got, tt.want) || f.Advice != "" {
			t.Errorf("%s: it proposes %q with the advice %q, want %q and none", tt.why, got, f.Advice, tt.want)
		}
	}
}

// TestAtOnce: the audit describes and counts the documents that a repair deletes as
// soon as it runs.
func TestAtOnce(t *testing.T) {
	const documents = `{"_id":1,"t":{"$date":"2026-11-01T00:00:00Z"},"k":5}
{"_id":2,"t":{"$date":"2026-11-19T23:59:59Z"},"k":5}
{"_id":3,"t":{"$date":"2026-11-01T00:00:00Z"},"k":0}
`
	for _, tt := range []struct {
		why, release, options, index, documents, want string
	}{
		{"NaN that deletes nothing", "4.4.0", `{}`, nanIndex, documents, "This deletes every document whose t is more than 1 d ago, as soon as it runs. Of 3 documents here, 2 go that would have stayed."},
		{"without documents", "4.4.0", `{}`, nanIndex, "", "This deletes every document whose t is more than 1 d ago, as soon as it runs."},
		{"NaN read as 0 deletes them anyway", "5.0.9", `{}`, nanIndex, documents, "This deletes every document whose t is more than 1 d ago, as soon as it runs. Of 3 documents here, none goes that would have stayed."},
		{"a filter", "4.4.0", `{}`, `{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":{"$numberDouble":"NaN"},"partialFilterExpression":{"k":{"$gt":1}}}`, documents,
			"This deletes every document that the filter takes in and whose t is more than 1 d ago, as soon as it runs. Of 3 documents here, 1 goes that would have stayed."},
		{"time series", "8.0.0", `{"timeseries":{"timeField":"t"},"expireAfterSeconds":1795132799}`, ``, "", "This deletes every bucket whose span ended more than 1 d ago, as soon as it runs."},
	} {
		r := audited(t, with(t, described(t, tt.options, tt.index), tt.documents), Options{Options: on(t, tt.release).Options, ExpireAfter: day})
		repairs := r.Findings[0].Repairs
		if keep := repairs[0]; keep.AtOnce != "" || keep.Purpose != "keep every document" {
			t.Errorf("%s: the first is %+v, want to keep every document", tt.why, keep)
		}
		if got := repairs[len(repairs)-1].AtOnce; got != tt.want {
			t.Errorf("%s: it says\n%s\nwant\n%s", tt.why, got, tt.want)
		}
	}
	container := audited(t, with(t, read(t, `{"id":"items","partitionKey":{"paths":["/id"]},"indexingPolicy":{"indexingMode":"consistent"}}`)[0], `{"id":"1","_ts":1,"ttl":5}`+"\n"), Options{})
	f := find(t, container, "cosmos.off")
	if len(f.Repairs) != 1 || !strings.HasPrefix(f.Repairs[0].AtOnce, "This deletes every item that was last written more than its own ttl seconds ago, ") {
		t.Errorf("the repairs of a container that is off are %+v", f.Repairs)
	}
}
