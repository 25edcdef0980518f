package cosmos

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

func spec(t testing.TB, json string) ContainerSpec {
	t.Helper()
	s, err := ParseListedContainer([]byte(json))
	if err != nil {
		t.Fatalf("ParseListedContainer(%s): %v", json, err)
	}
	return s
}

func jsonItem(t testing.TB, text string) *policy.JSON {
	t.Helper()
	j, err := policy.ParseJSON([]byte(text))
	if err != nil {
		t.Fatalf("ParseJSON(%s): %v", text, err)
	}
	return &j
}

// outcome writes an error as a vector does: "ok", "400 rule" or "unspecified rule".
func outcome(t testing.TB, err error) string {
	t.Helper()
	if err == nil {
		return "ok"
	}
	var refused *SpecError
	switch {
	case !errors.As(err, &refused) || refused.Field == "" || refused.Reason == "":
		t.Fatalf("%v is no SpecError with a field and a reason", err)
	case errors.Is(err, policy.ErrUnspecified):
		return "unspecified " + refused.Rule.String()
	case refused.Status == badRequest:
		return "400 " + refused.Rule.String()
	case refused.Code == badValue:
		return "2 " + refused.Rule.String()
	case refused.Code == indexOptionsConflict:
		return "85 " + refused.Rule.String()
	}
	return "refused " + refused.Rule.String()
}

func TestValidateContainer(t *testing.T) {
	var (
		refused     = "400 " + ruleDefaultRefused.ID()
		outside     = "400 " + ruleDefaultRange.ID()
		unspecified = "unspecified " + ruleDefaultUnspecified.ID()
	)
	tests := []struct{ why, container, want string }{
		{"off", `{}`, "ok"},
		{"on without a default", `{"defaultTtl":-1}`, "ok"},
		{"the shortest", `{"defaultTtl":1}`, "ok"},
		{"the longest", `{"defaultTtl":2147483647}`, "ok"},
		{"one too long", `{"defaultTtl":2147483648}`, outside},
		{"beyond 64 bits", `{"defaultTtl":99999999999999999999}`, outside},
		{"zero", `{"defaultTtl":0}`, refused},
		{"-2", `{"defaultTtl":-2}`, refused},
		{"-10", `{"defaultTtl":-10}`, refused},
		{"null written out", `{"defaultTtl":null}`, refused},
		{"a string", `{"defaultTtl":"10"}`, unspecified},
		{"a boolean", `{"defaultTtl":true}`, unspecified},
		{"a fraction", `{"defaultTtl":1.5}`, unspecified},
		{"a whole number written as a fraction", `{"defaultTtl":20.0}`, unspecified},
		{"an object", `{"defaultTtl":{}}`, unspecified},
		{"zero, written as a fraction", `{"defaultTtl":0.0}`, outside},
		{"-1, written as a fraction", `{"defaultTtl":-1.0}`, unspecified},
		{"-1.5, which may be cut to -1", `{"defaultTtl":-1.5}`, unspecified},
		{"-2.5", `{"defaultTtl":-2.5}`, outside},
		{"the longest and a half", `{"defaultTtl":2147483647.5}`, unspecified},
		{"other names", `{"defaultTTL":0,"DefaultTimeToLive":0,"ttl":0}`, "ok"},
		{"unspecified, but refused with no index", `{"defaultTtl":"10","indexingPolicy":{"indexingMode":"none"}}`, "400 " + ruleIndexingNone.ID()},
		{"unspecified, but the path needs one", `{"ttlPropertyPath":"/at","analyticalStorageTtl":-2}`, "400 " + rulePathWithoutDefault.ID()},
		{"unspecified twice", `{"defaultTtl":"10","analyticalStorageTtl":-2}`, unspecified},
		{"a policy without a mode", `{"defaultTtl":10,"indexingPolicy":{"automatic":true}}`, "ok"},
		{"no index", `{"defaultTtl":10,"indexingPolicy":{"indexingMode":"none"}}`, "400 " + ruleIndexingNone.ID()},
		{"no index, no default", `{"defaultTtl":-1,"indexingPolicy":{"indexingMode":"None"}}`, "400 " + ruleIndexingNone.ID()},
		{"no index, off", `{"indexingPolicy":{"indexingMode":"none"}}`, "ok"},
		{"an index of nothing", `{"defaultTtl":10,"indexingPolicy":{"indexingMode":"consistent","excludedPaths":[{"path":"/*"}]}}`, "ok"},
		{"the value before the index", `{"defaultTtl":0,"indexingPolicy":{"indexingMode":"none"}}`, refused},
		{"a path", `{"defaultTtl":10,"ttlPropertyPath":"/at"}`, "ok"},
		{"a path alone", `{"ttlPropertyPath":"/at"}`, "400 " + rulePathWithoutDefault.ID()},
		{"no path", `{"ttlPropertyPath":null}`, "ok"},
		{"a path that is not one", `{"defaultTtl":10,"ttlPropertyPath":"at"}`, "unspecified " + rulePathUnspecified.ID()},
		{"a path that is not one, alone", `{"ttlPropertyPath":"at"}`, "400 " + rulePathWithoutDefault.ID()},
		{"a path, on without a default", `{"defaultTtl":-1,"ttlPropertyPath":"/a/b"}`, "ok"},
		{"analytical without limit", `{"analyticalStorageTtl":-1}`, "ok"},
		{"analytical off", `{"analyticalStorageTtl":0}`, "ok"},
		{"analytical null", `{"analyticalStorageTtl":null}`, "ok"},
		{"analytical seconds, less than the default", `{"defaultTtl":100,"analyticalStorageTtl":1}`, "ok"},
		{"analytical, too long", `{"analyticalStorageTtl":2147483648}`, "unspecified " + ruleAnalyticalUnspecified.ID()},
		{"analytical, -2", `{"analyticalStorageTtl":-2}`, "unspecified " + ruleAnalyticalUnspecified.ID()},
	}
	for _, tt := range tests {
		_, warnings, err := ValidateContainer(spec(t, tt.container), nil)
		if got := outcome(t, err); got != tt.want || len(warnings) != 0 {
			t.Errorf("%s: ValidateContainer(%s) = %v, %s, want %s", tt.why, tt.container, warnings, got, tt.want)
		}
	}
}

