package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// IsTerraform reports whether a JSON document is the plan or the state of `terraform show -json`.
func IsTerraform(v policy.Value) bool {
	if v.Field("format_version").Kind() != policy.String {
		return false
	}
	return v.Field("resource_changes").Kind() == policy.List || v.Field("planned_values").Kind() == policy.Object ||
		v.Field("values").Kind() == policy.Object && v.Field("values").Field("root_module").Kind() == policy.Object
}

// addTerraform adds the collections and containers of Azure Cosmos DB that `terraform show -json`
// prints of a plan or a state, as the provider sends them. A value that is known only after the
// apply is a mention that yields no policy, and so is a time to live of any other resource. The
// error says why Terraform's own module cannot read the text.
func (in *reading) addTerraform(text []byte) error {
	r := &terraform{in: in, text: text}
	if bytes.Count(bytes.TrimSpace(text), []byte("\n")) == 0 {
		r.text = nil // it prints one line, which says nothing
	}
	if err := r.read(text); err != nil {
		return refusal{fmt.Errorf("what terraform show -json prints: %w", err)}
	}
	if len(r.unread) > 0 {
		t := unreadTarget(in.file, r.unread)
		t.IsOfTerraform = true
		in.targets = append(in.targets, t)
	}
	return nil
}

// A terraform is the state of one call of addTerraform.
type terraform struct {
	in     *reading
	text   []byte         // for line numbers; nil for a text of one line
	config *tfjson.Config // nil for a state
	unread []Unread
}

