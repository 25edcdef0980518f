package rows

import (
	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

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
