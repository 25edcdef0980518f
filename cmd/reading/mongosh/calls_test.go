package mongosh

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// line writes a call in one line. A call with an expression begins with a tilde.
func line(c Call) string {
	parts := []string{c.Method}
	if c.On != "" {
		parts[0] = c.On + " " + c.Method
	}
	if !c.IsLiteral {
		parts[0] = "~" + parts[0]
	}
	for _, a := range c.Args {
		parts = append(parts, string(policy.AppendExtJSON(nil, a)))
	}
	for _, k := range c.Keywords {
		parts = append(parts, k.Key+"="+string(policy.AppendExtJSON(nil, k.Value)))
	}
	return strings.ReplaceAll(strings.Join(parts, " "), `{"$numberInt":"1"}`, "1")
}

func isIndex(method string) bool {
	return method == "createIndex" || method == "create_index" || method == "index" || method == "Schema"
}

// TestOn checks Call.On, the expression before a method.
func TestOn(t *testing.T) {
	for text, want := range map[string]string{
		`db.logs.createIndex({a: 1})`: "db.logs", `db.getSiblingDB('x') . y.createIndex({a: 1})`: "db.getSiblingDB('x') . y", `db.logs
  .createIndex({a: 1})`: "db.logs",
	} {
		s, err := Parse(text, now)
		if err != nil || s.Calls[0].On != want {
			t.Errorf("Parse(%s): %v, %v, want a call on %s", text, s.Calls, err, want)
		}
	}
	for text, want := range map[string]string{
		"await a.b.index({})": "a.b", "a\n  .index({})": "a", "const x = c.db('1')?.index({})": "c.db('1')", "index({})": "", "db['x'].index()": "db['x']",
		"c.d(1).index({})": "", "c.collection(name).index({})": "", "db['x' + y].index()": "", "$db->logs->index([])": "$db->logs",
	} {
		s, err := Calls(text, now, isIndex)
		if err != nil || len(s.Calls) != 1 {
			t.Fatalf("%s: %v, %v", text, s.Calls, err)
		}
		if c := s.Calls[0]; c.On != want || c.Method != "index" {
			t.Errorf("Calls(%s): %s on %q, want index on %q", text, c.Method, c.On, want)
		}
	}
}

