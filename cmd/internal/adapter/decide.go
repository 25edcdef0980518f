package adapter

import (
	"errors"
	"fmt"
	"math"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// decideMongoDB answers mongodb.decide.
func decideMongoDB(in object, t target) (any, error) {
	now, err := in.instant("now")
	if err != nil {
		return nil, err
	}
	doc, err := in.document("document")
	if err != nil {
		return nil, err
	}
	c, err := in.collection(t)
	if err != nil {
		return nil, err
	}
	d := c.Decide(doc, now)
	return verdictOf(d, sourceName(c.Sources(), d)), nil
}

// sourceName names the source that gave a deadline, as far as it has a name.
func sourceName(names []string, d policy.Decision) string {
	if d.State == policy.Never || int(d.Source) >= len(names) {
		return ""
	}
	return names[d.Source]
}

// collection compiles the members indexes and collection.
func (o object) collection(t target) (*mongo.Collection, error) {
	profile, err := profileOf(t)
	if err != nil {
		return nil, err
	}
	indexes, err := o.documents("indexes")
	if err != nil {
		return nil, err
	}
	var options policy.Value
	if o.has("collection") {
		if options, err = o.document("collection"); err != nil {
			return nil, err
		}
	}
	spec, err := mongo.ParseCollectionSpec(options, policy.ListValue(policy.A(indexes)))
	if err != nil {
		return nil, o.faultf("indexes", "%w", err)
	}
	c, err := mongo.CompileCollection(spec, profile)
	return c, refused(err)
}

// profileOf returns the profile of the release that a target names, of the
// newest if it names none.
func profileOf(t target) (mongo.Profile, error) {
	release := mongo.Latest
	if t.version != "" {
		v, err := mongo.ParseVersion(t.version)
		if err != nil {
			return mongo.Profile{}, fmt.Errorf("target.version: %q is no release such as 8.0.4", clip(t.version))
		}
		release = v
	}
	p, err := mongo.ProfileOf(release)
	if errors.Is(err, mongo.ErrUnknownVersion) {
		err = skip(err.Error())
	}
	return p, err
}

// refused turns the refusal of a specification into an answer, and what the
// sources leave open into a skip.
func refused(err error) error {
	var spec *mongo.SpecError
	switch {
	case !errors.As(err, &spec):
		return err
	case errors.Is(err, mongo.ErrUnspecified):
		return skipf("unspecified: %s", spec.Rule)
	}
	return &refusal{Class: "refused", Code: int(spec.Code), CodeName: spec.Code.Name(), Message: spec.Reason}
}

// decideCosmos answers cosmos.decide.
func decideCosmos(in object, _ target) (any, error) {
	now, err := in.instant("now")
	if err != nil {
		return nil, err
	}
	spec, err := in.container("container")
	if err != nil {
		return nil, err
	}
	item, err := in.json("item")
	if err != nil {
		return nil, err
	}
	c, err := cosmos.Compile(spec)
	if err != nil {
		return nil, in.faultf("container", "%w", err)
	}
	return verdictOf(c.Decide(&item, now), ""), nil
}

// decideCosmosMongo answers cosmosmongo.decide.
func decideCosmosMongo(in object, t target) (any, error) {
	now, err := in.instant("now")
	if err != nil {
		return nil, err
	}
	doc, err := in.document("document")
	if err != nil {
		return nil, err
	}
	spec := cosmos.CollectionSpec{ServerVersion: t.version, Capabilities: t.capabilities}
	if spec.Indexes, err = in.cosmosIndexes("indexes"); err != nil {
		return nil, err
	}
	c, err := cosmos.CompileCollection(spec)
	if err != nil {
		return nil, in.faultf("indexes", "%w", err)
	}
	d := c.Decide(doc, now)
	if in.has("_ts") {
		ts, err := in.seconds("_ts")
		if err != nil {
			return nil, err
		}
		d = c.DecideAt(doc, ts, now)
	}
	return verdictOf(d, sourceName(ttlIndexes(spec.Indexes), d)), nil
}

// ttlIndexes returns the names of those indexes that can give a deadline.
func ttlIndexes(indexes []cosmos.IndexSpec) (names []string) {
	for _, x := range indexes {
		if !x.ExpireAfterSeconds.IsMissing() && x.ExpireAfterSeconds.Kind() != policy.Null {
			names = append(names, x.Name)
		}
	}
	return names
}

func (o object) cosmosIndexes(name string) ([]cosmos.IndexSpec, error) {
	documents, err := o.documents(name)
	if err != nil {
		return nil, err
	}
	var list []cosmos.IndexSpec
	for _, v := range documents {
		x, err := cosmos.ParseIndexSpec(v)
		if err != nil {
			return nil, o.faultf(name, "%w", err)
		}
		list = append(list, x)
	}
	return list, nil
}

// seconds returns a member that is a whole number. Plain JSON may have made it
// a double.
func (o object) seconds(name string) (int64, error) {
	v, err := o.value(name)
	if err != nil {
		return 0, err
	}
	if n, ok := v.AsInt64(); ok {
		return n, nil
	}
	f, ok := v.AsDouble()
	if !ok || !(math.Abs(f) < 1<<53) || f != math.Trunc(f) {
		return 0, o.unwanted(name, "a whole number of seconds")
	}
	return int64(f), nil
}
