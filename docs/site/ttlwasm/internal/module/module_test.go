package module

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/answers"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A caller calls a module as a program does, in memory whose addresses are made up.
type caller struct {
	*Module
	memory map[*byte]uint32
	bytes  map[uint32][]byte
	next   uint32
}

func newCaller() *caller {
	c := &caller{memory: map[*byte]uint32{}, bytes: map[uint32][]byte{}, next: 4096}
	c.Module = New(func(b []byte) uint32 {
		if c.memory[&b[0]] == 0 {
			c.memory[&b[0]] = c.next
			c.bytes[c.next] = b
			c.next += uint32(len(b)) + 16
		}
		return c.memory[&b[0]]
	})
	return c
}

// put writes a text into a new buffer.
func (c *caller) put(text string) (address, n uint32) {
	address = c.Alloc(uint32(len(text)) + 1)
	copy(c.bytes[address], text)
	return address, uint32(len(text))
}

// result returns the module's text, whose length a call has returned.
func (c *caller) result(length Code) string {
	if length < 0 {
		return fmt.Sprintf("%d %s", length, c.result(c.Error()))
	}
	if length == 0 {
		return ""
	}
	return string(c.bytes[c.Text()][:length])
}

func (c *caller) compile(t testing.TB, question string) Handle {
	t.Helper()
	h := c.Compile(c.put(question))
	if h <= 0 {
		t.Fatalf("Compile(%s) = %s", question, c.result(h))
	}
	return Handle(h)
}

// decisions returns the text of the written decisions.
func (c *caller) decisions(h Handle, out uint32, count Code) string {
	if count < 0 {
		return c.result(count)
	}
	var all []string
	for i := range uint32(count) {
		d := c.bytes[out][i*DecisionBytes:]
		text := fmt.Sprint(policy.State(d[11]))
		if d[11] != 0 {
			text += fmt.Sprintf(" %d %s", int64(binary.LittleEndian.Uint64(d)), c.result(c.Source(h, uint32(d[10]))))
		}
		all = append(all, fmt.Sprintf("%s %s to %d", text, c.result(c.Rule(uint32(binary.LittleEndian.Uint16(d[8:])))), binary.LittleEndian.Uint32(d[12:])))
	}
	return strings.Join(all, ", ")
}

// The policies of the tests: an index, a container, an index of the API for MongoDB.
const (
	onMongoDB = `{"target":{"system":"mongodb","version":"8.0.4"},"in":{"indexes":[{"key":{"x":1},"name":"x_1"},{"key":{"t":1},"name":"t_1","expireAfterSeconds":10}]}}`
	onCosmos  = `{"op":"cosmos.decide","target":{"system":"cosmos-nosql"},"in":{"container":{"id":"c","defaultTtl":10},"now":"ignored"}}`
	onAPI     = `{"target":{"system":"cosmos-mongo"},"in":{"indexes":[{"key":{"_ts":1},"name":"_ts_1","expireAfterSeconds":10}]}}`
)

const date = "\x10\x00\x00\x00\x09t\x00\xe8\x03\x00\x00\x00\x00\x00\x00\x00" // {t: a second after 1970}

