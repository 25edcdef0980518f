// Package terraform reads the TTL policies that a configuration of Terraform defines, as
// [program.Read] does for other languages. It runs nothing.
package terraform

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/program"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Read is [program.Read] for files of any language, including Terraform. A configuration
// may use the variables and locals of module, or, if module is nil, those of its own
// file. beside reads the files that a script names, see [program.Readers].
func Read(module *Module, beside func(path string) (string, error), name, text string, now policy.Instant) program.File {
	return program.ReadWith(program.Readers{Terraform: func(b *program.Builder) { module.read(b, name) }, Beside: beside}, name, text, now)
}

// A Module holds the values that the Terraform files in one folder share: the defaults of their
// variables, and their locals.
type Module struct {
	scopes    map[string]map[string]cty.Value // "var" and "local"
	usesLists bool                            // some resource is made for each element of a list
	has       map[string]bool                 // the files whose variables and locals are known
}

// NewModule returns the module of files, by their names and texts. It leaves out files
// that cannot be read on their own, and files beyond a bound.
func NewModule(files iter.Seq2[string, string]) *Module {
	var bodies []*hclsyntax.Body
	shared, usesLists, has := 0, false, map[string]bool{}
	for name, text := range files {
		if !strings.Contains(text, "variable") && !strings.Contains(text, "locals") && !strings.Contains(text, "for_each") {
			continue // nothing in it is shared
		}
		body, why, _ := parse(name, text)
		if why != "" {
			continue
		}
		usesLists = usesLists || listsContainers(body)
		body.Blocks = slices.DeleteFunc(body.Blocks, func(b *hclsyntax.Block) bool { return b.Type != "variable" && b.Type != "locals" })
		for _, block := range body.Blocks {
			shared += block.Body.SrcRange.End.Byte - block.Range().Start.Byte
		}
		if shared <= maxShared {
			bodies = append(bodies, body)
			has[name] = true
		}
	}
	m := moduleOf(bodies...)
	m.usesLists, m.has = usesLists, has
	return m
}

// listsContainers reports whether a file has a resource of Azure Cosmos DB that is
// repeated for each element of a list.
func listsContainers(body *hclsyntax.Body) bool {
	return slices.ContainsFunc(body.Blocks, func(b *hclsyntax.Block) bool {
		return b.Type == "resource" && b.Body.Attributes["for_each"] != nil && strings.HasPrefix(strings.Join(b.Labels, "."), "azurerm_cosmosdb_")
	})
}

// read reads a configuration of Terraform with Terraform's own parser. It evaluates
// locals, variables with a default, count and for_each.
func (m *Module) read(b *program.Builder, name string) {
	body, why, at := parse(name, b.Text)
	if why != "" {
		if first := program.OptionAt(b.Text); first >= 0 {
			b.Refuse(first, program.WordAt(b.Text, first), fmt.Sprintf("%s (line %d)", why, b.LineOf(at)), true)
		}
		return
	}
	t := &reader{Builder: b, body: body, module: m}
	t.usesLists = t.module != nil && t.module.usesLists
	if t.module == nil || !t.module.has[name] {
		t.module = moduleOf(body)
	}
	for _, block := range t.body.Blocks {
		if block.Type == "resource" && len(block.Labels) == 2 {
			t.readResource(block)
		}
	}
	t.readMentions()
}

type reader struct {
	*program.Builder
	budget
	module    *Module
	body      *hclsyntax.Body
	usesLists bool // a resource of the module is made for each element of a list
}

// A budget counts the work spent on computing expressions.
type budget struct{ cost int }

// functions are Terraform's functions that people call to list containers. Functions that
// multiply the size of their arguments are left out.
var functions = map[string]function.Function{
	"toset": stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)), "tolist": stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType)), "tomap": stdlib.MakeToFunc(cty.Map(cty.DynamicPseudoType)),
	"tonumber": stdlib.MakeToFunc(cty.Number), "tostring": stdlib.MakeToFunc(cty.String),
	"merge": stdlib.MergeFunc, "lookup": lookup, "try": tryfunc.TryFunc, "can": tryfunc.CanFunc, "concat": stdlib.ConcatFunc, "keys": stdlib.KeysFunc, "values": stdlib.ValuesFunc, "length": stdlib.LengthFunc,
	"coalesce": stdlib.CoalesceFunc, "max": stdlib.MaxFunc, "min": stdlib.MinFunc, "lower": stdlib.LowerFunc, "upper": stdlib.UpperFunc, "jsonencode": stdlib.JSONEncodeFunc,
	"zipmap": stdlib.ZipmapFunc, "flatten": stdlib.FlattenFunc, "floor": stdlib.FloorFunc, "ceil": stdlib.CeilFunc,
}

