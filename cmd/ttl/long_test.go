package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

// TestLongReports: the text about many collections describes ten, says how many more there
// are, and names the flag that shows all; a collection whose documents may be deleted is always
// described. The page folds all but the first collections.
func TestLongReports(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 70 {
		name, metadata := fmt.Sprintf("shop/c%02d", i), `{"options":{},"indexes":[{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":3600}]}`
		files[name+".bson"], files[name+".metadata.json"] = bsonText(t, `{"_id":1,"t":"2026-01-01"}`), metadata
	}
	files["shop/c69.metadata.json"] = strings.Replace(files["shop/c69.metadata.json"], "3600", "2147483647", 1)
	files["shop/c69.bson"] = bsonText(t, `{"_id":1,"t":{"$date":"1950-01-01T00:00:00Z"}}`)
	dir := fixture.Files(t, files)
	sections := func(out, of string) (n int) {
		for line := range strings.Lines(out) {
			if strings.HasPrefix(line, "shop.c") && strings.Contains(line, of) {
				n++
			}
		}
		return n
	}
	for _, tt := range []struct {
		command, of    string
		described, all int
		says           string
	}{
		{"forecast", ".bson", 10, 70, "Without details here: 60 more collections"},
		{"audit", ".metadata.json", 11, 70, "Not described here: the findings of 59 more collections"},
	} {
		r := ttl(t, "", tt.command, "--quiet", "--now", "2026-11-20", dir)
		if n := sections(r.out, tt.of); n != tt.described || !strings.Contains(folded(r.out), tt.says) || !strings.Contains(folded(r.out), "--all ") || tt.command == "audit" && sections(r.out[strings.Index(r.out, "\nshop.c69"):], "c69.meta") != 1 {
			t.Errorf("%s describes %d collections, want %d and %q:\n%s", tt.command, n, tt.described, tt.says, r.out)
		}
		r = ttl(t, "", tt.command, "--quiet", "--now", "2026-11-20", "--all", dir)
		if n := sections(r.out, tt.of); n != tt.all || strings.Contains(r.out, "--all") {
			t.Errorf("%s --all describes %d collections, want %d", tt.command, n, tt.all)
		}
	}
	if r := ttl(t, "", "audit", "--quiet", dir); strings.Count(r.out, "  keeps   ") != 49 || !strings.Contains(r.out, "and 20 more, none of which may delete") {
		t.Errorf("the list of findings is not cut:\n%s", r.out)
	}
	r := ttl(t, "", "forecast", "--quiet", "--now", "2026-11-20", "--format", "html", dir)
	if n, open := strings.Count(r.out, `<details class="part"`), strings.Count(r.out, `<details class="part" open>`); n != 70 || open != 3 {
		t.Errorf("the page has %d parts that fold, %d of them open; want 70 and 3", n, open)
	}
}
