package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
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
		{"a template of a collection", arm(collectionType, mongoResource), definition.CosmosMongo},
		{"a template of a container", arm(containerType, sqlResource), definition.CosmosNoSQL},
		{"az of a collection", `{"id":"` + mongoID + `","name":"jobs","resource":` + mongoResource + `,"type":"` + collectionType + `"}`, definition.CosmosMongo},
		{"az of a container", `{"id":"` + sqlID + `","name":"jobs","resource":` + sqlResource + `,"type":"` + containerType + `"}`, definition.CosmosNoSQL},
		{"GET of a collection", `{"id":"` + mongoID + `","type":"` + collectionType + `","name":"jobs","properties":{"resource":` + strings.Replace(mongoResource, `{`, `{"_rid":"A1xBAL6n3OM=","_ts":1595577836,`, 1) + `}}`, definition.CosmosMongo},
		{"PUT of a collection", `{"properties":{"resource":` + mongoResource + `,"options":{}}}`, definition.CosmosMongo},
		{"a list of collections", `{"value":[{"id":"` + mongoID + `","type":"` + collectionType + `","name":"jobs","properties":{"resource":` + mongoResource + `}}]}`, definition.CosmosMongo},
		{"GET of a container", `{"id":"` + sqlID + `","type":"` + containerType + `","name":"jobs","properties":{"resource":` + sqlResource + `}}`, definition.CosmosNoSQL},
		{"PUT of a container", `{"properties":{"resource":` + sqlResource + `,"options":{}}}`, definition.CosmosNoSQL},
		{"a container", sqlResource, definition.CosmosNoSQL},
		{"Terraform's plan of a collection", terraformPlan("azurerm_cosmosdb_mongo_collection", `{"name":"jobs","database_name":"shop","account_name":"acc","default_ttl_seconds":600}`), definition.CosmosMongo},
		{"Terraform's plan of a container", terraformPlan("azurerm_cosmosdb_sql_container", `{"name":"jobs","database_name":"shop","account_name":"acc","default_ttl":600}`), definition.CosmosNoSQL},
		{"Terraform's state of a collection", terraformState("azurerm_cosmosdb_mongo_collection", `{"name":"jobs","database_name":"shop","default_ttl_seconds":600}`), definition.CosmosMongo},
		{"Terraform's state of a container", terraformState("azurerm_cosmosdb_sql_container", `{"name":"jobs","database_name":"shop","default_ttl":600}`), definition.CosmosNoSQL},
		{"listIndexes", `{"cursor":{"id":0,"ns":"shop.jobs","firstBatch":[{"v":2,"key":{"at":1},"name":"at_1","expireAfterSeconds":600}]},"ok":1}`, definition.MongoDB},
	}
}

// terraformPlan returns what terraform show -json prints of a plan that creates one resource.
func terraformPlan(kind, after string) string {
	return `{"format_version":"1.2","terraform_version":"1.13.0","planned_values":{"root_module":{}},"resource_changes":[{"address":"` + kind + `.jobs","mode":"managed","type":"` + kind +
		`","name":"jobs","change":{"actions":["create"],"before":null,"after":` + after + `,"after_unknown":{"id":true}}}],"configuration":{"root_module":{}}}`
}

// terraformState returns what terraform show -json prints of a state with one resource.
func terraformState(kind, values string) string {
	return `{"format_version":"1.0","terraform_version":"1.13.0","values":{"root_module":{"resources":[{"address":"` + kind + `.jobs","mode":"managed","type":"` + kind + `","name":"jobs","values":` + values + `}]}}}`
}

