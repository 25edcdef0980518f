package questions

import (
	"errors"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/base/spelling"
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

// Compile reads the policy of a question in JSON, as somebody wrote it: its "target", and
// in its "in" the "indexes" and the "collection", or the "container". What else a question
// has is passed over, so that a whole question will do. A member of "target" or "in" that no
// question has is an error, and so is an option that no policy has: they may be misspelt.
// Errors name the member that is to blame, and the name that is nearly it.
func Compile(question []byte) (*Policy, error) { return compile(question, true) }

// CompileListed is [Compile] for a policy as a server or a dump shows it: options that play
// no part are ignored.
func CompileListed(question []byte) (*Policy, error) { return compile(question, false) }

func compile(question []byte, written bool) (*Policy, error) {
	request, err := members.Cut(question)
	if err != nil {
		return nil, err
	}
	q := Question{written: written}
	if q.Target, err = ReadTarget(request); err != nil {
		return nil, err
	}
	compiler, op := compilerFor(q.Target.System)
	if compiler == nil {
		return nil, request.Faultf("target.system", "want %q, %q or %q, got %q", MongoDB, CosmosNoSQL, CosmosMongo, members.Clip(q.Target.System))
	}
	object, err := members.Parse("in", request.Raw("in"))
	if err != nil {
		return nil, err
	}
	if err := checkMembers(request); err != nil {
		return nil, err
	}
	wanted := slices.DeleteFunc(Operations[op].Members(), func(m Member) bool { return slices.Contains(about, m.Name) })
	if q.Input, err = readMembers(object, wanted); err != nil {
		return nil, err
	}
	return compiler(q)
}

// checkMembers refuses members of the target and the input that no question has.
func checkMembers(request members.Object) error {
	known := map[string][]string{"target": {"system", "version", "capabilities", "parameters"}}
	for _, op := range Operations {
		for _, m := range op.Members() {
			known["in"] = append(known["in"], m.Name)
		}
	}
	slices.Sort(known["in"])
	for _, part := range []string{"target", "in"} {
		o, err := request.Object(part)
		if err != nil {
			return err
		}
		for _, name := range o.Names() {
			if slices.Contains(known[part], name) {
				continue
			}
			if near := spelling.Nearest(name, known[part]); near != "" {
				return o.Faultf(members.Clip(name), "no question has this; did you mean %q?", near)
			}
			return o.Faultf(members.Clip(name), "no question has this")
		}
	}
	return nil
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
	read := cosmos.ParseListedContainer
	if q.written {
		read = cosmos.ParseContainerSpec
	}
	spec, err := containerSpec("container", q.Container, read)
	if err != nil {
		return nil, err
	}
	c, err := cosmos.CompileContainer(spec)
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
	switch {
	case errors.Is(err, cosmos.ErrUnknownVersion):
		return nil, err
	case err != nil:
		return nil, inputFault("indexes", err)
	}
	return &Policy{Evaluator: c, Raw: c.DecideBSON, Sources: ttlIndexes(spec.Indexes), DecideAt: c.DecideAt, Target: q.Target, CosmosCollection: spec}, nil
}