// lookup is Terraform's function lookup: it returns the value of a key in a map or an object,
// or else a default, which may be null.
var lookup = function.New(&function.Spec{
	Params:   []function.Parameter{{Name: "inputMap", Type: cty.DynamicPseudoType}, {Name: "key", Type: cty.String}},
	VarParam: &function.Parameter{Name: "default", Type: cty.DynamicPseudoType, AllowNull: true, AllowUnknown: true, AllowDynamicType: true},
	Type:     func([]cty.Value) (cty.Type, error) { return cty.DynamicPseudoType, nil },
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		of, key := args[0], args[1]
		switch name := key.AsString(); {
		case of.Type().IsObjectType() && of.Type().HasAttribute(name):
			return of.GetAttr(name), nil
		case of.Type().IsMapType() && of.HasIndex(key).True():
			return of.Index(key), nil
		case len(args) == 3:
			return args[2], nil
		}
		return cty.DynamicVal, errors.New("the map has no such key")
	},
})

// typed returns the default of a variable with the attributes that its type adds by optional(…).
func typed(v cty.Value, of hclsyntax.Expression, constraint *hclsyntax.Attribute) cty.Value {
	if constraint == nil || hasNode(of, joinsTexts) || hasNode(constraint.Expr, joinsTexts) { // such templates may be long numbers
		return v
	}
	kind, defaults, diagnostics := typeexpr.TypeConstraintWithDefaults(constraint.Expr)
	var size measure
	size.add(v, 0)
	written := constraint.SrcRange.End.Byte - constraint.SrcRange.Start.Byte
	if diagnostics.HasErrors() || size.size()*written > maxMade { // each element may get all attributes
		return v
	}
	whole := v
	if defaults != nil {
		whole = defaults.Apply(v)
	}
	if converted, err := convert.Convert(whole, kind); err == nil {
		return converted
	}
	return v
}

// moduleOf computes the defaults of variables, and the locals.
func moduleOf(bodies ...*hclsyntax.Body) *Module {
	variables, locals := map[string]cty.Value{}, map[string]cty.Value{}
	m := &Module{scopes: map[string]map[string]cty.Value{"var": variables, "local": locals}}
	var e budget
	kept := 0
	keep := func(in map[string]cty.Value, name string, v cty.Value) {
		var one measure
		one.add(v, 0)
		if kept += one.size(); kept <= maxKept {
			in[name] = v
		}
	}
	var pending []*hclsyntax.Attribute
	for _, body := range bodies {
		var own []*hclsyntax.Attribute
		for _, block := range body.Blocks {
			switch {
			case block.Type == "variable" && len(block.Labels) == 1:
				variables[block.Labels[0]] = cty.DynamicVal
				if a := block.Body.Attributes["default"]; a != nil {
					if v, ok := e.evaluate(a.Expr, nil, m); ok && !v.IsNull() {
						keep(variables, block.Labels[0], typed(v, a.Expr, block.Body.Attributes["type"]))
					}
				}
			case block.Type == "locals":
				for _, a := range block.Body.Attributes {
					own = append(own, a)
					locals[a.Name] = cty.DynamicVal
				}
			}
		}
		slices.SortFunc(own, func(x, y *hclsyntax.Attribute) int { return x.SrcRange.Start.Byte - y.SrcRange.Start.Byte })
		pending = append(pending, own...)
	}
	for range 8 { // locals may refer to each other, in any order
		changed := false
		for _, a := range pending {
			if locals[a.Name].IsWhollyKnown() {
				continue
			}
			if v, ok := e.evaluate(a.Expr, nil, m); ok && !locals[a.Name].RawEquals(v) {
				keep(locals, a.Name, v)
				changed = true
			}
		}
		if !changed {
			break
		}
	}
	return m
}

// evaluate computes an expression of the file. more holds the variables of an instance.
func (t *reader) evaluate(e hclsyntax.Expression, more map[string]cty.Value) (v cty.Value, ok bool) {
	return t.budget.evaluate(e, more, t.module)
}

