package rows

import (
	"context"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
)

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
