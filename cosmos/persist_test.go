package cosmos

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestStoredSettings: settings that compile are the same policy after they were stored, and
// settings in place of them have the same outcome.
func TestStoredSettings(t *testing.T) {
	values := []string{"", `60`, `-1`, `0`, `null`, `2147483648`, `1e400`, `-1e400`, `60.0`, `-0`, `"60"`, `true`, `[1]`, `{"a":1}`, `9223372036854775808`}
	rapid.Check(t, func(t *rapid.T) {
		text := []byte("{")
		for _, member := range []struct {
			name string
			from []string
		}{
			{"defaultTtl", values}, {"analyticalStorageTtl", values}, {"ttlPropertyPath", []string{"", `"/a"`, `"/_ts"`, `"/é\"\\/<b>"`, `null`}},
			{"indexingPolicy", []string{"", `{}`, `{"indexingMode":"lazy"}`, `{"indexingMode":"None"}`, `{"indexingMode":"consistent","indexingMode":"consistent"}`}},
		} {
			for range rapid.SampledFrom([]int{1, 1, 1, 2}).Draw(t, "times") {
				if v := rapid.SampledFrom(member.from).Draw(t, member.name); v != "" {
					text = append(append(text, `"`+member.name+`":`...), v+","...)
				}
			}
		}
		if text[len(text)-1] == ',' {
			text = text[:len(text)-1]
		}
		spec, err := ParseListedContainer(append(text, '}'))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		c, err := CompileContainer(spec)
		if err != nil {
			t.Skip("it does not compile")
		}
		stored, err := json.Marshal(spec)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var again ContainerSpec
		if err := json.Unmarshal(stored, &again); err != nil {
			t.Fatalf("%s: %v", stored, err)
		}
		other, err := CompileContainer(again)
		item := []byte(rapid.SampledFrom([]string{`{"_ts":0}`, `{"_ts":0,"ttl":60}`, `{"_ts":0,"ttl":-1}`, `{"_ts":0,"a":5}`}).Draw(t, "item"))
		if err != nil || other.Fingerprint() != c.Fingerprint() || other.DecideJSON(item, 60_000) != c.DecideJSON(item, 60_000) {
			t.Fatalf("%s is stored as %s, which decides otherwise: %v", text, stored, err)
		}
		next := ContainerSpec{DefaultTTL: policy.Int32Value(5)}
		a, warningsA, errA := c.Replace(next)
		b, warningsB, errB := other.Replace(next)
		if (errA == nil) != (errB == nil) || len(warningsA) != len(warningsB) || a.Fingerprint() != b.Fingerprint() || a.Spec().IndexingMode != b.Spec().IndexingMode {
			t.Fatalf("%s is stored as %s, and replaced otherwise: %v, %v", text, stored, errA, errB)
		}
	})
}

// TestStoredSettingsKeepWhatTheServiceKeeps: lazy is stored as consistent, and an indexing mode
// that is left out keeps the previous one.
func TestStoredSettingsKeepWhatTheServiceKeeps(t *testing.T) {
	var c *Container
	for _, step := range [][2]string{
		{`{"defaultTtl":60,"indexingPolicy":{"indexingMode":"lazy"},"analyticalStorageTtl":-1}`, `{"defaultTtl":60,"indexingPolicy":{"indexingMode":"consistent"},"analyticalStorageTtl":-1}`},
		{`{"id":"c","defaultTtl":-1}`, `{"defaultTtl":-1,"indexingPolicy":{"indexingMode":"consistent"},"analyticalStorageTtl":-1}`},
		{`{}`, `{"indexingPolicy":{"indexingMode":"consistent"},"analyticalStorageTtl":-1}`},
	} {
		var spec ContainerSpec
		if err := json.Unmarshal([]byte(step[0]), &spec); err != nil {
			t.Fatal(err)
		}
		next, _, err := c.Replace(spec)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := json.Marshal(next.Spec()); string(text) != step[1] || err != nil {
			t.Errorf("%s is stored as %s, %v, want %s", step[0], text, err, step[1])
		}
		c = next
	}
	for _, spec := range []ContainerSpec{{DefaultTTL: policy.DateValue(5)}, {TTLPropertyPath: "\xff"}, {Repeated: "other"}, {Repeated: "defaultTtl"}} {
		if text, err := json.Marshal(spec); err == nil {
			t.Errorf("%v is stored as %s", spec, text)
		}
	}
}

