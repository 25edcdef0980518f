package conformtest_test

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/conformtest"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A store compares strictly: it keeps a document at its deadline, where MongoDB deletes it. One
// run finds that.
func ExampleRun() {
	hello := conformance.Hello{
		Protocol: 1, Name: "strict", Version: "1.0.0", Language: "go",
		Ops: []string{"mongodb.decide"}, Systems: map[string]string{conformance.MongoDB: "8.0.4"},
	}
	strict := conformance.NewSystem(hello, func(q conformance.Question) conformance.Answer {
		in, err := q.Input()
		if err != nil {
			return conformance.Fault(err.Error())
		}
		var indexes policy.A
		for _, index := range in.Indexes {
			indexes = append(indexes, policy.ObjectValue(index))
		}
		spec, err := mongo.ParseListedCollection(policy.ObjectValue(in.Collection), policy.ListValue(indexes))
		if err != nil {
			return conformance.Fault(err.Error())
		}
		profile, err := mongo.ProfileOf(mongo.Version{Major: 8, Minor: 0, Patch: 4})
		if err != nil {
			return conformance.Fault(err.Error())
		}
		c, err := mongo.CompileCollection(spec, profile)
		if err != nil {
			return conformance.Fault(err.Error())
		}
		d := c.Decide(policy.DOf(in.Document), in.Now)
		if deadline, ok := d.Deadline(); ok && deadline == in.Now {
			d = d.At(in.Now - 1) // the fault
		}
		return conformance.Decided(d, c.SourceOf(d))
	})
	report, err := conformtest.Run(strict)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("conforms:", report.Conforms)
	fmt.Println("mongo.date:", report.Rules["mongo.date"])
	for _, f := range report.Failures {
		if title, rest, _ := strings.Cut(f, "\n"); strings.HasPrefix(title, "The date lies exactly") {
			fmt.Println(title)
			fmt.Println(strings.Contains(rest, "state is pending, want expired"))
		}
	}
	// Output:
	// conforms: false
	// mongo.date: nonconformant
	// The date lies exactly expireAfterSeconds before now
	// true
}
