package reasons

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestKept(t *testing.T) {
	createdAt, metaAt, unknown := Source{Field: "createdAt"}, Source{Field: "meta.at"}, Source{}
	statement := func(id string) string { return Rule(id).Statement() }
	for _, tc := range []struct {
		rule   string
		source Source
		found  policy.Kind
		want   string
	}{
		{"mongo.field-not-date", createdAt, policy.String, "`createdAt` holds a string, not a Date"},
		{"mongo.field-not-date", metaAt, policy.Int64, "`meta.at` holds a number (long), not a Date"},
		{"mongo.field-not-date", createdAt, policy.List, "`createdAt` holds an array without a Date"},
		{"mongo.field-not-date", createdAt, policy.Object, "`createdAt` holds an embedded document, not a Date"},
		{"mongo.field-null", createdAt, policy.Null, "`createdAt` is null"},
		{"mongo.field-null", metaAt, policy.Missing, "`meta.at` leads to null"},
		{"mongo.field-missing", metaAt, policy.Missing, "`meta.at` is missing"},
		{"cosmos.item-unspecified", createdAt, policy.String, "`ttl` holds a string, not a number of seconds"},
		{"cosmos.no-timestamp", createdAt, policy.Missing, "`_ts` is missing, so when they expire is unknown; export the system properties"},
		{"mongo.no-ttl", createdAt, policy.Missing, statement("mongo.no-ttl")},
		{"mongo.date", createdAt, policy.Missing, statement("mongo.date")},
		{"mongo.field-missing", unknown, policy.Missing, statement("mongo.field-missing")},
		{"mongo.filter-mismatch", unknown, policy.Missing, "outside the partial filter"},
	} {
		if got := Kept(Rule(tc.rule), tc.source, tc.found); got != tc.want {
			t.Errorf("Kept(%s, %q, %v) = %q, want %q", tc.rule, tc.source.Field, tc.found, got, tc.want)
		}
	}
	if got := Kept(policy.Rule{}, unknown, policy.Missing); got != "no rule was named" {
		t.Errorf("Kept without a rule = %q", got)
	}
}

// A recorder records the rules by which the reference keeps documents.
type recorder struct {
	conformance.System
	keeps map[string]bool
}

func (r recorder) Ask(q conformance.Question) conformance.Answer {
	answer := r.System.Ask(q)
	var decision struct{ State, Rule string }
	if json.Unmarshal(answer.Out, &decision) == nil && decision.State == policy.Never.String() {
		r.keeps[decision.Rule] = true
	}
	return answer
}

// TestTextsAreComplete: every rule by which the vectors keep a document has a text, and no
// other rule has one.
func TestTextsAreComplete(t *testing.T) {
	r := recorder{library.New(), map[string]bool{}}
	if _, err := suite.Run(suite.Embedded(), r); err != nil {
		t.Fatal(err)
	}
	for id := range r.keeps {
		if TextOf(Rule(id)) == nil {
			t.Errorf("documents are kept by %s, which has no text", id)
		}
	}
	for rule, text := range allTexts() {
		id := rule.ID()
		if malformed := strings.HasSuffix(id, ".malformed"); !malformed && !r.keeps[id] && text.Items == nil {
			t.Errorf("%s has a text, and no vector keeps a document by it", id)
		}
	}
}

// UnmarshalText reads "absent" or "not a date".
func (l *Lack) UnmarshalText(name []byte) error {
	switch string(name) {
	case "absent":
		*l = Absent
	case "not a date":
		*l = NotDate
	default:
		return fmt.Errorf(`%q is neither "absent" nor "not a date"`, name)
	}
	return nil
}