func TestDecide(t *testing.T) {
	for _, tt := range []struct {
		why, policy string
		format      Format
		document    string
		now         int64
		want        string
	}{
		{"BSON, on the deadline", onMongoDB, BSON, date, 11000, "expired 11000 t_1 mongo.date to 16"},
		{"and before", onMongoDB, BSON, date, 10999, "pending 11000 t_1 mongo.date to 16"},
		{"Extended JSON", onMongoDB, ExtJSON, `{"t":{"$date":"1970-01-01T00:00:01Z"}}`, 11000, "expired 11000 t_1 mongo.date to 38"},
		{"no date", onMongoDB, ExtJSON, `{"t":1000}`, 11000, "never mongo.field-not-date to 10"},
		{"damaged BSON is kept", onMongoDB, BSON, "\x10\x00\x00\x00", 11000, "never mongo.malformed to 4"},
		{"nothing is no BSON", onMongoDB, BSON, "", 11000, "never mongo.malformed to 0"},
		{"damaged Extended JSON", onMongoDB, ExtJSON, `{"t":`, 11000, "-5 "},
		{"an item's JSON", onMongoDB, JSON, `{}`, 11000, "-3 "},
		{"no format", onMongoDB, 9, `{}`, 11000, "-3 "},
		{"an item", onCosmos, JSON, `{"_ts":1}`, 11000, "expired 11000 -6 the policy has 0 named sources, and none with the number 0 cosmos.default to 9"},
		{"a damaged item is kept", onCosmos, JSON, `{"_ts":`, 11000, "never cosmos.malformed to 7"},
		{"BSON for a container", onCosmos, BSON, date, 11000, "-3 "},
		{"Extended JSON for a container", onCosmos, ExtJSON, `{}`, 11000, "-3 "},
		{"the API for MongoDB", onAPI, ExtJSON, `{"_ts":1}`, 10999, "pending 11000 _ts_1 cosmos.default to 9"},
		{"its BSON", onAPI, BSON, "\x0e\x00\x00\x00\x10_ts\x00\x01\x00\x00\x00\x00", 11000, "expired 11000 _ts_1 cosmos.default to 14"},
	} {
		c := newCaller()
		h, out := c.compile(t, tt.policy), c.Alloc(DecisionBytes)
		address, n := c.put(tt.document)
		count := c.Decide(h, tt.format, address, n, tt.now, out)
		if count == 0 {
			count = 1 // a decision was written
		}
		if got := c.decisions(h, out, count); !strings.HasPrefix(got, tt.want) || tt.want[0] != '-' && got != tt.want {
			t.Errorf("%s: Decide() = %s, want %s", tt.why, got, tt.want)
		}
	}
}

func TestDecideAt(t *testing.T) {
	c := newCaller()
	h, out := c.compile(t, onAPI), c.Alloc(DecisionBytes)
	address, n := c.put(`{"_ts":999}`)
	if code := c.DecideAt(h, ExtJSON, address, n, 1, 11000, out); code != 0 || c.decisions(h, out, 1) != "expired 11000 _ts_1 cosmos.default to 11" {
		t.Errorf("DecideAt(_ts 1) = %d, %s", code, c.decisions(h, out, 1))
	}
	if code := c.DecideAt(c.compile(t, onMongoDB), ExtJSON, address, n, 1, 11000, out); code != BadFormat {
		t.Errorf("DecideAt for MongoDB = %d, want %d", code, BadFormat)
	}
	if code := c.DecideAt(h, JSON, address, n, 1, 11000, out); code != BadFormat {
		t.Errorf("DecideAt for an item's JSON = %d, want %d", code, BadFormat)
	}
}

