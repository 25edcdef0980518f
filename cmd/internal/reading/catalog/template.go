package catalog

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

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
