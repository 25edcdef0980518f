package cosmos

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestStamp(t *testing.T) {
	for _, tt := range []struct {
		item, want string
		at         policy.Instant
	}{
		{`{}`, `{"_ts":7}`, 7999},
		{"\n{ \t} ", "{ \t\"_ts\":7}", 7000},
		{`{"id":"a"}`, `{"id":"a","_ts":7}`, 7000},
		{`{"id":"a" }`, `{"id":"a" ,"_ts":7}`, 7000},
		{`{"_ts":5,"id":"a"}`, `{"_ts":7,"id":"a"}`, 7000},
		{`{"id":"a", "_ts" : "x\"}" , "ttl":1e1}`, `{"id":"a", "_ts" : 7 , "ttl":1e1}`, 7000},
		{`{"\u005fts":[1,{"_ts":2}]}`, `{"\u005fts":7}`, 7000},
		{`{"in":{"_ts":5}}`, `{"in":{"_ts":5},"_ts":7}`, 7000},
		{`{"ttl":1,"ttl":2}`, `{"ttl":1,"ttl":2,"_ts":7}`, 7000}, // ValidateItem names it
		{`{}`, `{"_ts":-1}`, -1},
		{`{}`, `{"_ts":9223372036854775}`, policy.MaxInstant},
	} {
		got, err := Stamp([]byte("before "), []byte(tt.item), tt.at)
		if string(got) != "before "+tt.want || err != nil {
			t.Errorf("Stamp(%s, %d) = %s, %v, want %s", tt.item, tt.at, got, err, tt.want)
		}
	}
	for _, item := range []string{``, `[]`, `{"_ts":5}{}`, `{"_ts":5`, `null`, strings.Repeat(`{"a":`, 1000), `{"_ts":05}`} {
		got, err := Stamp([]byte("before"), []byte(item), 0)
		if !errors.As(err, new(*policy.SyntaxError)) || string(got) != "before" {
			t.Errorf("Stamp(%.20s) = %q, %v, want a syntax error", item, got, err)
		}
	}
	for _, item := range []string{`{"_ts":5,"_ts":6}`, `{"_ts":5,"id":1,"\u005f\u0074s":6}`} {
		got, err := Stamp(nil, []byte(item), 0)
		var twice *SpecError
		if !errors.As(err, &twice) || twice.Field != "_ts" || !errors.Is(err, policy.ErrUnspecified) || got != nil {
			t.Errorf("Stamp(%s) = %q, %v, want an error about _ts", item, got, err)
		}
	}
}

// TestStampedItemExpires: an item that carries an old _ts counts from the write.
func TestStampedItemExpires(t *testing.T) {
	c := container(t, `{"defaultTtl":60}`)
	for _, item := range []string{`{"id":"a"}`, `{"_ts":5,"id":"a"}`, `{"id":"a","_ts":99999999999}`, `{"id":"a","_ts":"x"}`} {
		stamped, err := Stamp(nil, []byte(item), 1_000_900)
		if err != nil {
			t.Fatal(err)
		}
		if deadline, ok := c.DecideJSON(stamped, 0).Deadline(); !ok || deadline != 1_060_000 {
			t.Errorf("%s expires at %v, want 1060000", stamped, deadline)
		}
	}
}

func FuzzStamp(f *testing.F) {
	for _, seed := range []string{`{}`, `{"_ts":5}`, ` {"\u005fts" : [1] , "a":{"_ts":"\\"}} `, `{"_ts":1,"_ts":2}`, `{"a":"}"`} {
		f.Add([]byte(seed), int64(1_700_000_000_500))
	}
	f.Fuzz(func(t *testing.T, item []byte, at int64) { checkStamp(t, item, policy.Instant(at)) })
}

// checkStamp compares Stamp with encoding/json: the members are those of item, with _ts.
func checkStamp(t interface{ Errorf(string, ...any) }, item []byte, at policy.Instant) {
	before := bytes.Clone(item)
	got, err := Stamp(nil, item, at)
	if !bytes.Equal(item, before) {
		t.Errorf("Stamp changes the item %q to %q", before, item)
	}
	parsed, wrong := policy.ParseJSON(item)
	repeated := wrong == nil && isRepeated(parsed.Value(), "_ts")
	if (err != nil) != (wrong != nil || repeated) {
		t.Errorf("Stamp(%q) = %v; ParseJSON: %v, twice: %t", item, err, wrong, repeated)
	}
	if err != nil {
		return
	}
	var had, has map[string]json.RawMessage
	if json.Unmarshal(item, &had) != nil || json.Unmarshal(got, &has) != nil {
		t.Errorf("Stamp(%q) = %q, which encoding/json refuses", item, got)
		return
	}
	second, _ := TimestampAt(at).Seconds()
	var stamped int64
	if json.Unmarshal(has["_ts"], &stamped) != nil || stamped != second {
		t.Errorf("Stamp(%q) has _ts %s, want %d", item, has["_ts"], second)
	}
	maps.DeleteFunc(had, func(name string, _ json.RawMessage) bool { return name == "_ts" })
	delete(has, "_ts")
	if !reflect.DeepEqual(had, has) {
		t.Errorf("Stamp(%q) = %q: other members differ", item, got)
	}
	if again, err := Stamp(nil, got, at); err != nil || !bytes.Equal(again, got) {
		t.Errorf("Stamp of the stamped %q = %q, %v", got, again, err)
	}
}

func TestStampDrawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		item := rapid.SampledFrom([]string{
			`{%}`, `{"a":1,%}`, `{%,"a":{"_ts":1}}`, ` { "a" : [ { } ] , % } `, `{%,%}`, `{"s":"_ts\":1",%}`,
		}).Draw(t, "shape")
		member := rapid.SampledFrom([]string{`"_ts":5`, `"_ts" : null`, `"\u005Fts":"}\""`, `"b":2`, `"_Ts":3`}).Draw(t, "member")
		checkStamp(t, []byte(strings.ReplaceAll(item, "%", member)), policy.Instant(rapid.Int64().Draw(t, "at")))
	})
}