func TestCalls(t *testing.T) {
	for _, tc := range []struct {
		why, text string
		want      []string
	}{
		{"Python", "c.create_index(\"at\", expireAfterSeconds=3600)  # an hour", []string{`c create_index "at" expireAfterSeconds={"$numberInt":"3600"}`}},
		{"tuples", `db["logs"].create_index([("at", 1), ("b", -1,)], sparse=True, x=None, y=(5), z=(5,))`,
			[]string{`db["logs"] create_index [["at",1],["b",{"$numberInt":"-1"}]] sparse=true x=null y={"$numberInt":"5"} z=[{"$numberInt":"5"}]`}},
		{"directions of pymongo", `c.create_index([("at", pymongo.ASCENDING), ("b", DESCENDING)])`, []string{`c create_index [["at",{"$code":"pymongo.ASCENDING"}],["b",{"$code":"DESCENDING"}]]`}},
		{"other names of Python", `c.create_index([("at", HASHED)])`, []string{`~c create_index [["at",{"$code":"HASHED"}]]`}},
		{"PHP", `$db->logs->createIndex(['at' => 1], ['expireAfterSeconds' => 60 * 60]);`, []string{`$db->logs createIndex {"at":1} {"expireAfterSeconds":{"$numberInt":"3600"}}`}},
		{"PHP, long arrays", `$db->logs->createIndex(array('at' => 1), array('sparse' => true));`, []string{`$db->logs createIndex {"at":1} {"sparse":true}`}},
		{"PHP, a variable within a text", `$db->logs->createIndex(["$at" => 1]);`, []string{`~$db->logs createIndex {"$at":1}`}},
		{"an operator between double quotes", `db.c.createIndex({at: 1}, {partialFilterExpression: {n: {"$gt": 1}}})`, []string{`db.c createIndex {"at":1} {"partialFilterExpression":{"n":{"$gt":1}}}`}},
		{"a text with an expression", "db.c.createIndex({\"#{at}\": 1})", []string{"~db.c createIndex {}"}},
		{"JavaScript", "const s = new mongoose.Schema({ at: { type: Date, expires: '1h', default: Date.now }, tags: [String] }, { timestamps: true });",
			[]string{`~mongoose Schema {"at":{"type":{"$code":"Date"},"expires":"1h","default":{"$code":"Date.now"}},"tags":[{"$code":"String"}]} {"timestamps":true}`}},
		{"TypeScript", "export const s = new Schema<User, Model<User>>({ at: Date })", []string{`~Schema {"at":{"$code":"Date"}}`}},
		{"TypeScript, a collection", "await db.collection<Log>('logs').createIndex({ at: 1 })", []string{`db.collection<Log>('logs') createIndex {"at":1}`}},
		{"functions and what else is no value", "s.index({ at: 1, ...rest, f() { return {a: 1} }, g: () => new Date(), [k]: `${x},` }, { expireAfterSeconds: 60 * TTL })",
			[]string{`~s index {"at":1,"g":{"$code":"() => new Date()"}} {"expireAfterSeconds":{"$code":"60 * TTL"}}`}},
		{"names alone", "c.createIndex({at: 1}, {unique, expireAfterSeconds , ...rest})", []string{`~c createIndex {"at":1} {"unique":{"$code":"unique"},"expireAfterSeconds":{"$code":"expireAfterSeconds"}}`}},
		{"a name of a field that is computed", "c.createIndex({[field]: 1})", []string{"~c createIndex {}"}},
		{"a sum", "c.createIndex({at: 1}, {expireAfterSeconds: 60 + 60})", []string{`~c createIndex {"at":1} {"expireAfterSeconds":{"$code":"60 + 60"}}`}},
		{"a chain", "await client.db('x')\n  .collection(\"y\").createIndex({ at: 1 }).then(ok)", []string{"client.db('x')\n  .collection(\"y\") createIndex {\"at\":1}"}},
		{"calls within calls", "c.createIndex(f(d.createIndex({a: 1})))", []string{`~c createIndex {"$code":"f(d.createIndex({a: 1}))"}`, `d createIndex {"a":1}`}},
		{"within a function", "async function f() {\n  await c.createIndex({a: 1});\n}", []string{`c createIndex {"a":1}`}},
		{"comments and texts", "// c.createIndex({a: 1})\n# c.createIndex({a: 1})\n/* c.createIndex({a: 1}) */ 'c.createIndex({a: 1})' `\n c.createIndex({a: 1})` \"\"\"\nc.createIndex({a: 1})\n\"\"\"", nil},
		{"a text that does not end", "don't\nc.createIndex({a: 1})", []string{`c createIndex {"a":1}`}},
		{"values of the shell", "c.createIndex({at: ISODate('2026-11-20')})", []string{`c createIndex {"at":{"$date":{"$numberLong":"1795132800000"}}}`}},
	} {
		s, err := Calls(tc.text, now, isIndex)
		if err != nil {
			t.Errorf("%s: %v", tc.why, err)
			continue
		}
		var got []string
		for _, c := range s.Calls {
			got = append(got, line(c))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: calls (-want +got):\n%s", tc.why, diff)
		}
	}
	for _, text := range []string{strings.Repeat(" ", MaxText+1), "\xff"} {
		var s *SyntaxError
		if _, err := Calls(text, now, isIndex); !errors.As(err, &s) {
			t.Errorf("Calls(%.5q…) = %v, want a SyntaxError", text, err)
		}
	}
}

// FuzzCalls: no text makes Calls panic or run for ever, and the offsets of calls are within the
// text.
func FuzzCalls(f *testing.F) {
	for _, seed := range []string{"c.create_index([('at', 1)], expireAfterSeconds=5)", "new Schema<T>({at: {type: Date, expires: '1h', d: () => {}}})", "f(((((", "{...", "a[b](`", "x?.y = (1,)", "$a->index(['b' => array('c')])"} {
		f.Add(seed)
	}
	f.Add(strings.Repeat("(", 300))
	f.Add(strings.Repeat("index({a:(", 300))
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Calls(text, now, isIndex)
		if err != nil && s.Calls != nil {
			t.Fatalf("%q: %v beside %v", text, s.Calls, err)
		}
		for _, c := range s.Calls {
			if c.At < 0 || c.At >= c.End || c.End > len(text) || c.Args == nil {
				t.Fatalf("%q: %+v", text, c)
			}
		}
	})
}
