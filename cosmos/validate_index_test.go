package cosmos

import (
	"errors"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestValidateCreateIndexes(t *testing.T) {
	var (
		unspecified = "unspecified " + ruleMongoIndexUnspecified.ID()
		field       = "2 " + ruleIndexField.ID()
		second      = "refused " + ruleIndexSecond.ID()
		kind        = "refused " + ruleIndexKind.ID()
		again       = "85 " + ruleIndexAgain.ID()
		other       = "unspecified " + ruleIndexAgainUnspecified.ID()
	)
	plain := CollectionSpec{ServerVersion: "4.2"}
	custom := CollectionSpec{ServerVersion: "4.2", Capabilities: []string{"EnableTtlOnCustomPath"}}
	with := func(c CollectionSpec, indexes string) CollectionSpec {
		list := extJSON(t, indexes)
		e := list.Elements()
		for e.Next() {
			x, err := ParseIndexSpec(e.Value())
			if err != nil {
				t.Fatal(err)
			}
			c.Indexes = append(c.Indexes, x)
		}
		return c
	}
	on := func(key, seconds string) string { return `{"key":` + key + `,"expireAfterSeconds":` + seconds + `}` }
	tests := []struct {
		why     string
		account CollectionSpec
		index   string
		want    string
	}{
		{"ten seconds", plain, on(`{"_ts":1}`, `10`), "ok"},
		{"as a shell sends it", plain, on(`{"_ts":1}`, `{"$numberDouble":"10.0"}`), "ok"},
		{"without a default", plain, on(`{"_ts":1}`, `-1`), "ok"},
		{"the longest", plain, on(`{"_ts":1}`, `2147483647`), "ok"},
		{"too long", plain, on(`{"_ts":1}`, `{"$numberLong":"2147483648"}`), unspecified},
		{"zero", plain, on(`{"_ts":1}`, `0`), "refused " + ruleIndexZero.ID()},
		{"zero as a shell sends it", plain, on(`{"_ts":-1}`, `{"$numberDouble":"0.0"}`), "refused " + ruleIndexZero.ID()},
		{"one", plain, on(`{"_ts":1}`, `1`), "ok"},
		{"-2", plain, on(`{"_ts":1}`, `-2`), unspecified},
		{"a fraction", plain, on(`{"_ts":1}`, `1.5`), unspecified},
		{"a string", plain, on(`{"_ts":1}`, `"10"`), unspecified},
		{"null", plain, on(`{"_ts":1}`, `null`), unspecified},
		{"descending", plain, on(`{"_ts":-1}`, `10`), "ok"},
		{"no direction", plain, on(`{"_ts":2}`, `10`), unspecified},
		{"no direction at all", plain, on(`{"_ts":0}`, `10`), unspecified},
		{"a fraction of a direction", plain, on(`{"_ts":0.5}`, `10`), unspecified},
		{"a text", plain, on(`{"_ts":"text"}`, `10`), unspecified},
		{"several fields", plain, on(`{"_ts":1,"a":1}`, `10`), unspecified},
		{"no option", plain, `{"key":{"_ts":1}}`, "ok"},
		{"no option elsewhere", plain, `{"key":{"a":1,"b":1}}`, "ok"},
		{"another field", plain, on(`{"at":-1}`, `0`), field},
		{"a wildcard", plain, on(`{"$**":1}`, `5`), field},
		{"another field, too old", CollectionSpec{ServerVersion: "4.0", Capabilities: custom.Capabilities}, on(`{"at":1}`, `5`), field},
		{"another field, 3.2", CollectionSpec{ServerVersion: "3.2", Capabilities: custom.Capabilities}, on(`{"at":1}`, `5`), "unspecified " + ruleIndexFieldUnspecified.ID()},
		{"another field, 3.2 without the capability", CollectionSpec{ServerVersion: "3.2"}, on(`{"at":1}`, `5`), "unspecified " + ruleIndexFieldUnspecified.ID()},
		{"another field, 3.6", CollectionSpec{ServerVersion: "3.6"}, on(`{"at":1}`, `5`), field},
		{"another field, a patch of 4.0", CollectionSpec{ServerVersion: "4.0.12", Capabilities: custom.Capabilities}, on(`{"at":1}`, `5`), field},
		{"another field, a patch of 4.2", CollectionSpec{ServerVersion: "4.2.1", Capabilities: custom.Capabilities}, on(`{"at":1}`, `5`), "ok"},
		{"another field, 7.0", CollectionSpec{ServerVersion: "7.0", Capabilities: custom.Capabilities}, on(`{"at":1}`, `5`), "ok"},
		{"another field, 4", CollectionSpec{ServerVersion: "4", Capabilities: custom.Capabilities}, on(`{"at":1}`, `5`), field},
		{"another field, newest", CollectionSpec{Capabilities: custom.Capabilities}, on(`{"at":1}`, `5`), "ok"},
		{"another field with the capability", custom, on(`{"a.at":-1}`, `0`), "ok"},
		{"another field without a default", custom, on(`{"at":1}`, `-1`), unspecified},
		{"another field, a fraction", custom, on(`{"at":1}`, `1.5`), unspecified},
		{"another field, hashed", custom, on(`{"at":"hashed"}`, `5`), kind},
		{"another field, hashed, without the capability", plain, on(`{"at":"hashed"}`, `5`), field},
		{"the field of documents' ttl", custom, on(`{"ttl":1}`, `5`), unspecified},
		{"a field within it", custom, on(`{"ttl.at":1}`, `5`), "ok"},
		{"_id", custom, on(`{"_id":1}`, `5`), unspecified},
		{"a field within _id", custom, on(`{"_id.at":1}`, `5`), "ok"},
		{"_id without the capability", plain, on(`{"_id":1}`, `5`), field},
		{"a wildcard with the capability", custom, on(`{"a.$**":1}`, `5`), "refused " + ruleIndexWildcard.ID()},
		{"a wildcard of everything with the capability", custom, on(`{"$**":1}`, `5`), "refused " + ruleIndexWildcard.ID()},
		{"a wildcard beside _ts", plain, on(`{"_ts":1,"$**":1}`, `5`), "refused " + ruleIndexWildcard.ID()},
		{"a field that looks like one", custom, on(`{"a$**":1}`, `5`), "ok"},
		{"no option, wildcard", custom, `{"key":{"$**":1}}`, "ok"},
		{"null elsewhere", plain, on(`{"at":1}`, `null`), unspecified},
		{"sparse", plain, `{"key":{"_ts":1},"expireAfterSeconds":10,"sparse":true}`, unspecified},
		{"sparse by number", plain, `{"key":{"_ts":1},"expireAfterSeconds":10,"sparse":1}`, unspecified},
		{"not sparse", plain, `{"key":{"_ts":1},"expireAfterSeconds":10,"sparse":false}`, "ok"},
		{"partial", custom, `{"key":{"at":1},"expireAfterSeconds":10,"partialFilterExpression":{"a":1}}`, kind},
		{"partial on _ts", plain, `{"key":{"_ts":1},"expireAfterSeconds":10,"partialFilterExpression":{}}`, kind},
		{"partial by null", plain, `{"key":{"_ts":1},"expireAfterSeconds":10,"partialFilterExpression":null}`, "ok"},
		{"partial, no option", plain, `{"key":{"at":1},"partialFilterExpression":{}}`, "ok"},
		{"unique", plain, `{"key":{"_ts":1},"expireAfterSeconds":10,"unique":true}`, "ok"},
		{"sparse elsewhere", plain, `{"key":{"at":1},"expireAfterSeconds":10,"sparse":true}`, field},
		{"hashed", plain, on(`{"_ts":"hashed"}`, `10`), kind},
		{"several fields with the capability", custom, on(`{"a":1,"b":1}`, `5`), unspecified},
		{"_ts with the capability", custom, on(`{"_ts":1}`, `5`), "ok"},
		{"another value of _ts", with(plain, `[{"key":{"_ts":1},"expireAfterSeconds":5}]`), on(`{"_ts":1}`, `6`), again},
		{"another value by the name that drivers give", with(plain, `[{"key":{"_ts":1},"name":"_ts_1","expireAfterSeconds":5}]`), on(`{"_ts":1}`, `-1`), again},
		{"the same value of _ts", with(plain, `[{"key":{"_ts":1},"expireAfterSeconds":5}]`), on(`{"_ts":1}`, `{"$numberLong":"5"}`), "ok"},
		{"another value, descending", with(plain, `[{"key":{"_ts":1},"expireAfterSeconds":5}]`), on(`{"_ts":-1}`, `6`), other},
		{"another value, another name", with(plain, `[{"key":{"_ts":1},"name":"x","expireAfterSeconds":5}]`), on(`{"_ts":1}`, `6`), other},
		{"another value of a field", with(custom, `[{"key":{"at":1},"expireAfterSeconds":5}]`), on(`{"at":1}`, `6`), other},
		{"the same value of a field", with(custom, `[{"key":{"at":1},"expireAfterSeconds":5}]`), on(`{"at":1}`, `5`), "ok"},
		{"no option again", with(plain, `[{"key":{"_ts":1},"expireAfterSeconds":5}]`), `{"key":{"_ts":1}}`, "ok"},
		{"0 in place of another value", with(plain, `[{"key":{"_ts":1},"expireAfterSeconds":5}]`), on(`{"_ts":1}`, `0`), "refused " + ruleIndexZero.ID()},
		{"a fraction in place of another value", with(plain, `[{"key":{"_ts":1},"expireAfterSeconds":5}]`), on(`{"_ts":1}`, `1.5`), again},
		{"a field beside _ts", with(custom, `[{"key":{"_ts":1},"expireAfterSeconds":5}]`), on(`{"at":1}`, `6`), second},
		{"a field beside an index on _ts without the option", with(custom, `[{"key":{"_ts":1}}]`), on(`{"at":1}`, `6`), "ok"},
		{"_ts beside a field", with(custom, `[{"key":{"at":1},"expireAfterSeconds":5}]`), on(`{"_ts":1}`, `6`), second},
		{"a second field", with(custom, `[{"key":{"at":1},"expireAfterSeconds":5}]`), on(`{"b":1}`, `6`), second},
	}
	for _, tt := range tests {
		index, err := ParseIndexSpec(extJSON(t, tt.index))
		if err != nil {
			t.Fatal(err)
		}
		err = ValidateCreateIndexes(tt.account, index)
		if got := outcome(t, err); got != tt.want {
			t.Errorf("%s: ValidateCreateIndexes(%s) = %s, want %s", tt.why, tt.index, got, tt.want)
		}
		if c, compiled := CompileCollection(CollectionSpec{Indexes: append(tt.account.Indexes, index), ServerVersion: tt.account.ServerVersion, Capabilities: tt.account.Capabilities}); tt.want != "ok" && (compiled != nil || c.active) {
			t.Errorf("%s: an index that is not taken deletes (%v)", tt.why, compiled)
		}
	}
}

// TestOptionComes: an index on _ts without the option is not a TTL index, and the
// reply to adding the option to it is unspecified.
func TestOptionComes(t *testing.T) {
	index := IndexSpec{Key: policy.D{{Key: "_ts", Value: policy.Int32Value(1)}}, Name: "_ts_1"}
	account := CollectionSpec{Indexes: []IndexSpec{index}}
	index.ExpireAfterSeconds = policy.Int32Value(6)
	if got := outcome(t, ValidateCreateIndexes(account, index)); got != "unspecified "+ruleIndexAgainUnspecified.ID() {
		t.Errorf("TTL on _ts beside an index there without it: %s, want unspecified", got)
	}
}

func TestValidateCreateIndexesReason(t *testing.T) {
	first := IndexSpec{Key: policy.D{{Key: "_ts", Value: policy.Int32Value(1)}}, Name: "_ts_1", ExpireAfterSeconds: policy.Int32Value(5)}
	second := first
	second.ExpireAfterSeconds = policy.Int32Value(6)
	again := ValidateCreateIndexes(CollectionSpec{Indexes: []IndexSpec{first}}, second)
	if want := "cosmos: expireAfterSeconds: Index with name _ts_1 already exists with different options.: IndexOptionsConflict (85)"; again == nil || again.Error() != want {
		t.Errorf("%v, want %s", again, want)
	}
	wildcard := ValidateCreateIndexes(CollectionSpec{Capabilities: []string{"EnableTtlOnCustomPath"}},
		IndexSpec{Key: policy.D{{Key: "$**", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(5)})
	if refused, ok := wildcard.(*SpecError); !ok || refused.Reason != "a wildcard index has no TTL (the service's own words are not known)" {
		t.Errorf("%v, want words that are marked as this library's", wildcard)
	}
	err := ValidateCreateIndexes(CollectionSpec{}, IndexSpec{Key: policy.D{{Key: "expire", Value: policy.Int32Value(-1)}}, ExpireAfterSeconds: policy.Int32Value(0)})
	refused, ok := err.(*SpecError)
	if want := "The 'expireAfterSeconds' option is supported on '_ts' field only."; !ok || refused.Reason != want || refused.Code != badValue {
		t.Errorf("%v, want %s, BadValue", err, want)
	}
}

// TestUnknownServerVersion: a version that no account has is an error.
func TestUnknownServerVersion(t *testing.T) {
	for version, known := range map[string]bool{
		"2.4": false, "3.0": false, "3.2": true, "3.4": false, "3.6": true, "4.0": true, "4.1": false, "4.2": true, "4.4": false, "5.0": true,
		"6.0": true, "6.1": false, "7": true, "7.0.1": true, "7.1": false, "8.0": false, "10.0": false, "99.0": false, "": true,
	} {
		account := CollectionSpec{ServerVersion: version}
		_, compiled := CompileCollection(account)
		validated := ValidateCreateIndexes(account, IndexSpec{})
		if errors.Is(compiled, ErrUnknownVersion) == known || errors.Is(validated, ErrUnknownVersion) == known || (compiled == nil) != known {
			t.Errorf("version %q: CompileCollection %v, ValidateCreateIndexes %v, want ErrUnknownVersion: %v", version, compiled, validated, !known)
		}
	}
}

// TestServerVersionErrors: with a malformed version nothing is deleted, and the error is
// not a refusal by the service.
func TestServerVersionErrors(t *testing.T) {
	for _, version := range []string{"x", "4.x", "-4.2", "4.99", "999.0", ".", "4. 2"} {
		account := CollectionSpec{ServerVersion: version, Capabilities: []string{"EnableTtlOnCustomPath"}}
		if _, err := CompileCollection(account); err == nil {
			t.Errorf("CompileCollection takes the version %q", version)
		}
		var refused *SpecError
		if err := ValidateCreateIndexes(account, IndexSpec{}); err == nil || errors.As(err, &refused) {
			t.Errorf("ValidateCreateIndexes(version %q) = %v, want an error that is no refusal", version, err)
		}
	}
}
