package differ

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/library"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// named returns the claims of the reference, under another name.
func named(name string) conformance.Hello {
	h := library.New().Hello()
	h.Name, h.Version = name, "1"
	return h
}

// latest misreads arrays that hold only dates: it lets the latest date count.
func latest(q conformance.Question) conformance.Answer {
	a := library.New().Ask(q)
	in, _ := policy.ParseExtJSON(q.In)
	list := in.Field("document").Field("t").Elements()
	greatest, n := policy.MinInstant, 0
	for list.Next() {
		i, ok := list.Value().AsDate()
		if !ok {
			return a
		}
		greatest = max(greatest, i)
		n++
	}
	now, _ := in.Field("now").AsDate()
	if out, _ := policy.ParseExtJSON(a.Out); out.Field("deadline").Kind() != policy.Date || n == 0 {
		return a
	}
	return conformance.Decided(policy.DecisionOf(policy.Pending, greatest, policy.Rule{}).At(now), "")
}

// drawn returns the number of questions that a test draws. With -short it is a quarter,
// which is enough for disagreements about the more common rules.
func drawn(n int) int {
	if testing.Short() {
		return n / 4
	}
	return n
}

func differ(t *testing.T, first, second conformance.System, o Options) *Report {
	t.Helper()
	r, err := Run(context.Background(), first, second, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReferenceAgreesWithItself(t *testing.T) {
	n := drawn(600)
	r := differ(t, library.New(), library.New(), Options{Seed: 7, N: n})
	if !r.Agree() || len(r.Ops) != len(conformance.Operations()) {
		t.Errorf("the reference disagrees with itself: %+v", r)
	}
	for _, op := range r.Ops {
		if op.Asked+op.Unspecified != n || op.Asked < n*2/3 || op.Different+op.Unasked != 0 {
			t.Errorf("%s: %+v, want %d questions and most of them asked", op.Op, op, n)
		}
	}
}

func TestDisagreementsAreShrunkAndNamed(t *testing.T) {
	o := Options{Seed: 7, N: drawn(3000), Ops: []string{"mongodb.decide"}}
	r := differ(t, library.New(), conformance.NewSystem(named("latest"), latest), o)
	if len(r.Rules) == 0 || r.Rules[0].Rule != "mongo.array-earliest" || r.Rules[0].Count < 5 || len(r.Rules[0].Examples) != 1 {
		t.Fatalf("the rules are %+v, want many disagreements about mongo.array-earliest and one of them shown", r.Rules)
	}
	d := r.Rules[0].Examples[0]
	if len(d.In) > 230 || d.Target.Version != fixture.Latest || d.Agrees != "first" || d.Difference == "" {
		t.Errorf("the disagreement is %+v, want a short one about the newest release, with the first in agreement", d)
	}
	if suite.Difference(conformance.Question{Op: d.Op, Target: d.Target, In: d.In}, []string{"deadline"}, d.First, d.Second) != d.Difference {
		t.Error("the answers shown do not differ as it says")
	}
	for _, want := range []string{`"id": "found-`, `"rules": ["mongo.array-earliest"]`, `"want": []`, "ttlpolicy answers {", "latest {"} {
		if !strings.Contains(d.Vector, want) {
			t.Errorf("the vector is\n%s\nwithout %s", d.Vector, want)
		}
	}
	first, second := written(t, r), written(t, differ(t, library.New(), conformance.NewSystem(named("latest"), latest), o))
	if first != second {
		t.Errorf("the same seed finds\n%s\nthen\n%s", first, second)
	}
}

func written(t *testing.T, r *Report) string {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestPerRule(t *testing.T) {
	r := differ(t, conformance.NewSystem(named("latest"), latest), library.New(), Options{Seed: 1, N: 1000, Ops: []string{"mongodb.decide"}, PerRule: 3})
	if len(r.Rules[0].Examples) != 3 || r.Rules[0].Examples[0].Agrees != "second" {
		t.Errorf("%d examples, the first in agreement with the %s, want 3 with the second", len(r.Rules[0].Examples), r.Rules[0].Examples[0].Agrees)
	}
}

// TestOpenIsNotCompared: the comparison leaves out questions that no source settles.
func TestOpenIsNotCompared(t *testing.T) {
	free := conformance.NewSystem(named("free"), func(q conformance.Question) conformance.Answer {
		if strings.HasSuffix(library.RuleOf(q), "-unspecified") {
			return conformance.Fault("asked what is unspecified")
		}
		return library.New().Ask(q)
	})
	if r := differ(t, library.New(), free, Options{N: drawn(1000)}); !r.Agree() {
		t.Errorf("they disagree: %+v", r.Rules)
	}
}

// TestOnlyWhatBothClaim: only releases, operations and features that both claim
// are compared.
func TestOnlyWhatBothClaim(t *testing.T) {
	modest := conformance.Hello{
		Name: "modest", Ops: []string{"mongodb.decide", "mongodb.create"}, Systems: map[string]string{conformance.MongoDB: ">=4.0.0 <4.4.0"},
	}
	other := named("other")
	other.Ops = []string{"mongodb.decide", "cosmos.decide"}
	asked := 0
	r := differ(t, conformance.NewSystem(other, library.New().Ask), conformance.NewSystem(modest, func(q conformance.Question) conformance.Answer {
		asked++
		if q.Op != "mongodb.decide" || !strings.HasPrefix(q.Target.Version, "4.") {
			t.Errorf("asked %s about %s", q.Op, q.Target)
		}
		if state := stateOf(q); state != "expired" { // pending or never: it reports no deadlines
			return conformance.Result(map[string]string{"state": "never"})
		}
		return conformance.Result(map[string]string{"state": "expired"})
	}), Options{N: 300})
	if !r.Agree() || asked < 200 {
		t.Errorf("%d questions, rules %+v; want many and no disagreement", asked, r.Rules)
	}
}

func stateOf(q conformance.Question) string {
	out, _ := policy.ParseExtJSON(library.New().Ask(q).Out)
	state, _ := out.Field("state").AsString()
	return state
}

// TestCrashesAreShown: a question that crashes a system is shown, and is not asked again
// and again.
func TestCrashesAreShown(t *testing.T) {
	times := 0
	crashes := conformance.NewSystem(named("crashes"), func(q conformance.Question) conformance.Answer {
		if library.RuleOf(q) == "mongo.array-empty" {
			times++
			panic("oh")
		}
		return library.New().Ask(q)
	})
	r := differ(t, library.New(), crashes, Options{Seed: 3, N: 1000, Ops: []string{"mongodb.decide"}})
	if len(r.Rules) != 1 || r.Rules[0].Count != times || r.Rules[0].Examples[0].Difference != "out, then crash" {
		t.Errorf("after %d crashes the rules are %+v", times, r.Rules)
	}
}

func TestAborted(t *testing.T) {
	gone := conformance.NewSystem(named("gone"), func(conformance.Question) conformance.Answer {
		return conformance.Answer{Kind: conformance.KindAborted}
	})
	r := differ(t, library.New(), gone, Options{N: 100, Ops: []string{"cosmos.decide"}})
	if op := r.Ops[0]; op.Asked != 0 || op.Unasked+op.Unspecified != 100 || !r.Agree() {
		t.Errorf("%+v, want 100 questions without answers", op)
	}
}

func TestRunRefuses(t *testing.T) {
	cosmos, mongodb, wrong := named("cosmos"), named("mongodb"), named("wrong")
	cosmos.Systems, mongodb.Systems = map[string]string{conformance.CosmosNoSQL: "*"}, map[string]string{conformance.MongoDB: "*"}
	wrong.Systems = map[string]string{conformance.MongoDB: "new"}
	run := func(h conformance.Hello, ops ...string) error {
		_, err := Run(context.Background(), conformance.NewSystem(mongodb, library.New().Ask), conformance.NewSystem(h, library.New().Ask), Options{N: 1, Ops: ops})
		return err
	}
	if err := run(cosmos); !errors.Is(err, ErrNothingInCommon) {
		t.Errorf("Run of two that claim nothing in common = %v", err)
	}
	if err := run(mongodb, "cosmos.decide"); err == nil || !strings.Contains(err.Error(), "cosmos.decide") {
		t.Errorf("Run of an operation that is not claimed = %v", err)
	}
	if err := run(wrong); err == nil || !strings.Contains(err.Error(), "wrong") {
		t.Errorf("Run of claims that cannot be read = %v", err)
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	asked := 0
	slow := conformance.NewSystem(named("slow"), func(q conformance.Question) conformance.Answer {
		if asked++; asked == 10 {
			cancel()
		}
		return library.New().Ask(q)
	})
	r, err := Run(ctx, slow, library.New(), Options{N: 100_000})
	if !errors.Is(err, context.Canceled) || r.Asked() > 2*batch {
		t.Errorf("Run = %v after %d questions, want it to end soon", err, r.Asked())
	}
}
