package rulebook

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongosh"
)

// TestEveryRuleHasARepair: a page without one leaves its reader alone; and a
// repair that no rule has is one that somebody forgot.
func TestEveryRuleHasARepair(t *testing.T) {
	used := map[string]bool{}
	for _, p := range all() {
		if p.Repair.Text == "" || len(p.Repair.Commands) == 0 {
			t.Errorf("%s has no repair: add one to repairs.json", p.ID)
			continue
		}
		used[p.Repair.Text+p.Repair.Commands[0]] = true
	}
	for _, r := range readRepairs() {
		if !used[r.Text+r.Commands[0]] {
			t.Errorf("no rule has the repair %q: one above it takes its rules", r.Text)
		}
	}
}

// TestRepairsAreCommands: what a page shows can be sent: the shell's commands are
// read as the tool reads pasted ones.
func TestRepairsAreCommands(t *testing.T) {
	read := 0
	for _, r := range readRepairs() {
		for _, command := range r.Commands {
			if !strings.HasPrefix(command, "db.") || !strings.Contains(command, "({") || strings.Contains(command, "Date.now") {
				continue
			}
			read++
			if _, err := mongosh.Parse(command, 0); err != nil {
				t.Errorf("%s: %v", command, err)
			}
		}
	}
	if read < 20 {
		t.Errorf("%d commands were read, want dozens", read)
	}
}

func TestRepairOf(t *testing.T) {
	all := []Repair{{Rules: []string{"mongo.nan-zero"}, Text: "one"}, {Rules: []string{"mongo.a", "mongo.nan-*"}, Text: "two"}}
	for rule, want := range map[string]string{"mongo.nan-zero": "one", "mongo.nan-skipped": "two", "mongo.date": ""} {
		if got := repairOf(all, rule).Text; got != want {
			t.Errorf("repairOf(%s) = %q, want %q", rule, got, want)
		}
	}
}

// TestTopicsBeginWithWhatReadersNeed: the first rule of each engine is the one
// by which documents expire.
func TestTopicsBeginWithWhatReadersNeed(t *testing.T) {
	for i, want := range []string{"mongo.date", "cosmos.default"} {
		if got := book.Engines[i].Topics[0].Pages[0].ID; got != want {
			t.Errorf("the rules of %s begin with %s, want %s", book.Engines[i].Name, got, want)
		}
	}
}
