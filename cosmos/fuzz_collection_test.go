package cosmos

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// drawCollection draws a collection of the API for MongoDB.
func drawCollection(t rapid.TB, r fuzzing.Random) *Collection {
	t.Helper()
	spec := CollectionSpec{
		ServerVersion: fuzzing.Pick(r, "", "", "3.2", "3.6", "4.2", "7.0"),
		Capabilities:  [][]string{nil, {"EnableTtlOnCustomPath"}, {"mongoEnableDocLevelTTL"}, {"EnableTtlOnCustomPath", "mongoEnableDocLevelTTL"}}[r.IntN(4)],
	}
	path := "_ts"
	if spec.ServerVersion != "3.2" && spec.ServerVersion != "3.6" && len(spec.Capabilities) > 0 && spec.Capabilities[0] == "EnableTtlOnCustomPath" {
		path = fuzzing.Pick(r, "_ts", "a", "a.b", "ttl")
	}
	option := policy.Int32Value(fuzzing.Pick[int32](r, -1, 1, 60, 3600, 2147483647))
	spec.Indexes = []IndexSpec{{Name: "x", Key: policy.D{{Key: path, Value: policy.Int32Value(1)}}, ExpireAfterSeconds: option}}
	if r.Percent(10) {
		spec.Indexes = nil
	}
	c, err := CompileCollection(spec)
	if err != nil {
		t.Fatalf("%+v: %v", spec, err)
	}
	return c
}

// checkForms: a document in BSON, in JSON and in Extended JSON has the same decision,
// and At agrees with Decide.
func checkForms(t testing.TB, r fuzzing.Random) {
	c := drawCollection(t, r)
	text := r.JSON(2, "ttl", "_ts", "a", "b", "é")
	now := policy.Instant(r.Instant())
	parsed, err := policy.ParseJSON(text)
	if err != nil {
		t.Fatalf("ParseJSON(%s): %v", text, err)
	}
	if slices.ContainsFunc([]string{"ttl", "_ts", "a"}, func(name string) bool { return isRepeated(parsed.Value(), name) }) || isRepeated(parsed.Field("a"), "b") {
		return // if a name occurs twice, JSON uses the last field, and BSON the first
	}
	extended := policy.AppendExtJSON(nil, parsed.Value())
	again, err := policy.ParseExtJSON(extended)
	if err != nil {
		t.Fatalf("ParseExtJSON(%s): %v", extended, err)
	}
	raw, err := policy.AppendBSON(nil, parsed.Value())
	if err != nil {
		t.Fatalf("AppendBSON(%s): %v", text, err)
	}
	checked, err := policy.ParseBSON(raw)
	if err != nil {
		t.Fatalf("ParseBSON(%x) of %s: %v", raw, text, err)
	}
	d := c.DecideBSON(raw, now)
	for _, w := range []itemWay{{"JSON", &parsed}, {"Extended JSON", again}, {"BSON", &checked}, {"D", policy.DOf(again)}} {
		if got := c.Decide(w.doc, now); got != d {
			t.Fatalf("%s as %s at %d: %+v, as BSON %+v", text, w.name, now, got, d)
		}
	}
	for _, at := range []policy.Instant{policy.Instant(r.Instant()), deadlineOf(d), deadlineOf(d) - 1} {
		if got, want := d.At(at), c.DecideBSON(raw, at); got != want {
			t.Fatalf("%s at %d, and then at %d: %+v, want %+v", text, now, at, got, want)
		}
	}
}

func FuzzForms(f *testing.F) { fuzzing.Run(f, checkForms) }
