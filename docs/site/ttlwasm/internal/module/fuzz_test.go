package module

import (
	"fmt"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A twin is a policy in a module, and in the library.
type twin struct {
	text   string
	handle Handle
	definition.Decider
}

// onMongo compiles indexes for a release, in the module and in the library.
func onMongo(t testing.TB, c *caller, release, indexes string) twin {
	t.Helper()
	text := fmt.Sprintf(`{"target":{"system":"mongodb","version":%q},"in":{"indexes":%s}}`, release, indexes)
	spec, err := mongo.ParseCollectionSpec(policy.Value{}, fixture.Value(t, indexes))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := mongo.CompileCollection(spec, fixture.Profile(t, release))
	if err != nil {
		t.Fatal(err)
	}
	return twin{text, c.compile(t, text), plain}
}

// onContainer compiles a container, in the module and in the library.
func onContainer(t testing.TB, c *caller, container string) twin {
	t.Helper()
	text := `{"target":{"system":"cosmos-nosql"},"in":{"container":` + container + `}}`
	spec, err := cosmos.ParseContainerSpec([]byte(container))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := cosmos.CompileContainer(spec)
	if err != nil {
		t.Fatal(err)
	}
	return twin{text, c.compile(t, text), plain}
}

// FuzzDecides: the module decides as the library does, one document at a time and all of
// them in a row.
func FuzzDecides(f *testing.F) {
	c := newCaller()
	var items, documents []twin
	for _, release := range []string{"2.4.0", "4.4.0", "5.0.9", "7.0.0", fixture.Latest} {
		for _, indexes := range []string{`[{"key":{"t":1},"name":"t_1","expireAfterSeconds":60}]`,
			`[{"key":{"t.a":1},"name":"x","expireAfterSeconds":{"$numberLong":"3600"}},{"key":{"a":-1},"name":"y","expireAfterSeconds":0}]`} {
			documents = append(documents, onMongo(f, c, release, indexes))
		}
	}
	for _, container := range []string{`{}`, `{"defaultTtl":-1}`, `{"defaultTtl":60}`, `{"defaultTtl":60,"ttlPropertyPath":"/a"}`} {
		items = append(items, onContainer(f, c, container))
	}
	place, out := c.Alloc(1<<16), c.Alloc(8*DecisionBytes)
	fuzzing.Run(f, func(t testing.TB, r fuzzing.Random) {
		now := policy.Instant(r.Instant())
		format, policies := BSON, documents
		if r.Percent(40) {
			format, policies = JSON, items
		}
		p := fuzzing.Pick(r, policies...)
		memory := c.bytes[place][:0]
		var want []policy.Decision
		for range 1 + r.IntN(6) {
			doc, text := drawDocument(t, r, format)
			d := p.Decide(doc, now)
			want = append(want, d)
			at := len(memory)
			if memory = append(memory, text...); len(memory) > 1<<16 {
				t.Skip("larger than the memory")
			}
			if code := c.Decide(p.handle, format, place+uint32(at), uint32(len(text)), int64(now), out); code != 0 || c.written(t, out) != d {
				t.Fatalf("Decide of %q by %s at %d = %d, %v; the library says %v", text, p.text, now, code, c.written(t, out), d)
			}
			if format == JSON {
				memory = append(memory, '\n')
			}
		}
		count := c.DecideAll(p.handle, format, place, uint32(len(memory)), int64(now), out, 8)
		if int(count) != len(want) {
			t.Fatalf("DecideAll of %q by %s = %s, want %d", memory, p.text, c.result(count), len(want))
		}
		for i, d := range want {
			c.bytes[out+1] = c.bytes[out][i*DecisionBytes:]
			if got := c.written(t, out+1); got != d {
				t.Fatalf("DecideAll of %q by %s at %d: document %d %v; the library says %v", memory, p.text, now, i, got, d)
			}
		}
	})
}

// drawDocument draws a document of a format, and reads it.
func drawDocument(t testing.TB, r fuzzing.Random, f Format) (policy.Document, []byte) {
	t.Helper()
	if f == BSON {
		text := r.Document(2, "t", "a", "_id")
		doc, err := policy.ParseBSON(text)
		if err != nil {
			t.Fatal(err)
		}
		return &doc, text
	}
	text := inOneLine(r.JSON(2, "ttl", "_ts", "a"))
	item, err := policy.ParseJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	return &item, text
}

// inOneLine replaces line breaks, which occur only between values.
func inOneLine(text []byte) []byte {
	for i, c := range text {
		if c == '\n' || c == '\r' {
			text[i] = ' '
		}
	}
	return text
}
