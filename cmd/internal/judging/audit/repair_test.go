package audit

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestRepairs compares whole commands.
func TestRepairs(t *testing.T) {
	const shop = `db.getSiblingDB("shop").runCommand(`
	tests := []struct {
		why, release, options, index string
		after                        int64 // the value of --expire-after; 0 without the flag
		want                         []string
	}{
		{"NaN", "4.4.0", `{}`, nanIndex, 0, []string{
			`keep every document`, `{dropIndexes: "logs", index: "t_1"})`, `{createIndexes: "logs", indexes: [{key: {t: 1}, name: "t_1"}]})`}},
		{"NaN, and how long", "4.4.0", `{}`, nanIndex, 86400, []string{
			`keep every document`, `{dropIndexes: "logs", index: "t_1"})`, `{createIndexes: "logs", indexes: [{key: {t: 1}, name: "t_1"}]})`,
			`let documents expire after 1 d`, `{collMod: "logs", index: {name: "t_1", expireAfterSeconds: 86400}})`}},
		{"before names", "3.2.0", `{}`, nanIndex, 60, []string{
			`keep every document`, `{dropIndexes: "logs", index: "t_1"})`, `{createIndexes: "logs", indexes: [{key: {t: 1}, name: "t_1"}]})`,
			`let documents expire after 1 min`, `{collMod: "logs", index: {keyPattern: {t: 1}, expireAfterSeconds: 60}})`}},
		{"text means the number in it, and collMod does not take it", "4.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":" 90 "}`, 0, []string{
			`keep every document`, `{dropIndexes: "logs", index: "t_1"})`, `{createIndexes: "logs", indexes: [{key: {t: 1}, name: "t_1"}]})`,
			`let documents expire after 90 s`, `{dropIndexes: "logs", index: "t_1"})`, `{createIndexes: "logs", indexes: [{key: {t: 1}, name: "t_1", expireAfterSeconds: 90}]})`}},
		{"other text means nothing", "4.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":"soon"}`, 0, []string{
			`keep every document`, `{dropIndexes: "logs", index: "t_1"})`, `{createIndexes: "logs", indexes: [{key: {t: 1}, name: "t_1"}]})`}},
		{"text that no index may have", "4.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":"-5"}`, 0, []string{
			`keep every document`, `{dropIndexes: "logs", index: "t_1"})`, `{createIndexes: "logs", indexes: [{key: {t: 1}, name: "t_1"}]})`}},
		{"a compound index cannot expire", "8.0.0", `{}`, `{"v":2,"ns":"x.y","key":{"t":1,"0":-1},"name":"c","expireAfterSeconds":90,"unique":true}`, 0, []string{
			`keep every document`, `{dropIndexes: "logs", index: "c"})`, `{createIndexes: "logs", indexes: [{key: new Map([["t", 1], ["0", -1]]), name: "c", unique: true}]})`}},
		{"a hashed index is only made anew", "8.0.0", `{}`, `{"key":{"a.b":"hashed"},"name":"h","expireAfterSeconds":90}`, 0, []string{
			`keep every document`, `{dropIndexes: "logs", index: "h"})`, `{createIndexes: "logs", indexes: [{key: {"a.b": "hashed"}, name: "h"}]})`}},
		{"a wildcard is only made anew", "8.0.0", `{}`, `{"key":{"$**":1},"name":"w","expireAfterSeconds":90}`, 0, []string{
			`keep every document`, `{dropIndexes: "logs", index: "w"})`, `{createIndexes: "logs", indexes: [{key: {"$**": 1}, name: "w"}]})`}},
		{"68 years are not what was meant", "8.0.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":2147483647}`, 0, []string{
			`keep every document`, `{dropIndexes: "logs", index: "t_1"})`, `{createIndexes: "logs", indexes: [{key: {t: 1}, name: "t_1"}]})`}},
		{"a time-series collection", "8.0.0", `{"timeseries":{"timeField":"t"},"expireAfterSeconds":1795132799}`, ``, 3600, []string{
			`keep every document`, `{collMod: "logs", expireAfterSeconds: "off"})`, `let documents expire after 1 h`, `{collMod: "logs", expireAfterSeconds: 3600})`}},
		{"an ordinary collection has no option", "8.0.0", `{"expireAfterSeconds":60}`, ``, 0, nil},
		{"no name that can be", "8.0.0", `{}`, `{"key":{"t":1},"name":"*","expireAfterSeconds":-5}`, 0, nil},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			o := on(t, tt.release)
			if tt.after > 0 {
				o.ExpireAfter = policy.Int64Value(tt.after)
			}
			r := audited(t, described(t, tt.options, tt.index), o)
			var got []string
			for _, repair := range r.Findings[0].Repairs {
				got = append(got, repair.Purpose)
				for _, c := range repair.Commands {
					got = append(got, strings.TrimPrefix(c, shop))
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("repairs\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(tt.want, "\n  "))
			}
		})
	}
}

