package mongosh

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// line writes a call in one line.
func line(c Call) string {
	parts := []string{c.Method}
	for _, a := range c.Args {
		parts = append(parts, string(policy.AppendExtJSON(nil, a)))
	}
	for _, k := range c.Keywords {
		parts = append(parts, k.Key+"="+string(policy.AppendExtJSON(nil, k.Value)))
	}
	return strings.Join(parts, " ")
}

// TestOn checks Call.On, the expression before a method, for Parse and ParseProgram.
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
	for text, want := range map[string]string{"await a.b.index({})": "a.b", "a\n  .index({})": "a", "const x = c.d(1)?.index({})": "c.d(1)", "index({})": "", "db['x'].index()": "db['x']"} {
		s, err := ParseProgram(text, now)
		if err != nil {
			t.Fatal(err)
		}
		if last := s.Calls[len(s.Calls)-1]; last.On != want || last.Method != "index" {
			t.Errorf("ParseProgram(%s): %s on %q, want index on %q", text, last.Method, last.On, want)
		}
	}
}

func TestParseProgram(t *testing.T) {
	for _, tc := range []struct {
		why, text string
		want      []string
		unread    []string
	}{
		{"Python", "c.create_index(\"at\", expireAfterSeconds=3600)  # an hour", []string{`create_index "at" expireAfterSeconds={"$numberInt":"3600"}`}, nil},
		{"tuples", `db["logs"].create_index([("at", pymongo.ASCENDING), ("b", -1,)], sparse=True, x=None, y=(5), z=(5,))`,
			[]string{`create_index [["at",{"$code":"pymongo.ASCENDING"}],["b",{"$numberInt":"-1"}]] sparse=true x=null y={"$numberInt":"5"} z=[{"$numberInt":"5"}]`}, nil},
		{"JavaScript", "const s = new mongoose.Schema({ at: { type: Date, expires: '1h', default: Date.now }, tags: [String] }, { timestamps: true });",
			[]string{`Schema {"at":{"type":{"$code":"Date"},"expires":"1h","default":{"$code":"Date.now"}},"tags":[{"$code":"String"}]} {"timestamps":true}`}, nil},
		{"TypeScript", "export const s = new Schema<User, Model<User>>({ at: Date })", []string{`Schema {"at":{"$code":"Date"}}`}, nil},
		{"functions and what else is no value", "s.index({ at: 1, ...rest, f() { return {a: 1} }, g: () => new Date(), [k]: `${x},` }, { expireAfterSeconds: 60 * TTL })",
			[]string{`index {"at":{"$numberInt":"1"},"g":{"$code":"() => new Date()"}} {"expireAfterSeconds":{"$code":"60 * TTL"}}`},
			[]string{"...rest", "f() { return {a: 1} }", "() => new Date()", "[k]: `${x},`", "60 * TTL"}},
		{"names alone", "c.createIndex({at: 1}, {unique, expireAfterSeconds , ...rest})", []string{`createIndex {"at":{"$numberInt":"1"}} {"unique":{"$code":"unique"},"expireAfterSeconds":{"$code":"expireAfterSeconds"}}`}, []string{"...rest"}},
		{"a chain", "await client.db('x')\n  .collection(\"y\").createIndex({ at: 1 }).then(ok)",
			[]string{`db "x"`, `collection "y"`, `createIndex {"at":{"$numberInt":"1"}}`, `then {"$code":"ok"}`}, nil},
		{"calls within calls", "c.create_indexes([IndexModel([('at', 1)], expireAfterSeconds=5)])",
			[]string{`IndexModel [["at",{"$numberInt":"1"}]] expireAfterSeconds={"$numberInt":"5"}`, `create_indexes [{"$code":"IndexModel([('at', 1)], expireAfterSeconds=5)"}]`}, nil},
		{"values by themselves, and lines that are not", "import x from 'y';\nuse shop\n{a: 1}\n[1]\n}\n",
			[]string{` {"a":{"$numberInt":"1"}}`, ` [{"$numberInt":"1"}]`}, []string{"}"}},
		{"within a function", "async function f() {\n  await c.createIndex({a: 1});\n}", []string{"f", `createIndex {"a":{"$numberInt":"1"}}`}, []string{"{", "}"}},
		{"values of the shell", "c.insert({at: ISODate('2026-11-20'), d: Date()})", []string{`insert {"at":{"$date":{"$numberLong":"1795132800000"}},"d":"Fri Nov 20 2026 00:00:00 GMT+0000 (Coordinated Universal Time)"}`}, nil},
	} {
		s, err := ParseProgram(tc.text, now)
		if err != nil {
			t.Errorf("%s: %v", tc.why, err)
			continue
		}
		var got []string
		for _, c := range s.Calls {
			got = append(got, line(c))
		}
		if tc.why == "calls within calls" { // both calls begin at the same offset
			got[0], got[1] = got[1], got[0]
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: calls (-want +got):\n%s", tc.why, diff)
		}
		var unread []string
		for _, u := range s.Unread {
			unread = append(unread, u.Text)
			if !strings.HasPrefix(strings.TrimSpace(tc.text[u.At:]), u.Text) {
				t.Errorf("%s: %q is not at %d", tc.why, u.Text, u.At)
			}
		}
		if diff := cmp.Diff(tc.unread, unread); diff != "" {
			t.Errorf("%s: unread (-want +got):\n%s", tc.why, diff)
		}
	}
	for _, text := range []string{strings.Repeat(" ", MaxText+1), "\xff"} {
		var s *SyntaxError
		if _, err := ParseProgram(text, now); !errors.As(err, &s) {
			t.Errorf("ParseProgram(%.5q…) = %v, want a SyntaxError", text, err)
		}
	}
}

// TestParseProgramEnds: the reader soon gives up on nested text without an end; otherwise
// these texts would take hours.
func TestParseProgramEnds(t *testing.T) {
	for _, part := range []string{"(", "{a:", "[", "f(", "new Map(", "a.b(x=", "new Schema<T>({a:", "1,"} {
		for _, text := range []string{strings.Repeat(part, 20_000/len(part)) + "!", "f(" + strings.Repeat(part+"\n", 200_000/(len(part)+1))} {
			s, err := ParseProgram(text, now)
			if err != nil || len(s.Unread) == 0 {
				t.Errorf("%.20q…: %v, %d parts unread", text, err, len(s.Unread))
			}
		}
	}
}

// FuzzParseProgram: no text makes ParseProgram panic or run for ever, and the offsets of
// calls are within the text.
func FuzzParseProgram(f *testing.F) {
	for _, seed := range []string{"c.create_index([('at', 1)], expireAfterSeconds=5)", "new Schema<T>({at: {type: Date, expires: '1h', d: () => {}}})", "f(((((", "{...", "a[b](`", "x?.y = (1,)"} {
		f.Add(seed)
	}
	f.Add(strings.Repeat("(", 300))
	f.Add(strings.Repeat("{a:(", 300))
	f.Fuzz(func(t *testing.T, text string) {
		s, _ := ParseProgram(text, now)
		for _, c := range s.Calls {
			if c.At < 0 || c.At >= c.End || c.End > len(text) || c.Args == nil {
				t.Fatalf("%q: %+v", text, c)
			}
		}
	})
}