func TestValidateContainerWarnsOfLazy(t *testing.T) {
	for _, container := range []string{`{"indexingPolicy":{"indexingMode":"lazy"}}`, `{"defaultTtl":5,"indexingPolicy":{"indexingMode":"Lazy"}}`} {
		_, warnings, err := ValidateContainer(spec(t, container), nil)
		if err != nil || len(warnings) != 1 || warnings[0].Rule != ruleIndexingLazy || warnings[0].Text == "" {
			t.Errorf("ValidateContainer(%s) = %v, %v, want a warning of %s", container, warnings, err, ruleIndexingLazy)
		}
	}
}

func TestValidateContainerReplace(t *testing.T) {
	tests := []struct{ why, previous, container, want string }{
		{"TTL on where there is no index", `{"indexingPolicy":{"indexingMode":"none"}}`, `{"defaultTtl":5,"indexingPolicy":{"indexingMode":"none"}}`, "400 " + ruleIndexingNone.ID()},
		{"no index where TTL is on", `{"defaultTtl":5}`, `{"defaultTtl":5,"indexingPolicy":{"indexingMode":"none"}}`, "400 " + ruleIndexingNone.ID()},
		{"both at once", `{"defaultTtl":5}`, `{"indexingPolicy":{"indexingMode":"none"}}`, "ok"},
		{"TTL on where there is no index, the mode left out", `{"indexingPolicy":{"indexingMode":"none"}}`, `{"defaultTtl":5}`, "unspecified " + ruleIndexingLeftOut.ID()},
		{"a policy without a mode", `{"indexingPolicy":{"indexingMode":"none"}}`, `{"defaultTtl":5,"indexingPolicy":{"automatic":true}}`, "unspecified " + ruleIndexingLeftOut.ID()},
		{"off, the mode left out", `{"indexingPolicy":{"indexingMode":"none"}}`, `{}`, "ok"},
		{"TTL on where there is an index, the mode left out", `{"indexingPolicy":{"indexingMode":"consistent"}}`, `{"defaultTtl":5}`, "ok"},
		{"0, the mode left out", `{"indexingPolicy":{"indexingMode":"none"}}`, `{"defaultTtl":0}`, "400 " + ruleDefaultRefused.ID()},
		{"TTL on along with an index", `{"indexingPolicy":{"indexingMode":"none"}}`, `{"defaultTtl":5,"indexingPolicy":{"indexingMode":"consistent"}}`, "ok"},
		{"off", `{"defaultTtl":5}`, `{}`, "ok"},
		{"off by null", `{"defaultTtl":5}`, `{"defaultTtl":null}`, "400 " + ruleDefaultRefused.ID()},
		{"on", `{}`, `{"defaultTtl":-1}`, "ok"},
		{"another value", `{"defaultTtl":500}`, `{"defaultTtl":1000}`, "ok"},
		{"what cannot be before", `{"defaultTtl":0}`, `{"defaultTtl":1}`, "ok"},
		{"the path comes", `{"defaultTtl":5}`, `{"defaultTtl":5,"ttlPropertyPath":"/at"}`, "ok"},
		{"the analytical store comes", `{}`, `{"analyticalStorageTtl":60}`, "ok"},
		{"the analytical store's null", `{"analyticalStorageTtl":60}`, `{"analyticalStorageTtl":null}`, "unspecified " + ruleAnalyticalNullUnspecified.ID()},
		{"null for an analytical store that is off", `{"analyticalStorageTtl":0}`, `{"analyticalStorageTtl":null}`, "ok"},
		{"the path goes", `{"defaultTtl":5,"ttlPropertyPath":"/at"}`, `{"defaultTtl":5}`, "ok"},
		{"the path stays, the default goes", `{"defaultTtl":5,"ttlPropertyPath":"/at"}`, `{"ttlPropertyPath":"/at"}`, "400 " + rulePathWithoutDefault.ID()},
		{"the analytical store stays", `{"analyticalStorageTtl":-1}`, `{}`, "ok"},
		{"the analytical store is to go", `{"analyticalStorageTtl":-1}`, `{"analyticalStorageTtl":0}`, "unspecified " + ruleAnalyticalDisableUnspecified.ID()},
		{"an analytical store that is off stays off", `{"analyticalStorageTtl":0}`, `{"analyticalStorageTtl":0}`, "ok"},
	}
	for _, tt := range tests {
		previous := spec(t, tt.previous)
		_, _, err := ValidateContainer(spec(t, tt.container), &previous)
		if got := outcome(t, err); got != tt.want {
			t.Errorf("%s: %s after %s = %s, want %s", tt.why, tt.container, tt.previous, got, tt.want)
		}
	}
}