func TestDecideAll(t *testing.T) {
	const one, none = "expired 11000 t_1 mongo.date to ", "never mongo.field-missing to "
	empty := "\x05\x00\x00\x00\x00"
	for _, tt := range []struct {
		why, policy string
		format      Format
		documents   string
		room        uint32
		want        string
	}{
		{"none", onMongoDB, BSON, "", 9, ""},
		{"several", onMongoDB, BSON, date + empty + date, 9, one + "16, " + none + "21, " + one + "37"},
		{"more than there is room for", onMongoDB, BSON, date + empty + date, 2, one + "16, " + none + "21"},
		{"no room", onMongoDB, BSON, date, 0, ""},
		{"the last is not whole", onMongoDB, BSON, date + date[:15], 9, one + "16"},
		{"the first is not whole", onMongoDB, BSON, date[:3], 9, ""},
		{"the second cannot be one", onMongoDB, BSON, date + "\x04\x00\x00\x00" + empty, 9, one + "16"},
		{"the first cannot be one", onMongoDB, BSON, "\x04\x00\x00\x00" + empty, 9, "-5 the document at byte 0 has the length 4;"},
		{"a negative length", onMongoDB, BSON, "\xff\xff\xff\xff" + empty, 9, "-5 the document at byte 0 has the length -1;"},
		{"a length that no server stores", onMongoDB, BSON, "\x01\x40\x00\x01" + empty, 9, "-5 the document at byte 0 has the length 16793601;"},
		{"the greatest length", onMongoDB, BSON, "\x00\x40\x00\x01" + empty, 9, ""},
		{"damage within one", onMongoDB, BSON, "\x10\x00\x00\x00\x20t\x00\xe8\x03\x00\x00\x00\x00\x00\x00\x00" + date, 9, "never mongo.malformed to 16, " + one + "32"},
		{"a document a line", onMongoDB, ExtJSON, "{}\r\n\n \n{\"t\":{\"$date\":{\"$numberLong\":\"1000\"}}}\n", 9, none + "4, " + one + "46"},
		{"the last line has no end", onMongoDB, ExtJSON, "{}\n{}", 9, none + "3"},
		{"a line that is not a document", onMongoDB, ExtJSON, "{}\n{\n{}\n", 9, none + "3"},
		{"the first is not a document", onMongoDB, ExtJSON, "{\n{}\n", 9, "-5 "},
		{"items", onCosmos, JSON, "{\"ttl\":-1,\"_ts\":1}\n[]\n", 9, "never cosmos.item-never to 19, never cosmos.malformed to 22"},
		{"BSON for a container", onCosmos, BSON, date, 9, "-3 "},
	} {
		c := newCaller()
		h, out := c.compile(t, tt.policy), c.Alloc(9*DecisionBytes)
		address, n := c.put(tt.documents)
		got := c.decisions(h, out, c.DecideAll(h, tt.format, address, n, 11000, out, tt.room))
		if got != tt.want && !(strings.HasPrefix(tt.want, "-") && strings.HasPrefix(got, tt.want)) {
			t.Errorf("%s: DecideAll() = %s, want %s", tt.why, got, tt.want)
		}
	}
}

// TestCodes: each mistake of a caller gets a code.
func TestCodes(t *testing.T) {
	c := newCaller()
	h := c.compile(t, onMongoDB)
	document, n := c.put(date)
	out := c.Alloc(DecisionBytes)
	released := c.compile(t, onCosmos)
	if code := c.Release(released); code != 0 {
		t.Fatalf("Release() = %d", code)
	}
	freed := c.Alloc(64)
	if code := c.Free(freed); code != 0 {
		t.Fatalf("Free() = %d", code)
	}
	used, item := c.Alloc(n), c.compile(t, onCosmos)
	copy(c.bytes[used], date)
	if before, free, after := c.Decide(h, BSON, used, n, 0, out), c.Free(used), c.Decide(h, BSON, used, n, 0, out); before != 0 || free != 0 || after != BadPointer {
		t.Errorf("what is used, freed and used again: %d, %d, %d, want 0, 0, %d", before, free, after, BadPointer)
	}
	bad, m := c.put(`{"target":{"system":"mongodb","version":"8"}}`)
	for why, tt := range map[string]struct{ got, want Code }{
		"a handle that was never given":    {c.Decide(99, BSON, document, n, 0, out), BadHandle},
		"the handle 0":                     {c.Decide(0, BSON, document, n, 0, out), BadHandle},
		"a negative handle":                {c.DecideAll(-1, BSON, document, n, 0, out, 1), BadHandle},
		"a handle that was released":       {c.Explain(released, JSON, document, n, 0), BadHandle},
		"to release it again":              {c.Release(released), BadHandle},
		"the source of one":                {c.Source(released, 0), BadHandle},
		"the address 0":                    {c.Decide(h, BSON, 0, n, 0, out), BadPointer},
		"memory that was freed":            {c.Decide(h, BSON, freed, n, 0, out), BadPointer},
		"to free it again":                 {c.Free(freed), BadPointer},
		"to free what lies within":         {c.Free(document + 1), BadPointer},
		"a length beyond what was given":   {c.Decide(h, BSON, document, n+2, 0, out), BadPointer},
		"a length beyond memory":           {c.Decide(h, BSON, document, math.MaxUint32, 0, out), BadPointer},
		"an address at the end of memory":  {c.Decide(h, BSON, math.MaxUint32, 1, 0, out), BadPointer},
		"a decision beyond its memory":     {c.Decide(h, BSON, document, n, 0, out+1), BadPointer},
		"decisions beyond their memory":    {c.DecideAll(h, BSON, document, n, 0, out, 2), BadPointer},
		"more decisions than memory holds": {c.DecideAll(h, BSON, document, n, 0, out, math.MaxUint32), BadPointer},
		"the rule 0":                       {c.Rule(0), BadNumber},
		"a rule after the last":            {c.Rule(uint32(len(rules)) + 1), BadNumber},
		"a source after the last":          {c.Source(h, 1), BadNumber},
		"a policy that is not there":       {c.Compile(1, 5), BadPointer},
		"a policy that is too long":        {c.Compile(document, maxText+1), TooMuch},
		"a policy that is no policy":       {c.Compile(bad, m), BadText},
		"a question that is not there":     {c.Ask(1, 5), BadPointer},
		"an explanation of no document":    {c.Explain(h, BSON, freed, 1, 0), BadPointer},
		"an explanation of a damaged item": {c.Explain(item, JSON, document, n, 0), BadDocument},
		"an explanation of damage":         {c.Explain(h, BSON, document, n-1, 0), BadDocument},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %d, want %d", why, tt.got, tt.want)
		}
	}
	if c.Alloc(0) != 0 || c.Alloc(maxMemory) != 0 {
		t.Error("Alloc gives nothing, or more than a caller may hold")
	}
	if code := c.Decide(h, BSON, document, n, 11000, out); code != 0 {
		t.Errorf("after all that, Decide() = %s", c.result(code))
	}
}

