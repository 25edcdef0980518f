package answers

import (
	"errors"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/base/spelling"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/members"
	"github.com/ttlpolicy/ttlpolicy/internal/questions"
)

// Compile reads a policy that a person wrote, from the JSON of a question. It reads the
// member "target", and in the member "in" either "indexes" and "collection", or
// "container". It ignores the other members of a question, so that it accepts a whole
// question. A member of "target" or "in" that no question has is an error, and so is an
// option that no policy has, because it may be misspelt. Errors name the member at fault,
// and a similar known name.
func Compile(question []byte) (*definition.Policy, error) { return compile(question, true) }

// CompileListed is [Compile] for a policy as a server or a dump shows it: it ignores
// options without effect.
func CompileListed(question []byte) (*definition.Policy, error) { return compile(question, false) }

func compile(text []byte, written bool) (*definition.Policy, error) {
	request, err := members.Cut(text)
	if err != nil {
		return nil, err
	}
	q := question{written: written}
	if q.Target, err = readTarget(request); err != nil {
		return nil, err
	}
	definer, ok := definers[q.Target.System]
	if !ok {
		return nil, request.Faultf("target.system", "want %q, %q, %q or %q, got %q", definition.MongoDB, definition.CosmosNoSQL, definition.CosmosMongo, definition.DocumentDB, members.Clip(q.Target.System))
	}
	object, err := members.Parse("in", request.Raw("in"))
	if err != nil {
		return nil, err
	}
	if err := checkMembers(request); err != nil {
		return nil, err
	}
	policy := map[string]any{"indexes": &q.Indexes, "collection": &q.Collection, "container": &q.Container}
	if err := questions.ReadMembers(object, questions.Operations[definer.op], policy); err != nil {
		return nil, err
	}
	return q.compile()
}

// checkMembers refuses members of the target and the input that no question has.
func checkMembers(request members.Object) error {
	known := map[string][]string{"target": {"system", "version", "capabilities", "parameters"}}
	for _, op := range questions.Operations {
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

// definers return the definition of the policy of a question, by system.
var definers = map[string]struct {
	define func(question) (definition.Definition, error)
	op     string // the operation that decides by the policy
	member string // members of the input, named in errors of compiling
}{
	definition.MongoDB:     {question.mongoDB, "mongodb.decide", ""}, // its errors already name the member
	definition.DocumentDB:  {question.mongoDB, "documentdb.decide", ""},
	definition.CosmosNoSQL: {question.container, "cosmos.decide", "container"},
	definition.CosmosMongo: {question.cosmosMongo, "cosmosmongo.decide", "indexes"},
}

// compile compiles the policy of q.
func (q question) compile() (*definition.Policy, error) {
	d, err := definers[q.Target.System].define(q)
	if err != nil {
		return nil, err
	}
	p, err := d.Compile()
	if member := definers[d.System].member; err != nil && member != "" && !errors.Is(err, cosmos.ErrUnknownVersion) {
		return nil, inputFault(member, err)
	}
	return p, err
}

func (q question) mongoDB() (d definition.Definition, err error) {
	if d, err = mongoDB(q.Target); err != nil {
		return d, err
	}
	_, d.Collection, err = q.mongoCollection("indexes", q.Indexes)
	return d, err
}

func (q question) container() (definition.Definition, error) {
	read := cosmos.ParseListedContainer
	if q.written {
		read = cosmos.ParseContainerSpec
	}
	spec, err := containerSpec("container", q.Container, read)
	return definition.OfContainer(spec), err
}

func (q question) cosmosMongo() (definition.Definition, error) {
	spec, err := q.cosmosCollection("indexes", q.Indexes)
	return definition.OfCosmosMongo(spec), err
}
