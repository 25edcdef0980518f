package sweep_test

import (
	"context"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
)

// A store finds three documents due. One has been given a later date since its
// deadline was remembered, so it stays.
func Example() {
	m := &memory{
		dates:     map[string]*policy.Instant{"a": at(1), "b": at(2), "c": at(3)},
		deadlines: map[string]policy.Instant{"a": 1, "b": 2, "c": 3},
	}
	m.dates["b"] = at(5000)
	s := &sweep.Sweeper[string]{Update: m.update, Deleted: func(name string, d policy.Decision) {
		fmt.Println(name, "goes by", d.Rule)
	}}
	did, err := s.Sweep(context.Background(), 10)
	fmt.Println(did.Deleted, did.Corrected, err)
	// Output:
	// a goes by test.date
	// c goes by test.date
	// 2 1 <nil>
}
