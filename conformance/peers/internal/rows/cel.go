package rows

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
)

// celFacts is an item for CEL: an activation of its own, whose values are made
// in advance.
type celFacts struct{ on, own, def, ttl, ts, now ref.Val }

func (f *celFacts) ResolveName(name string) (any, bool) {
	switch name {
	case "on":
		return f.on, true
	case "own":
		return f.own, true
	case "def":
		return f.def, true
	case "ttl":
		return f.ttl, true
	case "ts":
		return f.ts, true
	case "now":
		return f.now, true
	}
	return nil, false
}

func (f *celFacts) Parent() cel.Activation { return nil }

// celSide is cel.dev/cel-go with typed variables.
func celSide(items []inputs.Item) (race.Side, error) {
	all := make([]celFacts, len(items))
	for i, f := range factsOf(items) {
		all[i] = celFacts{types.Bool(f.On), types.Bool(f.Own), types.Int(f.Def), types.Int(f.TTL), types.Int(f.TS), types.Int(f.Now)}
	}
	program, err := celProgram(`on && (own ? ttl != -1 && ts + ttl <= now : def != -1 && ts + def <= now)`)
	if err != nil {
		return race.Side{}, err
	}
	return race.Side{Name: "CEL", N: len(all), Do: func(from, to int) (expired int64) {
		for i := from; i < to; i++ {
			out, _, err := program.Eval(&all[i])
			expired += b2i(must(out, err) == types.True)
		}
		return expired
	}}, nil
}

func celProgram(text string) (cel.Program, error) {
	env, err := cel.NewEnv(
		cel.Variable("on", cel.BoolType), cel.Variable("own", cel.BoolType),
		cel.Variable("def", cel.IntType), cel.Variable("ttl", cel.IntType),
		cel.Variable("ts", cel.IntType), cel.Variable("now", cel.IntType))
	if err != nil {
		return nil, err
	}
	ast, issues := env.Compile(text)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	return env.Program(ast, cel.EvalOptions(cel.OptOptimize))
}