// products are the systems by the name that the tool shows, with a rule that no other system has
// for a document whose ttl is a text.
var products = map[string]struct{ name, rule string }{
	definition.CosmosMongo: {"Azure Cosmos DB for MongoDB", "cosmos.mongo-ttl-ignored"},
	definition.CosmosNoSQL: {"Azure Cosmos DB for NoSQL", "cosmos.item-unspecified"},
	definition.MongoDB:     {"MongoDB ", "mongo.field-missing"},
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
					if system != r.system && system != definition.MongoDB && strings.Contains(n, product.name) || strings.Contains(n, "API for MongoDB") && r.system != definition.CosmosMongo || strings.Contains(n, "MongoDB's rules") && r.system != definition.MongoDB {
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
			if r.system != definition.MongoDB && (len(c.Items) != 1 || c.Items[0].Action != "nothing") {
				t.Errorf("%s: plan has %+v, want nothing to do", r.name, c.Items)
			}
		}
		if len(planned.Collections) != 1 {
			t.Errorf("%s: %d changes, want 1", r.name, len(planned.Collections))
		}

		flag := "--metadata"
		if r.system == definition.CosmosNoSQL {
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
		if r.system != definition.CosmosMongo {
			continue
		}
		dir := fixture.Files(t, map[string]string{"policy.json": r.text, "wanted.yaml": "version: 1\nrules:\n  - namespace: \"*\"\n    key: _ts\n    expireAfterSeconds: 60\n"})
		got := ttl(t, "", "plan", filepath.Join(dir, "wanted.yaml"), filepath.Join(dir, "policy.json"))
		if strings.Contains(got.out, "runCommand") || !strings.Contains(got.err, "has no collMod. To change expireAfterSeconds, drop the index and create it") {
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

// TestTerraform: what audit says of a plan of Terraform. A 0 of a container is not sent, so that
// time to live is off; that of a collection fails at plan time. No repair says to leave default_ttl
// out, because the provider then keeps the stored value, and none is a command.
func TestTerraform(t *testing.T) {
	const container, collection = "azurerm_cosmosdb_sql_container", "azurerm_cosmosdb_mongo_collection"
	for _, tt := range []struct {
		why, text, documents string
		want                 []string
	}{
		{"0 is off", terraformPlan(container, `{"name":"jobs","default_ttl":0}`), "", []string{"time to live off", "does not send default_ttl 0", "nothing found"}},
		{"items with a ttl while it is off", terraformPlan(container, `{"name":"jobs","default_ttl":0}`), `{"id":"1","_ts":1,"ttl":5}`, []string{"write default_ttl = -1 in Terraform"}},
		{"milliseconds", terraformPlan(container, `{"name":"jobs","default_ttl":86400000}`), "", []string{"write default_ttl = 86400 in Terraform"}},
		{"too many", terraformPlan(container, `{"name":"jobs","default_ttl":3000000000}`), "", []string{"refuses these settings", "-1 for on without a default"}},
		{"with no index", terraformPlan(container, `{"name":"jobs","default_ttl":5,"indexing_policy":[{"indexing_mode":"none"}]}`), "", []string{"or write default_ttl = 0"}},
		{"-1 of a collection is on", terraformPlan(collection, `{"name":"jobs","default_ttl_seconds":-1}`), `{"_id":1,"_ts":1,"ttl":5}`, []string{"1 TTL index", "nothing found"}},
		{"0 of a collection", terraformPlan(collection, `{"name":"jobs","default_ttl_seconds":0}`), "", []string{"the provider refuses the value 0, so that the plan fails", "The documentation of the provider"}},
		{"a value that is not known", strings.Replace(terraformPlan(collection, `{"name":"jobs"}`), `"id":true`, `"default_ttl_seconds":true`, 1), "", []string{"known only after the apply", "audit the state"}},
	} {
		dir := fixture.Files(t, map[string]string{"plan.json": tt.text, "documents.jsonl": tt.documents})
		args := []string{"audit", filepath.Join(dir, "plan.json")}
		if tt.documents != "" {
			args = append(args, "--documents", filepath.Join(dir, "documents.jsonl"))
		}
		got := ttl(t, "", args...)
		out := strings.Join(strings.Fields(got.out+got.err), " ")
		for _, want := range tt.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: audit does not say %q:\n%s%s", tt.why, want, got.out, got.err)
			}
		}
		if lower := strings.ToLower(out); strings.Contains(lower, "leave default") || strings.Contains(out, "az cosmosdb sql container update") {
			t.Errorf("%s: audit has a repair that does nothing in Terraform:\n%s", tt.why, got.out)
		}
		if init := ttl(t, "", "plan", "init", filepath.Join(dir, "plan.json")); strings.Contains(init.out, "defaultTtl: -1") || strings.Contains(tt.text, `":0}`) && init.code == 0 {
			t.Errorf("%s: plan init writes a rule: %s", tt.why, init.out)
		}
	}
}