// TestMemory: all of a buffer can be reached, and a range that goes from one
// buffer into its neighbour cannot.
func TestMemory(t *testing.T) {
	at := uint32(100)
	m := New(func(b []byte) uint32 { at += 10; return at - 10 })
	a, b := m.Alloc(10), m.Alloc(10)
	for _, tt := range []struct {
		address, n uint32
		want       bool
	}{
		{a, 10, true}, {a, 11, false}, {a, 0, true}, {a + 9, 1, true}, {a + 10, 1, true}, {a + 5, 6, false},
		{b, 10, true}, {b, 11, false}, {a - 1, 1, false}, {b + 10, 0, true}, {b + 10, 1, false}, {b + 11, 0, false}, {0, 0, false},
	} {
		if got := m.at(input, tt.address, tt.n); (got != nil) != tt.want || got != nil && len(got) != int(tt.n) {
			t.Errorf("at(%d, %d) = %d bytes, %v, want %v", tt.address, tt.n, len(got), got != nil, tt.want)
		}
	}
	m.Free(a)
	if m.at(input, a, 1) != nil || m.at(input, b, 1) == nil || m.held != 10 {
		t.Errorf("after Free, %d bytes are held", m.held)
	}
}

// TestTexts: the module's texts about itself, its answers and explanations are
// JSON.
func TestTexts(t *testing.T) {
	c := newCaller()
	h := c.compile(t, onMongoDB)
	document, n := c.put(date)
	for _, tt := range []struct{ got, want string }{
		{c.result(c.Hello()), fmt.Sprintf(`{"abi":1,"name":"ttlpolicy","mongodb":{"rules":1,"latest":"%s"},"cosmos":{"rules":1}}`, mongo.Latest())},
		{c.result(c.Rule(1)), "mongo.malformed"},
		{c.result(c.Source(h, 0)), "t_1"},
		{c.result(c.Ask(c.put(`{"op":"mongodb.create","target":{"system":"mongodb"},"in":{"command":{}}}`))), `{"out":{}}`},
		{c.result(c.Ask(c.put(`{"op":"cosmos.validateItem","target":{"system":"cosmos-nosql"},"in":{"container":{"defaultTtl":5},"item":{"ttl":0}}}`))), `{"error":{"class":"refused","status":400,`},
		{c.result(c.Ask(c.put(`{"op":"mongodb.create","target":{"system":"mongodb","version":"1.0.0"},"in":{"command":{}}}`))), `{"skip":"`},
		{c.result(c.Ask(c.put(`{"op":"mongodb.create","target":{},"in":{}}`))), `{"fault":"target.system: missing; want a string"}`},
		{c.result(c.Ask(c.put(`{`))), `{"fault":"malformed JSON at byte 1: the input ends inside the document: want a name in double quotes"}`},
		{c.result(c.Ask(c.put(`{"op":"self.echo","in":{"value":{"$numberDouble":"-0.0"}}}`))), `{"out":{"value":{"$numberDouble":"-0.0"}}}`},
		{c.result(c.Explain(h, BSON, document, n, 11000)), `{"state":"expired","deadline":{"time":"1970-01-01T00:00:11.000Z","ms":11000},"rule":"mongo.date",`},
		{c.result(c.Compile(c.put(`{"target":{"system":"mysql"},"in":{}}`))), `-4 target.system: want "mongodb", "cosmos-nosql", "cosmos-mongo" or "documentdb", got "mysql"`},
		{c.result(c.Compile(c.put(`{"target":{"system":"cosmos-nosql"},"in":{"container":[]}}`))), `-4 in.container: want an object, got []`},
		{c.result(c.Compile(c.put(`{"target":{"system":"mongodb"},"in":{}}`))), `-4 in.indexes: missing; want an array of documents`},
	} {
		if !strings.HasPrefix(tt.got, tt.want) || strings.HasSuffix(tt.want, "}") && tt.got != tt.want || tt.got[0] == '{' && !json.Valid([]byte(tt.got)) {
			t.Errorf("%s, want %s", tt.got, tt.want)
		}
	}
}

