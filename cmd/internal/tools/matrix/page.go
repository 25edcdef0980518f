package main

//go:generate sh -c "cd ../../../.. && go run ./cmd/internal/tools/matrix"

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/conformance/report"
)

const preface = `# What implementations make of TTL

Written by ` + "`go run ./cmd/internal/tools/matrix`" + ` from the results beside this page; do
not edit. Each implementation was asked by its adapter, which is in
[conformance/adapters](../../conformance/adapters/README.md), whatever it claims, as
` + "`ttl conform run`" + ` does. The files hold every answer, unedited.

| implementation | version | conforms | deletes what must stay, by | results |
|---|---|---|---|---|
%s
To make the results again, install the programs that the adapter's page names, and
run:

%s
` + "`.ci/run`" + ` does so for every change, and fails if a verdict differs.

A verdict is about one rule. There is no overall score: to answer the same
without looking passes about half of all checks.

| | passes of what it claims to decide | ` + "`always never`" + ` would | ` + "`always expired`" + ` would |
|---|---|---|---|
%s
In the tables below:

| | |
|---|---|
| ✓ | all that was asked conforms |
| ◐ | all that was asked conforms, but part of it does not apply, such as types that the language has not |
| ∅ | all that was asked about the rule conforms, and so it would if nothing ever happened: what shows that something does fails |
| ✗ 3/12 | 3 of 12 checks fail |
| **✗ 3/12** | and among them documents are deleted that must stay |
| | not claimed |

A check bears on every rule of its vector, except those that hold for other releases
in place of the rule that decides.
`

// page returns the page about results.
func page(all []result) string {
	var b strings.Builder
	fmt.Fprintf(&b, preface, summary(all), commands(all), baselines(all))
	for _, s := range []struct{ system, title, catalogue string }{
		{conformance.MongoDB, "MongoDB", "mongodb"},
		{conformance.CosmosNoSQL, "Azure Cosmos DB for NoSQL", "cosmos"},
	} {
		claiming := slices.DeleteFunc(slices.Clone(all), func(r result) bool { return !r.claims(s.system) })
		fmt.Fprintf(&b, "\n## %s\n\n%s\n%s", s.title, ruleSets(claiming), rules(claiming, s.catalogue))
	}
	return b.String()
}

func summary(all []result) string {
	var b strings.Builder
	for _, r := range all {
		h := r.Implementation
		fmt.Fprintf(&b, "| [%s](../../conformance/adapters/%s/README.md) | %s | %s | %s | [%s.json](%s.json) |\n",
			h.Name, r.Key, h.Version, yes(r.Conforms), strings.Join(r.destructive(), ", "), r.Key, r.Key)
	}
	return b.String()
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// commands returns how the results were made, a line each.
func commands(all []result) string {
	var b strings.Builder
	for _, r := range all {
		fmt.Fprintf(&b, "    ttl conform run --results docs/results/%s.json -- %s\n", r.Key, program(r))
	}
	return b.String()
}

// program returns the command that runs an adapter.
func program(r result) string {
	dir := "conformance/adapters/" + r.Key
	if r.Implementation.Language == "python" {
		return "/usr/bin/python3 " + dir + "/adapter.py" // Debian's, which has Debian's packages
	}
	return "node " + dir + "/adapter.mjs"
}

// baselines compares each implementation with those that do not look.
func baselines(all []result) string {
	var b strings.Builder
	for _, r := range all {
		passed, judged := r.decided()
		fmt.Fprintf(&b, "| %s | %d of %d |", r.Implementation.Name, passed, judged)
		trivial, err := report.Baselines(r.suite(), r.Implementation)
		if err != nil {
			panic(err) // the claims were read when the results were made
		}
		for _, t := range trivial {
			fmt.Fprintf(&b, " %d of %d |", t.Pass, t.Total)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// A table has a column for each implementation.
type table struct {
	strings.Builder
	columns []result
}

func newTable(what string, columns []result) *table {
	t := &table{columns: columns}
	line, rule := "| "+what+" |", "|---|"
	for _, r := range columns {
		line += " " + r.Implementation.Name + " |"
		rule += ":-:|"
	}
	t.WriteString(line + "\n" + rule + "\n")
	return t
}

// row writes a row, unless there is nothing in it.
func (t *table) row(label string, cell func(result) string) {
	line, isEmpty := "| "+label+" |", true
	for _, r := range t.columns {
		text := cell(r)
		line += " " + text + " |"
		isEmpty = isEmpty && text == ""
	}
	if !isEmpty {
		t.WriteString(line + "\n")
	}
}

// ruleSets returns the table of the rule sets that somebody claims.
func ruleSets(columns []result) string {
	t := newTable("rule set", columns)
	for _, p := range conformance.Embedded().RuleSets {
		t.row(fmt.Sprintf("`%s`: %s", p.Name, p.Title), func(r result) string {
			for _, of := range r.RuleSets {
				if of.Name == p.Name && of.Claimed {
					return symbol(of.Verdict)
				}
			}
			return ""
		})
	}
	return t.String()
}

// rules returns the table of the rules on which there is a verdict about
// somebody, with links to their pages.
func rules(columns []result, catalogue string) string {
	t := newTable("rule", columns)
	for rule := range conformance.Rules() {
		_, page, _ := strings.Cut(rule.ID, ".")
		t.row(fmt.Sprintf("[`%s`](../rules/%s/%s.md)", rule, catalogue, page), func(r result) string { return cell(r, rule.ID) })
	}
	return t.String()
}

// cell returns what there is to say about an implementation and a rule.
func cell(r result, id string) string {
	rule := r.rule(id)
	if rule.Verdict != conformance.Nonconformant {
		return symbol(rule.Verdict)
	}
	failed := rule.Checks[conformance.Fail.String()] + rule.Checks[conformance.Broken.String()]
	text := fmt.Sprintf("%s %d/%d", symbol(rule.Verdict), failed, failed+rule.Checks[conformance.Pass.String()])
	if r.Deletes(id) {
		return "**" + text + "**"
	}
	return text
}

func symbol(v conformance.Verdict) string {
	return map[conformance.Verdict]string{
		conformance.Conformant:    "✓",
		conformance.Incomplete:    "◐",
		conformance.Unproven:      "∅",
		conformance.Nonconformant: "✗",
	}[v]
}
