package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// addCosmos adds the containers that one JSON document describes: a container
// as the REST API, an SDK or the az tool shows it, a list of them, or a
// template for Azure Resource Manager. It reports false if there is none.
func (in *reading) addCosmos(v policy.Value) bool {
	t := template{in: in}
	page := policy.AOf(v.Field("value"))
	switch kind := v.Field("resources").Kind(); {
	case v.Field("DocumentCollections").Kind() == policy.List:
		for _, v := range policy.AOf(v.Field("DocumentCollections")) {
			in.addContainer(&container{resource: v}, v)
		}
	case kind == policy.List, kind == policy.Object && v.Field("$schema").Kind() == policy.String: // a template has resources, or resources by name and a schema
		t.wanted, in.isTemplate = true, true
		t.resources(v.Field("resources"), "", "/resources")
	case isResource(v):
		body := v.Field("properties").Field("resource")
		in.isTemplate = true
		t.wanted = body.Kind() == policy.Object && v.Field("id").IsMissing() && body.Field("_rid").IsMissing() // the body of a PUT
		t.resource(v, "", "")
	case v.Field("value").Kind() == policy.List && !slices.ContainsFunc(page, func(v policy.Value) bool { return !isResource(v) }):
		for _, v := range page {
			t.resource(v, "", "")
		}
	case pasted.IsContainer(v):
		in.addContainer(&container{resource: v}, v)
	default:
		return false
	}
	return true
}

// isResource reports whether v is a container or a collection in the form of Azure Resource
// Manager: the body of its GET or PUT, or what the az tool shows.
func isResource(v policy.Value) bool {
	resource := resourceOf(v)
	return typeOf(textOf(v.Field("type"))) != "" || pasted.IsContainer(resource) || isCollectionResource(resource)
}

// resourceOf returns the settings in a resource; Missing if there are none.
func resourceOf(v policy.Value) policy.Value {
	if resource := v.Field("properties").Field("resource"); resource.Kind() == policy.Object {
		return resource
	}
	if resource := v.Field("resource"); resource.Kind() == policy.Object {
		return resource
	}
	return policy.Value{}
}

// isCollectionResource reports whether a resource is a collection of the API for MongoDB: its
// indexes have lists of keys.
func isCollectionResource(resource policy.Value) bool {
	indexes := policy.AOf(resource.Field("indexes"))
	return len(indexes) > 0 && !slices.ContainsFunc(indexes, func(x policy.Value) bool { return x.Field("key").Field("keys").Kind() != policy.List })
}

func (in *reading) addContainer(c *container, v policy.Value) {
	in.targets = append(in.targets, &Target{File: in.file, Name: nameOf(v, c.resource), Database: c.id.database, container: c})
}

// nameOf returns the name of a container or a collection: its id, or else the last part of
// the name in v, the document around it. The result is "" if the name must be evaluated.
func nameOf(v, resource policy.Value) string {
	if id := textOf(resource.Field("id")); id != "" && !isExpression(id) {
		return id
	}
	name := textOf(v.Field("name"))
	if isExpression(name) {
		return ""
	}
	return name[strings.LastIndex(name, "/")+1:]
}

// A template is a template for Azure Resource Manager, the format to which
// Bicep compiles. Its expressions are not evaluated: a resource counts if the values of its
// settings are literal.
type template struct {
	in     *reading
	wanted bool // the resources are to be sent to the service, not shown by it
}

// resources adds the containers among resources: an array, or since version
// 2.0 an object. The nesting is no deeper than the parser allows.
func (t *template) resources(v policy.Value, parent, path string) {
	e := v.Elements()
	for i := 0; e.Next(); i++ {
		t.resource(e.Value(), parent, path+"/"+strconv.Itoa(i))
	}
	f := v.Fields()
	for f.Next() {
		t.resource(f.Value(), parent, path+"/"+f.Name())
	}
}

// resource adds a resource if it is a container, and the containers within it. A nested
// resource may list only the last part of its type; the type of its parent comes before
// it.
func (t *template) resource(v policy.Value, parent, path string) {
	kind := textOf(v.Field("type"))
	if parent != "" && !strings.Contains(kind, ".") {
		kind = parent + "/" + kind
	}
	before, resource := len(t.in.targets), resourceOf(v)
	switch is := typeOf(kind); {
	case is == "collection", kind == "" && isCollectionResource(resource):
		t.addCollection(v, resource)
	case is == "container", kind == "" && pasted.IsContainer(resource), pasted.IsContainer(v.Field("resource")):
		t.add(v, resource)
	}
	if len(t.in.targets) > before {
		t.in.targets[before].path = path
	}
	if inner := v.Field("properties").Field("template"); inner.Kind() == policy.Object {
		t.resources(inner.Field("resources"), "", path+"/properties/template/resources")
	}
	t.resources(v.Field("resources"), kind, path+"/resources")
}

// accounts begins the types of the resources of an account, in lower case.
const accounts = "microsoft.documentdb/databaseaccounts/"

// typeOf returns what a resource of this type is: a container of the API for NoSQL, a collection
// of the API for MongoDB, or "" for anything else.
func typeOf(kind string) string {
	kind, isOfAccount := strings.CutPrefix(strings.ToLower(kind), accounts)
	switch {
	case isOfAccount && (strings.HasSuffix("/"+kind, "/sqldatabases/containers") || kind == "apis/databases/containers"):
		return "container"
	case isOfAccount && strings.HasSuffix("/"+kind, "/mongodbdatabases/collections"):
		return "collection"
	}
	return ""
}