// TestTextsHaveNoOtherFields: texts.json has known fields only, because a misspelt name
// would leave a text out. textOf reads the same texts as encoding/json.
func TestTextsHaveNoOtherFields(t *testing.T) {
	d := json.NewDecoder(bytes.NewReader(textsJSON))
	d.DisallowUnknownFields()
	var byID map[string]*Text
	if err := d.Decode(&byID); err != nil {
		t.Error(err)
	}
	for id, text := range byID {
		if diff := cmp.Diff(text, TextOf(Rule(id))); diff != "" {
			t.Errorf("%s (-encoding/json +textOf):\n%s", id, diff)
		}
	}
	kinds := map[string]bool{}
	for k := range 256 {
		kinds[policy.Kind(k).String()] = true
	}
	delete(kinds, "invalid")
	faults := []Fault{AnyTTL, NullTTL, ZeroTTL, NegativeTTL, StringTTL, FractionTTL, OtherTTL, HugeTTL, UnlikelyTTL}
	for id, text := range byID {
		for f := range text.Items {
			if !slices.Contains(faults, f) {
				t.Errorf("%s: no fault is called %q", id, f)
			}
		}
		for alias := range text.ByKind {
			if !kinds[alias] {
				t.Errorf("%s: no kind is called %q", id, alias)
			}
		}
	}
}

// TestTextsFillTheirPlaceholders: a text that names the kind of a value depends on the kind,
// and no placeholder remains in any text.
func TestTextsFillTheirPlaceholders(t *testing.T) {
	for r, text := range allTexts() {
		if strings.Contains(text.Kept, "{found}") && text.ByKind == nil {
			t.Errorf("%s names what was found, but does not depend on it", r)
		}
		if text.Source != "" && !text.Idle {
			t.Errorf("%s says why a source is idle, and is not a rule of that", r)
		}
		for k := range 256 {
			if got := Kept(r, Source{Field: "f"}, policy.Kind(k)); got == "" || strings.ContainsAny(got, "{}") {
				t.Errorf("Kept(%s, f, %v) = %q", r, policy.Kind(k), got)
			}
		}
		several := []string{text.Documents}
		for item := range maps.Values(text.Items) {
			several = append(several, item.Documents)
		}
		for _, s := range several {
			if one := ForOne(s); s != "" && (!strings.Contains(s, "{n}") || strings.Contains(one, "{n} have") || strings.Contains(one, "they expire")) {
				t.Errorf("%s: %q of one is %q", r, s, one)
			}
		}
	}
}

func TestHolding(t *testing.T) {
	for _, tc := range []struct {
		rule  string
		found policy.Kind
		want  string
	}{
		{"mongo.field-missing", policy.Missing, "missing"},
		{"mongo.array-nested", policy.List, "an array inside an array"},
		{"mongo.field-not-date", policy.List, "an array without a Date"},
		{"mongo.field-not-date", policy.Binary, "binary data"},
	} {
		if got := Holding(Rule(tc.rule), tc.found); got != tc.want {
			t.Errorf("Holding(%s, %v) = %q, want %q", tc.rule, tc.found, got, tc.want)
		}
	}
}

func TestKindName(t *testing.T) {
	for kind, want := range map[policy.Kind]string{
		policy.Missing: "nothing", policy.Int64: "a number (long)", policy.ObjectID: "an ObjectId", policy.Bool: "a boolean",
		policy.String: "a string", policy.Null: "null", policy.List: "an array", policy.Object: "an embedded document",
	} {
		if got := KindName(kind); got != want {
			t.Errorf("KindName(%v) = %q, want %q", kind, got, want)
		}
	}
}

func TestRulePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Rule of an identifier that does not exist returned")
		}
	}()
	Rule("mongo.no-such-rule")
}

func TestKindAt(t *testing.T) {
	for _, tc := range []struct {
		text, path string
		want       policy.Kind
	}{
		{`{"a":"x"}`, "a", policy.String},
		{`{"a":{"b":null}}`, "a.b", policy.Null},
		{`{"a":{"b":1}}`, "a.c", policy.Missing},
		{`{"a":"x"}`, "a.b", policy.Missing},
		{`{"a":[{"b":"x"}]}`, "a.b", policy.List},
		{`{"a":[]}`, "a", policy.List},
	} {
		doc, err := policy.ParseJSON([]byte(tc.text))
		if err != nil {
			t.Fatal(err)
		}
		if got := KindAt(doc, strings.Split(tc.path, ".")); got != tc.want {
			t.Errorf("KindAt(%s, %s) = %v, want %v", tc.text, tc.path, got, tc.want)
		}
	}
}