func (r *terraform) read(text []byte) error {
	var head struct {
		Values json.RawMessage `json:"values"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return err
	}
	if head.Values != nil {
		var s tfjson.State
		s.UseJSONNumber(true)
		err := s.UnmarshalJSON(text)
		if err == nil && s.Values != nil {
			r.module(s.Values.RootModule)
		}
		return err
	}
	var p tfjson.Plan
	p.UseJSONNumber(true)
	if err := p.UnmarshalJSON(text); err != nil {
		return err
	}
	r.config = p.Config
	for _, c := range p.ResourceChanges {
		if c == nil || c.Change == nil || c.Mode != tfjson.ManagedResourceMode || c.Change.After == nil {
			continue // a data source, or a resource that is deleted
		}
		after, _ := c.Change.After.(map[string]any)
		unknown, _ := c.Change.AfterUnknown.(map[string]any)
		r.resource(item{
			address: c.Address, module: c.ModuleAddress, kind: c.Type, name: c.Name, values: after, unknown: unknown,
			isNew: c.Change.Actions.Create() || c.Change.Actions.Replace(),
		})
	}
	return nil
}

// lineOf returns the line that first names an address, 0 if none does.
func (r *terraform) lineOf(address string) int {
	quoted, err := json.Marshal(address)
	if at := bytes.Index(r.text, quoted); err == nil && at >= 0 {
		return 1 + bytes.Count(r.text[:at], []byte("\n"))
	}
	return 0
}

// An item is one resource of a plan or a state.
type item struct {
	address, module, kind, name string
	values, unknown             map[string]any
	isNew                       bool // the resource is created
	isStored                    bool // a state shows it
}

func (r *terraform) module(m *tfjson.StateModule) {
	if m == nil {
		return
	}
	for _, s := range m.Resources {
		if s != nil && s.Mode == tfjson.ManagedResourceMode {
			r.resource(item{address: s.Address, kind: s.Type, name: s.Name, values: s.AttributeValues, isStored: true})
		}
	}
	for _, child := range m.ChildModules {
		r.module(child)
	}
}

// terraformSettings are the arguments about a time to live, by the kind of resource.
var terraformSettings = map[string][]string{
	"azurerm_cosmosdb_sql_container":    {"default_ttl", "analytical_storage_ttl"},
	"azurerm_cosmosdb_mongo_collection": {"default_ttl_seconds"},
	"azurerm_cosmosdb_gremlin_graph":    {"default_ttl", "analytical_storage_ttl"},
	"azurerm_cosmosdb_cassandra_table":  {"default_ttl", "analytical_storage_ttl"},
	mongoPrefix:                         {"expire_after_seconds", "expireAfterSeconds", "ttl"},
}

// mongoPrefix begins the kinds of resources of the community's providers for MongoDB.
const mongoPrefix = "mongodb_"

func (r *terraform) resource(x item) {
	kind := x.kind
	if strings.HasPrefix(kind, mongoPrefix) {
		kind = mongoPrefix
	}
	switch kind {
	case "azapi_resource", "azapi_update_resource":
		if strings.HasPrefix(strings.ToLower(x.text("type")), accounts) {
			r.mention(x, "body", "a resource of this type is not read", true)
		}
	case "azurerm_cosmosdb_sql_container":
		r.container(x)
	case "azurerm_cosmosdb_mongo_collection":
		r.collection(x)
	default:
		for _, name := range terraformSettings[kind] {
			if v := x.value(name); x.isUnknown(name) || !v.IsMissingOrNull() {
				r.mention(x, name, "a resource of this type is not read", kind != mongoPrefix)
			}
		}
	}
}

func (r *terraform) mention(x item, argument, why string, isCosmos bool) {
	r.unread = append(r.unread, Unread{r.lineOf(x.address), x.address + "." + argument, why, isCosmos})
}

// AfterApply is the reason of a mention whose value a plan does not know.
const AfterApply = "the value is known only after the apply"

// value returns an argument; Missing if there is none.
func (x item) value(name string) policy.Value { return valueOf(x.values[name]) }

func (x item) text(name string) string {
	s, _ := x.values[name].(string)
	return s
}

func (x item) isUnknown(name string) bool { return hasUnknown(x.unknown[name]) }

func hasUnknown(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case map[string]any:
		for _, one := range v {
			if hasUnknown(one) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, hasUnknown)
	}
	return false
}

// valueOf returns a decoded JSON value. Its nesting is bounded by that of the decoder.
func valueOf(v any) policy.Value {
	if v == nil {
		return policy.Value{}
	}
	text, err := json.Marshal(map[string]any{"v": v})
	if err != nil {
		return policy.Value{}
	}
	doc, err := policy.ParseJSON(text)
	if err != nil {
		return policy.Value{}
	}
	return doc.Field("v")
}

// add adds a collection or a container.
func (r *terraform) add(x item, t Target) {
	t.File, t.Database, t.Name, t.Line, t.IsOfTerraform = r.in.file, x.text("database_name"), x.text("name"), r.lineOf(x.address), true
	r.in.targets = append(r.in.targets, &t)
}

// setting returns what the provider sends for an argument: nothing for null, and for a 0 unless it
// refuses the 0 (hashicorp/terraform-provider-azurerm:
// internal/services/cosmos/cosmosdb_sql_container_resource.go@0100e351 and
// cosmosdb_mongo_collection_resource.go@084c2405;
// https://developer.hashicorp.com/terraform/language/expressions/types#null). setting reports false
// if the value is not known or refused, which it mentions. An optional and computed argument that
// the configuration leaves out is unknown in a plan, although the provider sends nothing for it.
func (r *terraform) setting(x item, name string, refusesZero bool) (policy.Value, bool) {
	if x.isUnknown(name) {
		if x.isNew && r.isLeftOut(x, name) {
			return policy.Value{}, true
		}
		r.mention(x, name, AfterApply, true)
		return policy.Value{}, false
	}
	v := x.value(name)
	n, isInteger := v.AsInt64()
	switch isZero := isInteger && n == 0; {
	case isZero && refusesZero && !x.isStored: // a state has a 0 for an argument that is not set
		r.mention(x, name, "the provider refuses the value 0, so that the plan fails", true)
		return v, false
	case isZero, v.Kind() == policy.Null:
		return policy.Value{}, true
	}
	return v, true
}

// isLeftOut reports whether the configuration has no expression for an argument.
func (r *terraform) isLeftOut(x item, name string) bool {
	if r.config == nil {
		return false
	}
	m := r.config.RootModule
	for _, call := range moduleNames(x.module) {
		if m == nil || m.ModuleCalls[call] == nil {
			return false
		}
		m = m.ModuleCalls[call].Module
	}
	if m == nil {
		return false
	}
	i := slices.IndexFunc(m.Resources, func(c *tfjson.ConfigResource) bool { return c != nil && c.Type == x.kind && c.Name == x.name })
	return i >= 0 && m.Resources[i].Expressions[name] == nil
}

// moduleNames returns the names of the modules on the way to one such as
// `module.shop["eu"].module.carts`.
func moduleNames(address string) []string {
	if address == "" {
		return nil
	}
	return strings.Split(strings.TrimPrefix(instanceKey.ReplaceAllString(address, ""), "module."), ".module.")
}

// instanceKey matches the key of an instance, such as `["eu"]` or `[0]`.
var instanceKey = regexp.MustCompile(`\[(?:"(?:[^"\\]|\\.)*"|[0-9]+)\]`)

func (r *terraform) container(x item) {
	ttl, ok := r.setting(x, "default_ttl", false)
	analytical, known := r.setting(x, "analytical_storage_ttl", false)
	if !ok || !known {
		return
	}
	d := policy.D{{Key: "id", Value: policy.StringValue(x.text("name"))}}
	if paths := x.value("partition_key_paths"); paths.Kind() == policy.List {
		d = append(d, policy.E{Key: "partitionKey", Value: policy.ObjectValue(policy.D{{Key: "paths", Value: paths}})})
	}
	if modes := policy.AOf(x.value("indexing_policy")); len(modes) == 1 {
		d = append(d, policy.E{Key: "indexingPolicy", Value: policy.ObjectValue(policy.D{{Key: "indexingMode", Value: modes[0].Field("indexing_mode")}})})
	}
	for _, e := range []policy.E{{Key: "defaultTtl", Value: ttl}, {Key: "analyticalStorageTtl", Value: analytical}} {
		if !e.Value.IsMissing() {
			d = append(d, e)
		}
	}
	notes := []string{"It is " + cli.Visible(x.address) + "."}
	if n, isInteger := x.value("default_ttl").AsInt64(); isInteger && n == 0 && !x.isStored {
		notes = append(notes, "The provider does not send default_ttl 0, which switches time to live off.")
	}
	id := armID{x.text("resource_group_name"), x.text("account_name"), x.text("database_name"), x.text("name")}
	r.add(x, Target{container: &container{resource: policy.ObjectValue(d), id: id, wanted: true, notes: notes}})
}

func (r *terraform) collection(x item) {
	seconds, ok := r.setting(x, "default_ttl_seconds", true)
	if !ok {
		return
	}
	c := &collection{notes: []string{"It is " + cli.Visible(x.address) + ".", cosmosMongo}}
	if !seconds.IsMissing() {
		key := policy.ObjectValue(policy.D{{Key: "_ts", Value: policy.Int32Value(1)}})
		c.indexes = policy.A{policy.ObjectValue(policy.D{{Key: "key", Value: key}, {Key: secondsOption, Value: seconds}})}
	}
	r.add(x, Target{collection: c, isOfAzure: true})
}
