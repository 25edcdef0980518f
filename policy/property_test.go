package policy

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/base/draw"
)

func TestRoundTripExtJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := DrawnValues(3).Draw(t, "value")
		text := AppendExtJSON(nil, v)
		if !json.Valid(text) {
			t.Fatalf("AppendExtJSON(%s) = %s, want valid JSON", show(v), text)
		}
		got, err := ParseExtJSON(text)
		if err != nil || !identical(got, v) {
			t.Fatalf("ParseExtJSON(%s) = %s, %v, want %s", text, show(got), err, show(v))
		}
		if again := AppendExtJSON(nil, got); string(again) != string(text) {
			t.Fatalf("AppendExtJSON of the BSON of %s = %s", text, again)
		}
	})
}

func TestRoundTripBSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := DrawnDocuments(3).Draw(t, "document")
		b, err := AppendBSON([]byte("before"), ObjectValue(d))
		if err != nil {
			t.Fatalf("AppendBSON(%s): %v", show(ObjectValue(d)), err)
		}
		raw, err := ParseBSON(b[len("before"):])
		if err != nil || !identical(raw.Value(), ObjectValue(d)) {
			t.Fatalf("ParseBSON(AppendBSON(%s)) = %s, %v", show(ObjectValue(d)), show(raw.Value()), err)
		}
		for _, field := range d {
			if got, want := raw.Field(field.Key), d.Field(field.Key); !identical(got, want) {
				t.Fatalf("Field(%q) of %s = %s, want %s", field.Key, show(raw.Value()), show(got), show(want))
			}
		}
	})
}

// TestPropertyRawTextIsTheText: a string in raw BSON behaves like the same string in
// memory.
func TestPropertyRawTextIsTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Map(draw.Texts, StringValue).Draw(t, "value")
		if rapid.Bool().Draw(t, "code") {
			v = hidden.CodeWithScopeValue(draw.Texts.Draw(t, "text"), D{{"a", v}})
		}
		b, err := AppendBSON(nil, ObjectValue(D{{"f", v}}))
		if err != nil {
			t.Fatal(err)
		}
		raw := rawField(b, "f")
		text, _ := v.AsString()
		other := draw.Texts.Draw(t, "other")
		if got, ok := raw.AsString(); got != text || !ok {
			t.Fatalf("AsString() = %q, %t, want %q", got, ok, text)
		}
		if got, want := hidden.CompareText(raw, StringValue(other)), strings.Compare(text, other); got != want || hidden.CompareText(v, StringValue(other)) != want {
			t.Fatalf("CompareText of %q and %q = %d raw, %d in memory, want %d", text, other, got, hidden.CompareText(v, StringValue(other)), want)
		}
	})
}

// TestPropertyInstantAdd compares Add with integers of unlimited size.
func TestPropertyInstantAdd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i, s := Instant(draw.Milliseconds.Draw(t, "instant")), rapid.Int32().Draw(t, "seconds")
		want := big.NewInt(int64(s))
		want.Mul(want, big.NewInt(1000)).Add(want, big.NewInt(int64(i)))
		got, ok := i.Add(s)
		if ok != want.IsInt64() || ok && int64(got) != want.Int64() {
			t.Fatalf("(%d).Add(%d) = %d, %t, want %d", i, s, got, ok, want)
		}
	})
}

func TestRoundTripInstantTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i := Instant(draw.Milliseconds.Draw(t, "instant"))
		if got := InstantOf(i.Time()); got != i {
			t.Fatalf("InstantOf(Time of %d) = %d", i, got)
		}
		if text := i.String(); !strings.HasSuffix(text, "ms") {
			if got, err := parseDate([]byte(text)); got != i || err != nil {
				t.Fatalf("the date %s of %d reads as %d, %v", text, i, got, err)
			}
		}
	})
}

// TestLawOfAt: At returns the decision that the evaluator makes at that
// instant, and an expired document stays expired.
func TestLawOfAt(t *testing.T) {
	rule := NewRule("test.date", "")
	rapid.Check(t, func(t *rapid.T) {
		instants := rapid.Map(draw.Milliseconds, func(n int64) Instant { return Instant(n) })
		deadline, now, then := instants.Draw(t, "deadline"), instants.Draw(t, "now"), instants.Draw(t, "then")
		if rapid.Bool().Draw(t, "on the deadline") {
			then = deadline
		}
		decide := func(now Instant) Decision { return DecisionOf(Pending, deadline, rule).At(now) }
		if rapid.IntRange(0, 3).Draw(t, "kept") == 0 {
			decide = func(Instant) Decision { return Decision{Rule: rule} }
		}
		got, want := decide(now).At(then), decide(then)
		if got != want {
			t.Fatalf("decided at %d, judged at %d: %+v, want %+v", now, then, got, want)
		}
		if got.State != Never && (got.State == Expired) != (deadline <= then) {
			t.Fatalf("deadline %d at %d is %s", deadline, then, got.State)
		}
		if later := max(then, now); got.State == Expired && got.At(later).State != Expired {
			t.Fatalf("expired at %d, %s at %d", then, got.At(later).State, later)
		}
	})
}
