package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
)

// drawName draws a name of a collection or a field, with characters that have a meaning
// in patterns, YAML, JSON or comments.
func drawName(t *rapid.T, label string, characters string) string {
	return rapid.StringOfN(rapid.SampledFrom([]rune(characters)), 1, 6, -1).Draw(t, label)
}

// TestPropertyInit: for any names in a listing, a plan with the policy file that Init
// writes from the listing changes nothing.
func TestPropertyInit(t *testing.T) {
	quoted := func(s string) string {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	rapid.Check(t, func(t *rapid.T) {
		var listed, names []string
		for range rapid.IntRange(1, 5).Draw(t, "collections") {
			name := "shop." + drawName(t, "collection", "*\\ab.*\\ \"'#:-{}[]&!|>%@,?`~=\n\r\tä\u2028\u202e\u00a0\ufeff\x1b\x7f\U0001f600\U000e0041\U0010ffff\ufffe\u200d")
			if slices.Contains(names, name) {
				continue
			}
			names = append(names, name)
			for i := range rapid.IntRange(1, 2).Draw(t, "indexes") {
				field := drawName(t, "field", "ab*\\ \"'#:-{}[]&!|>%@,?`~=\n\tä\u2028\u202e\x1b\U000e0041")
				listed = append(listed, fmt.Sprintf(`{"v":2,"key":{%s:1},"name":%s,"ns":%s,"expireAfterSeconds":%d}`, quoted(field), quoted(fmt.Sprint("i", i)), quoted(name), rapid.IntRange(0, 100_000).Draw(t, "seconds")))
			}
		}
		text := "[" + strings.Join(listed, ",") + "]"
		targets, err := catalog.Read("a name\nof: a file", strings.NewReader(text))
		if err != nil {
			t.Skip(err) // no server returns such a listing
		}
		var file strings.Builder
		if err := Init(&cli.Printer{W: &file}, targets, catalog.Options{Now: now}); err != nil {
			t.Fatalf("Init of %s: %v", text, err)
		}
		f, err := parseFile("p", []byte(file.String()))
		if err != nil {
			t.Fatalf("%v in\n%s", err, file.String())
		}
		p, err := Of(t.Context(), f, targets, Options{Options: change.Options{Options: catalog.Options{Now: now}}})
		if err != nil {
			t.Fatal(err)
		}
		dropped := strings.Count(file.String(), "# left out: the index ") // the plan drops one of two indexes on the same field
		if n := p.Count(change.Nothing); n+dropped != len(listed) || p.Count(change.ToDrop) != dropped || p.Count(change.ToCreate)+p.Count(change.ToChange) > 0 || len(p.Outside)+len(p.Missing)+len(p.Idle) > 0 {
			t.Fatalf("the plan of\n%s\nby\n%s\nleaves %d of %d indexes as they are:\n%s", text, file.String(), n, len(listed), strings.Join(lines(p), "\n"))
		}
	})
}

// TestInitLeavesOut: a name that no policy file can hold becomes a comment, and the other
// rules are written.
func TestInitLeavesOut(t *testing.T) {
	rule := func(title string) *initRule {
		return &initRule{title: title, wants: []*want{{rule: "    expireAfterSeconds: 60\n"}}}
	}
	f := initFile{rules: []*initRule{rule("shop.a"), rule(""), rule("shop.b")}}
	text, err := f.text(catalog.Options{})
	if err != nil || strings.Count(text, "- namespace:") != 2 || !strings.Contains(text, `# left out: "", which a policy file cannot hold: `) {
		t.Errorf("%v, %s", err, text)
	}

	targets, err := catalog.Read("a", strings.NewReader(`[{"v":2,"key":{"t":1},"name":"t_1","ns":"shop.a","expireAfterSeconds":60},{"v":2,"key":{"t":1},"name":"t_1","ns":"shop.b","expireAfterSeconds":60}]`))
	if err != nil {
		t.Fatal(err)
	}
	targets[1].Name = "b\xff"
	var out strings.Builder
	if err := Init(&cli.Printer{W: &out}, targets, catalog.Options{Now: now}); err != nil || !strings.Contains(out.String(), `"shop.a"`) || !strings.Contains(out.String(), `# left out: shop.b\xff, whose name is not UTF-8`) {
		t.Errorf("%v, %s", err, out.String())
	}
}
