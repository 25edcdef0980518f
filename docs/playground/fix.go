package playground

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongosh"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/internal/policytext"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Fix is a change by which a document gets the deadline that it was likely meant
// to have.
type Fix struct {
	Text    string `json:"text"`    // what is changed, in whole sentences
	Command string `json:"command"` // for mongosh, or for a shell
	State   State  `json:"state"`   // the question as it is then
}

// someSeconds stand for a time to live that nobody wrote.
const someSeconds = 3600

const yours = " 3600 stands for your seconds."

// fix returns the change for what the explanation says, none where the answer may
// well be meant so.
func (d definition) fix(s State, e reasons.Explanation, doc policy.Value) (f Fix, ok bool) {
	switch f.State = s; s.System {
	case reasons.CosmosNoSQL:
		ok = d.fixContainer(&f, e, doc)
	case reasons.CosmosMongo:
		rule := e.Decision.Rule.String()
		ok = (rule == "cosmos.mongo-off" || rule == "cosmos.mongo-index-unspecified") && f.setIndex(policy.D{{Key: "_ts", Value: policy.Int32Value(1)}}, policy.Int32Value(someSeconds))
		f.Text = "Make an index on _ts, the one that expires documents in every account." + yours
	default:
		ok = len(d.Indexes) == 1 && d.Options.Kind() != policy.Object && (d.fixIndex(&f, e) || fixField(&f, e, doc))
	}
	return f, ok
}

// fixIndex is about an index that deletes nothing, or everything.
func (d definition) fixIndex(f *Fix, e reasons.Explanation) bool {
	index := d.Indexes[0]
	switch rule := e.Decision.Rule.String(); {
	case e.Source.ZeroBy != "", rule == "mongo.nan-aborts", rule == "mongo.nan-skipped", rule == "mongo.seconds-invalid", rule == "mongo.seconds-overflow":
		return f.setSeconds(e.Source.Name, index, policy.Int32Value(someSeconds))
	case rule == "mongo.no-ttl", rule == "mongo.index-compound", rule == "mongo.index-special", rule == "mongo.seconds-not-number":
		key, seconds := meant(index)
		f.Text = "Drop it, and make an index of one field with expireAfterSeconds."
		if seconds.IsMissing() {
			seconds = policy.Int32Value(someSeconds)
			f.Text += yours
		}
		if !f.setIndex(key, seconds) {
			return false
		}
		if name, ok := nameOf(index); ok {
			f.Command = "db.coll.dropIndex(" + name + ")\n" + f.Command
		}
		return true
	}
	return false
}

// setSeconds changes the seconds of an index in place.
func (f *Fix) setSeconds(name string, index, seconds policy.Value) bool {
	command, ok := mongosh.Literal(policy.ObjectValue(policy.D{
		{Key: "collMod", Value: policy.StringValue("coll")},
		{Key: "index", Value: policy.ObjectValue(policy.D{{Key: "name", Value: policy.StringValue(name)}, {Key: "expireAfterSeconds", Value: seconds}})},
	}))
	changed, written := mongosh.Literal(with(index, "expireAfterSeconds", seconds))
	f.Text, f.Command, f.State.Policy = "Write a number of seconds."+yours, "db.runCommand("+command+")", changed
	return ok && written
}

// setIndex makes the index the only one.
func (f *Fix) setIndex(key policy.D, seconds policy.Value) bool {
	fields, ok := mongosh.Literal(policy.ObjectValue(key))
	options, written := mongosh.Literal(policy.ObjectValue(policy.D{{Key: "expireAfterSeconds", Value: seconds}}))
	f.Command = "db.coll.createIndex(" + fields + ", " + options + ")"
	f.State.Policy = f.Command
	return ok && written && len(key) == 1
}

