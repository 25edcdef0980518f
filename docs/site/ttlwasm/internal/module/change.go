package module

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/answers"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Change carries out a command on the definition of a policy, and returns the length of the
// answer, in JSON: the handle of the changed policy and the reply, or the refusal. The policy of
// h stays as it is. The text is Extended JSON, with one member that names the command, whose value
// is its argument: create and createAgain (the options, the second for a collection that exists),
// createIndexes (the indexes), collMod (the body without the name), dropIndexes (a name, a key or
// names), or replace (the settings of a container). All but the last two need "now", in
// milliseconds.
func (m *Module) Change(h Handle, address, n uint32) (result Code) {
	defer m.recover(&result)
	p, code := m.policy(h)
	if code < 0 {
		return code
	}
	text, code := m.input(address, n)
	if code < 0 {
		return code
	}
	v, err := policy.ParseExtJSON(slices.Clone(text))
	if err != nil {
		return m.fail(BadText, "%v", err)
	}
	d, reply, err := changed(p, v)
	var isUnknown unknownError
	if errors.As(err, &isUnknown) {
		return m.fail(BadText, "%v", err)
	}
	if err != nil {
		return m.returns(answers.ReplyTo(err))
	}
	next, err := d.Compile()
	if err != nil {
		return m.fail(BadText, "%v", err)
	}
	if code = m.keep(next); code < 0 {
		return code
	}
	return m.returns(policy.AppendExtJSON(nil, policy.ObjectValue(policy.D{{Key: "policy", Value: policy.StringValue(fmt.Sprint(code))}, {Key: "reply", Value: policy.ObjectValue(reply)}})))
}

// An unknownError is a command that Change does not know, or that lacks a member.
type unknownError struct{ error }

// changed returns the definition of a policy after a command, and the reply.
func changed(p *compiled, v policy.Value) (d definition.Definition, reply policy.D, err error) {
	d = p.Definition
	switch from := p.Evaluator.(type) {
	case *mongo.Collection:
		if from, reply, err = onCollection(from, v); err == nil {
			d.Collection = from.Spec()
		}
		return d, reply, err
	case *cosmos.Container:
		if settings := v.Field("replace"); settings.Kind() == policy.Object {
			spec, err := cosmos.ParseListedContainer(plainjson.Append(nil, settings))
			if err != nil {
				return d, nil, unknownError{err}
			}
			to, warnings, err := from.Replace(spec)
			if err != nil {
				return d, nil, err
			}
			texts := policy.A{}
			for _, w := range warnings {
				texts = append(texts, policy.StringValue(w.Text))
			}
			d.Container = to.Spec()
			return d, policy.D{{Key: "warnings", Value: policy.ListValue(texts)}}, nil
		}
	}
	return d, nil, unknownError{errors.New("want create, createIndexes, collMod or dropIndexes for a collection of MongoDB, or replace for a container")}
}

func onCollection(c *mongo.Collection, v policy.Value) (*mongo.Collection, policy.D, error) {
	if index := v.Field("dropIndexes"); !index.IsMissing() {
		return command.DropIndexes(c, index)
	}
	at, hasNow := v.Field("now").AsInt64()
	if !hasNow {
		return c, nil, unknownError{errors.New("now is missing, want milliseconds since 1970")}
	}
	now := policy.Instant(at)
	if options := v.Field("create"); options.Kind() == policy.Object {
		made, err := command.Create(c.Spec().Namespace, policy.DOf(options), c.Profile(), now)
		return made, policy.D{}, err
	}
	if options := v.Field("createAgain"); options.Kind() == policy.Object {
		return c, policy.D{}, command.CreateAgain(c, policy.DOf(options), now)
	}
	if list := v.Field("createIndexes"); list.Kind() == policy.List {
		var indexes []policy.D
		for e := list.Elements(); e.Next(); {
			indexes = append(indexes, command.WithDefaultName(policy.DOf(e.Value())))
		}
		return command.CreateIndexes(c, indexes, now)
	}
	if body := v.Field("collMod"); body.Kind() == policy.Object {
		return command.CollMod(c, policy.DOf(body), now)
	}
	return c, nil, unknownError{errors.New("want create, createIndexes, collMod or dropIndexes")}
}

// Definition returns the length of the definition of a policy as the database stores it, in
// Extended JSON: the "indexes" and the "collection" of MongoDB, as Compile reads them; of a
// container its settings.
func (m *Module) Definition(h Handle) (result Code) {
	defer m.recover(&result)
	p, code := m.policy(h)
	if code < 0 {
		return code
	}
	switch p.System {
	case definition.MongoDB:
		options, indexes := p.Collection.Documents()
		d := policy.D{{Key: "indexes", Value: indexes}}
		if options.Kind() == policy.Object {
			d = append(d, policy.E{Key: "collection", Value: options})
		}
		return m.returns(policy.AppendExtJSON(nil, policy.ObjectValue(d)))
	case definition.CosmosNoSQL:
		settings, err := p.Container.MarshalJSON()
		if err != nil {
			return m.fail(BadFormat, "%v", err)
		}
		return m.returns(slices.Concat([]byte(`{"container":`), settings, []byte("}")))
	}
	return m.fail(BadFormat, "the policy is not of a collection of MongoDB or of a container")
}
