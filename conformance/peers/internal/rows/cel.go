package rows

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
)

// The item is asked for through an activation of the user's own, which costs CEL
// less than a map.

// celItem is an item whose fields CEL converts as it asks for them.
type celItem struct{ *facts }

func (f celItem) ResolveName(name string) (any, bool) {
	switch name {
	case "on":
		return f.On, true
	case "own":
		return f.Own, true
	case "def":
		return f.Def, true
	case "ttl":
		return f.TTL, true
	case "ts":
		return f.TS, true
	case "now":
		return f.Now, true
	}
	return nil, false
}

func (celItem) Parent() cel.Activation { return nil }

// celValues are an item that has been converted before, which a store would have
// to keep beside the item.
type celValues struct{ on, own, def, ttl, ts, now ref.Val }

func (f *celValues) ResolveName(name string) (any, bool) {
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

func (f *celValues) Parent() cel.Activation { return nil }

// celSide is cel.dev/cel-go with typed variables.
func celSide(items []inputs.Item) (race.Side, error) {
	all := factsOf(items)
	activations := make([]cel.Activation, len(all))
	for i := range all {
		activations[i] = celItem{&all[i]}
	}
	return celOver("CEL", activations)
}

// celConvertedSide is the same about items that CEL need not convert.
func celConvertedSide(items []inputs.Item) (race.Side, error) {
	activations := make([]cel.Activation, len(items))
	for i, f := range factsOf(items) {
		activations[i] = &celValues{types.Bool(f.On), types.Bool(f.Own), types.Int(f.Def), types.Int(f.TTL), types.Int(f.TS), types.Int(f.Now)}
	}
	return celOver(celConverted, activations)
}

const celConverted = "CEL, of values converted before"

func celOver(name string, activations []cel.Activation) (race.Side, error) {
	program, err := celProgram(`on && (own ? ttl != -1 && ts + ttl <= now : def != -1 && ts + def <= now)`)
	if err != nil {
		return race.Side{}, err
	}
	return race.Side{Name: name, N: len(activations), Do: func(from, to int) (expired int64) {
		for _, item := range activations[from:to] {
			out, _, err := program.Eval(item)
			expired += b2i(inputs.Must(out, err) == types.True)
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
