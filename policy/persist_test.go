package policy_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestStoredValues: a value is read back as it was written, or not written.
func TestStoredValues(t *testing.T) {
	values := drawn.Any.Values(3)
	rapid.Check(t, func(t *rapid.T) {
		v := values.Draw(t, "value")
		text, err := json.Marshal(v)
		if err == nil {
			var again policy.Value
			if err := json.Unmarshal(text, &again); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if raw, err := json.Marshal(again); err != nil || !bytes.Equal(raw, text) || again.Kind() != v.Kind() {
				t.Fatalf("%s is read as %s, %v", text, raw, err)
			}
		}
		kind, body, err := v.MarshalBSONValue()
		if err == nil {
			var again policy.Value
			err := again.UnmarshalBSONValue(kind, body)
			clear(body)
			if err != nil || !again.Equal(v) {
				t.Fatalf("%v is read as %v, %v", v, again, err)
			}
		}
	})
}

func TestStoredValueTable(t *testing.T) {
	for _, v := range []policy.Value{
		policy.NullValue(), policy.BoolValue(false), policy.Int32Value(60), policy.Int64Value(60), policy.DoubleValue(60), policy.DateValue(-1), policy.StringValue("<a>"),
		policy.ListValue(policy.A{policy.Int32Value(1)}), policy.ObjectValue(policy.D{{Key: "a", Value: policy.NullValue()}}), policy.BinaryValue(0, []byte{1}),
	} {
		var again policy.Value
		text, err := json.Marshal(v)
		if err == nil {
			err = json.Unmarshal(text, &again)
		}
		if err != nil || !again.Equal(v) {
			t.Errorf("%v is stored as %s, and read as %v, %v", v, text, again, err)
		}
		kind, body, err := v.MarshalBSONValue()
		if err == nil {
			err = again.UnmarshalBSONValue(kind, body)
		}
		if err != nil || !again.Equal(v) {
			t.Errorf("%v is stored as %x, and read as %v, %v", v, body, again, err)
		}
	}
	for _, v := range []policy.Value{
		{}, policy.OpaqueValue(), policy.StringValue("\xff"), policy.ListValue(policy.A{{}}), policy.ObjectValue(policy.Map{"a": 1}),
		policy.ObjectValue(policy.D{{Key: "$date", Value: policy.StringValue("2026-01-01T00:00:00Z")}}), policy.ListValue(policy.A{policy.OpaqueValue()}),
	} {
		if text, err := json.Marshal(v); err == nil {
			t.Errorf("%v is written as %s", v, text)
		}
	}
	for _, v := range []policy.Value{{}, policy.OpaqueValue(), policy.ListValue(policy.A{{}}), policy.ObjectValue(policy.Map{"a": 1})} {
		if kind, body, err := v.MarshalBSONValue(); err == nil {
			t.Errorf("%v is written as %d %x", v, kind, body)
		}
	}
	v := policy.Int32Value(5)
	for _, text := range []string{`{"$date":"x"}`, `{"$oid":5}`} {
		if err := json.Unmarshal([]byte(text), &v); err == nil || !v.Equal(policy.Int32Value(5)) {
			t.Errorf("%s is read as %v, %v", text, v, err)
		}
	}
}