// TestPropertyDecisions: the module decides as the library does.
func TestPropertyDecisions(t *testing.T) {
	n := 30000
	if testing.Short() {
		n = 2000
	}
	questioned := []string{onMongoDB, onCosmos, onAPI,
		`{"target":{"system":"mongodb","version":"3.6.0"},"in":{"indexes":[{"key":{"a.b":1},"expireAfterSeconds":0},{"key":{"t":-1},"expireAfterSeconds":-5,"partialFilterExpression":{"x":{"$gt":1}}}]}}`,
		`{"target":{"system":"cosmos-nosql"},"in":{"container":{"defaultTtl":-1,"ttlPropertyPath":"/t"}}}`}
	c := newCaller()
	out, memory := c.Alloc(DecisionBytes), c.Alloc(1<<20)
	var handles []Handle
	var natives []*definition.Policy
	for _, text := range questioned {
		p, err := answers.Compile([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		handles, natives = append(handles, c.compile(t, text)), append(natives, p)
	}
	for seed := range uint64(n) {
		r := fuzzing.NewRandom(binary.LittleEndian.AppendUint64(nil, seed))
		which, now := r.IntN(len(questioned)), r.Instant()
		p, document, format := natives[which], r.Document(3, "t", "a", "b", "x", "_ts", "ttl"), BSON
		if p.System == definition.CosmosNoSQL {
			document, format = r.JSON(3, "t", "ttl", "_ts"), JSON
		}
		want := p.Raw(document, policy.Instant(now))
		code := c.Decide(handles[which], format, memory, uint32(copy(c.bytes[memory], document)), now, out)
		if got := c.written(t, out); code != 0 || got != want {
			t.Fatalf("seed %d, policy %d: Decide() = %d, %v, want %v", seed, which, code, got, want)
		}
	}
}

// written returns the decision that was written.
func (c *caller) written(t testing.TB, out uint32) policy.Decision {
	d := c.bytes[out]
	number := binary.LittleEndian.Uint16(d[8:])
	if number == 0 || int(number) > len(rules) {
		t.Fatalf("the rule has the number %d", number)
	}
	decision := policy.DecisionOf(policy.State(d[11]), policy.Instant(binary.LittleEndian.Uint64(d)), rules[number-1])
	decision.Source = d[10]
	return decision
}

// TestDecideAllocates: deciding allocates nothing, however much is decided.
func TestDecideAllocates(t *testing.T) {
	c := newCaller()
	h := c.compile(t, onMongoDB)
	address, n := c.put(strings.Repeat(date, 1000))
	out := c.Alloc(1000 * DecisionBytes)
	if got := testing.AllocsPerRun(20, func() {
		if c.DecideAll(h, BSON, address, n, 11000, out, 1000) != 1000 {
			t.Fatal("not all were decided about")
		}
		c.Decide(h, BSON, address, 16, 11000, out)
	}); got != 0 {
		t.Errorf("1001 decisions allocate %v times", got)
	}
}

// FuzzModule calls the module with damaged questions and documents, and with addresses
// and lengths that are a little wrong. No call may panic, or return the code of a defect.
func FuzzModule(f *testing.F) {
	fuzzing.Run(f, func(t testing.TB, r fuzzing.Random) {
		c := newCaller()
		q, length := c.put(string(r.Damage([]byte(fuzzing.Pick(r, onMongoDB, onCosmos, onAPI)), "{}[]\":,$")))
		document := r.Damage(r.Document(2, "t", "_ts", "ttl"), "\x00")
		if r.Percent(50) {
			document = append(r.Damage(r.JSON(2, "t", "_ts", "ttl"), "{}[]\":,$\n"), '\n')
		}
		d, n := c.put(string(document))
		d, n = d+uint32(r.IntN(3)), n-uint32(r.IntN(3))
		out, format := c.Alloc(4*DecisionBytes), Format(r.IntN(5))
		h := c.Compile(q, length)
		codes := []Code{h, c.Ask(q, length),
			c.Decide(Handle(h), format, d, n, 0, out), c.DecideAt(Handle(h), format, d, n, 0, 0, out),
			c.DecideAll(Handle(h), format, d, n, 0, out, 4), c.Explain(Handle(h), format, d, n, 0), c.Free(d)}
		for i, code := range codes {
			if code < TooMuch {
				t.Errorf("call %d with %s and %q: %s", i, c.bytes[q][:length], document, c.result(code))
			}
		}
	})
}

// TestWrittenAndListed: a policy that somebody wrote is read strictly, one that a server
// lists is not.
func TestWrittenAndListed(t *testing.T) {
	c := newCaller()
	for _, tt := range []struct{ text, near string }{
		{`{"target":{"system":"mongodb"},"in":{"indexes":[{"key":{"t":1},"expireAfterSeconds":5,"partialFilterExpresion":{"a":1}}]}}`, `"partialFilterExpression"`},
		{`{"target":{"system":"mongodb","verison":"2.6"},"in":{"indexes":[]}}`, `target.verison: no question has this; did you mean "version"?`},
		{`{"target":{"system":"mongodb"},"in":{"indexes":[],"colection":{}}}`, `in.colection: no question has this; did you mean "collection"?`},
		{`{"target":{"system":"cosmos-nosql"},"in":{"container":{"defaultTTL":5}}}`, `"defaultTtl"`},
		{`{"target":{"system":"cosmos-mongo"},"in":{"indexes":[{"key":{"_ts":1},"expireAfterSecond":5}]}}`, `"expireAfterSeconds"`},
	} {
		if code := c.Compile(c.put(tt.text)); code != BadText || !strings.Contains(c.result(code), tt.near) {
			t.Errorf("Compile(%s) = %s, want %d with %s", tt.text, c.result(code), BadText, tt.near)
		}
		isName := strings.Contains(tt.near, "no question")
		if code := c.CompileListed(c.put(tt.text)); (code > 0) == isName {
			t.Errorf("CompileListed(%s) = %s", tt.text, c.result(code))
		}
	}
	whole := `{"op":"mongodb.decide","target":{"system":"mongodb"},"in":{"indexes":[],"now":{"$date":{"$numberLong":"0"}},"document":{},"_ts":5,"item":{}}}`
	if code := c.Compile(c.put(whole)); code <= 0 {
		t.Errorf("Compile(%s) = %s, want a handle", whole, c.result(code))
	}
}

func TestAbout(t *testing.T) {
	c := newCaller()
	kept := numbersOf(t, c, "mongo.date", "mongo.array-earliest", "mongo.field-missing", "mongo.field-null", "mongo.field-not-date")
	for _, tt := range []struct{ policy, want string }{
		{onMongoDB, `{"reads":["t"],"plain":[{"field":"t","delay":10000,"rules":[` + kept + `,0]}]}`},
		{onCosmos, fmt.Sprintf(`{"reads":["_ts","ttl"],"container":{"default":10,"rules":[%s]}}`, numbersOf(t, c, "cosmos.default", "cosmos.item-never", "cosmos.item"))},
		{
			`{"target":{"system":"mongodb"},"in":{"indexes":[{"key":{"a\"b":1},"expireAfterSeconds":1},{"key":{"t":1},"name":"t_1","expireAfterSeconds":1,"partialFilterExpression":{"c":1.5,"$or":[{"a\"b":"x\"y"},{"e":{"$exists":true},"f":true}],"g":{"$lt":{"$date":{"$numberLong":"5"}}}}}]}}`,
			`{"reads":["a\"b","c","e","f","g","t"],"plain":[{"field":"a\"b","delay":1000,"rules":[` + kept + `,0]},{"field":"t","delay":1000,"rules":[` + kept + `,` + numbersOf(t, c, "mongo.filter-mismatch") +
				`],"filter":{"operator":"$and","parts":[{"operator":"$eq","field":"c","value":1.5},{"operator":"$or","parts":[{"operator":"$and","parts":[{"operator":"$eq","field":"a\"b","value":"x\"y"}]},{"operator":"$and","parts":[{"operator":"$exists","field":"e"},{"operator":"$eq","field":"f","value":true}]}]},{"operator":"$lt","field":"g","date":5}]}}]}`,
		},
		{`{"target":{"system":"mongodb"},"in":{"indexes":[{"key":{"a.b":1},"expireAfterSeconds":1}]}}`, `{"reads":["a"],"plain":[{"field":"a.b","delay":1000,"rules":[` + kept + `,0]}]}`},
		{`{"target":{"system":"mongodb"},"in":{"indexes":[{"key":{"a.0":1},"expireAfterSeconds":1}]}}`, `{"reads":["a"]}`},
		{`{"target":{"system":"mongodb"},"in":{"indexes":[]}}`, fmt.Sprintf(`{"reads":[],"keeps":%s}`, numbersOf(t, c, new(mongo.Collection).Decide(policy.D{}, 0).Rule.ID()))},
	} {
		got := c.result(c.About(c.compile(t, tt.policy)))
		const fingerprint = `{"fingerprint":"` // with 32 digits
		if at := len(fingerprint) + 32 + len(`",`); !strings.HasPrefix(got, fingerprint) || "{"+got[min(at, len(got)):] != tt.want {
			t.Errorf("About(%s) = %s, want %s", tt.policy, got, tt.want)
		}
	}
	if code := c.About(99); code != BadHandle {
		t.Errorf("About(99) = %d, want %d", code, BadHandle)
	}
}

// numbersOf returns the numbers of rules as the elements of a JSON list.
func numbersOf(t *testing.T, c *caller, rules ...string) string {
	t.Helper()
	var numbers []string
	for _, rule := range rules {
		numbers = append(numbers, fmt.Sprint(numberOf(t, c, rule)))
	}
	return strings.Join(numbers, ",")
}

// numberOf returns the number by which decisions name a rule.
func numberOf(t *testing.T, c *caller, id string) uint32 {
	for n := range uint32(len(rules)) {
		if c.result(c.Rule(n+1)) == id {
			return n + 1
		}
	}
	t.Fatalf("no rule %s", id)
	return 0
}
