package cosmos

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// drawContainer draws a container, and its defaultTtl as text.
func drawContainer(t rapid.TB, r fuzzing.Random) (c *Container, defaultTTL string) {
	t.Helper()
	defaultTTL = fuzzing.Pick(r, "", "-1", "-1", "1", "60", "3600", "2147483647", "0", "null", `"5"`, "5.0", "-2", "2147483648")
	path := fuzzing.Pick(r, "", "", "", "", "/a", "/a/_ts")
	text := `{"id":"c"` + member("defaultTtl", defaultTTL)
	if path != "" {
		text += `,"ttlPropertyPath":"` + path + `"`
	}
	spec, err := ParseContainerSpec([]byte(text + "}"))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if c, err = CompileContainer(spec); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if path != "" {
		defaultTTL = "beside a path"
	}
	return c, defaultTTL
}

// checkItemWays: every form of an item has the same decision; At agrees with Decide;
// and the matrix gives the same decision for an ordinary item.
func checkItemWays(t testing.TB, r fuzzing.Random) {
	c, setting := drawContainer(t, r)
	ttl, ts := "", ""
	text := r.JSON(2, "ttl", "_ts", "a", "ttl", "_ts", "é")
	if plain := r.Percent(50); plain {
		ttl, ts = fuzzing.Pick(r, "", r.Numeral()), fuzzing.Pick(r, "", r.Numeral(), "1700000000")
		text = []byte(`{"id":"i"` + member("ttl", ttl) + member("_ts", ts) + `}`)
	} else {
		setting = "not plain"
	}
	if ts == "-0" {
		ts = "" // read as a double, as in JavaScript, and so not a time
	}
	now := policy.Instant(r.Instant())
	d := c.DecideJSON(text, now)
	failed := func(why string, got policy.Decision) {
		t.Fatalf("%s: %+v\nDecideJSON(%s, %d) = %+v by %s", why, got, text, now, d, setting)
	}
	for _, w := range itemWays(t, r, text) {
		if got := c.Decide(w.doc, now); got != d {
			failed(w.name, got)
		}
	}
	checkTyped(c, d, text, now, failed)
	checkLater(c, d, text, policy.Instant(r.Instant()), failed)
	if want := modelDeadline(ttl, setting, ts); setting != "not plain" && setting != "beside a path" && !isAsModel(d, want, now) {
		failed(fmt.Sprintf("the model's deadline is %v", want), d)
	}
}

// isAsModel reports whether a decision at an instant agrees with the deadline of the
// model, which is nil for never.
func isAsModel(d policy.Decision, want *big.Int, now policy.Instant) bool {
	if want == nil || d.State == policy.Never {
		return want == nil && d.State == policy.Never
	}
	return int64(deadlineOf(d)) == want.Int64() && (d.State == policy.Expired) == (want.Cmp(big.NewInt(int64(now))) <= 0)
}

// An itemWay is one form in which an item can be passed.
type itemWay struct {
	name string
	doc  policy.Document
}

func itemWays(t testing.TB, r fuzzing.Random, text []byte) []itemWay {
	t.Helper()
	parsed, err := policy.ParseJSON(text)
	if err != nil {
		t.Fatalf("ParseJSON(%s): %v", text, err)
	}
	all := []itemWay{{"ParseJSON", &parsed}, {"a Value", parsed.Value()}, {"UncheckedJSON", valuefunc.F.UncheckedJSON(text)}, {"D", policy.DOf(parsed.Value())}}
	if isRepeated(parsed.Value(), "ttl") || isRepeated(parsed.Value(), "_ts") || isRepeatedAlong(parsed.Value(), []string{"a", "_ts"}) || r.Percent(75) {
		return all // a decoded item keeps only the last property of each name
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var item map[string]any
	if err := decoder.Decode(&item); err != nil {
		t.Fatalf("encoding/json: %s: %v", text, err)
	}
	return append(all, itemWay{"encoding/json", policy.Map(item)})
}

// checkTyped: DecideItem and Decide agree about an item whose _ts is a whole number.
func checkTyped(c *Container, d policy.Decision, text []byte, now policy.Instant, failed func(string, policy.Decision)) {
	item := valuefunc.F.UncheckedJSON(text)
	ts, ok := item.Field("_ts").AsInt64()
	if !ok || c.path != nil || isRepeated(item.Value(), "ttl") || isRepeated(item.Value(), "_ts") {
		return
	}
	if got := c.DecideItem(Item{TTL: TTLOf(item.Field("ttl")), TS: TimestampSeconds(ts)}, now); got != d {
		failed("DecideItem", got)
	}
}

// checkLater compares At with Decide at another instant and around the deadline, and
// reads the decision back from its text.
func checkLater(c *Container, d policy.Decision, text []byte, later policy.Instant, failed func(string, policy.Decision)) {
	for _, at := range []policy.Instant{later, deadlineOf(d), deadlineOf(d) - 1} {
		if got, want := d.At(at), c.DecideJSON(text, at); got != want {
			failed("At "+at.String()+", where DecideJSON says "+want.State.String(), got)
		}
	}
	if ladder := c.Consulted(d); ladder[len(ladder)-1] != d.Rule {
		failed("the ladder ends elsewhere", d)
	}
	var again policy.Decision
	stored, err := json.Marshal(d)
	if errAgain := json.Unmarshal(stored, &again); err != nil || errAgain != nil || again != d {
		failed("as text "+string(stored), again)
	}
}

func FuzzItemWays(f *testing.F) { fuzzing.Run(f, checkItemWays) }
