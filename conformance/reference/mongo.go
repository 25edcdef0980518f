package reference

import (
	"encoding/json"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func decideMongoDB(q question) (conformance.Answer, error) {
	profile, spec, err := q.mongoCollection("indexes", q.Indexes)
	if err != nil {
		return conformance.Answer{}, err
	}
	c, err := mongo.CompileCollection(spec, profile)
	if err != nil {
		return conformance.Answer{}, err
	}
	d := c.Decide(q.Document, q.Now)
	return conformance.Decided(d, sourceName(c.Sources(), d)), nil
}

// mongoCollection returns the profile of the release that is asked about, and
// the collection with the indexes of the named member.
func (q question) mongoCollection(member string, indexes []policy.D) (p mongo.Profile, spec mongo.CollectionSpec, err error) {
	if p, err = profileOf(q.target); err != nil {
		return p, spec, err
	}
	if spec, err = collectionSpec(q.Collection, indexes); err != nil {
		err = inputFault(member, err)
	}
	return p, spec, err
}

// collectionSpec returns a collection with its options and indexes as package mongo knows it.
func collectionSpec(options policy.D, indexes []policy.D) (mongo.CollectionSpec, error) {
	var given policy.Value
	if options != nil {
		given = policy.ObjectValue(options)
	}
	var list policy.A
	for _, x := range indexes {
		list = append(list, policy.ObjectValue(x))
	}
	return mongo.ParseCollectionSpec(given, policy.ListValue(list))
}

// profileOf returns the profile of the release that is asked about, of the
// newest if none is named, with the server parameters that are set.
func profileOf(t conformance.Target) (p mongo.Profile, err error) {
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
// that [conformance.Parameters] may hold.
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
func codeName(t conformance.Target, c mongo.ErrorCode) string {
	p, err := profileOf(t)
	if err != nil {
		return ""
	}
	return p.CodeName(c)
}

// createIndexes answers with what the catalog stores.
func createIndexes(q question) (conformance.Answer, error) {
	profile, spec, err := q.mongoCollection("existing", q.Existing)
	if err != nil {
		return conformance.Answer{}, err
	}
	made, err := mongo.ValidateCreateIndexes(spec, q.Index, profile, q.Now)
	if err != nil {
		return conformance.Answer{}, err
	}
	return conformance.Result(struct {
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
func collMod(q question) (conformance.Answer, error) {
	profile, spec, err := q.mongoCollection("existing", q.Existing)
	if err != nil {
		return conformance.Answer{}, err
	}
	reply, err := mongo.ValidateCollMod(spec, q.Command, profile, q.Now)
	if err != nil {
		return conformance.Answer{}, err
	}
	return conformance.Result(struct {
		New json.RawMessage `json:"expireAfterSeconds_new,omitempty"`
		Old json.RawMessage `json:"expireAfterSeconds_old,omitempty"`
	}{stored(reply.New), stored(reply.Old)}), nil
}

func create(q question) (conformance.Answer, error) {
	profile, err := profileOf(q.target)
	if err != nil {
		return conformance.Answer{}, err
	}
	_, err = mongo.ValidateCreate(q.Command, profile, q.Now)
	return conformance.Result(struct{}{}), err
}
