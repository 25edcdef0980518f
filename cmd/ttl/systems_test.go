package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/policies"
)

// A resource is a collection or a container as a tool describes it.
type resource struct {
	name, text string
	system     string // the system whose rules apply to it
}

const (
	collectionType = "Microsoft.DocumentDB/databaseAccounts/mongodbDatabases/collections"
	containerType  = "Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers"
	mongoResource  = `{"id":"jobs","indexes":[{"key":{"keys":["_id"]}},{"key":{"keys":["_ts"]},"options":{"expireAfterSeconds":600}}],"shardKey":{"seven":"Hash"}}`
	sqlResource    = `{"id":"jobs","partitionKey":{"paths":["/id"],"kind":"Hash"},"defaultTtl":600}`
	mongoID        = "/subscriptions/s/resourceGroups/g/providers/Microsoft.DocumentDB/databaseAccounts/acc/mongodbDatabases/shop/collections/jobs"
	sqlID          = "/subscriptions/s/resourceGroups/g/providers/Microsoft.DocumentDB/databaseAccounts/acc/sqlDatabases/shop/containers/jobs"
)

// resources are collections and containers of the same name and time to live, in each form that
// the tool reads.
func resources() []resource {
	arm := func(kind, properties string) string {
		return `{"$schema":"https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#","resources":[{"type":"` + kind + `","apiVersion":"2024-05-15","name":"acc/shop/jobs","properties":{"resource":` + properties + `,"options":{}}}]}`
	}
	return []resource{
		{"a template of a collection", arm(collectionType, mongoResource), policies.CosmosMongo},
		{"a template of a container", arm(containerType, sqlResource), policies.CosmosNoSQL},
		{"az of a collection", `{"id":"` + mongoID + `","name":"jobs","resource":` + mongoResource + `,"type":"` + collectionType + `"}`, policies.CosmosMongo},
		{"az of a container", `{"id":"` + sqlID + `","name":"jobs","resource":` + sqlResource + `,"type":"` + containerType + `"}`, policies.CosmosNoSQL},
		{"GET of a collection", `{"id":"` + mongoID + `","type":"` + collectionType + `","name":"jobs","properties":{"resource":` + strings.Replace(mongoResource, `{`, `{"_rid":"A1xBAL6n3OM=","_ts":1595577836,`, 1) + `}}`, policies.CosmosMongo},
		{"PUT of a collection", `{"properties":{"resource":` + mongoResource + `,"options":{}}}`, policies.CosmosMongo},
		{"a list of collections", `{"value":[{"id":"` + mongoID + `","type":"` + collectionType + `","name":"jobs","properties":{"resource":` + mongoResource + `}}]}`, policies.CosmosMongo},
		{"GET of a container", `{"id":"` + sqlID + `","type":"` + containerType + `","name":"jobs","properties":{"resource":` + sqlResource + `}}`, policies.CosmosNoSQL},
		{"PUT of a container", `{"properties":{"resource":` + sqlResource + `,"options":{}}}`, policies.CosmosNoSQL},
		{"a container", sqlResource, policies.CosmosNoSQL},
		{"listIndexes", `{"cursor":{"id":0,"ns":"shop.jobs","firstBatch":[{"v":2,"key":{"at":1},"name":"at_1","expireAfterSeconds":600}]},"ok":1}`, policies.MongoDB},
	}
}

// products are the systems by the name that the tool shows, with a rule that no other system has
// for a document whose ttl is a text.
var products = map[string]struct{ name, rule string }{
	policies.CosmosMongo: {"Azure Cosmos DB for MongoDB", "cosmos.mongo-ttl-ignored"},
	policies.CosmosNoSQL: {"Azure Cosmos DB for NoSQL", "cosmos.item-unspecified"},
	policies.MongoDB:     {"MongoDB ", "mongo.field-missing"},
}