// evaluate computes an expression with the values of a module and of more. Values that neither
// defines are unknown. It reports false for an error, and for a value that would be too large.
func (x *budget) evaluate(e hclsyntax.Expression, more map[string]cty.Value, m *Module) (v cty.Value, ok bool) {
	context := &hcl.EvalContext{Variables: map[string]cty.Value{}, Functions: functions}
	named := map[string]map[string]cty.Value{} // the values of each scope that the expression uses
	if x.cost >= maxCost {
		return cty.DynamicVal, false
	}
	variables := e.Variables()
	for _, traversal := range variables {
		root := traversal.RootName()
		scope, isScope := m.scopes[root]
		switch v, known := more[root]; {
		case known:
			context.Variables[root] = v
		case isScope && len(traversal) > 1:
			if step, ok := traversal[1].(hcl.TraverseAttr); ok {
				if named[root] == nil {
					named[root] = map[string]cty.Value{}
				}
				if v, known = scope[step.Name]; !known { // the name may be declared in another file
					v = cty.DynamicVal
				}
				named[root][step.Name] = v
			}
		default:
			context.Variables[root] = cty.DynamicVal
		}
	}
	for root, attributes := range named {
		context.Variables[root] = cty.ObjectVal(attributes)
	}
	var of measure
	for _, traversal := range variables {
		if part, diagnostics := traversal.TraverseAbs(context); !diagnostics.HasErrors() && of.size() <= maxSize {
			of.add(part, 0)
		}
	}
	work := of.work(e)
	if x.cost = plus(x.cost, of.size(), work); of.size() > maxSize || work > maxWork || x.cost >= maxCost || mayMakeNumber(e) {
		return cty.DynamicVal, false
	}
	v, diagnostics := e.Value(context)
	if diagnostics.HasErrors() {
		return cty.DynamicVal, false
	}
	var made measure
	made.add(v, 0)
	return v, made.size() <= maxSize
}

// readResource reads a resource that has a time to live, once for each of its instances.
func (t *reader) readResource(block *hclsyntax.Block) {
	kind := block.Labels[0]
	read := map[string]func(*hclsyntax.Block, map[string]cty.Value) (string, int){
		"azurerm_cosmosdb_sql_container": t.readContainer, "azurerm_cosmosdb_mongo_collection": t.readMongo, "azapi_resource": t.readAzapi,
	}[kind]
	if read == nil && strings.HasPrefix(kind, "mongodb_") {
		read = t.readProvider
	}
	if read == nil {
		return
	}
	instances, why := t.instances(block)
	if why != "" {
		if at := t.mentionIn(block); at >= 0 {
			t.Refuse(at, program.WordAt(t.Text, at), why, true)
		}
		t.Mark(block.Range().Start.Byte, block.Body.SrcRange.End.Byte)
		return
	}
	for _, instance := range instances {
		if why, at := read(block, instance); why != "" {
			t.Refuse(at, program.WordAt(t.Text, at), why, strings.HasPrefix(kind, "az"))
			break
		}
	}
	t.Mark(block.Range().Start.Byte, block.Body.SrcRange.End.Byte)
}

// instances returns, for every instance of a resource, the variable each or count by its name;
// for a resource with neither, nil. If the instances are unknown, why is the reason.
func (t *reader) instances(block *hclsyntax.Block) (list []map[string]cty.Value, why string) {
	if a := block.Body.Attributes["count"]; a != nil {
		counted := func(index cty.Value) map[string]cty.Value {
			return map[string]cty.Value{"count": cty.ObjectVal(map[string]cty.Value{"index": index})}
		}
		v, ok := t.evaluate(a.Expr, nil)
		n, isNumber := whole(v)
		if !ok || !isNumber || n < 0 || n > maxInstances {
			return []map[string]cty.Value{counted(cty.UnknownVal(cty.Number))}, ""
		}
		for i := range n {
			list = append(list, counted(cty.NumberIntVal(i)))
		}
		return list, ""
	}
	a := block.Body.Attributes["for_each"]
	if a == nil {
		return []map[string]cty.Value{nil}, ""
	}
	t.usesLists = true
	v, ok := t.evaluate(a.Expr, nil)
	if !ok || !v.IsKnown() || v.IsNull() || !v.CanIterateElements() || v.LengthInt() > maxInstances {
		return nil, "for_each is " + t.source(a.Expr) + ", which is not evaluated here"
	}
	for i := v.ElementIterator(); i.Next(); {
		key, value := i.Element()
		if v.Type().IsSetType() {
			key = value
		}
		list = append(list, map[string]cty.Value{"each": cty.ObjectVal(map[string]cty.Value{"key": key, "value": value})})
	}
	return list, ""
}