func TestValidateItem(t *testing.T) {
	var (
		refused     = "400 " + ruleItemRefused.ID()
		outside     = "400 " + ruleItemRange.ID()
		zero        = "400 " + ruleItemZero.ID()
		unspecified = "unspecified " + ruleItemTypeUnspecified.ID()
		off         = "unspecified " + ruleItemOffUnspecified.ID()
	)
	tests := []struct{ why, item, on, off string }{
		{"absent", `{"id":"1"}`, "ok", "ok"},
		{"never", `{"ttl":-1}`, "ok", "ok"},
		{"the shortest", `{"ttl":1}`, "ok", "ok"},
		{"the longest", `{"ttl":2147483647}`, "ok", "ok"},
		{"one too long", `{"ttl":2147483648}`, outside, off},
		{"the longest, written as a fraction", `{"ttl":2147483647.0}`, unspecified, off},
		{"far too long", `{"ttl":1e300}`, outside, off},
		{"zero", `{"ttl":0}`, zero, off},
		{"zero, with a sign", `{"ttl":-0}`, zero, off},
		{"zero, written as a fraction", `{"ttl":0.0}`, zero, off},
		{"-1.5, which may be cut to -1", `{"ttl":-1.5}`, unspecified, off},
		{"-1, written as a fraction", `{"ttl":-1.0}`, unspecified, off},
		{"-2, written as a fraction", `{"ttl":-2.0}`, outside, off},
		{"the longest and a half", `{"ttl":2147483647.5}`, unspecified, off},
		{"one too long, written as a fraction", `{"ttl":2147483648.0}`, outside, off},
		{"a boolean", `{"ttl":false}`, unspecified, off},
		{"an object", `{"ttl":{}}`, unspecified, off},
		{"a string of nothing", `{"ttl":""}`, unspecified, off},
		{"beyond every double", `{"ttl":1e1000000000}`, outside, off},
		{"-2", `{"ttl":-2}`, refused, off},
		{"below 64 bits", `{"ttl":-99999999999999999999}`, outside, off},
		{"null", `{"ttl":null}`, refused, off},
		{"a string", `{"ttl":"20"}`, unspecified, off},
		{"a fraction", `{"ttl":20.5}`, unspecified, off},
		{"a fraction below zero", `{"ttl":-0.5}`, unspecified, off},
		{"a whole number written as a fraction", `{"ttl":20.0}`, unspecified, off},
		{"an array", `{"ttl":[20]}`, unspecified, off},
		{"other names", `{"TTL":0,"_ttl":0,"TimeToLive":0,"a":{"ttl":0}}`, "ok", "ok"},
		{"the name with an escape", `{"\u0074tl":0}`, zero, off},
		{"the name with an escape, and without", `{"\u0074tl":5,"ttl":5}`, "unspecified " + ruleDuplicateUnspecified.ID(), "unspecified " + ruleDuplicateUnspecified.ID()},
		{"twice", `{"ttl":5,"ttl":5}`, "unspecified " + ruleDuplicateUnspecified.ID(), "unspecified " + ruleDuplicateUnspecified.ID()},
	}
	for _, tt := range tests {
		for container, want := range map[string]string{`{}`: tt.off, `{"defaultTtl":null}`: tt.off, `{"defaultTtl":-1}`: tt.on, `{"defaultTtl":10}`: tt.on} {
			if got := outcome(t, ValidateItem(spec(t, container), jsonItem(t, tt.item))); got != want {
				t.Errorf("%s: ValidateItem(%s, %s) = %s, want %s", tt.why, container, tt.item, got, want)
			}
		}
	}
	if got := outcome(t, ValidateItem(spec(t, `{"defaultTtl":5}`), *jsonItem(t, `{"ttl":5,"ttl":6}`))); got != "unspecified "+ruleDuplicateUnspecified.ID() {
		t.Errorf("twice, by value: %s, want unspecified", got)
	}
	if got := outcome(t, ValidateItem(spec(t, `{"defaultTtl":5}`), nil)); got != "ok" {
		t.Errorf("no item: %s, want ok, as for one without properties", got)
	}
	for _, settings := range []string{`{"defaultTtl":0}`, `{"defaultTtl":5,"indexingPolicy":{"indexingMode":"none"}}`} {
		if got := outcome(t, ValidateItem(spec(t, settings), jsonItem(t, `{}`))); got != "unspecified "+ruleContainerUnspecified.ID() {
			t.Errorf("in a container that cannot be, %s: %s, want unspecified", settings, got)
		}
	}
}

