package peers

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
)

// facts are an item and its container's setting, for a policy language without pointers.
type facts struct {
	On, Own      bool // the container has a default; the item has a ttl
	Def, TTL, TS int
	Now          int
}

// factsOf returns the facts of the items. The pointers lead to adjacent memory.
func factsOf(items []Item) []*facts {
	all, pointers := make([]facts, len(items)), make([]*facts, len(items))
	for i, it := range items {
		all[i] = facts{On: it.Def != nil, Own: it.TTL != nil, TS: int(it.TS), Now: NowSeconds}
		if it.Def != nil {
			all[i].Def = int(*it.Def)
		}
		if it.TTL != nil {
			all[i].TTL = int(*it.TTL)
		}
		pointers[i] = &all[i]
	}
	return pointers
}

// exprSide decides with github.com/expr-lang/expr, by a typed environment and a reused
// virtual machine.
func exprSide(items []*facts) Side {
	program := Must(expr.Compile(
		`On && (Own ? TTL != -1 && TS + TTL <= Now : Def != -1 && TS + Def <= Now)`,
		expr.Env(&facts{}), expr.AsBool()))
	var machine vm.VM
	return sideOf("expr", items, func(f *facts) bool { return Must(machine.Run(program, f)).(bool) })
}

// CEL reads the item through a custom activation, which costs less than a map.

// celItem is an item whose fields CEL converts each time it reads them.
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

// celValues are the fields of an item, converted to values of CEL in advance. A store
// would have to keep them beside the item.
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

// celSide decides with cel.dev/cel-go, by typed variables.
func celSide(items []*facts) Side {
	activations := make([]cel.Activation, len(items))
	for i, f := range items {
		activations[i] = celItem{f}
	}
	return celOver("CEL", activations)
}

// celConvertedSide is celSide with items that were converted to values of CEL in advance.
func celConvertedSide(items []*facts) Side {
	activations := make([]cel.Activation, len(items))
	for i, f := range items {
		activations[i] = &celValues{types.Bool(f.On), types.Bool(f.Own), types.Int(f.Def), types.Int(f.TTL), types.Int(f.TS), types.Int(f.Now)}
	}
	return celOver(celConverted, activations)
}

const celConverted = "CEL, of values converted before"

func celOver(name string, activations []cel.Activation) Side {
	env := Must(cel.NewEnv(
		cel.Variable("on", cel.BoolType), cel.Variable("own", cel.BoolType),
		cel.Variable("def", cel.IntType), cel.Variable("ttl", cel.IntType),
		cel.Variable("ts", cel.IntType), cel.Variable("now", cel.IntType)))
	ast, issues := env.Compile(`on && (own ? ttl != -1 && ts + ttl <= now : def != -1 && ts + def <= now)`)
	program := Must(env.Program(Must(ast, issues.Err()), cel.EvalOptions(cel.OptOptimize)))
	return sideOf(name, activations, func(item cel.Activation) bool {
		out, _, err := program.Eval(item)
		return Must(out, err) == types.True
	})
}

// The policy asks Cedar whether the monitor may delete the item of this
// context.
const cedarPolicy = `permit (principal, action, resource) when {
	context.on && (if context.own
		then context.ttl != -1 && context.ts + context.ttl <= context.now
		else context.def != -1 && context.ts + context.def <= context.now)
};`

// cedarSide decides with github.com/cedar-policy/cedar-go, by requests made in advance.
func cedarSide(items []*facts) Side {
	policies := Must(cedar.NewPolicySetFromBytes("expired.cedar", []byte(cedarPolicy)))
	requests := make([]cedar.Request, len(items))
	for i, f := range items {
		requests[i] = cedar.Request{
			Principal: cedar.NewEntityUID("Monitor", "ttl"), Action: cedar.NewEntityUID("Action", "delete"), Resource: cedar.NewEntityUID("Item", "i"),
			Context: cedar.NewRecord(cedar.RecordMap{
				"on": cedar.Boolean(f.On), "own": cedar.Boolean(f.Own), "def": cedar.Long(f.Def),
				"ttl": cedar.Long(f.TTL), "ts": cedar.Long(f.TS), "now": cedar.Long(f.Now),
			}),
		}
	}
	var entities cedar.EntityMap
	return sideOf("Cedar", requests, func(r cedar.Request) bool {
		decision, _ := cedar.Authorize(policies, entities, r)
		return decision == cedar.Allow
	})
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

// opaSide decides with OPA, by a prepared query and inputs parsed in advance.
func opaSide(items []*facts) Side {
	ctx := context.Background()
	query := Must(rego.New(rego.Query("data.ttl.expired"), rego.Module("ttl.rego", opaModule)).PrepareForEval(ctx))
	values := make([]ast.Value, len(items))
	for i, f := range items {
		values[i] = ast.NewObject(
			ast.Item(ast.StringTerm("on"), ast.BooleanTerm(f.On)), ast.Item(ast.StringTerm("own"), ast.BooleanTerm(f.Own)),
			ast.Item(ast.StringTerm("def"), ast.IntNumberTerm(f.Def)), ast.Item(ast.StringTerm("ttl"), ast.IntNumberTerm(f.TTL)),
			ast.Item(ast.StringTerm("ts"), ast.IntNumberTerm(f.TS)), ast.Item(ast.StringTerm("now"), ast.IntNumberTerm(f.Now)))
	}
	return sideOf("OPA", values, func(item ast.Value) bool {
		return Must(query.Eval(ctx, rego.EvalParsedInput(item)))[0].Expressions[0].Value == true
	})
}