// TestStoredDecisions: a decision is stored with its state, its deadline and its rule.
func TestStoredDecisions(t *testing.T) {
	p, err := mongo.ProfileOf(mongo.Latest())
	if err != nil {
		t.Fatal(err)
	}
	c, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{mongo.TTLIndex("a", 60), mongo.TTLIndex("b", 60)}}, p)
	if err != nil {
		t.Fatal(err)
	}
	k := new(cosmos.Container)
	for _, tt := range []struct {
		d      policy.Decision
		stored string
	}{
		{policy.Decision{}, `{"state":"never"}`},
		{c.Decide(policy.Map{"a": policy.Instant(0)}, 0), `{"state":"pending","deadline":60000,"rule":"mongo.date"}`},
		{c.Decide(policy.Map{"b": policy.Instant(-1)}, 60_000), `{"state":"expired","deadline":59999,"rule":"mongo.date","source":1}`},
		{c.Decide(policy.Map{"a": policy.Instant(-60_000)}, 0), `{"state":"expired","deadline":0,"rule":"mongo.date"}`},
		{c.Decide(policy.Map{}, 0), `{"state":"never","rule":"mongo.field-missing"}`},
		{k.DecideJSON([]byte(`{}`), 0), `{"state":"never","rule":"cosmos.off"}`},
	} {
		text, err := json.Marshal(tt.d)
		if string(text) != tt.stored || err != nil {
			t.Errorf("%s is stored as %s, %v, want %s", tt.d, text, err, tt.stored)
		}
		var again policy.Decision
		if err := json.Unmarshal(text, &again); err != nil || again != tt.d {
			t.Errorf("%s is read as %s, %v", text, again, err)
		}
	}
	for _, text := range []string{
		`{}`, `null`, `"never"`, `{"state":"gone"}`, `{"state":"never","deadline":5}`, `{"state":"pending","rule":"mongo.date"}`, `{"state":"pending","deadline":5}`,
		`{"state":"expired","deadline":"x","rule":"mongo.date"}`, `{"state":"never","source":-1}`,
	} {
		d := policy.Decision{Source: 7}
		if err := json.Unmarshal([]byte(text), &d); err == nil || d != (policy.Decision{Source: 7}) {
			t.Errorf("%s is read as %s, %v", text, d, err)
		}
	}
	if err := json.Unmarshal([]byte(`{"state":"never","rule":"mongo.unheard-of"}`), new(policy.Decision)); err == nil || !strings.Contains(err.Error(), "no such rule") {
		t.Errorf("an unknown rule: %v, want one that says no such rule", err)
	}
	if _, err := json.Marshal(policy.Decision{State: 9}); err == nil {
		t.Error("a State that does not exist is stored")
	}
}

// FuzzStoredDecision: a text that is read as a decision is that of the decision.
func FuzzStoredDecision(f *testing.F) {
	for _, seed := range []string{`{"state":"expired","deadline":-5,"rule":"mongo.date","source":1}`, `{"state":"never"}`, `{"STATE":"never","state":"pending"}`, `null`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var d, again policy.Decision
		if json.Unmarshal(text, &d) != nil {
			return
		}
		written, err := json.Marshal(d)
		if err == nil {
			err = json.Unmarshal(written, &again)
		}
		if err != nil || again != d {
			t.Errorf("%q is read as %v, and written as %q: %v", text, d, written, err)
		}
	})
}

// TestLoggedDecisions: log/slog writes the parts of a decision, each with its name.
func TestLoggedDecisions(t *testing.T) {
	r, _ := valuefunc.F.RuleByID("mongo.date")
	d := policy.DecisionOf(policy.Expired, 0, r)
	d.Source = 2
	onlyDecision := &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) > 0 {
			return a
		}
		return slog.Attr{}
	}}
	for _, tt := range []struct {
		logged           any
		asText, asObject string
	}{
		{d, `d.state=expired d.deadline=1970-01-01T00:00:00.000Z d.rule=mongo.date d.source=2`,
			`{"d":{"state":"expired","deadline":"1970-01-01T00:00:00.000Z","rule":"mongo.date","source":"2"}}`},
		{&d, `d.state=expired d.deadline=1970-01-01T00:00:00.000Z d.rule=mongo.date d.source=2`,
			`{"d":{"state":"expired","deadline":"1970-01-01T00:00:00.000Z","rule":"mongo.date","source":"2"}}`},
		{policy.Decision{}, `d.state=never`, `{"d":{"state":"never"}}`},
	} {
		var text, object bytes.Buffer
		slog.New(slog.NewTextHandler(&text, onlyDecision)).Info("", "d", tt.logged)
		slog.New(slog.NewJSONHandler(&object, onlyDecision)).Info("", "d", tt.logged)
		if strings.TrimSpace(text.String()) != tt.asText || strings.TrimSpace(object.String()) != tt.asObject {
			t.Errorf("%v is logged as %s and %s, want %s and %s", tt.logged, &text, &object, tt.asText, tt.asObject)
		}
	}
}
