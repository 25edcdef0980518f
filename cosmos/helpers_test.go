package cosmos

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// extJSON reads a document written as Extended JSON.
func extJSON(t testing.TB, text string) policy.Value {
	t.Helper()
	v, err := policy.ParseExtJSON([]byte(text))
	if err != nil {
		t.Fatalf("ParseExtJSON(%s): %v", text, err)
	}
	return v
}

func container(t testing.TB, json string) *Container {
	t.Helper()
	spec, err := ParseContainerSpec([]byte(json))
	if err != nil {
		t.Fatalf("ParseContainerSpec(%s): %v", json, err)
	}
	c, err := CompileContainer(spec)
	if err != nil {
		t.Fatalf("CompileContainer(%s): %v", json, err)
	}
	return c
}

// collection compiles an array of indexes under the given account.
func collection(t testing.TB, indexes string, account CollectionSpec) *Collection {
	t.Helper()
	list := extJSON(t, indexes)
	for e := list.Elements(); e.Next(); {
		x, err := ParseIndexSpec(e.Value())
		if err != nil {
			t.Fatalf("ParseIndexSpec(%s): %v", indexes, err)
		}
		account.Indexes = append(account.Indexes, x)
	}
	c, err := CompileCollection(account)
	if err != nil {
		t.Fatalf("CompileCollection(%s): %v", indexes, err)
	}
	return c
}

// never is the wanted deadline of a document that never expires.
const never = -1 << 62

// check compares a decision with the wanted rule and deadline. It decides one millisecond
// before the deadline, at the deadline, and one millisecond after it.
func check(t *testing.T, decide func(now policy.Instant) policy.Decision, rule string, deadline policy.Instant) {
	t.Helper()
	d := decide(0)
	if d.Rule.String() != rule {
		t.Errorf("decided by %s, want %s", d.Rule, rule)
	}
	if deadline == never {
		if d = decide(policy.MaxInstant); d.State != policy.Never {
			t.Errorf("state at the last instant = %v, want never", d.State)
		}
		return
	}
	for _, b := range []struct {
		now  policy.Instant
		want policy.State
	}{{deadline - 1, policy.Pending}, {deadline, policy.Expired}, {deadline + 1, policy.Expired}} {
		if d := decide(b.now); d.State != b.want || deadlineOf(d) != deadline {
			t.Errorf("at %d: %v, deadline %d, want %v, deadline %d", b.now, d.State, deadlineOf(d), b.want, deadline)
		}
	}
}

// deadlineOf returns the deadline of a decision, or the last instant if there is none.
func deadlineOf(d policy.Decision) policy.Instant {
	deadline, _ := d.Deadline()
	return deadline
}