// source returns the text of an expression in one line.
func (t *reader) source(e hclsyntax.Expression) string {
	r := e.Range()
	text := strings.Join(strings.Fields(t.Text[r.Start.Byte:min(r.End.Byte, len(t.Text))]), " ")
	return text[:min(len(text), 60)]
}

// whole converts a value to a whole number. It reports false for any other value.
func whole(v cty.Value) (n int64, ok bool) {
	var m measure
	if m.add(v, 0); m.size() > maxSize {
		return 0, false
	}
	v, err := convert.Convert(v, cty.Number)
	if err != nil || !v.IsKnown() || v.IsNull() {
		return 0, false
	}
	f := v.AsBigFloat()
	if !f.IsInt() {
		return 0, false
	}
	n, accuracy := f.Int64()
	return n, accuracy == 0
}

// setting computes an attribute that counts seconds. The value is Missing if the attribute is
// left out or null. at is its offset; why is the reason if it cannot be computed.
func (t *reader) setting(block *hclsyntax.Block, name string, instance map[string]cty.Value) (v policy.Value, why string, at int) {
	a := block.Body.Attributes[name]
	if a == nil {
		return v, "", 0
	}
	at = a.SrcRange.Start.Byte
	c, ok := t.evaluate(a.Expr, instance)
	if ok && c.IsKnown() && c.IsNull() {
		return v, "", at
	}
	n, isWhole := whole(c)
	if !ok || !isWhole {
		return v, name + " is " + t.source(a.Expr) + ", which is not evaluated here", at
	}
	return program.Seconds(n), "", at
}

// named computes the first of some attributes that holds a known text; "" if none does.
func (t *reader) named(block *hclsyntax.Block, instance map[string]cty.Value, names ...string) string {
	for _, name := range names {
		a := block.Body.Attributes[name]
		if a == nil {
			continue
		}
		v, ok := t.evaluate(a.Expr, instance)
		if ok && v.IsWhollyKnown() && !v.IsNull() && v.Type() == cty.String && v.AsString() != "" {
			return v.AsString()
		}
	}
	return ""
}

// define adds the policy of a resource. at is the offset of the attribute that sets the time to
// live; 0 stands for the beginning of the resource.
func (t *reader) define(block *hclsyntax.Block, at int, instance map[string]cty.Value, p program.Policy) {
	if at == 0 {
		at = block.Range().Start.Byte
	}
	owner := block.Labels[0] + "." + block.Labels[1]
	if e, ok := instance["each"]; ok {
		owner += fmt.Sprintf("[%#v]", e.GetAttr("key"))
	}
	p.Name = cmp.Or(p.Name, t.named(block, instance, "name"))
	p.Database = cmp.Or(p.Database, t.named(block, instance, "database_name"))
	t.Define(at, owner, p)
}

// readContainer reads azurerm_cosmosdb_sql_container.
func (t *reader) readContainer(block *hclsyntax.Block, instance map[string]cty.Value) (why string, at int) {
	resource := policy.D{}
	place := 0
	for _, name := range [][2]string{{"default_ttl", "defaultTtl"}, {"analytical_storage_ttl", "analyticalStorageTtl"}} {
		v, why, at := t.setting(block, name[0], instance)
		if why != "" {
			return why, at
		}
		if !v.IsMissing() {
			resource = append(resource, policy.E{Key: name[1], Value: v})
			place = max(place, at)
		}
	}
	if len(resource) == 0 {
		return "", 0
	}
	for _, inner := range block.Body.Blocks {
		if mode := t.named(inner, instance, "indexing_mode"); mode != "" && inner.Type == "indexing_policy" {
			resource = append(resource, policy.E{Key: "indexingPolicy", Value: policy.ObjectValue(policy.D{{Key: "indexingMode", Value: policy.StringValue(mode)}})})
		}
	}
	if name := t.named(block, instance, "name"); name != "" {
		resource = append(policy.D{{Key: "id", Value: policy.StringValue(name)}}, resource...)
	}
	t.define(block, place, instance, program.Policy{Container: policy.ObjectValue(resource)})
	return "", 0
}

