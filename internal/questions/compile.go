package questions

import (
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Policy is what a question asks about a document, compiled: to ask it about
// many.
type Policy struct {
	policy.Evaluator
	// Raw decides about a document in the form in which the database keeps it, which
	// nobody has checked: BSON, or for a container the JSON of an item.
	Raw func(document []byte, now policy.Instant) policy.Decision
	// Sources are the names of what can give a deadline, by [policy.Decision.Source].
	Sources []string
	// DecideAt decides about a document that was last written at ts; nil unless the
	// policy is of the API for MongoDB.
	DecideAt func(doc policy.Document, ts cosmos.Timestamp, now policy.Instant) policy.Decision
	Target   Target
	// Of these one is set, by Target.System.
	Collection       mongo.CollectionSpec
	Container        cosmos.ContainerSpec
	CosmosCollection cosmos.CollectionSpec
}

// about are the members of a question that are no policy.
var about = []string{"now", "document", "item", "_ts"}

// Compile reads the policy of a question in JSON: its "target", and in its "in"
// the "indexes" and the "collection", or the "container". Other members are ignored,
// so that a whole question will do. Errors name the member that is to blame.
func Compile(question []byte) (*Policy, error) {
	request, err := members.Cut(question)
	if err != nil {
		return nil, err
	}
	q := Question{}
	if q.Target, err = ReadTarget(request); err != nil {
		return nil, err
	}
	compile, op := compilerFor(q.Target.System)
	if compile == nil {
		return nil, request.Faultf("target.system", "want %q, %q or %q, got %q", MongoDB, CosmosNoSQL, CosmosMongo, members.Clip(q.Target.System))
	}
	object, err := members.Parse("in", request.Raw("in"))
	if err != nil {
		return nil, err
	}
	wanted := slices.DeleteFunc(Operations[op].Members(), func(m Member) bool { return slices.Contains(about, m.Name) })
	if q.Input, err = readMembers(object, wanted); err != nil {
		return nil, err
	}
	return compile(q)
}

func compilerFor(system string) (compile func(Question) (*Policy, error), op string) {
	switch system {
	case MongoDB:
		return compileMongoDB, "mongodb.decide"
	case CosmosNoSQL:
		return compileCosmos, "cosmos.decide"
	case CosmosMongo:
		return compileCosmosMongo, "cosmosmongo.decide"
	}
	return nil, ""
}

func compileMongoDB(q Question) (*Policy, error) {
	profile, spec, err := q.mongoCollection("indexes", q.Indexes)
	if err != nil {
		return nil, err
	}
	c, err := mongo.CompileCollection(spec, profile)
	if err != nil {
		return nil, err
	}
	return &Policy{Evaluator: c, Raw: c.DecideBSON, Sources: c.Sources(), Target: q.Target, Collection: spec}, nil
}

func compileCosmos(q Question) (*Policy, error) {
	spec, err := ContainerSpec("container", q.Container)
	if err != nil {
		return nil, err
	}
	c, err := cosmos.Compile(spec)
	if err != nil {
		return nil, inputFault("container", err)
	}
	return &Policy{Evaluator: c, Raw: c.DecideJSON, Target: q.Target, Container: spec}, nil
}

func compileCosmosMongo(q Question) (*Policy, error) {
	spec, err := q.CosmosCollection("indexes", q.Indexes)
	if err != nil {
		return nil, err
	}
	c, err := cosmos.CompileCollection(spec)
	if err != nil {
		return nil, inputFault("indexes", err)
	}
	return &Policy{Evaluator: c, Raw: c.DecideBSON, Sources: ttlIndexes(spec.Indexes), DecideAt: c.DecideAt, Target: q.Target, CosmosCollection: spec}, nil
}
