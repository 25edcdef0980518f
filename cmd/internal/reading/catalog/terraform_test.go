package catalog

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// planOf returns a plan with one resource that is created, and its configuration.
func planOf(kind, after, unknown, expressions string) string {
	return fmt.Sprintf(`{"format_version":"1.2","terraform_version":"1.13.0","planned_values":{"root_module":{}},
"resource_changes":[{"address":"%[1]s.c","mode":"managed","type":"%[1]s","name":"c","change":{"actions":["create"],"before":null,"after":%[2]s,"after_unknown":%[3]s}}],
"configuration":{"root_module":{"resources":[{"address":"%[1]s.c","mode":"managed","type":"%[1]s","name":"c","expressions":%[4]s}]}}}`, kind, after, unknown, expressions)
}

// stateOf returns a state with one resource in a module.
func stateOf(kind, values string) string {
	return fmt.Sprintf(`{"format_version":"1.0","terraform_version":"1.13.0","values":{"root_module":{"child_modules":[{"address":"module.shop","resources":[
{"address":"module.shop.%[1]s.c","mode":"managed","type":"%[1]s","name":"c","values":%[2]s}]}]}}}`, kind, values)
}

// terraformShown returns what addTerraform finds, one line for each resource and mention.
func terraformShown(t *testing.T, text string) (lines []string) {
	t.Helper()
	doc, err := policy.ParseJSON([]byte(text))
	if err != nil || !IsTerraform(doc.Value()) {
		t.Fatalf("IsTerraform(%s) = false, %v", text, err)
	}
	in := newReading("plan")
	if in.addTerraform([]byte(text)) != nil {
		return []string{"error"}
	}
	for _, target := range in.targets {
		line := "collection"
		if target.IsContainer() {
			resource := target.container.resource
			line = fmt.Sprintf("container defaultTtl=%s analyticalStorageTtl=%s", plainSetting(resource.Field("defaultTtl")), plainSetting(resource.Field("analyticalStorageTtl")))
		} else if target.collection != nil {
			for _, x := range target.collection.indexes {
				line += fmt.Sprintf(" %s expireAfterSeconds=%s", Literal(x.Field("key")), plainSetting(x.Field("expireAfterSeconds")))
			}
		}
		for _, m := range target.Unread {
			line = "mention " + m.Word
		}
		lines = append(lines, line)
	}
	return lines
}

func plainSetting(v policy.Value) string {
	if v.IsMissing() {
		return "off"
	}
	if n, ok := v.AsInt64(); ok {
		return fmt.Sprint(n)
	}
	return v.String()
}

const (
	sqlKind    = "azurerm_cosmosdb_sql_container"
	mongoKind  = "azurerm_cosmosdb_mongo_collection"
	sqlType    = "Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@2024-05-15"
	expression = `{"default_ttl":{"references":["var.ttl"]}}`
)

