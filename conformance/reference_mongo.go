package conformance

import (
	"encoding/json"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func decideMongoDB(q Question) (Answer, error) {
	in, err := q.MongoDecide()
	if err != nil {
		return Answer{}, err
	}
	profile, err := q.Target.profileOf()
	if err != nil {
		return Answer{}, err
	}
	spec, err := in.Collection.spec(in.Indexes)
	if err != nil {
		return Answer{}, inputFault("indexes", err)
	}
	c, err := mongo.CompileCollection(spec, profile)
	if err != nil {
		return Answer{}, err
	}
	d := c.Decide(in.Document, in.Now)
	return Decided(d, sourceName(c.Sources(), d)), nil
}

// sourceName names the source that gave a deadline, as far as it has a name.
func sourceName(names []string, d policy.Decision) string {
	if int(d.Source) < len(names) {
		return names[d.Source]
	}
	return ""
}

// spec returns a collection with its indexes as package mongo knows it.
func (c Collection) spec(indexes []Index) (mongo.CollectionSpec, error) {
	var options policy.Value
	if c.Options != nil {
		options = policy.ObjectValue(c.Options)
	}
	var list policy.A
	for _, x := range indexes {
		list = append(list, policy.ObjectValue(x.Definition))
	}
	return mongo.ParseCollectionSpec(options, policy.ListValue(list))
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

// createIndexes answers with what the catalog stores.
func createIndexes(q Question) (Answer, error) {
	in, err := q.MongoCreateIndexes()
	if err != nil {
		return Answer{}, err
	}
	profile, spec, err := q.existing(in.Collection, in.Existing)
	if err != nil {
		return Answer{}, err
	}
	made, err := mongo.ValidateCreateIndexes(spec, in.Index.Definition, profile, in.Now)
	if err != nil {
		return Answer{}, err
	}
	return Result(struct {
		ExpireAfterSeconds json.RawMessage `json:"expireAfterSeconds,omitempty"`
		Created            bool            `json:"created"`
	}{stored(made.Index.ExpireAfterSeconds), made.Created}), nil
}

// existing returns the release that a change is asked about, and what is there
// already.
func (q Question) existing(c Collection, indexes []Index) (p mongo.Profile, spec mongo.CollectionSpec, err error) {
	if p, err = q.Target.profileOf(); err != nil {
		return p, spec, err
	}
	if spec, err = c.spec(indexes); err != nil {
		err = inputFault("existing", err)
	}
	return p, spec, err
}

// stored returns an option as it is stored, nil for none.
func stored(v policy.Value) json.RawMessage {
	if v.IsMissing() {
		return nil
	}
	return policy.AppendExtJSON(nil, v)
}

// collMod answers with what the server reports.
func collMod(q Question) (Answer, error) {
	in, err := q.MongoCollMod()
	if err != nil {
		return Answer{}, err
	}
	profile, spec, err := q.existing(in.Collection, in.Existing)
	if err != nil {
		return Answer{}, err
	}
	reply, err := mongo.ValidateCollMod(spec, in.Command, profile, in.Now)
	if err != nil {
		return Answer{}, err
	}
	return Result(struct {
		New json.RawMessage `json:"expireAfterSeconds_new,omitempty"`
		Old json.RawMessage `json:"expireAfterSeconds_old,omitempty"`
	}{stored(reply.New), stored(reply.Old)}), nil
}

func create(q Question) (Answer, error) {
	in, err := q.MongoCreate()
	if err != nil {
		return Answer{}, err
	}
	profile, err := q.Target.profileOf()
	if err != nil {
		return Answer{}, err
	}
	_, err = mongo.ValidateCreate(in.Command, profile, in.Now)
	return Result(struct{}{}), err
}
