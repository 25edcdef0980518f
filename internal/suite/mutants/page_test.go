package mutants

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the list in docs/mutants.md")

const (
	page  = "../../../docs/mutants.md"
	begin = "<!-- generated: go test ./internal/suite/mutants -run Page -update -->\n"
	end   = "<!-- end -->\n"
)

// TestPageListsEveryMutant also is how the list gets into docs/mutants.md:
//
//	go test ./internal/suite/mutants -run Page -update
func TestPageListsEveryMutant(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), begin)
	_, after, found := strings.Cut(rest, end)
	if !found {
		t.Fatalf("%s has no %q and %q", page, begin, end)
	}
	want := before + begin + list() + end + after
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(text) != want {
		t.Errorf("%s lists other mutants; run this test with -update", page)
	}
}

// list returns the mutants in Markdown, area by area.
func list() string {
	var b strings.Builder
	area := ""
	for _, m := range All() {
		if m.Area != area {
			area = m.Area
			fmt.Fprintf(&b, "\n### %s\n\n| mutant | rule | the misreading |\n|---|---|---|\n", area)
		}
		said := m.Text
		if m.Wild != "" {
			said += " Seen in " + m.Wild + "."
		}
		fmt.Fprintf(&b, "| `%s` | [`%s`](%s) | %s |\n", m.Name, m.Rule, address(m.Rule), strings.ReplaceAll(said, "|", `\|`))
	}
	return b.String() + "\n"
}

// address returns where the page of a rule is, seen from the list.
func address(rule string) string {
	engine, slug, _ := strings.Cut(rule, ".")
	return "rules/" + strings.Replace(engine, "mongo", "mongodb", 1) + "/" + slug + ".md"
}
