package plan

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
)

// planned returns the plan for the collections that text describes and for these rules of
// a policy file.
func planned(t *testing.T, rules, text string) *Plan {
	t.Helper()
	f, err := parseFile("p", []byte("version: 1\n"+rules))
	if err != nil {
		t.Fatal(err)
	}
	targets, err := catalog.Read("input", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Of(t.Context(), f, targets, Options{Options: change.Options{Options: catalog.Options{Now: now}}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// reply returns a reply of listIndexes about shop.logs with these indexes.
func reply(indexes string) string {
	return `{"cursor":{"id":0,"ns":"shop.logs","firstBatch":[{"v":2,"key":{"_id":1},"name":"_id_"}` + indexes + `]}}`
}

// TestCommands: a plan has the expected actions, with whole commands in order.
func TestCommands(t *testing.T) {
	const at30 = `,{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":2592000}`
	rule := func(release, rest string) string {
		return "server: " + release + "\nrules:\n- {namespace: shop.logs, " + rest + "}\n"
	}
	for _, tt := range []struct {
		why, rules, stands string
		want               []string
	}{
		{"as wanted", rule("8.0.4", "key: t, expireAfterSeconds: 30d"), reply(at30), []string{"nothing t_1"}},
		{"as wanted, the other way round and as a double", rule("8.0.4", "key: {t: -1}, expireAfterSeconds: 60"), reply(`,{"key":{"t":1},"name":"x","expireAfterSeconds":60.0}`), []string{"nothing x"}},
		{"two indexes of the field: the one that is as wanted stays", rule("8.0.4", "key: t, expireAfterSeconds: 5"), reply(`,{"key":{"t":-1},"name":"t_-1","expireAfterSeconds":9}` + `,{"key":{"t":1},"name":"t_1","expireAfterSeconds":5}`), []string{"drop t_-1",
			`{dropIndexes: "logs", index: "t_-1"}`, `{createIndexes: "logs", indexes: [{key: {t: -1}, name: "t_-1"}]}`, "nothing t_1"}},
		{"shorter", rule("8.0.4", "key: t, expireAfterSeconds: 7d"), reply(at30), []string{"change t_1",
			`{collMod: "logs", index: {name: "t_1", expireAfterSeconds: 604800}}`}},
		{"before names", rule("3.2.0", "key: t, expireAfterSeconds: 7d"), reply(at30), []string{"change t_1",
			`{collMod: "logs", index: {keyPattern: {t: 1}, expireAfterSeconds: 604800}}`}},
		{"an index without a time to live, which collMod does not give one before 5.1", rule("4.4.0", "key: t, expireAfterSeconds: 60"), reply(`,{"v":2,"key":{"t":1},"name":"t_1","unique":true}`), []string{"change t_1",
			`{dropIndexes: "logs", index: "t_1"}`, `{createIndexes: "logs", indexes: [{key: {t: 1}, name: "t_1", unique: true, expireAfterSeconds: 60}]}`}},
		{"the same since 5.1", rule("6.0.1", "key: t, expireAfterSeconds: 60"), reply(`,{"v":2,"key":{"t":1},"name":"t_1"}`), []string{"change t_1",
			`{collMod: "logs", index: {name: "t_1", expireAfterSeconds: 60}}`}},
		{"none", rule("8.0.4", "expireAfterSeconds: none"), reply(at30), []string{"drop t_1",
			`{dropIndexes: "logs", index: "t_1"}`, `{createIndexes: "logs", indexes: [{key: {t: 1}, name: "t_1"}]}`}},
		{"another filter: what conflicts goes first", rule("4.0.0", "key: t, expireAfterSeconds: 30d, partialFilterExpression: {k: 1}"), reply(at30), []string{"drop t_1",
			`{dropIndexes: "logs", index: "t_1"}`, "create t_1", `{createIndexes: "logs", indexes: [{key: {t: 1}, name: "t_1", expireAfterSeconds: 2592000, partialFilterExpression: {k: 1}}]}`}},
		{"the usual name is taken", rule("8.0.4", "key: t, expireAfterSeconds: 5"), reply(`,{"key":{"u":1},"name":"t_1"}`), []string{"create t_1_ttl",
			`{createIndexes: "logs", indexes: [{key: {t: 1}, name: "t_1_ttl", expireAfterSeconds: 5}]}`}},
		{"what keeps comes first", rule("8.0.4", "indexes: [{key: n, expireAfterSeconds: 1}, {key: t, expireAfterSeconds: 1}, {key: u, expireAfterSeconds: 2}]"),
			reply(at30 + `,{"key":{"u":1},"name":"u_1","expireAfterSeconds":1},{"key":{"z":1},"name":"z_1","expireAfterSeconds":1}`), []string{
				"change u_1", `{collMod: "logs", index: {name: "u_1", expireAfterSeconds: 2}}`,
				"drop z_1", `{dropIndexes: "logs", index: "z_1"}`, `{createIndexes: "logs", indexes: [{key: {z: 1}, name: "z_1"}]}`,
				"change t_1", `{collMod: "logs", index: {name: "t_1", expireAfterSeconds: 1}}`,
				"create n_1", `{createIndexes: "logs", indexes: [{key: {n: 1}, name: "n_1", expireAfterSeconds: 1}]}`}},
		{"NaN where it is read as 0", rule("5.0.9", "key: t, expireAfterSeconds: 0"), reply(`,{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":{"$numberDouble":"NaN"}}`), []string{"change t_1",
			`{collMod: "logs", index: {name: "t_1", expireAfterSeconds: 0}}`}},
		{"a key of two fields never deletes", rule("8.0.4", "key: {t: 1, u: 1}, expireAfterSeconds: 5"), reply(""), []string{"create t_1_u_1", "refused"}},
		{"what a rule is not about", rule("8.0.4", "key: x, expireAfterSeconds: 5"), `{"cursor":{"id":0,"ns":"shop.other","firstBatch":[{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}]}}`, []string{"outside shop.other", "missing shop.logs (p:4)"}},
		{"a time-series collection", rule("8.0.4", "expireAfterSeconds: 1h"), `{"collectionName":"shop.logs","options":{"timeseries":{"timeField":"t"},"expireAfterSeconds":60},"indexes":[]}`, []string{"change expireAfterSeconds",
			`{collMod: "shop.logs", expireAfterSeconds: 3600}`}},
		{"the option off", rule("8.0.4", "expireAfterSeconds: none"), `{"collectionName":"shop.logs","options":{"clusteredIndex":true,"expireAfterSeconds":60},"indexes":[]}`, []string{"drop expireAfterSeconds",
			`{collMod: "shop.logs", expireAfterSeconds: "off"}`}},
		{"an ordinary collection needs a key", rule("8.0.4", "expireAfterSeconds: 1h"), reply(""), []string{"error"}},
		{"a container", "rules: [{namespace: carts, defaultTtl: 1d}]\n", `{"id":"carts","partitionKey":{"paths":["/id"]}}`, []string{"create defaultTtl",
			"az cosmosdb sql container update --resource-group GROUP --account-name ACCOUNT --database-name DATABASE --name carts --ttl 86400"}},
		{"a container that az would read from a file", "rules: [{namespace: \"*\", defaultTtl: 1d}]\n", `{"id":"@carts","partitionKey":{"paths":["/id"]},"defaultTtl":5}`, []string{"change defaultTtl",
			`PUT dbs/DATABASE/colls/@carts {"id":"@carts","partitionKey":{"paths":["/id"]},"defaultTtl":86400}`}},
		{"a container that is switched off", "rules: [{namespace: carts, defaultTtl: off}]\n", `{"id":"carts","partitionKey":{"paths":["/id"]},"defaultTtl":5,"_etag":"x"}`, []string{"drop defaultTtl",
			`PUT dbs/DATABASE/colls/carts {"id":"carts","partitionKey":{"paths":["/id"]}}`}},
		{"a container as wanted", "rules: [{namespace: \"*\", defaultTtl: -1}]\n", `{"id":"carts","partitionKey":{},"defaultTtl":-1}`, []string{"nothing defaultTtl"}},
		{"a container with two defaults", "rules: [{namespace: carts, defaultTtl: 60}]\n", `{"id":"carts","partitionKey":{},"defaultTtl":6000,"defaultTtl":60}`, []string{"change defaultTtl",
			"az cosmosdb sql container update --resource-group GROUP --account-name ACCOUNT --database-name DATABASE --name carts --ttl 60"}},
		{"a default that the service refuses", "rules: [{namespace: \"*\", defaultTtl: 0}]\n", `{"id":"carts","partitionKey":{},"defaultTtl":-1}`, []string{"change defaultTtl", "refused"}},
	} {
		p := planned(t, tt.rules, tt.stands)
		if diff := cmp.Diff(tt.want, lines(p)); diff != "" {
			t.Errorf("%s: the plan differs (-want +got):\n%s", tt.why, diff)
		}
	}
}

// TestWarnings: a command that starts to delete has a warning. It has one even if an
// index already has a delay that deletes nothing or is unspecified in the release, or a
// filter that the release ignores. A command that deletes no more than before has no
// warning.
func TestWarnings(t *testing.T) {
	const everyHour = "This deletes every document whose t is more than 1 h ago, as soon as it runs."
	for _, tt := range []struct {
		why, server, wish, stands string
		want                      []string
	}{
		{"a longer delay", "7.0.0", "expireAfterSeconds: 2h", `"expireAfterSeconds":3600`, []string{""}},
		{"a shorter delay", "7.0.0", "expireAfterSeconds: 1h", `"expireAfterSeconds":7200`, []string{everyHour}},
		{"a negative delay, which is skipped", "7.0.0", "expireAfterSeconds: 1h", `"expireAfterSeconds":-1`, []string{everyHour}},
		{"a Decimal128, which is unspecified", "3.2.0", "expireAfterSeconds: 1h", `"expireAfterSeconds":{"$numberDecimal":"NaN"}`, []string{"This release cannot change the index in place. Until it is built again, queries do without it.", everyHour}},
		{"a filter that is ignored", "2.6.0", "expireAfterSeconds: 1h", `"expireAfterSeconds":7200,"partialFilterExpression":{"k":1}`, []string{"", everyHour}},
		{"a filter that will be ignored", "2.6.0", "expireAfterSeconds: 1h, partialFilterExpression: {k: 1}", `"expireAfterSeconds":7200`, []string{""}},
		{"a filter for one", "2.6.0", "expireAfterSeconds: 1h, partialFilterExpression: {k: 1}", `"expireAfterSeconds":3600,"partialFilterExpression":{"k":2}`, []string{""}},
		{"no delay", "7.0.0", "expireAfterSeconds: 1h", "", []string{everyHour}},
	} {
		index := `,{"v":2,"key":{"t":1},"name":"t_1"`
		if tt.stands != "" {
			index += "," + tt.stands
		}
		p := planned(t, "server: "+tt.server+"\nrules:\n- {namespace: shop.logs, key: t, "+tt.wish+"}\n", reply(index+"}"))
		var got []string
		for _, c := range p.Changes {
			for _, i := range c.Items {
				for _, step := range i.Steps {
					got = append(got, step.Warning)
				}
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: the warnings differ (-want +got):\n%s", tt.why, diff)
		}
	}
}

// TestUnwritten: if the shell cannot write a value, the error is about the value and not
// about a missing name.
func TestUnwritten(t *testing.T) {
	p := planned(t, "rules:\n- {namespace: shop.logs, expireAfterSeconds: none}\n", reply(`,{"key":{"t":1},"name":"t_1","expireAfterSeconds":5,"partialFilterExpression":{"t":{"$gt":{"$date":{"$numberLong":"-9223372036854775808"}}}}}`))
	if got := p.Changes[0].Items[0].Refused; !strings.Contains(got, "mongosh cannot write") {
		t.Errorf("a filter with a date outside the shell's range is refused by %q", got)
	}
}

// lines returns a plan as text: the action on each item, and the commands of the item
// without the name of the collection.
func lines(p *Plan) (list []string) {
	for _, c := range p.Changes {
		for _, i := range c.Items {
			list = append(list, string(i.Action)+" "+i.Name)
			for _, s := range i.Steps {
				text := s.Command[max(strings.Index(s.Command, "runCommand("), 0):]
				list = append(list, strings.TrimSuffix(strings.TrimPrefix(text, "runCommand("), ")"))
			}
			if i.Refused != "" {
				list = append(list, "refused")
			}
		}
		if c.Err != nil {
			list = append(list, "error")
		}
	}
	for _, name := range p.Outside {
		list = append(list, "outside "+name)
	}
	for _, rule := range p.Missing {
		list = append(list, "missing "+rule)
	}
	return list
}

// TestTextFits: no line except a command is wider than the given width.
func TestTextFits(t *testing.T) {
	p := planned(t, "server: 4.0.0\nrules:\n- namespace: shop.*\n  key: t\n  expireAfterSeconds: 1\n  partialFilterExpression: {state: {$in: [done, failed, cancelled, forgotten]}, 'a.long.path': {$exists: true}}\n",
		reply(`,{"key":{"t":1},"name":"t_1","unique":true,"expireAfterSeconds":2592000},{"key":{"u":1},"name":"a name of some length","expireAfterSeconds":5}`))
	for _, width := range []int{40, 60, 80, 120} {
		var b bytes.Buffer
		if err := p.Text(&cli.Printer{W: &b, Width: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if line = strings.TrimSuffix(line, "\n"); len([]rune(line)) > width && !strings.Contains(line, "runCommand(") || strings.TrimRight(line, " ") != line {
				t.Errorf("width %d: %d columns in %q", width, len([]rune(line)), line)
			}
		}
	}
}
