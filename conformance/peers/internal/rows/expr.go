package rows

import (
	"context"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"github.com/cedar-policy/cedar-go"
	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
)

// facts are an item for a language without pointers.
type facts struct {
	On, Own      bool // the container has a default; the item has a ttl
	Def, TTL, TS int
	Now          int
}

func factsOf(items []inputs.Item) []facts {
	all := make([]facts, len(items))
	for i, it := range items {
		all[i] = facts{On: it.Def != nil, Own: it.TTL != nil, TS: int(it.TS), Now: inputs.NowSeconds}
		if it.Def != nil {
			all[i].Def = int(*it.Def)
		}
		if it.TTL != nil {
			all[i].TTL = int(*it.TTL)
		}
	}
	return all
}

// exprSide is github.com/expr-lang/expr with a typed environment and a machine
// that is reused.
func exprSide(items []inputs.Item) (race.Side, error) {
	all := factsOf(items)
	program, err := expr.Compile(
		`On && (Own ? TTL != -1 && TS + TTL <= Now : Def != -1 && TS + Def <= Now)`,
		expr.Env(&facts{}), expr.AsBool())
	if err != nil {
		return race.Side{}, err
	}
	var machine vm.VM
	return race.Side{Name: "expr", N: len(all), Do: func(from, to int) (expired int64) {
		for i := from; i < to; i++ {
			out := inputs.Must(machine.Run(program, &all[i]))
			expired += b2i(out.(bool))
		}
		return expired
	}}, nil
}

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

// What Cedar is asked: may the monitor delete the item of this context?
const cedarPolicy = `permit (principal, action, resource) when {
	context.on && (if context.own
		then context.ttl != -1 && context.ts + context.ttl <= context.now
		else context.def != -1 && context.ts + context.def <= context.now)
};`

// cedarSide is github.com/cedar-policy/cedar-go with requests made in advance.
func cedarSide(items []inputs.Item) (race.Side, error) {
	policies, err := cedar.NewPolicySetFromBytes("expired.cedar", []byte(cedarPolicy))
	if err != nil {
		return race.Side{}, err
	}
	requests := make([]cedar.Request, len(items))
	for i, f := range factsOf(items) {
		requests[i] = cedar.Request{
			Principal: cedar.NewEntityUID("Monitor", "ttl"), Action: cedar.NewEntityUID("Action", "delete"), Resource: cedar.NewEntityUID("Item", "i"),
			Context: cedar.NewRecord(cedar.RecordMap{
				"on": cedar.Boolean(f.On), "own": cedar.Boolean(f.Own), "def": cedar.Long(f.Def),
				"ttl": cedar.Long(f.TTL), "ts": cedar.Long(f.TS), "now": cedar.Long(f.Now),
			}),
		}
	}
	var entities cedar.EntityMap
	return race.Side{Name: "Cedar", N: len(items), Do: func(from, to int) (expired int64) {
		for i := from; i < to; i++ {
			decision, _ := cedar.Authorize(policies, entities, requests[i])
			expired += b2i(decision == cedar.Allow)
		}
		return expired
	}}, nil
}

const opaModule = `package ttl

default expired := false

expired if {
	input.on
	input.own
	input.ttl != -1
	input.ts + input.ttl <= input.now
}

expired if {
	input.on
	not input.own
	input.def != -1
	input.ts + input.def <= input.now
}`

// opaSide is OPA with a prepared query and inputs parsed in advance.
func opaSide(items []inputs.Item) (race.Side, error) {
	ctx := context.Background()
	query, err := rego.New(rego.Query("data.ttl.expired"), rego.Module("ttl.rego", opaModule)).PrepareForEval(ctx)
	if err != nil {
		return race.Side{}, err
	}
	values := make([]ast.Value, len(items))
	for i, f := range factsOf(items) {
		values[i] = ast.NewObject(
			ast.Item(ast.StringTerm("on"), ast.BooleanTerm(f.On)), ast.Item(ast.StringTerm("own"), ast.BooleanTerm(f.Own)),
			ast.Item(ast.StringTerm("def"), ast.IntNumberTerm(f.Def)), ast.Item(ast.StringTerm("ttl"), ast.IntNumberTerm(f.TTL)),
			ast.Item(ast.StringTerm("ts"), ast.IntNumberTerm(f.TS)), ast.Item(ast.StringTerm("now"), ast.IntNumberTerm(f.Now)))
	}
	return race.Side{Name: "OPA", N: len(items), Do: func(from, to int) (expired int64) {
		for i := from; i < to; i++ {
			results := inputs.Must(query.Eval(ctx, rego.EvalParsedInput(values[i])))
			expired += b2i(results[0].Expressions[0].Value == true)
		}
		return expired
	}}, nil
}
