package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
)

// TestPassEnds: on 2.4, each pass over a database ends at a TTL index of a capped
// collection. The finding names the indexes that may have been created after this one.
func TestPassEnds(t *testing.T) {
	const ttl = `{"v":1,"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`
	const second = `{"v":1,"key":{"u":1},"name":"u_1","expireAfterSeconds":1}`
	type collection struct{ ns, options, indexes string }
	plain := collection{"shop.logs", `{}`, ttl}
	for _, tt := range []struct {
		why, release string
		collections  []collection // the findings are those of the first
		want, not    string       // parts of the finding's text; no finding if want is empty
	}{
		{"a capped collection", "2.4.14", []collection{{"shop.ring", `{"capped":true,"size":4096}`, ttl}, plain}, "t_1 of shop.logs", "shop.ring"},
		{"in each of the releases", "2.2.0", []collection{{"shop.ring", `{"capped":true,"size":4096}`, ttl}, plain}, "MongoDB 2.2.0 fails at this index", "shop.ring"},
		{"the next index of the same collection", "2.6.12", []collection{{"shop.ring", `{"capped":true,"size":4096}`, ttl + "," + second}}, "u_1 of shop.ring", "t_1 of"},
		{"a system namespace", "2.6.12", []collection{{"shop.system.whatever", `{}`, ttl}, plain}, "t_1 of shop.logs", "whatever"},
		{"each index by itself since 3.0", "3.0.0", []collection{{"shop.ring", `{"capped":true,"size":4096}`, ttl}, plain}, "", ""},
		{"nothing after it", "2.4.14", []collection{{"shop.ring", `{"capped":true,"size":4096}`, ttl}, {"shop.logs", `{}`, `{"v":1,"key":{"t":1},"name":"t_1"}`}}, "", ""},
		{"another database", "2.4.14", []collection{{"shop.ring", `{"capped":true,"size":4096}`, ttl}, {"bank.logs", `{}`, ttl}}, "", ""},
		{"an ordinary collection", "2.4.14", []collection{{"shop.cart", `{}`, ttl}, plain}, "", ""},
		{"an index that is passed over", "2.4.14", []collection{{"shop.ring", `{"capped":true,"size":4096}`, `{"v":1,"key":{"t":1,"u":1},"name":"t_1","expireAfterSeconds":1}`}, plain}, "", ""},
	} {
		var targets []*catalog.Target
		for _, c := range tt.collections {
			target := described(t, c.options, c.indexes)
			target.Rename(c.ns)
			targets = append(targets, target)
		}
		results := Audit(t.Context(), targets, on(t, tt.release))
		var told []string
		for _, r := range results {
			if r.Failed != nil {
				t.Fatalf("%s: %v", tt.why, r.Failed)
			}
			for _, f := range r.Findings {
				if f.Rule.ID() == "mongo.monitor-stops" {
					told = append(told, f.Text)
				}
			}
		}
		text := strings.Join(told, "\n")
		_, after, _ := strings.Cut(text, "Those that may be: ")
		wantTold := 0
		if tt.want != "" {
			wantTold = 1
		}
		if len(told) != wantTold || !strings.Contains(text, tt.want) || tt.not != "" && strings.Contains(after, tt.not) {
			t.Errorf("%s: found %q, want one with %q and without %q after it", tt.why, text, tt.want, tt.not)
		}
	}
}

// TestPassEndsAtMany: a finding names a few of many indexes, so that a report does not
// grow with the square of their number.
func TestPassEndsAtMany(t *testing.T) {
	var targets []*catalog.Target
	for i := range 50 {
		target := described(t, `{"capped":true,"size":4096}`, `{"v":1,"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`)
		target.Rename(fmt.Sprint("shop.c", i))
		targets = append(targets, target)
	}
	for _, r := range Audit(t.Context(), targets, on(t, "2.4.14")) {
		var told []string
		for _, f := range r.Findings {
			if f.Rule.ID() == "mongo.monitor-stops" {
				told = append(told, f.Text)
			}
		}
		if len(told) != 1 || strings.Count(told[0], "t_1 of shop.") != 20 || !strings.Contains(told[0], "and 29 more. db.system") || strings.Contains(told[0], "t_1 of "+r.Target.Title()+",") {
			t.Errorf("%s: %q, want 20 of the 49 other indexes", r.Target.Title(), told)
		}
	}
}

// TestConcludedAtOnce: the audit of a target without documents ends before the next
// begins, so that a long listing takes little memory. The audit waits for the other
// targets if a pass over the database ends at an index of the target.
func TestConcludedAtOnce(t *testing.T) {
	const ttl = `{"v":1,"key":{"t":1},"name":"t_1","expireAfterSeconds":1}`
	for _, tt := range []struct {
		release, options string
		want             bool
	}{
		{"8.0.4", `{}`, true}, {"2.4.14", `{}`, true}, {"2.4.14", `{"capped":true,"size":4096}`, false},
	} {
		target := described(t, tt.options, ttl)
		target.Rename("shop.logs")
		j := newJob(target, on(t, tt.release))
		if _, got := j.auditor.(concluded); got != tt.want {
			t.Errorf("%s %s: concluded = %t, want %t", tt.release, tt.options, got, tt.want)
		}
	}
}