// TestDropRepair: if two indexes delete by one field, the repair drops one of them.
func TestDropRepair(t *testing.T) {
	r := audited(t, described(t, `{}`, `{"key":{"t":1},"name":"a","expireAfterSeconds":60},{"key":{"t":-1},"name":"b","expireAfterSeconds":90}`), Options{})
	repair := r.Findings[0].Repairs[0]
	if want := `db.getSiblingDB("shop").runCommand({dropIndexes: "logs", index: "a"})`; repair.Commands[0] != want || repair.Purpose != "let this index decide" {
		t.Errorf("%s: %s, want %s", repair.Purpose, repair.Commands[0], want)
	}
}

// TestNoRepairWithoutName: if the collection's name is unknown, there is no repair,
// because a command could affect another collection.
func TestNoRepairWithoutName(t *testing.T) {
	target := read(t, nanIndex)[0]
	if r := audited(t, target, Options{}); len(r.Findings[0].Repairs) != 0 {
		t.Errorf("repairs %+v of a collection without a name", r.Findings[0].Repairs)
	}
	target.Rename("a\"b.c'd\\")
	r := audited(t, target, Options{})
	if got, want := r.Findings[0].Repairs[0].Commands[0], `db.getSiblingDB("a\"b").runCommand({dropIndexes: "c'd\\", index: "t_1"})`; got != want {
		t.Errorf("the command is %s, want %s", got, want)
	}
}

// TestPropertyRepairs: for every index, the commands of a repair have the named effect on
// a separately simulated server: no document is deleted any more, or the index deletes
// after the given time.
func TestPropertyRepairs(t *testing.T) {
	options := []string{
		`{"$numberDouble":"NaN"}`, `{"$numberDecimal":"NaN"}`, `"3600"`, `"x"`, `null`, `-1`, `0`, `60`, `4.5`, `2147483647`, `{"$numberLong":"2147483648"}`, `{"$numberLong":"-9223372036854775808"}`,
	}
	keys := []string{`{"t":1}`, `{"t":-1}`, `{"t":"hashed"}`, `{"t":1,"u":1}`, `{"$**":1}`, `{"_id":1}`, `{"t":"2dsphere"}`, `{"a.t":1}`}
	more := []string{``, `,"sparse":true`, `,"hidden":true`, `,"unique":true,"v":1`, `,"partialFilterExpression":{"k":{"$gt":1}}`, `,"collation":{"locale":"de"}`}
	collections := []string{`{}`, `{"capped":true,"size":4096}`, `{"timeseries":{"timeField":"t","metaField":"m"},"expireAfterSeconds":1795132799}`, `{"clusteredIndex":true,"expireAfterSeconds":-5}`}
	releases := []string{"2.6.0", "3.2.0", "4.0.0", "4.2.0", "4.4.0", "5.0.9", "5.0.14", "5.1.0", "6.0.1", "6.1.0", "7.0.0", "7.1.0", "8.2.0"}
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(list []string, label string) string { return rapid.SampledFrom(list).Draw(rt, label) }
		index := func(name string) string {
			return `{"key":` + draw(keys, "key") + `,"name":"` + name + `","expireAfterSeconds":` + draw(options, "option") + draw(more, "more") + `}`
		}
		target := described(t, draw(collections, "collection"), index("a")+","+index("b"))
		j, err := newAuditor(target, Options{Options: on(t, draw(releases, "release")).Options, ExpireAfter: policy.Int32Value(777)})
		if err != nil {
			return // the release has no such collection
		}
		a := j.(*collectionAudit)
		for _, s := range a.sources {
			if commands := a.keeping(s); commands != nil && a.deletesNow(simulated(rt, a, commands.Commands), s) != 0 {
				rt.Fatalf("%v keep what %s deletes after %d s", commands, s.index, a.deletesNow(simulated(rt, a, commands.Commands), s))
			}
			if commands := a.expiring(s, 777); commands != nil && a.deletesNow(simulated(rt, a, commands.Commands), s) != 777 {
				rt.Fatalf("%v let %s delete after %d s, want 777", commands, s.index, a.deletesNow(simulated(rt, a, commands.Commands), s))
			}
		}
	})
}