// TestValidateContainerWarnsOfChanges: only a change of TTL under a lazy index has a
// warning.
func TestValidateContainerWarnsOfChanges(t *testing.T) {
	const lazy = `,"indexingPolicy":{"indexingMode":"lazy"}}`
	tests := []struct {
		why, previous, container string
		want                     []policy.Rule
	}{
		{"switched on", `{"id":"c"` + lazy, `{"defaultTtl":5` + lazy, []policy.Rule{ruleIndexingLazy, ruleIndexingRebuild}},
		{"the mode left out", `{"id":"c"` + lazy, `{"defaultTtl":5}`, []policy.Rule{ruleIndexingLazy, ruleIndexingRebuild}},
		{"off lazy", `{"defaultTtl":6` + lazy, `{"defaultTtl":5,"indexingPolicy":{"indexingMode":"consistent"}}`, []policy.Rule{ruleIndexingRebuild}},
		{"the same", `{"defaultTtl":5` + lazy, `{"defaultTtl":5` + lazy, []policy.Rule{ruleIndexingLazy}},
		{"consistent", `{}`, `{"defaultTtl":5}`, nil},
	}
	for _, tt := range tests {
		previous := spec(t, tt.previous)
		_, warnings, err := ValidateContainer(spec(t, tt.container), &previous)
		var got []policy.Rule
		for _, w := range warnings {
			got = append(got, w.Rule)
		}
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: warnings of %v, %v, want %v", tt.why, got, err, tt.want)
		}
	}
}

