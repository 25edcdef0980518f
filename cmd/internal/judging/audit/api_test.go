package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// ofAPI returns the template of a collection of Azure Cosmos DB's API for MongoDB with one TTL
// index.
func ofAPI(field, seconds string) string {
	return fmt.Sprintf(`{"$schema":"s","resources":[{"type":"Microsoft.DocumentDB/databaseAccounts/mongodbDatabases/collections","name":"a/shop/logs",
		"properties":{"resource":{"id":"logs","indexes":[{"key":{"keys":["_id"]}},{"key":{"keys":[%q]},"options":{"expireAfterSeconds":%s}}]}}}]}`, field, seconds)
}

// TestAPI: a collection of the API for MongoDB is judged by the rules of package cosmos. The
// wanted findings follow from docs/rules/cosmos.md.
func TestAPI(t *testing.T) {
	custom := catalog.Options{Now: now, Capabilities: []string{definition.CustomPathCapability}}
	plain := catalog.Options{Now: now}
	for _, tt := range []struct {
		why, field, seconds, documents string
		options                        catalog.Options
		want                           []string // severity, rule and number of documents
	}{
		{"a default", "_ts", "60", `{"_id":1,"ttl":-1,"_ts":1}` + "\n" + `{"_id":2,"ttl":5,"_ts":1}`, plain, nil},
		{"-1 is on without a default", "_ts", "-1", `{"_id":1,"ttl":5,"_ts":1}`, plain, nil},
		{"0 is refused", "_ts", "0", "", plain, []string{"keeps cosmos.mongo-index-zero 0"}},
		{"-2 is unspecified", "_ts", "-2", "", plain, []string{"unspecified cosmos.mongo-index-unspecified 0"}},
		{"milliseconds", "_ts", "86400000", "", plain, []string{"keeps cosmos.seconds 0"}},
		{"a ttl that does not count shortens the life", "_ts", "60", `{"_id":1,"ttl":"900","_ts":1}`, plain, []string{"deletes cosmos.mongo-ttl-ignored 1"}},
		{"a ttl that does not count, without a default", "_ts", "-1", `{"_id":1,"ttl":20.5,"_ts":1}`, plain, []string{"keeps cosmos.mongo-ttl-ignored 1"}},
		{"20.0 counts", "_ts", "60", `{"_id":1,"ttl":20.0,"_ts":1}`, plain, nil},
		{"a ttl of 0", "_ts", "60", `{"_id":1,"ttl":0,"_ts":1}`, plain, []string{"unspecified cosmos.mongo-ttl-unspecified 1"}},
		{"two", "_ts", "60", `{"_id":1,"ttl":0,"_ts":1}` + "\n" + `{"_id":2,"ttl":-9,"_ts":1}`, plain, []string{"unspecified cosmos.mongo-ttl-unspecified 2"}},
		{"a time as ttl", "_ts", "-1", `{"_id":1,"ttl":1700000000,"_ts":1}`, plain, []string{"keeps cosmos.seconds 1"}},
		{"another name", "_ts", "60", `{"_id":1,"TTL":5,"_ts":1}`, plain, []string{"keeps cosmos.property-name 1"}},
		{"an export without _ts", "_ts", "60", `{"_id":1}` + "\n" + `{"_id":2,"ttl":5}` + "\n" + `{"_id":3,"ttl":-1}`, plain, []string{"harmless cosmos.no-timestamp 2"}},
		{"two values", "_ts", "60", `{"_id":1,"ttl":5,"ttl":6,"_ts":1}`, plain, []string{"unspecified cosmos.duplicate-unspecified 1"}},
		{"a field of its own without the capability", "at", "60", `{"_id":1}`, plain, []string{"keeps cosmos.mongo-index-field 0"}},
		{"a field of its own", "at", "60", `{"_id":1,"at":{"$date":"2026-01-01T00:00:00Z"}}` + "\n" + `{"_id":2,"at":1700000000000}`, custom, nil},
		{"seconds in it", "at", "60", `{"_id":1,"at":1700000000}`, custom, []string{"deletes cosmos.mongo-field 1"}},
		{"neither date nor number in it", "at", "60", `{"_id":1,"at":"x"}` + "\n" + `{"_id":2}`, custom, []string{"keeps cosmos.mongo-field-missing 1", "keeps cosmos.mongo-field-type 1"}},
		{"a ttl beside it", "at", "60", `{"_id":1,"at":{"$date":"2026-01-01T00:00:00Z"},"ttl":5}`, custom, []string{"unspecified cosmos.mongo-field-ttl-unspecified 1"}},
	} {
		target := with(t, read(t, ofAPI(tt.field, tt.seconds))[0], tt.documents)
		r := Audit(t.Context(), []*catalog.Target{target}, Options{Options: tt.options})[0]
		if r.Failed != nil || r.System != "Azure Cosmos DB for MongoDB" {
			t.Errorf("%s: judged by %q, %v", tt.why, r.System, r.Failed)
		}
		var got []string
		for _, f := range r.Findings {
			got = append(got, fmt.Sprintf("%s %s %d", f.Severity, f.Rule, f.Documents))
			if strings.Contains(f.Text, "{") {
				t.Errorf("%s: the text %q has a placeholder", tt.why, f.Text)
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: the findings differ (-want +got):\n%s", tt.why, diff)
		}
	}
}

// TestAPITexts: each rule by which documents are counted has a text.
func TestAPITexts(t *testing.T) {
	for _, r := range append([]policy.Rule{ruleInert, ruleField, ruleMisnamed, noTimestamp}, apiFaults...) {
		if text := reasons.TextOf(r); text == nil || text.Items[reasons.AnyTTL].Documents == "" {
			t.Errorf("%s has no text", r)
		}
	}
}

// TestAPIWithoutIDs: with NoIDs no value of a document is in a finding, nor what the value means.
func TestAPIWithoutIDs(t *testing.T) {
	for document, secret := range map[string]string{`{"_id":1,"ttl":"secret","_ts":1}`: "secret", `{"_id":1,"ttl":1700000000,"_ts":1}`: "2023-11-14"} {
		target := with(t, read(t, ofAPI("_ts", "60"))[0], document)
		for _, noIDs := range []bool{true, false} {
			r := Audit(t.Context(), []*catalog.Target{target}, Options{Options: catalog.Options{Now: now, NoIDs: noIDs}})[0]
			if len(r.Findings) != 1 || strings.Contains(r.Findings[0].Text, secret) == noIDs {
				t.Errorf("NoIDs %t: Findings = %+v, want one with %s only without NoIDs", noIDs, r.Findings, secret)
			}
		}
	}
}
