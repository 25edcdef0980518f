package rulebook

import "testing"

// TestEveryRuleHasARepair: a page without one leaves its reader alone; and a
// repair that no rule has is one that somebody forgot.
func TestEveryRuleHasARepair(t *testing.T) {
	used := map[string]bool{}
	for _, p := range all() {
		if len(p.Repair.Ways) == 0 {
			t.Errorf("%s has no repair: add one to internal/records/rules.json", p.ID)
			continue
		}
		used[p.Repair.Rules[0]] = true
	}
	for _, r := range readRecords().Repairs {
		if !used[r.Rules[0]] {
			t.Errorf("no rule has the repair for %q: one above it takes its rules", r.Rules)
		}
	}
}

func TestRepairOf(t *testing.T) {
	all := []Repair{{Rules: []string{"mongo.nan-zero"}}, {Rules: []string{"mongo.a", "mongo.nan-*"}}}
	for rule, want := range map[string]int{"mongo.nan-zero": 1, "mongo.nan-skipped": 2, "mongo.date": 0} {
		if got := repairOf(all, rule); len(got.Rules) != want {
			t.Errorf("repairOf(%s) = %+v, want the one with %d rules", rule, got, want)
		}
	}
}

// TestTopicsBeginWithWhatReadersNeed: the first rule of each engine is its rule
// for expiry.
func TestTopicsBeginWithWhatReadersNeed(t *testing.T) {
	for i, want := range []string{"mongo.date", "cosmos.default"} {
		if got := book.Engines[i].Topics[0].Pages[0].ID; got != want {
			t.Errorf("the rules of %s begin with %s, want %s", book.Engines[i].Name, got, want)
		}
	}
}
