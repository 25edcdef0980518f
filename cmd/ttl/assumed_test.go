package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

// TestAssumedReleases: if nothing names the release, each command says that it is
// assumed, and a report explains that once. If the input or a flag names the release, no
// command says so.
func TestAssumedReleases(t *testing.T) {
	t.Parallel()
	const metadata = `{"options":{},"indexes":[{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":0}]}`
	const bson = "\x10\x00\x00\x00\x09t\x00\x05\x00\x00\x00\x00\x00\x00\x00\x00"
	unnamed := fixture.Files(t, map[string]string{"shop/a.bson": bson, "shop/a.metadata.json": metadata, "shop/b.bson": bson, "shop/b.metadata.json": metadata})
	named := fixture.Files(t, map[string]string{"shop/a.bson": bson, "shop/a.metadata.json": metadata, "shop/prelude.json": `{"ServerVersion":"8.0.4"}`})
	rules := written(t, "policy.yaml", "version: 1\nrules: [{namespace: 'shop.*', key: t, expireAfterSeconds: 1d}]\n")
	part := filepath.Join(t.TempDir(), "part")
	writeFile(t, part, []byte(ttl(t, "", "forecast", "--now", sampleAt, "--format", "part", unnamed).out))
	assumed := regexp.MustCompile(`MongoDB [0-9.]+ \(assumed\)`)
	for _, tt := range []struct {
		name string
		args []string // of the command, with the input
		once bool     // the text explains the assumption once
		says bool     // the output says that the release is assumed
	}{
		{"forecast", []string{"forecast", unnamed}, true, true},
		{"forecast of one", []string{"forecast", "--ns", "shop.a", unnamed}, true, true},
		{"forecast of parts", []string{"forecast", "merge", part}, true, true},
		{"audit", []string{"audit", "--ns", "shop.a", unnamed}, true, true},
		{"plan", []string{"plan", rules, unnamed}, true, true},
		{"migrate", []string{"migrate", "--to", "cosmos-mongo", unnamed}, false, true},
		{"explain", []string{"explain", "--index", `{"t":1}`, "--expire-after", "1", "{}"}, false, true},
		{"forecast of a dump with a release", []string{"forecast", named}, false, false},
		{"audit of one", []string{"audit", named}, false, false},
		{"plan of one", []string{"plan", rules, named}, false, false},
		{"migrate of one", []string{"migrate", "--to", "cosmos-mongo", named}, false, false},
		{"forecast with --server", []string{"forecast", "--server", "8.0.4", unnamed}, false, false},
		{"audit with --server", []string{"audit", "--server", "8.0.4", unnamed}, false, false},
		{"plan with --server", []string{"plan", "--server", "8.0.4", rules, unnamed}, false, false},
		{"explain with --server", []string{"explain", "--server", "8.0.4", "--index", `{"t":1}`, "--expire-after", "1", "{}"}, false, false},
	} {
		text := ttl(t, "", tt.args...)
		if got := assumed.MatchString(text.out); got != tt.says && tt.name != "forecast" && tt.name != "forecast of parts" { // the table of a forecast has another form
			t.Errorf("%s: says (assumed): %v, want %v\n%s%s", tt.name, got, tt.says, text.out, text.err)
		}
		want := 0
		if tt.once {
			want = 1
		}
		if got := strings.Count(words(text.out), "--server names it."); got != want {
			t.Errorf("%s: says %d times what it means, want %d\n%s", tt.name, got, want, text.out)
		}
		json := ttl(t, "", append(slices.Clone(tt.args), "--format", "json")...)
		if got := strings.Contains(json.out, `"assumed": true`); got != tt.says {
			t.Errorf("%s: assumed in JSON: %v, want %v\n%s%s", tt.name, got, tt.says, json.out, json.err)
		}
	}
	if r := ttl(t, "", "forecast", "--format", "html", "--ns", "shop.a", unnamed); !assumed.MatchString(r.out) || strings.Count(r.out, "--server names it.") != 1 {
		t.Errorf("the page does not say once that the release is assumed:\n%s", r.out)
	}
}
