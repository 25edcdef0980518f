package questions

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Target is the database that a question is about.
type Target struct {
	System       string
	Version      string // "" is the newest
	Capabilities []string
	Parameters   policy.D // server parameters of MongoDB that are set
}

// ReadTarget reads the member "target" of a question.
func ReadTarget(question members.Object) (t Target, err error) {
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
func readParameters(target members.Object) (policy.D, error) {
	unwanted := target.Unwanted("parameters", "an object of truth values, numbers and strings")
	v, err := policy.ParseExtJSON(target.Raw("parameters"))
	if err != nil || v.Kind() != policy.Object {
		return nil, unwanted
	}
	all := policy.DOf(v)
	for _, p := range all {
		switch p.Value.Kind() {
		case policy.Bool, policy.Double, policy.Int32, policy.Int64, policy.String:
		default:
			return nil, unwanted
		}
	}
	return all, nil
}

// Profile returns the profile of the target's release, the newest if it names none, with the
// target's server parameters. The version of MongoDB may also be a state of the server's main
// branch.
func (t Target) Profile() (p mongo.Profile, err error) {
	d, err := t.mongoDB()
	if err != nil {
		return p, err
	}
	return d.Profile()
}

// mongoDB returns the definition of an ordinary collection of the target.
func (t Target) mongoDB() (definition.Definition, error) {
	d := definition.OfMongoDB(mongo.CollectionSpec{}, mongo.Latest(), t.Parameters)
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

// codeName returns the name that a release sends with a code, "" if it is
// unspecified.
func (t Target) codeName(c mongo.ErrorCode) string {
	p, err := t.Profile()
	if err != nil {
		return ""
	}
	return p.CodeName(c)
}