// TestValidateContainerStores: an update keeps the settings that it leaves out, and
// stores lazy as consistent.
func TestValidateContainerStores(t *testing.T) {
	tests := []struct{ why, previous, container, want string }{
		{"all is said", `{"defaultTtl":5}`, `{"defaultTtl":-1,"ttlPropertyPath":"/a"}`, `{"defaultTtl":-1,"ttlPropertyPath":"/a"}`},
		{"the default and the path go", `{"defaultTtl":5,"ttlPropertyPath":"/a"}`, `{}`, `{}`},
		{"the mode stays", `{"indexingPolicy":{"indexingMode":"none"}}`, `{}`, `{"indexingPolicy":{"indexingMode":"none"}}`},
		{"the mode changes", `{"indexingPolicy":{"indexingMode":"none"}}`, `{"indexingPolicy":{"indexingMode":"consistent"}}`, `{"indexingPolicy":{"indexingMode":"consistent"}}`},
		{"lazy", `{}`, `{"indexingPolicy":{"indexingMode":"Lazy"}}`, `{"indexingPolicy":{"indexingMode":"consistent"}}`},
		{"the analytical store stays", `{"analyticalStorageTtl":60}`, `{}`, `{"analyticalStorageTtl":60}`},
		{"off stays off", `{"analyticalStorageTtl":0}`, `{"analyticalStorageTtl":null}`, `{"analyticalStorageTtl":0}`},
		{"the analytical store changes", `{"analyticalStorageTtl":60}`, `{"analyticalStorageTtl":-1}`, `{"analyticalStorageTtl":-1}`},
	}
	for _, tt := range tests {
		previous := spec(t, tt.previous)
		stored, _, err := ValidateContainer(spec(t, tt.container), &previous)
		if want := spec(t, tt.want); err != nil || !reflect.DeepEqual(stored, want) {
			t.Errorf("%s: %s in place of %s is stored as %+v, %v, want %+v", tt.why, tt.container, tt.previous, stored, err, want)
		}
	}
	if stored, warnings, err := ValidateContainer(spec(t, `{"defaultTtl":0,"analyticalStorageTtl":5}`), nil); err == nil || !reflect.ValueOf(stored).IsZero() || warnings != nil {
		t.Errorf("ValidateContainer of what is refused = %+v, %v, %v, want nothing", stored, warnings, err)
	}
}