// readMongo reads azurerm_cosmosdb_mongo_collection. The provider makes an index on _ts
// from default_ttl_seconds.
func (t *reader) readMongo(block *hclsyntax.Block, instance map[string]cty.Value) (why string, at int) {
	v, why, at := t.setting(block, "default_ttl_seconds", instance)
	analytical := block.Body.Attributes["analytical_storage_ttl"]
	n, _ := v.AsInt64()
	switch hasNone := v.IsMissing() || n == -1; { // -1 means that nothing expires
	case why != "":
		return why, at
	case hasNone && analytical != nil:
		return analyticalOfMongo, analytical.SrcRange.Start.Byte
	case hasNone:
		return "", 0
	}
	p := program.OfCosmosMongo(program.TimestampIndex(v))
	if analytical != nil {
		p.Notes = append(p.Notes, strings.ToUpper(analyticalOfMongo[:1])+analyticalOfMongo[1:]+".")
	}
	t.define(block, at, instance, p)
	return "", 0
}

// analyticalOfMongo is the reason why a setting is not judged.
const analyticalOfMongo = "the analytical store of a collection of the API for MongoDB is not judged"

// readAzapi reads azapi_resource, whose body is the resource in Azure's form.
func (t *reader) readAzapi(block *hclsyntax.Block, instance map[string]cty.Value) (why string, at int) {
	kind := strings.ToLower(t.named(block, instance, "type"))
	a := block.Body.Attributes["body"]
	isContainer := strings.Contains(kind, "/sqldatabases/containers@")
	if a == nil || !isContainer && !strings.Contains(kind, "/mongodbdatabases/collections@") {
		return "", 0
	}
	at = t.mentionIn(block)
	v, ok := t.evaluate(a.Expr, instance)
	if ok && v.IsWhollyKnown() && v.Type() == cty.String {
		v, ok = jsonValue(v.AsString())
	}
	var text []byte
	var err error
	if ok && v.IsWhollyKnown() {
		text, err = ctyjson.Marshal(v, v.Type())
	}
	body, wrong := policy.ParseJSON(text)
	switch {
	case at < 0:
		return "", 0
	case text == nil || err != nil || wrong != nil:
		return "its body is not evaluated here", at
	}
	resource := body.Field("properties").Field("resource")
	if isContainer {
		t.define(block, at, instance, program.Policy{Container: resource})
		return "", 0
	}
	for _, x := range program.MongoIndexes(resource) {
		t.define(block, at, instance, program.OfCosmosMongo(x))
	}
	return "", 0
}

func jsonValue(text string) (cty.Value, bool) {
	if hasLongNumber(text) {
		return cty.DynamicVal, false
	}
	kind, err := ctyjson.ImpliedType([]byte(text))
	if err != nil {
		return cty.DynamicVal, false
	}
	v, err := ctyjson.Unmarshal([]byte(text), kind)
	return v, err == nil
}

// readProvider reads an index resource of the providers for MongoDB itself, such as
// mongodb_db_index, with keys in blocks of a field and a direction.
func (t *reader) readProvider(block *hclsyntax.Block, instance map[string]cty.Value) (why string, at int) {
	var v policy.Value
	for _, name := range []string{"expire_after_seconds", "expireAfterSeconds", "ttl"} {
		if v.IsMissing() {
			v, why, at = t.setting(block, name, instance)
		}
		if why != "" {
			return why, at
		}
	}
	if v.IsMissing() {
		if at = t.mentionIn(block); at >= 0 {
			return "the form of this resource is not known here", at
		}
		return "", 0
	}
	key := t.keyBlocks(block, instance)
	if key == nil {
		key = t.keyMap(block, instance)
	}
	switch {
	case len(key) == 0:
		return "the key of its index is not read", at
	case hasFilter(block.Body):
		return "the partial filter of its index is not read", at
	}
	t.define(block, at, instance, program.Policy{
		Name:     t.named(block, instance, "collection_name", "collection"),
		Database: t.named(block, instance, "db_name", "db", "database"),
		Steps:    []program.Step{{Index: program.Index(key, v)}},
	})
	return "", 0
}

// hasFilter reports whether a resource has, on any level, an attribute, a block or a member of
// an object for the partial filter of an index. Without its filter the index would hold more
// documents, and expire them.
func hasFilter(body *hclsyntax.Body) (found bool) {
	hclsyntax.VisitAll(body, func(n hclsyntax.Node) hcl.Diagnostics {
		switch n := n.(type) {
		case *hclsyntax.Attribute:
			found = found || isFilter(n.Name)
		case *hclsyntax.Block:
			found = found || isFilter(typeOf(n))
		case *hclsyntax.ObjectConsKeyExpr:
			if name, _ := n.Value(nil); name.Type() == cty.String && name.IsKnown() && !name.IsNull() {
				found = found || isFilter(name.AsString())
			}
		}
		return nil
	})
	return found
}