// TestOneSystem: for each resource, the product that a note names, the one that is said to judge,
// and the one whose rules decide are the same, in audit, plan, explain and forecast.
func TestOneSystem(t *testing.T) {
	for _, r := range resources() {
		dir := fixture.Files(t, map[string]string{
			"policy.json": r.text, "documents.jsonl": `{"_id":1,"id":"1","_ts":1700000000,"ttl":"abc"}` + "\n",
			"container.yaml": "version: 1\nrules:\n  - namespace: \"*\"\n    defaultTtl: 600\n  - namespace: \"*\"\n    key: _ts\n    expireAfterSeconds: 600\n",
		})
		at := func(name string) string { return filepath.Join(dir, name) }
		want := products[r.system]
		check := func(command, judged string, notes []string) {
			t.Helper()
			if !strings.HasPrefix(judged, want.name) {
				t.Errorf("%s: %s is judged by %q, want %q", r.name, command, judged, want.name)
			}
			for _, n := range notes {
				for system, product := range products {
					if system != r.system && system != policies.MongoDB && strings.Contains(n, product.name) || strings.Contains(n, "API for MongoDB") && r.system != policies.CosmosMongo || strings.Contains(n, "MongoDB's rules") && r.system != policies.MongoDB {
						t.Errorf("%s: the note of %s is about another product than %q: %s", r.name, command, judged, n)
					}
				}
			}
		}

		var audited struct {
			Audited []struct {
				Judged   string
				Notes    []string
				Findings []struct{ Rule string }
			}
		}
		decode(t, ttl(t, "", "audit", "--format", "json", "--documents", at("documents.jsonl"), at("policy.json")).out, &audited)
		if len(audited.Audited) != 1 {
			t.Errorf("%s: %d results of audit, want 1", r.name, len(audited.Audited))
			continue
		}
		one := audited.Audited[0]
		check("audit", one.Judged, one.Notes)
		found := false
		for _, f := range one.Findings {
			found = found || f.Rule == want.rule
		}
		if !found {
			t.Errorf("%s: audit finds %+v, want one by %s", r.name, one.Findings, want.rule)
		}

		var planned struct {
			Collections []struct {
				Judged string
				Items  []struct{ Action, Refused string }
			}
		}
		decode(t, ttl(t, "", "plan", "--format", "json", at("container.yaml"), at("policy.json")).out, &planned)
		for _, c := range planned.Collections {
			check("plan", c.Judged, nil)
			if r.system != policies.MongoDB && (len(c.Items) != 1 || c.Items[0].Action != "nothing") {
				t.Errorf("%s: plan has %+v, want nothing to do", r.name, c.Items)
			}
		}
		if len(planned.Collections) != 1 {
			t.Errorf("%s: %d changes, want 1", r.name, len(planned.Collections))
		}

		flag := "--metadata"
		if r.system == policies.CosmosNoSQL {
			flag = "--container"
		}
		for _, args := range [][]string{{"explain", flag, at("policy.json"), at("documents.jsonl")}, {"forecast", flag, at("policy.json"), at("documents.jsonl")}} {
			got := ttl(t, "", append(args, "--now", "2026-01-01")...)
			if !strings.Contains(got.out, want.name) || !strings.Contains(got.out, want.rule) && args[0] == "explain" {
				t.Errorf("%s: %s shows neither %q nor %s:\n%s%s", r.name, args[0], want.name, want.rule, got.out, got.err)
			}
		}
	}
}

// TestPlanOfAPI: a plan has no command for a collection of the API for MongoDB, because there is
// no collMod.
func TestPlanOfAPI(t *testing.T) {
	for _, r := range resources() {
		if r.system != policies.CosmosMongo {
			continue
		}
		dir := fixture.Files(t, map[string]string{"policy.json": r.text, "wanted.yaml": "version: 1\nrules:\n  - namespace: \"*\"\n    key: _ts\n    expireAfterSeconds: 60\n"})
		got := ttl(t, "", "plan", filepath.Join(dir, "wanted.yaml"), filepath.Join(dir, "policy.json"))
		if strings.Contains(got.out, "runCommand") || !strings.Contains(got.err, "There is no collMod: to change the value, drop the index and create it again") {
			t.Errorf("%s: plan = %s%s, want no command, and the reason", r.name, got.out, got.err)
		}
	}
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
}
