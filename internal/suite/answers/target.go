package answers

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// readTarget reads the member "target" of a question.
func readTarget(question members.Object) (t conformance.Target, err error) {
	fields, err := question.Object("target")
	if err != nil {
		return t, err
	}
	if t.System, err = fields.Text("system"); err != nil {
		return t, err
	}
	if fields.Has("version") {
		if t.Version, err = fields.Text("version"); err != nil {
			return t, err
		}
	}
	if t.Capabilities, err = fields.Texts("capabilities"); err != nil {
		return t, err
	}
	if fields.Has("parameters") {
		t.Parameters, err = readParameters(fields)
	}
	return t, err
}

// readParameters reads an object of truth values, numbers and strings.
func readParameters(target members.Object) (conformance.Parameters, error) {
	object, err := policy.ParseExtJSON(target.Raw("parameters"))
	ok, all := err == nil && object.Kind() == policy.Object, conformance.Parameters{}
	for f := object.Fields(); f.Next(); {
		switch v := f.Value(); v.Kind() {
		case policy.Bool:
			all[f.Name()], _ = v.AsBool()
		case policy.String:
			all[f.Name()], _ = v.AsString()
		case policy.Double:
			all[f.Name()], _ = v.AsDouble()
		case policy.Int32, policy.Int64:
			n, _ := v.AsInt64()
			all[f.Name()] = float64(n)
		default:
			ok = false
		}
	}
	if !ok {
		return nil, target.Unwanted("parameters", "an object of truth values, numbers and strings")
	}
	return all, nil
}

// profileOf returns the profile of the target's release, the newest if it names none, with the
// target's server parameters. The version of MongoDB may also be a state of the server's main
// branch.
func profileOf(t conformance.Target) (p mongo.Profile, err error) {
	d, err := mongoDB(t)
	if err != nil {
		return p, err
	}
	return d.Profile()
}

// mongoDB returns the definition of an ordinary collection of the target.
func mongoDB(t conformance.Target) (definition.Definition, error) {
	var parameters policy.D
	for _, name := range slices.Sorted(maps.Keys(t.Parameters)) {
		parameters = append(parameters, field(name, policy.Map(t.Parameters).Field(name)))
	}
	d := definition.OfMongoDB(mongo.CollectionSpec{}, mongo.Latest(), parameters)
	if _, ok := mongofunc.Development(t.Version); ok {
		d.State = t.Version
		return d, nil
	}
	name, example := t.Version, "8.0.4"
	switch {
	case t.System == definition.DocumentDB && name == "":
		d.Release = mongo.Version(behaviour.LatestDocumentDB)
		return d, nil
	case t.System == definition.DocumentDB:
		name, example = definition.DocumentDB+"@"+name, "0.112"
	case name == "":
		return d, nil
	}
	var err error
	if d.Release, err = mongo.ParseVersion(name); err != nil {
		err = fmt.Errorf("target.version: %q is not a release such as %s", members.Clip(t.Version), example)
	}
	return d, err
}
