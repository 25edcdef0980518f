package module

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestChange: commands change the policy and its definition together, replies and refusals are
// those of the database, and what is refused or cannot be read leaves the policy as it is.
func TestChange(t *testing.T) {
	c := newCaller()
	h := c.compile(t, `{"target":{"system":"mongodb","version":"7.0.26"},"in":{"indexes":[]}}`)
	series := c.compile(t, `{"target":{"system":"mongodb","version":"7.0.26"},"in":{"indexes":[]}}`)
	box := c.compile(t, `{"target":{"system":"cosmos-nosql"},"in":{"container":{"defaultTtl":60}}}`)
	const plain = `{"indexes":[{"key":{"t":{"$numberInt":"1"}},"name":"t_1","expireAfterSeconds":{"$numberInt":"60"}}],"collection":{}}`
	const series7 = `{"indexes":[],"collection":{"timeseries":{"timeField":"t","granularity":"seconds","bucketMaxSpanSeconds":{"$numberInt":"3600"}},"expireAfterSeconds":{"$numberLong":"60"}}}`
	for _, tt := range []struct {
		h                  *Handle
		text, says, stored string
	}{
		{&h, `{"now":0,"createIndexes":[{"key":{"t":1},"expireAfterSeconds":60}]}`, `"numIndexesAfter":{"$numberInt":"2"}`, plain},
		{&h, `{"now":0,"createIndexes":[{"key":{"t":1,"u":1},"expireAfterSeconds":60}]}`, `"code":67`, plain},
		{&h, `{"dropIndexes":"x_1"}`, `"code":27,"codeName":"IndexNotFound"`, plain},
		{&h, `{"now":0,"collMod":{"index":{"name":"t_1","expireAfterSeconds":4294967296}}}`, `"expireAfterSeconds_new":{"$numberLong":"2147483647"}`, strings.Replace(plain, `{"$numberInt":"60"}`, `{"$numberLong":"2147483647"}`, 1)},
		{&h, `{"dropIndexes":"t_1"}`, `"nIndexesWas":{"$numberInt":"2"}`, `{"indexes":[],"collection":{}}`},
		{&h, `{"createIndexes":[{"key":{"t":1}}]}`, "-4 now is missing, want milliseconds", `{"indexes":[],"collection":{}}`},
		{&h, `{"now":"x","collMod":{}}`, "-4 now is missing", `{"indexes":[],"collection":{}}`},
		{&h, `{"now":0,"create":{"expireAfterSeconds":5}}`, `"code":72`, `{"indexes":[],"collection":{}}`},
		{&h, `{"now":1795176000000,"create":{"timeseries":{"timeField":"t"},"expireAfterSeconds":-1}}`, `"code":72`, `{"indexes":[],"collection":{}}`},
		{&series, `{"now":1795176000000,"create":{"timeseries":{"timeField":"t"},"expireAfterSeconds":60}}`, `"reply":{}`, series7},
		{&series, `{"now":1795176000000,"createAgain":{"timeseries":{"timeField":"t"},"expireAfterSeconds":60}}`, `"reply":{}`, series7},
		{&series, `{"now":1795176000000,"createAgain":{}}`, `"code":48,"codeName":"NamespaceExists"`, series7},
		{&h, `{"now":0,"replace":{}}`, "-4 want create, createIndexes, collMod or dropIndexes", `{"indexes":[],"collection":{}}`},
		{&h, `{"drop`, "-4 ", `{"indexes":[],"collection":{}}`},
		{&box, `{"replace":{"defaultTtl":0}}`, `"status":400`, `{"container":{"defaultTtl":60}}`},
		{&box, `{"replace":{"defaultTtl":5,"indexingPolicy":{"indexingMode":"consistent"}}}`, `"warnings":[]`, `{"container":{"defaultTtl":5,"indexingPolicy":{"indexingMode":"consistent"}}}`},
		{&box, `{"createIndexes":[]}`, "-4 want create, createIndexes, collMod or dropIndexes for a collection", `{"container":{"defaultTtl":5,"indexingPolicy":{"indexingMode":"consistent"}}}`},
	} {
		address, n := c.put(tt.text)
		got := c.result(c.Change(*tt.h, address, n))
		var answer struct {
			Policy Handle `json:"policy,string"`
		}
		if json.Unmarshal([]byte(got), &answer) == nil && answer.Policy != 0 {
			*tt.h = answer.Policy
		}
		if stored := c.result(c.Definition(*tt.h)); !strings.Contains(got, tt.says) || stored != tt.stored {
			t.Errorf("%s: %s, stored %s; want %q and %s", tt.text, got, stored, tt.says, tt.stored)
		}
	}
	address, n := c.put("{}")
	if code := c.Change(99, address, n); code != BadHandle {
		t.Errorf("Change(99) = %d, want %d", code, BadHandle)
	}
	if code := c.Definition(c.compile(t, `{"target":{"system":"cosmos-mongo"},"in":{"indexes":[]}}`)); code != BadFormat {
		t.Errorf("Definition of the API for MongoDB = %d, want %d", code, BadFormat)
	}
}
