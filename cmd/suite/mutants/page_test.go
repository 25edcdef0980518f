package mutants

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the list of mutants")

const page = "../../../docs/mutant-list.md"

// TestPageListsEveryMutant also writes the list into its page:
//
//	go test ./cmd/suite/mutants -run Page -update
func TestPageListsEveryMutant(t *testing.T) {
	want := list()
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != want {
		t.Errorf("%s lists other mutants; run this test with -update", page)
	}
}

// list returns the page of all mutants: first the mutants that were seen, and then the
// other mutants.
func list() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<!-- Written by `+"`go test ./cmd/suite/mutants -run Page -update`"+`; do not edit. -->

# The mutants

A [mutant](mutants.md#mutants) is an implementation that misreads one rule. This project uses mutants to test
whether the conformance suite detects such mistakes. There are %d mutants, and the
[vectors](rules/README.md#vectors) of the suite detect each of them. %d of the misreadings were found in
software in use, in client code or on web pages. This project invented the others.

## Seen in software in use

| mutant | rule | the misreading | seen in |
|---|---|---|---|
`, len(All()), len(All())-len(unseen))
	for _, m := range All() {
		if m.Wild != "" {
			fmt.Fprintf(&b, "| `%s` | [`%s`](%s) | %s | %s |\n", m.Name, m.Rule, address(m.Rule), cell(m.Text), cell(m.Wild))
		}
	}
	b.WriteString("\n## Others\n\n| mutant | rule | the misreading |\n|---|---|---|\n")
	for _, m := range All() {
		if m.Wild == "" {
			fmt.Fprintf(&b, "| `%s` | [`%s`](%s) | %s |\n", m.Name, m.Rule, address(m.Rule), cell(m.Text))
		}
	}
	return b.String()
}

// cell returns a text as a cell of a Markdown table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// address leads to a rule in the index of its engine, relative to the page of mutants.
func address(rule string) string {
	engine, _, _ := strings.Cut(rule, ".")
	return "rules/" + strings.Replace(engine, "mongo", "mongodb", 1) + ".md#" + rule
}