// meant returns the one field of an index, and the seconds, under whatever name.
func meant(index policy.Value) (key policy.D, seconds policy.Value) {
	seconds = index.Field("expireAfterSeconds")
	remarks := policytext.IndexRemarks(index)
	for _, r := range remarks {
		for _, v := range []policy.Value{index.Field(r.Field), index.Field("key").Field(r.Field)} {
			if seconds.IsMissing() && v.Kind().IsNumber() && !v.IsNaN() {
				seconds = v
			}
		}
	}
	for f := index.Field("key").Fields(); f.Next() && len(key) == 0; {
		if !slices.ContainsFunc(remarks, func(r policytext.Remark) bool { return r.Field == f.Name() }) {
			key = policy.D{{Key: f.Name(), Value: policy.Int32Value(1)}}
		}
	}
	if !seconds.Kind().IsNumber() || seconds.IsNaN() {
		seconds = policy.Value{}
	}
	return key, seconds
}

// nameOf returns the name of an index as the shell has it. It reports false if the
// index cannot be there under one.
func nameOf(index policy.Value) (string, bool) {
	spec, err := mongo.ParseIndexSpec(index)
	if err != nil || spec.Name == "" {
		return "", false
	}
	return mongosh.Literal(policy.StringValue(spec.Name))
}

// fixField is about what stands in the place of a Date.
func fixField(f *Fix, e reasons.Explanation, doc policy.Value) bool {
	release, err := mongo.ParseVersion(f.State.Release)
	if err != nil || release.Compare(mongo.Version{Major: 4, Minor: 2}) < 0 { // which cannot compute in an update
		return false
	}
	path, now := strings.Split(e.Source.Field, "."), policy.DateValue(e.Now)
	name, written := mongosh.Literal(policy.StringValue(e.Source.Field))
	value, ok := mongosh.Literal(policy.StringValue("$" + e.Source.Field))
	if !written || !ok || strings.ContainsAny(e.Source.Field, "$") {
		return false
	}
	filter, set := "null", `"$$NOW"`
	switch rule := e.Decision.Rule.String(); {
	case rule == "mongo.field-missing", rule == "mongo.field-null" && e.Found != policy.List:
		f.Text = "Write a Date into the field, if such documents are to expire."
	case rule != "mongo.field-not-date":
		return false
	case e.Found == policy.String:
		filter, set = `{$type: "string"}`, "{$toDate: "+value+"}"
		f.Text = "Make Dates of the texts. One that is no date makes the command fail; whatever is due is deleted soon after."
	case e.Found.IsNumber():
		filter, set = `{$type: "number"}`, "{$toDate: {$toLong: "+value+"}}"
		f.Text = "Make Dates of the numbers; whatever is due is deleted soon after."
		if isSeconds(e, doc) {
			set = "{$toDate: {$multiply: [{$toLong: " + value + "}, 1000]}}"
		}
	default:
		return false
	}
	changed, ok := mongosh.Literal(withPath(doc, path, dateOf(e, doc, now)))
	f.Command = fmt.Sprintf("db.coll.updateMany({%s: %s}, [{$set: {%s: %s}}])", name, filter, name, set)
	f.State.Document = changed
	return ok
}

// valueAt returns what is at the path that the source looks at.
func valueAt(e reasons.Explanation, doc policy.Value) policy.Value {
	for name := range strings.SplitSeq(e.Source.Field, ".") {
		doc = doc.Field(name)
	}
	return doc
}

// isSeconds reports whether a number counts seconds rather than milliseconds: as
// milliseconds it would lie within the first years after 1970.
func isSeconds(e reasons.Explanation, doc policy.Value) bool {
	n, ok := wholeNumber(valueAt(e, doc))
	return ok && 0 < n && n < 1e11
}

// wholeNumber returns a number that a clock may have shown, without its fraction.
func wholeNumber(v policy.Value) (int64, bool) {
	if f, ok := v.AsDouble(); ok {
		return int64(f), -1e15 < f && f < 1e15
	}
	return v.AsInt64()
}