// simulated returns the collection after commands. It implements their documented effect
// without the audit's code.
func simulated(t *rapid.T, a *collectionAudit, commands []catalog.Command) mongo.CollectionSpec {
	spec := a.Spec
	spec.Indexes = slices.Clone(spec.Indexes)
	for _, c := range commands {
		switch c[0].Key {
		case "dropIndexes":
			name, _ := c[1].Value.AsString()
			i := slices.IndexFunc(spec.Indexes, func(x mongo.IndexSpec) bool { return x.Name == name })
			spec.Indexes = slices.Delete(spec.Indexes, i, i+1)
		case "createIndexes":
			e := c[1].Value.Elements()
			for e.Next() {
				x, err := mongo.ParseListedIndex(e.Value())
				if err != nil {
					t.Fatal(err)
				}
				spec.Indexes = append(spec.Indexes, x)
			}
		case "collMod":
			change := c[1].Value
			if c[1].Key == "expireAfterSeconds" {
				spec.ExpireAfterSeconds = change
				if change.Kind() == policy.String {
					spec.ExpireAfterSeconds = policy.Value{}
				}
				continue
			}
			i := slices.IndexFunc(spec.Indexes, func(x mongo.IndexSpec) bool {
				name, _ := change.Field("name").AsString()
				return x.Name == name || policy.ObjectValue(x.Key).String() == change.Field("keyPattern").String()
			})
			spec.Indexes[i].ExpireAfterSeconds = change.Field("expireAfterSeconds")
		}
	}
	return spec
}

// deletesNow returns the delay, in seconds, after which the collection deletes documents
// by the index or option of s; 0 if it deletes none.
func (a *collectionAudit) deletesNow(spec mongo.CollectionSpec, s *source) int64 {
	if s.index != "" {
		spec.ExpireAfterSeconds = policy.Value{}
		spec.Indexes = slices.DeleteFunc(slices.Clone(spec.Indexes), func(x mongo.IndexSpec) bool { return x.Name != s.index && x.Name != s.Field+"_1" })
	} else {
		spec.Indexes = nil
	}
	c, err := mongo.CompileCollection(spec, a.Profile)
	if err != nil {
		return -1
	}
	const first = 1700006400 // this second begins a bucket that each release visits
	at := policy.DateValue(first * 1000)
	doc := policy.D{{Key: "_id", Value: at}, {Key: "t", Value: at}, {Key: "a", Value: policy.ObjectValue(policy.D{{Key: "t", Value: at}})}, {Key: "k", Value: policy.Int32Value(2)}, {Key: "m", Value: policy.Int32Value(2)}}
	d := c.Decide(doc, 0)
	if d.State == policy.Never {
		return 0
	}
	n := int64(fixture.Deadline(d))/1000 - first
	if !spec.TimeSeries.IsMissing() {
		n -= 3600
	}
	return n
}
