package conformance

import (
	"encoding/json"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func decideMongoDB(in input, t Target) (Answer, error) {
	now, err := in.instant("now")
	if err != nil {
		return Answer{}, err
	}
	doc, err := in.document("document")
	if err != nil {
		return Answer{}, err
	}
	c, err := in.collection(t)
	if err != nil {
		return Answer{}, err
	}
	d := c.Decide(doc, now)
	return Decided(d, sourceName(c.Sources(), d)), nil
}

// sourceName names the source that gave a deadline, as far as it has a name.
func sourceName(names []string, d policy.Decision) string {
	if int(d.Source) < len(names) {
		return names[d.Source]
	}
	return ""
}

// collection compiles the members indexes and collection.
func (in input) collection(t Target) (*mongo.Collection, error) {
	profile, err := t.profileOf()
	if err != nil {
		return nil, err
	}
	indexes, err := in.documents("indexes")
	if err != nil {
		return nil, err
	}
	options, err := in.options()
	if err != nil {
		return nil, err
	}
	spec, err := mongo.ParseCollectionSpec(options, indexes)
	if err != nil {
		return nil, in.Faultf("indexes", "%v", err)
	}
	return mongo.CompileCollection(spec, profile)
}

// profileOf returns the profile of the release that is asked about, of the
// newest if none is named, with the server parameters that are set.
func (t Target) profileOf() (p mongo.Profile, err error) {
	version := mongo.Latest
	if t.Version != "" {
		if version, err = mongo.ParseVersion(t.Version); err != nil {
			return p, fmt.Errorf("target.version: %q is no release such as 8.0.4", members.Clip(t.Version))
		}
	}
	if p, err = mongo.ProfileOf(version); err != nil {
		return p, err
	}
	for name, v := range t.Parameters {
		if p, err = p.WithParameter(name, parameterValue(v)); err != nil {
			return p, err
		}
	}
	return p, nil
}

// parameterValue returns a server parameter's value, Missing if it is of no type
// that [Parameters] may hold.
func parameterValue(v any) policy.Value {
	switch v := v.(type) {
	case bool:
		return policy.BoolValue(v)
	case float64:
		return policy.DoubleValue(v)
	case string:
		return policy.StringValue(v)
	}
	return policy.Value{}
}

// codeName returns the name that a release sends with a code, "" where it is
// not established.
func (t Target) codeName(c mongo.ErrorCode) string {
	p, err := t.profileOf()
	if err != nil {
		return ""
	}
	return p.CodeName(c)
}

// moment returns the release and the instant that a validating operation asks
// about.
func (in input) moment(t Target) (mongo.Profile, policy.Instant, error) {
	profile, err := t.profileOf()
	if err != nil {
		return profile, 0, err
	}
	now, err := in.instantOr("now", clock)
	return profile, now, err
}

// A definition is what is to be defined or changed, where and when.
type definition struct {
	collection mongo.CollectionSpec
	fields     policy.D
	profile    mongo.Profile
	now        policy.Instant
}

// definition reads the definition in the named member, and what is there
// already: neither collection nor existing need be given.
func (in input) definition(name string, t Target) (d definition, err error) {
	if d.profile, d.now, err = in.moment(t); err != nil {
		return d, err
	}
	options, err := in.options()
	if err != nil {
		return d, err
	}
	var existing policy.Value
	if in.Has("existing") {
		if existing, err = in.documents("existing"); err != nil {
			return d, err
		}
	}
	if d.collection, err = mongo.ParseCollectionSpec(options, existing); err != nil {
		return d, in.Faultf("existing", "%v", err)
	}
	d.fields, err = in.fields(name)
	return d, err
}

// createIndexes answers with what the catalog stores.
func createIndexes(in input, t Target) (Answer, error) {
	d, err := in.definition("index", t)
	if err != nil {
		return Answer{}, err
	}
	made, err := mongo.ValidateCreateIndexes(d.collection, d.fields, d.profile, d.now)
	if err != nil {
		return Answer{}, err
	}
	return Result(struct {
		ExpireAfterSeconds json.RawMessage `json:"expireAfterSeconds,omitempty"`
		Created            bool            `json:"created"`
	}{stored(made.Index.ExpireAfterSeconds), made.Created}), nil
}

// stored returns an option as it is stored, nil for none.
func stored(v policy.Value) json.RawMessage {
	if v.IsMissing() {
		return nil
	}
	return policy.AppendExtJSON(nil, v)
}

// collMod answers with what the server reports.
func collMod(in input, t Target) (Answer, error) {
	d, err := in.definition("command", t)
	if err != nil {
		return Answer{}, err
	}
	reply, err := mongo.ValidateCollMod(d.collection, d.fields, d.profile, d.now)
	if err != nil {
		return Answer{}, err
	}
	return Result(struct {
		New json.RawMessage `json:"expireAfterSeconds_new,omitempty"`
		Old json.RawMessage `json:"expireAfterSeconds_old,omitempty"`
	}{stored(reply.New), stored(reply.Old)}), nil
}

func create(in input, t Target) (Answer, error) {
	profile, now, err := in.moment(t)
	if err != nil {
		return Answer{}, err
	}
	command, err := in.fields("command")
	if err != nil {
		return Answer{}, err
	}
	_, err = mongo.ValidateCreate(command, profile, now)
	return Result(struct{}{}), err
}
