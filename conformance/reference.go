package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Reference returns the system that answers with this library.
func Reference() System { return reference{} }

type reference struct{}

// A member is read by its name; the error says which one is to blame.
type input map[string]json.RawMessage

// answerers are the operations of the reference.
var answerers = map[string]func(in input, t Target) (Answer, error){
	echoOp:                      echo,
	"mongodb.decide":            decideMongoDB,
	"mongodb.createIndexes":     createIndexes,
	"mongodb.collMod":           collMod,
	"mongodb.create":            create,
	"cosmos.decide":             decideCosmos,
	"cosmos.validateContainer":  validateContainer,
	"cosmos.validateItem":       validateItem,
	"cosmosmongo.decide":        decideCosmosMongo,
	"cosmosmongo.createIndexes": createCosmosIndexes,
}

// Hello claims everything.
func (reference) Hello() Hello {
	return Hello{
		Protocol: 1, Name: "ttlpolicy", Version: "0.1.0", Language: "go",
		Homepage: "https://github.com/ttlpolicy/ttlpolicy",
		Issues:   "https://github.com/ttlpolicy/ttlpolicy/issues",
		Ops:      slices.Sorted(maps.Keys(answerers)),
		Systems:  map[string]string{MongoDB: ">=2.2.0", CosmosNoSQL: "*", CosmosMongo: "*"},
		Profiles: profileNames(),
		Features: append(slices.Sorted(maps.Keys(Embedded().Features)),
			FeatureDeadline, FeatureRule, FeatureIndex, FeatureErrorCode, FeatureErrorStatus, FeatureTypes),
		MaxInFlight: 1,
	}
}

func profileNames() (names []string) {
	for _, p := range Embedded().Profiles {
		names = append(names, p.Name)
	}
	return names
}

// Ask answers one question.
func (reference) Ask(q Question) Answer {
	a, err := answerTo(q)
	if err != nil {
		return answerFor(err)
	}
	return a
}

// answerTo answers a question, or returns the library's error.
func answerTo(q Question) (Answer, error) {
	answer, ok := answerers[q.Op]
	if !ok {
		return Skipped("no operation " + clip(q.Op)), nil
	}
	var in input
	if err := json.Unmarshal(q.In, &in); err != nil {
		return Answer{}, fmt.Errorf("in: %w", err)
	}
	return answer(in, q.Target)
}

// RuleOf returns the identifier of the rule by which this library answers a
// question: the one that decides, or by which a definition is refused or its
// fate is open. It is "" for a definition that is taken, and for a few refusals
// that no rule is about.
func RuleOf(q Question) string {
	a, err := answerTo(q)
	var byMongo *mongo.SpecError
	var byCosmos *cosmos.SpecError
	switch {
	case errors.As(err, &byMongo):
		return byMongo.Rule.String()
	case errors.As(err, &byCosmos):
		return byCosmos.Rule.String()
	}
	var out struct{ Rule string }
	json.Unmarshal(a.Out, &out) // of no result, nothing
	return out.Rule
}

// answerFor returns the answer that an error of the library stands for.
func answerFor(err error) Answer {
	var byMongo *mongo.SpecError
	var byCosmos *cosmos.SpecError
	switch {
	case errors.Is(err, mongo.ErrUnknownVersion):
		return Skipped(err.Error())
	case errors.As(err, &byMongo) && errors.Is(err, mongo.ErrUnspecified):
		return Skipped("unspecified: " + byMongo.Rule.String())
	case errors.As(err, &byMongo):
		return Refused(Refusal{Code: int(byMongo.Code), CodeName: byMongo.Code.Name(), Message: byMongo.Reason})
	case errors.As(err, &byCosmos) && errors.Is(err, cosmos.ErrUnspecified):
		return Skipped("unspecified: " + byCosmos.Rule.String())
	case errors.As(err, &byCosmos):
		return refusedByCosmos(byCosmos)
	}
	return Fault(err.Error())
}

func refusedByCosmos(err *cosmos.SpecError) Answer {
	r := Refusal{Status: int(err.Status), Code: int(err.Code), Message: err.Reason}
	if err.Code != 0 {
		r.CodeName = err.Code.Name()
	}
	return Refused(r)
}