// TestTerraform: what the provider sends decides. The sources are those of docs/recipes/azure.md.
func TestTerraform(t *testing.T) {
	for _, tt := range []struct {
		why, text string
		want      []string
	}{
		{"seconds", planOf(sqlKind, `{"name":"c","default_ttl":3600}`, `{}`, `{}`), []string{"container defaultTtl=3600 analyticalStorageTtl=off"}},
		{"0 is not sent", planOf(sqlKind, `{"name":"c","default_ttl":0}`, `{}`, `{}`), []string{"container defaultTtl=off analyticalStorageTtl=off"}},
		{"-1", planOf(sqlKind, `{"name":"c","default_ttl":-1,"analytical_storage_ttl":-1}`, `{}`, `{}`), []string{"container defaultTtl=-1 analyticalStorageTtl=-1"}},
		{"null", planOf(sqlKind, `{"name":"c","default_ttl":null}`, `{}`, `{}`), []string{"container defaultTtl=off analyticalStorageTtl=off"}},
		{"known after the apply", planOf(sqlKind, `{"name":"c"}`, `{"default_ttl":true}`, expression), []string{"mention " + sqlKind + ".c.default_ttl"}},
		{"left out, which is computed", planOf(sqlKind, `{"name":"c"}`, `{"default_ttl":true,"id":true}`, `{}`), []string{"container defaultTtl=off analyticalStorageTtl=off"}},
		{"left out in an update that computes it", strings.Replace(planOf(sqlKind, `{"name":"c"}`, `{"default_ttl":true}`, `{}`), `"create"`, `"update"`, 1), []string{"mention " + sqlKind + ".c.default_ttl"}},
		{"deleted", strings.Replace(planOf(sqlKind, `null`, `{}`, `{}`), `"create"`, `"delete"`, 1), nil},
		{"a data source", strings.Replace(planOf(sqlKind, `{"default_ttl":5}`, `{}`, `{}`), `"managed"`, `"data"`, 1), nil},
		{"a collection", planOf(mongoKind, `{"name":"c","default_ttl_seconds":60}`, `{}`, `{}`), []string{"collection {_ts: 1} expireAfterSeconds=60"}},
		{"a collection with -1", planOf(mongoKind, `{"name":"c","default_ttl_seconds":-1}`, `{}`, `{}`), []string{"collection {_ts: 1} expireAfterSeconds=-1"}},
		{"a collection without", planOf(mongoKind, `{"name":"c","default_ttl_seconds":null}`, `{}`, `{}`), []string{"collection"}},
		{"0, which fails at plan time", planOf(mongoKind, `{"name":"c","default_ttl_seconds":0}`, `{}`, `{}`), []string{"mention " + mongoKind + ".c.default_ttl_seconds"}},
		{"a collection, known after the apply", planOf(mongoKind, `{"name":"c"}`, `{"default_ttl_seconds":true}`, `{}`), []string{"collection"}},
		{"a graph", planOf("azurerm_cosmosdb_gremlin_graph", `{"name":"c","default_ttl":60}`, `{}`, `{}`), []string{"mention azurerm_cosmosdb_gremlin_graph.c.default_ttl"}},
		{"azapi", planOf("azapi_resource", `{"type":"`+sqlType+`","name":"c","body":{"properties":{"resource":{"id":"c","defaultTtl":60}}}}`, `{}`, `{}`), []string{"mention azapi_resource.c.body"}},
		{"azapi of another type", planOf("azapi_resource", `{"type":"Microsoft.Storage/storageAccounts@2023-01-01","body":{}}`, `{}`, `{}`), nil},
		{"an index of MongoDB", planOf("mongodb_db_index", `{"db":"shop","collection":"c","keys":[{"field":"at","value":"1"}],"expire_after_seconds":60}`, `{}`, `{}`), []string{"mention mongodb_db_index.c.expire_after_seconds"}},
		{"an index without a time to live", planOf("mongodb_db_index", `{"db":"shop","collection":"c","keys":[{"field":"at","value":"1"}]}`, `{}`, `{}`), nil},
		{"an index that is unknown", planOf("mongodb_db_index", `{"db":"shop","keys":[{"field":"at","value":"1"}]}`, `{"expire_after_seconds":true}`, `{}`), []string{"mention mongodb_db_index.c.expire_after_seconds"}},
		{"a state", stateOf(sqlKind, `{"name":"c","default_ttl":3600}`), []string{"container defaultTtl=3600 analyticalStorageTtl=off"}},
		{"a state with 0", stateOf(mongoKind, `{"name":"c","default_ttl_seconds":0}`), []string{"collection"}},
		{"a large number", planOf(sqlKind, `{"name":"c","default_ttl":9007199254740993}`, `{}`, `{}`), []string{"container defaultTtl=9007199254740993 analyticalStorageTtl=off"}},
		{"another version", strings.Replace(planOf(sqlKind, `{}`, `{}`, `{}`), `"1.2"`, `"9.0"`, 1), []string{"error"}},
	} {
		if diff := cmp.Diff(tt.want, terraformShown(t, tt.text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, diff)
		}
	}
}

// TestTerraformModules: the configuration of a resource is found through modules and their instances.
func TestTerraformModules(t *testing.T) {
	for _, tt := range []struct {
		address string
		want    []string
	}{
		{"", nil}, {"module.a", []string{"a"}}, {`module.a["x.y]"].module.b[0]`, []string{"a", "b"}}, {`module.a["x\"]"].module.b`, []string{"a", "b"}}, {"x", []string{"x"}}, {"module.a[", []string{"a["}},
	} {
		if diff := cmp.Diff(tt.want, moduleNames(tt.address)); diff != "" {
			t.Errorf("moduleNames(%q) (-want +got):\n%s", tt.address, diff)
		}
	}
	text := strings.NewReplacer(
		`"address":"`+sqlKind+`.c","mode":"managed","type":"`+sqlKind+`","name":"c","change"`, `"address":"module.m.`+sqlKind+`.c","module_address":"module.m","mode":"managed","type":"`+sqlKind+`","name":"c","change"`,
		`"configuration":{"root_module":{"resources"`, `"configuration":{"root_module":{"module_calls":{"m":{"module":{"resources"`,
		`"expressions":{}}]}}}`, `"expressions":{}}]}}}}}}`,
	).Replace(planOf(sqlKind, `{"name":"c"}`, `{"default_ttl":true}`, `{}`))
	if !json.Valid([]byte(text)) {
		t.Fatalf("the plan is no JSON: %s", text)
	}
	if diff := cmp.Diff([]string{"container defaultTtl=off analyticalStorageTtl=off"}, terraformShown(t, text)); diff != "" {
		t.Errorf("in a module (-want +got):\n%s", diff)
	}
}

// FuzzTerraform: no input makes addTerraform panic, and an unknown value is no policy.
func FuzzTerraform(f *testing.F) {
	for _, kind := range []string{sqlKind, mongoKind, "azapi_resource", "mongodb_db_index"} {
		f.Add([]byte(planOf(kind, `{"name":"c","type":"`+sqlType+`","default_ttl":60,"default_ttl_seconds":60,"body":{},"keys":{"a":1},"ttl":5}`, `{"default_ttl":true}`, `{}`)))
		f.Add([]byte(stateOf(kind, `{"name":"c","default_ttl":60}`)))
	}
	f.Add([]byte(`{"format_version":"1.0","resource_changes":[null,{"change":null},{"mode":"managed","change":{"after":{"default_ttl":[]}}}],"configuration":{}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		in := newReading("plan")
		if err := in.addTerraform(text); err != nil && len(in.targets) > 0 {
			t.Errorf("addTerraform = %v, %v", in.targets, err)
		}
	})
}
