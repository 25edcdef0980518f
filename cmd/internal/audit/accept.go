package audit

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// accepted returns the commands if the server takes them one after another, nil
// if it refuses one, or if that is not established.
func (a *collectionAudit) accepted(commands ...command) []command {
	spec := a.spec
	for _, c := range commands {
		var ok bool
		if spec, ok = a.after(spec, c); !ok {
			return nil
		}
	}
	return commands
}

// after returns the collection as it is after a command. It reports false if
// the server does not take it.
func (a *collectionAudit) after(spec mongo.CollectionSpec, c command) (mongo.CollectionSpec, bool) {
	switch c[0].Key {
	case "collMod":
		reply, err := mongo.ValidateCollMod(spec, policy.D(c[1:]), a.profile, a.Now)
		return reply.Collection, err == nil
	case "dropIndexes":
		return dropped(spec, textOf(c[1].Value))
	}
	return a.created(spec, c[1].Value)
}

// dropped returns the collection without the index of this name. The index on
// _id cannot be dropped.
func dropped(spec mongo.CollectionSpec, name string) (mongo.CollectionSpec, bool) {
	i := slices.IndexFunc(spec.Indexes, func(x mongo.IndexSpec) bool { return x.Name == name })
	if i < 0 || spec.Indexes[i].Clustered || isID(spec.Indexes[i].Key) {
		return spec, false
	}
	spec.Indexes = slices.Delete(slices.Clone(spec.Indexes), i, i+1)
	return spec, true
}

func isID(key policy.D) bool {
	return len(key) == 1 && key[0].Key == "_id" && key[0].Value.Kind().IsNumber()
}

// created returns the collection with the indexes that are listed. It reports
// false if one is refused, or is there already.
func (a *collectionAudit) created(spec mongo.CollectionSpec, list policy.Value) (mongo.CollectionSpec, bool) {
	spec.Indexes = slices.Clone(spec.Indexes)
	e := list.Elements()
	for e.Next() {
		x, err := mongo.ValidateCreateIndexes(spec, mongo.WithName(policy.DOf(e.Value())), a.profile, a.Now)
		if err != nil || !x.Created {
			return spec, false
		}
		spec.Indexes = append(spec.Indexes, x.Index)
	}
	return spec, true
}