// value returns a member that is Extended JSON, Missing if there is none.
func (in input) value(name string) (policy.Value, error) {
	raw, ok := in[name]
	if !ok {
		return policy.Value{}, nil
	}
	v, err := policy.ParseExtJSONInt32(raw)
	if err != nil {
		return v, fmt.Errorf("in.%s: %w", name, err)
	}
	return v, nil
}

// values returns several members.
func (in input) values(names ...string) (list []policy.Value, err error) {
	for _, name := range names {
		v, err := in.value(name)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// now returns the instant that is asked about.
func (in input) now() (policy.Instant, error) {
	v, err := in.value("now")
	if err != nil {
		return 0, err
	}
	i, ok := v.AsDate()
	if !ok {
		return 0, errors.New("in.now: want a date")
	}
	return i, nil
}

func echo(in input, _ Target) (Answer, error) {
	v, err := in.value("value")
	return Result(map[string]json.RawMessage{"value": policy.AppendExtJSON(nil, v)}), err
}

// profileOf returns the profile of the release that is asked about, of the
// newest if none is named.
func (t Target) profileOf() (mongo.Profile, error) {
	version := mongo.Latest
	if t.Version != "" {
		var err error
		if version, err = mongo.ParseVersion(t.Version); err != nil {
			return mongo.Profile{}, err
		}
	}
	return mongo.ProfileOf(version)
}

func decideMongoDB(in input, t Target) (Answer, error) {
	now, err := in.now()
	if err != nil {
		return Answer{}, err
	}
	members, err := in.values("collection", "indexes", "document")
	if err != nil {
		return Answer{}, err
	}
	profile, err := t.profileOf()
	if err != nil {
		return Answer{}, err
	}
	spec, err := mongo.ParseCollectionSpec(members[0], members[1])
	if err != nil {
		return Answer{}, fmt.Errorf("in.indexes: %v", err) // the question is malformed, not the definition
	}
	c, err := mongo.CompileCollection(spec, profile)
	if err != nil {
		return Answer{}, err
	}
	d := c.Decide(members[2], now)
	return Decided(d, nameAt(c.Sources(), d)), nil
}

// nameAt returns the name of the source that decided.
func nameAt(names []string, d policy.Decision) string {
	if int(d.Source) < len(names) {
		return names[d.Source]
	}
	return ""
}

func decideCosmos(in input, _ Target) (Answer, error) {
	now, err := in.now()
	if err != nil {
		return Answer{}, err
	}
	spec, err := cosmos.ParseContainerSpec(in["container"])
	if err != nil {
		return Answer{}, err
	}
	c, err := cosmos.Compile(spec)
	if err != nil {
		return Answer{}, err
	}
	item, err := policy.ParseJSON(in["item"])
	if err != nil {
		return Answer{}, fmt.Errorf("in.item: %w", err)
	}
	return Decided(c.Decide(&item, now), ""), nil
}

func decideCosmosMongo(in input, t Target) (Answer, error) {
	now, err := in.now()
	if err != nil {
		return Answer{}, err
	}
	members, err := in.values("indexes", "document", "_ts")
	if err != nil {
		return Answer{}, err
	}
	spec := cosmos.CollectionSpec{ServerVersion: t.Version, Capabilities: t.Capabilities}
	name := ""
	for e := members[0].Elements(); e.Next(); {
		x, err := cosmos.ParseIndexSpec(e.Value())
		if err != nil {
			return Answer{}, err
		}
		spec.Indexes = append(spec.Indexes, x)
		if !x.ExpireAfterSeconds.IsMissing() {
			name = x.Name // with two nothing is decided
		}
	}
	c, err := cosmos.CompileCollection(spec)
	if err != nil {
		return Answer{}, err
	}
	ts, ok := wholeNumber(members[2])
	if !ok {
		return Answer{}, fmt.Errorf("in._ts: %s is no whole number of seconds", members[2])
	}
	return Decided(c.DecideAt(members[1], ts, now), name), nil
}
