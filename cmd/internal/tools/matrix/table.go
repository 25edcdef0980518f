package main

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

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