// dateOf returns the Date that a text or a number stands for, else now.
func dateOf(e reasons.Explanation, doc, now policy.Value) policy.Value {
	v := valueAt(e, doc)
	if text, ok := v.AsString(); ok {
		if at, err := readNow(text); err == nil && text != "" {
			return policy.DateValue(at)
		}
	}
	if n, ok := wholeNumber(v); ok {
		if isSeconds(e, doc) {
			n *= 1000
		}
		return policy.DateValue(policy.Instant(n))
	}
	return now
}

// with returns an object with a field set.
func with(object policy.Value, name string, v policy.Value) policy.Value {
	d := policy.DOf(object)
	if i := slices.IndexFunc(d, func(e policy.E) bool { return e.Key == name }); i >= 0 {
		d[i].Value = v
	} else {
		d = append(d, policy.E{Key: name, Value: v})
	}
	return policy.ObjectValue(d)
}

// withPath returns an object with the field at a path set.
func withPath(object policy.Value, path []string, v policy.Value) policy.Value {
	if len(path) > 1 {
		v = withPath(object.Field(path[0]), path[1:], v)
	}
	return with(object, path[0], v)
}

// azUpdate is the command that changes the default of a container.
const azUpdate = "az cosmosdb sql container update --account-name ACCOUNT --resource-group GROUP \\\n  --database-name DATABASE --name CONTAINER --ttl "

// fixContainer is about time to live that is off, or not understood.
func (d definition) fixContainer(f *Fix, e reasons.Explanation, item policy.Value) bool {
	seconds, container := int32(someSeconds), d.container.Value
	switch e.Decision.Rule.String() {
	case "cosmos.off":
		if name, n, ok := misspelt(container); ok {
			f.Text = "Spell the setting defaultTtl."
			seconds, container = n, policy.ObjectValue(without(container, name))
			break
		}
		f.Text = "Switch time to live on, with a default in seconds." + yours
		switch ttl, isWhole := item.Field("ttl").AsInt64(); {
		case isWhole && ttl > 0:
			seconds, f.Text = -1, "Switch time to live on. By -1 only items with a ttl of their own expire."
		case !item.Field("ttl").IsMissing():
			return false
		}
	case "cosmos.no-default":
		f.Text = "Give the container a default, or the item a ttl of its own." + yours
	case "cosmos.container-unspecified":
		f.Text = "Write whole seconds from 1 on, or -1 for on without a default." + yours
	case "cosmos.item-unspecified":
		return f.setTTL(item)
	default:
		return false
	}
	f.Command = azUpdate + fmt.Sprint(seconds)
	f.State.Policy = string(plainjson.Append(nil, with(container, "defaultTtl", policy.Int32Value(seconds))))
	return true
}

// misspelt returns the property that was likely meant for the default of a container,
// with its seconds.
func misspelt(container policy.Value) (name string, seconds int32, ok bool) {
	for _, r := range policytext.ContainerRemarks(container) {
		n, isWhole := container.Field(r.Field).AsInt64()
		if r.Meant == "defaultTtl" && isWhole && (n == -1 || 0 < n && n <= 1<<31-1) {
			return r.Field, int32(n), true
		}
	}
	return "", 0, false
}

// setTTL writes a time to live into an item.
func (f *Fix) setTTL(item policy.Value) bool {
	f.Text = "Write the ttl as a whole number of seconds from 1 on, or leave it out to follow the container." + yours
	f.Command = `curl -X PATCH "https://$ACCOUNT.documents.azure.com/dbs/$DATABASE/colls/$CONTAINER/docs/$ID" \
  -H "authorization: $TOKEN" -H "x-ms-date: $DATE" -H "x-ms-version: 2020-07-15" \
  -H "x-ms-documentdb-partitionkey: $KEY" -H 'content-type: application/json_patch+json' \
  -d '{"operations": [{"op": "set", "path": "/ttl", "value": 3600}]}'`
	f.State.Document = string(plainjson.Append(nil, with(item, "ttl", policy.Int32Value(someSeconds))))
	return true
}