// TestValidateReason: a reason is the service's text, as reports quote it, or says that
// it is not the service's text.
func TestValidateReason(t *testing.T) {
	const rest = "is invalid. Ensure to provide a nonzero positive integer less than or equal to '2147483647', or '-1' which means never expire."
	const ours = rest + " (the service's own words are not known)"
	_, _, path := ValidateContainer(spec(t, `{"ttlPropertyPath":"/at"}`), nil)
	_, _, null := ValidateContainer(spec(t, `{"defaultTtl":null}`), nil)
	_, _, container := ValidateContainer(spec(t, `{"defaultTtl":0}`), nil)
	_, _, indexing := ValidateContainer(spec(t, `{"defaultTtl":5,"indexingPolicy":{"indexingMode":"none"}}`), nil)
	for err, want := range map[error]string{
		container: "The input defaultTtl '0' " + rest,
		null:      "The input defaultTtl 'null' " + ours,
		path:      "ttlPropertyPath needs a defaultTtl (the service's own words are not known)",
		indexing:  "Indexing mode value cannot be 'none' when 'defaultTtl' is specified in the collection",
		ValidateItem(spec(t, `{"defaultTtl":5}`), jsonItem(t, `{"ttl":0}`)):                       "The input ttl '0' " + rest,
		ValidateItem(spec(t, `{"defaultTtl":5}`), jsonItem(t, `{"ttl":null}`)):                    "The input ttl 'null' " + rest,
		ValidateItem(spec(t, `{"defaultTtl":5}`), jsonItem(t, `{"ttl":0.0}`)):                     "The input ttl '0' " + ours,
		ValidateItem(spec(t, `{"defaultTtl":5}`), jsonItem(t, `{"ttl":-10}`)):                     "The input ttl '-10' " + ours,
		ValidateItem(spec(t, `{"defaultTtl":5}`), jsonItem(t, `{"ttl":9223372036854775807}`)):     "The input ttl '9223372036854775807' " + ours,
		ValidateItem(spec(t, `{"defaultTtl":5}`), jsonItem(t, `{"ttl":10000000000000000000000}`)): "The input ttl '1e+22' " + ours,
	} {
		if refused, ok := err.(*SpecError); !ok || refused.Reason != want || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestRepeatedSettings: a container with a setting that occurs twice keeps every item, and
// the readers of what somebody wrote refuse it.
func TestRepeatedSettings(t *testing.T) {
	item := Item{TS: TimestampSeconds(0)}
	late := policy.Instant(1 << 45)
	for _, test := range []struct{ text, repeated string }{
		{`{"defaultTtl":60}`, ""},
		{`{"defaultTtl":6000,"defaultTtl":60}`, "defaultTtl"},
		{`{"defaultTtl":60,"defaultTtl":60}`, "defaultTtl"},
		{`{"defaultTtl":60,"d\u0065faultTtl":60}`, "defaultTtl"},
		{`{"defaultTtl":60,"ttlPropertyPath":"/a","ttlPropertyPath":"/b"}`, "ttlPropertyPath"},
		{`{"defaultTtl":60,"indexingPolicy":{"indexingMode":"none"},"indexingPolicy":{}}`, "indexingPolicy"},
		{`{"defaultTtl":60,"indexingPolicy":{"indexingMode":"none","indexingMode":"consistent"}}`, "indexingMode"},
		{`{"defaultTtl":60,"analyticalStorageTtl":1,"analyticalStorageTtl":2}`, "analyticalStorageTtl"},
	} {
		spec, err := ParseListedContainer([]byte(test.text))
		if err != nil || spec.Repeated != test.repeated {
			t.Errorf("ParseListedContainer(%s) = %+v, %v, want Repeated %q", test.text, spec, err, test.repeated)
			continue
		}
		c, err := CompileContainer(spec)
		if err != nil {
			t.Errorf("CompileContainer(%+v) = %v, want none", spec, err)
			continue
		}
		decided, strict := c.DecideItem(item, late), errOf(ParseContainerSpec([]byte(test.text)))
		_, _, validated := ValidateContainer(spec, nil)
		ofItem := ValidateItem(spec, policy.D{{Key: "ttl", Value: policy.Int32Value(1)}})
		if test.repeated == "" {
			if decided.State != policy.Expired || strict != nil || validated != nil || ofItem != nil {
				t.Errorf("%s: decided %v, errors %v, %v, %v; want expired and none", test.text, decided, strict, validated, ofItem)
			}
			continue
		}
		if decided.State != policy.Never || decided.Rule != ruleDuplicateUnspecified {
			t.Errorf("%s: Decide = %v, want never by %s", test.text, decided, ruleDuplicateUnspecified)
		}
		if by := c.Consulted(decided); len(by) == 0 || by[len(by)-1] != ruleDuplicateUnspecified {
			t.Errorf("%s: Consulted = %v, want %s last", test.text, by, ruleDuplicateUnspecified)
		}
		if strict == nil || !strings.Contains(strict.Error(), test.repeated) {
			t.Errorf("ParseContainerSpec(%s) = %v, want an error that names %s", test.text, strict, test.repeated)
		}
		for _, err := range []error{validated, ofItem} {
			var refused *SpecError
			if !errors.As(err, &refused) || refused.Rule != ruleDuplicateUnspecified || refused.Field != test.repeated || !errors.Is(err, policy.ErrUnspecified) {
				t.Errorf("%s: Validate = %v, want unspecified by %s at %s", test.text, err, ruleDuplicateUnspecified, test.repeated)
			}
		}
		other, err := CompileContainer(ContainerSpec{DefaultTTL: policy.Int32Value(0)})
		if err != nil || other.Fingerprint() == c.Fingerprint() {
			t.Errorf("%s has the fingerprint of a defaultTtl of 0, which another rule decides; %v", test.text, err)
		}
	}
}

// errOf returns the error of a call with another result.
func errOf[T any](_ T, err error) error { return err }