// addCollection adds a collection of the API for MongoDB with its TTL indexes, such as {key:
// {keys: ["_ts"]}, options: {expireAfterSeconds: 60}}, unless a time to live is an expression.
func (t *template) addCollection(v, resource policy.Value) {
	target := &Target{
		File: t.in.file, Name: nameOf(v, resource), Database: placeOf(v).database, collection: &collection{notes: []string{cosmosMongo}}, IsWritten: t.wanted, isOfAzure: true,
	}
	for _, x := range policy.AOf(resource.Field("indexes")) {
		seconds := x.Field("options").Field(secondsOption)
		if isExpression(textOf(seconds)) {
			return
		}
		if seconds.IsMissingOrNull() {
			continue
		}
		var key policy.D
		for _, k := range policy.AOf(x.Field("key").Field("keys")) {
			key = append(key, policy.E{Key: textOf(k), Value: policy.Int32Value(1)})
		}
		x = policy.ObjectValue(policy.D{{Key: "key", Value: policy.ObjectValue(key)}, {Key: secondsOption, Value: seconds}})
		target.collection.indexes, target.steps = append(target.collection.indexes, x), append(target.steps, Step{Index: x})
	}
	t.in.targets = append(t.in.targets, target)
}

// add adds a container, unless one of its settings is an expression.
func (t *template) add(v, resource policy.Value) {
	indexing := resource.Field("indexingPolicy")
	for _, setting := range []policy.Value{resource, resource.Field("defaultTtl"), resource.Field("analyticalStorageTtl"), resource.Field("ttlPropertyPath"), indexing, indexing.Field("indexingMode")} {
		if isExpression(textOf(setting)) {
			return
		}
	}
	t.in.addContainer(&container{resource: resource, id: placeOf(v), wanted: t.wanted}, v)
}

// An armID is the place of a container in Azure, as far as it is known.
type armID struct{ group, account, database, container string }

// placeOf returns the place of a resource by its identifier, or else by its name, such as
// "account/shop/carts".
func placeOf(v policy.Value) armID {
	if id := textOf(v.Field("id")); id != "" && !isExpression(id) {
		return parseID(id)
	}
	name := textOf(v.Field("name"))
	if parts := strings.Split(name, "/"); len(parts) == 3 && !isExpression(name) {
		return armID{account: parts[0], database: parts[1], container: parts[2]}
	}
	return armID{}
}

func parseID(id string) (a armID) {
	parts := strings.Split(id, "/")
	for i := 0; i+1 < len(parts); i++ {
		value, err := url.PathUnescape(parts[i+1])
		if err != nil {
			value = parts[i+1]
		}
		switch strings.ToLower(parts[i]) {
		case "resourcegroups":
			a.group = value
		case "databaseaccounts":
			a.account = value
		case "sqldatabases", "mongodbdatabases":
			a.database = value
		case "containers", "collections":
			a.container = value
		}
	}
	return a
}

func isExpression(s string) bool {
	return strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") && !strings.HasPrefix(s, "[[")
}

func textOf(v policy.Value) string {
	s, _ := v.AsString()
	return s
}

// A mention is a member of a JSON text that is about a time to live.
type mention struct {
	name string
	path string // the path of the member, as a JSON Pointer without escapes
	at   int    // the offset of the byte after its name
	// isMisspelt means that name is not one of settings: it is a setting's name in an
	// SDK, or has other capital letters.
	isMisspelt   bool
	isExpression bool // its value is an expression of a template
}

// settings are the names of the members that are searched for.
var settings = []string{"defaultTtl", "analyticalStorageTtl", secondsOption}

// containerSettings are, in lower case, the names of settings that only containers have.
var containerSettings = []string{"defaultttl", "default_ttl", "defaulttimetolive", "analyticalstoragettl"}

// maxMentions is the largest number of mentions that mentionsIn returns.
const maxMentions = 10_000

// mentionsIn returns the members of a JSON document that are about a time to live, in the
// order of the text. If the text has a fault, mentionsIn returns only the members before
// the fault.
func mentionsIn(text string) (list []mention) {
	d := json.NewDecoder(strings.NewReader(text))
	var path []string // the names of members and the positions of elements
	var value func(of int) bool
	value = func(of int) bool { // the value of a mention, or of none: -1; it reports false at the end
		token, err := d.Token()
		open, isNested := token.(json.Delim)
		if text, ok := token.(string); ok && of >= 0 {
			list[of].isExpression = isExpression(text)
		}
		if err != nil || !isNested {
			return err == nil
		}
		path = append(path, "")
		for i := 0; d.More(); i++ {
			name, of := strconv.Itoa(i), -1
			if open == '{' {
				token, _ := d.Token() // an error comes back with the value
				name, _ = token.(string)
			}
			path[len(path)-1] = name
			isMisspelt := !slices.Contains(settings, name)
			if open == '{' && (!isMisspelt || slices.Contains(containerSettings, strings.ToLower(name))) {
				of = len(list)
				list = append(list, mention{name: name, path: "/" + strings.Join(path, "/"), at: int(d.InputOffset()), isMisspelt: isMisspelt})
			}
			if len(list) == maxMentions || !value(of) {
				return false
			}
		}
		path = path[:len(path)-1]
		_, err = d.Token()
		return err == nil
	}
	value(-1)
	return list
}

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