func isFilter(name string) bool { return strings.Contains(strings.ToLower(name), "partial") }

// typeOf returns the type of a block within a resource. A dynamic block makes blocks of the type
// that its label names.
func typeOf(b *hclsyntax.Block) string {
	if b.Type == "dynamic" && len(b.Labels) == 1 {
		return b.Labels[0]
	}
	return b.Type
}

// keyBlocks returns the key of an index from the blocks of a resource, nil without
// blocks, and an empty key if a block cannot be read.
func (t *reader) keyBlocks(block *hclsyntax.Block, instance map[string]cty.Value) (key policy.D) {
	for _, inner := range block.Body.Blocks {
		if !slices.Contains([]string{"keys", "key", "field"}, typeOf(inner)) {
			continue
		}
		field := t.named(inner, instance, "field", "name", "key")
		direction := policy.Int32Value(1)
		for _, name := range []string{"value", "type", "order", "direction"} {
			if a := inner.Body.Attributes[name]; a != nil {
				c, _ := t.evaluate(a.Expr, instance)
				direction = directionOf(c)
			}
		}
		if field == "" || direction.IsMissing() {
			return policy.D{}
		}
		key = append(key, policy.E{Key: field, Value: direction})
	}
	return key
}

// directionOf returns the direction in the key of an index that a value denotes, such as 1,
// "-1" or "desc"; Missing if it denotes none.
func directionOf(v cty.Value) policy.Value {
	if n, ok := whole(v); ok {
		return program.Seconds(n) // the value that a template sends for any whole number
	}
	if v.Type() != cty.String || !v.IsKnown() || v.IsNull() {
		return policy.Value{}
	}
	return program.Direction(v.AsString())
}

// keyMap returns the key of an index from an attribute that maps fields to directions, nil if
// the key cannot be read.
func (t *reader) keyMap(block *hclsyntax.Block, instance map[string]cty.Value) (key policy.D) {
	a := block.Body.Attributes["keys"]
	if a == nil {
		return nil
	}
	c, ok := t.evaluate(a.Expr, instance)
	if !ok || !c.IsWhollyKnown() || c.IsNull() || !c.CanIterateElements() {
		return nil
	}
	for i := c.ElementIterator(); i.Next(); {
		k, d := i.Element()
		direction := directionOf(d)
		if k.Type() != cty.String || direction.IsMissing() {
			return nil
		}
		key = append(key, policy.E{Key: k.AsString(), Value: direction})
	}
	return key
}

// mentionIn returns the first byte at which a block mentions a time to live, -1 if
// it mentions none.
func (t *reader) mentionIn(block *hclsyntax.Block) (first int) {
	from := block.Range().Start.Byte
	if first = program.OptionAt(t.Text[from:block.Body.SrcRange.End.Byte]); first >= 0 {
		first += from
	}
	return first
}

// readMentions records the unread mentions of a time to live: in modules, and in locals
// that no resource here uses.
func (t *reader) readMentions() {
	lower := strings.ToLower(t.Text)
	if !strings.Contains(lower, "cosmos") && !strings.Contains(lower, "mongo") {
		return
	}
	for _, block := range t.body.Blocks {
		why := ""
		switch {
		case t.mentionIn(block) < 0:
			continue
		case block.Type == "module":
			why = "the module is not read"
		case block.Type == "locals" && !t.usesLists:
			why = "no resource is made of it in this file"
		case block.Type == "resource" && len(block.Labels) > 0 && program.SpeaksOfDatabase(block.Labels[0]):
			why = "a resource of this type is not read"
		default:
			continue
		}
		tokens, _ := hclsyntax.LexExpression([]byte(t.Text[block.Body.SrcRange.Start.Byte:block.Body.SrcRange.End.Byte]), "", hcl.Pos{Byte: block.Body.SrcRange.Start.Byte, Line: 1, Column: 1})
		for _, k := range tokens {
			if (k.Type == hclsyntax.TokenIdent || k.Type == hclsyntax.TokenQuotedLit) && slices.Contains(program.Settings, string(k.Bytes)) && !t.IsRead(k.Range.Start.Byte) {
				t.Refuse(k.Range.Start.Byte, string(k.Bytes), why, true)
			}
		}
	}
}
