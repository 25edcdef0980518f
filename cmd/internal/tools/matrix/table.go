package main

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// header returns the head of a table with a column for each implementation.
func header(what string, columns []result) string {
	line, rule := "| "+what+" |", "|---|"
	for _, r := range columns {
		line += " " + r.Implementation.Name + " |"
		rule += ":-:|"
	}
	return line + "\n" + rule + "\n"
}

// profiles returns the table of the profiles that somebody claims.
func profiles(columns []result) string {
	var b strings.Builder
	b.WriteString(header("profile", columns))
	for _, p := range conformance.Embedded().RuleSets {
		line, claimed := "", false
		for _, r := range columns {
			text := ""
			for _, of := range r.RuleSets {
				if of.Name == p.Name && of.Claimed {
					text, claimed = symbol(of.Verdict), true
				}
			}
			line += " " + text + " |"
		}
		if claimed {
			fmt.Fprintf(&b, "| `%s`: %s |%s\n", p.Name, p.Title, line)
		}
	}
	return b.String()
}

// rules returns the table of the rules on which there is a verdict about
// somebody, with links to their pages.
func rules(columns []result, catalogue string) string {
	var b strings.Builder
	b.WriteString(header("rule", columns))
	for rule := range conformance.Rules() {
		line, tested := "", false
		for _, r := range columns {
			tested = tested || r.rule(rule.ID).Verdict != conformance.Untested
			line += " " + cell(r, rule.ID) + " |"
		}
		if tested {
			_, page, _ := strings.Cut(rule.ID, ".")
			fmt.Fprintf(&b, "| [`%s`](../rules/%s/%s.md) |%s\n", rule, catalogue, page, line)
		}
	}
	return b.String()
}

// cell returns what there is to say about an implementation and a rule.
func cell(r result, id string) string {
	rule := r.rule(id)
	if rule.Verdict != conformance.Nonconformant {
		return symbol(rule.Verdict)
	}
	failed := rule.Checks[conformance.Fail.String()] + rule.Checks[conformance.Broken.String()]
	text := fmt.Sprintf("%s %d/%d", symbol(rule.Verdict), failed, failed+rule.Checks[conformance.Pass.String()])
	if r.deletes(id) {
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