// TestStoredItems: each time to live and each timestamp is read back as it was.
func TestStoredItems(t *testing.T) {
	var all []TTL
	for class := ttlAbsent; class < ttlClasses; class++ {
		if class != ttlSeconds {
			all = append(all, TTL{class: class})
		}
	}
	for _, n := range []int64{-2, -1, 0, 1, 60, maxTTL, maxTTL + 1} {
		all = append(all, TTLSeconds(n))
	}
	for _, ttl := range all {
		for _, ts := range []Timestamp{{}, TimestampSeconds(0), TimestampSeconds(-1), TimestampSeconds(1 << 40), TimestampSeconds(-1 << 63), TimestampSeconds(1<<63 - 1)} {
			item := Item{ttl, ts}
			var again Item
			text, err := json.Marshal(item)
			if err == nil {
				err = json.Unmarshal(text, &again)
			}
			if err != nil || again != item {
				t.Errorf("%s is read as %v, %v", text, again, err)
			}
		}
	}
	for _, text := range []string{`{"ttl":"0"}`, `{"ttl":"seconds"}`, `{"ttl":"+1"}`, `{"ttl":""}`, `{"ttl":60}`, `{"ttl":{}}`, `{"ttl":"2147483648"}`, `{"_ts":5}`, `{"_ts":""}`, `{"_ts":"1.5"}`, `{"_ts":"-9223372036854775808"}`, `{"_ts":"05"}`} {
		item := Item{TTLSeconds(5), TimestampSeconds(5)}
		if err := json.Unmarshal([]byte(text), &item); err == nil {
			t.Errorf("%s is read as %v", text, item)
		}
	}
}

// TestMisspeltSettings: a misspelt name in JSON does not turn a policy off, and a setting that
// occurs twice is noted.
func TestMisspeltSettings(t *testing.T) {
	for _, tt := range []struct {
		text string
		into any
	}{
		{`{"defaultTTL":60}`, new(ContainerSpec)}, {`{"defaultTtl":60,"indexingPolicy":{"indexingmode":"none"}}`, new(ContainerSpec)},
		{`{"properties":{"resource":{"defaultTtl":60}}}`, new(ContainerSpec)}, {`{"Key":{"_ts":1},"ExpireAfterSecond":60}`, new(IndexSpec)},
		{`{"key":{"_ts":1},"expireAfterSecs":60}`, new(IndexSpec)}, {`{"Index":[]}`, new(CollectionSpec)}, {`{"Indexes":[{"TTL":5}]}`, new(CollectionSpec)},
	} {
		if err := json.Unmarshal([]byte(tt.text), tt.into); err == nil {
			t.Errorf("%s is read as %+v", tt.text, tt.into)
		}
	}
	var s ContainerSpec
	if err := json.Unmarshal([]byte(`{"id":"a","_etag":"x","defaultTtl":60,"defaultTtl":5}`), &s); err != nil || s.Repeated != "defaultTtl" {
		t.Errorf("a container with two defaults is read as %+v, %v", s, err)
	}
}

func TestItemJSON(t *testing.T) {
	item := Item{TTL: TTLSeconds(60), TS: TimestampSeconds(5)}
	if text, err := json.Marshal(item); string(text) != `{"ttl":"60","_ts":"5"}` || err != nil {
		t.Errorf("%+v is written as %s, %v", item, text, err)
	}
}
