package suite

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/base/enum"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Verdict is the result of the checks about one rule, or about one rule set.
type Verdict uint8

// The verdicts. The zero Verdict is [Untested].
const (
	Untested      Verdict = iota // no check was judged
	Nonconformant                // some check failed
	Unproven                     // all checks passed, but not those of the twins, so that a system in which nothing ever happens would pass too
	Incomplete                   // all judged checks passed, but some were not judged: not claimed, known to fail, or not observable
	Conformant                   // all passed
)

var verdictNames = []string{"untested", "nonconformant", "unproven", "incomplete", "conformant"}

// String returns the verdict's name, such as "conformant".
func (v Verdict) String() string { return enum.String(v, verdictNames) }

// MarshalText returns the verdict's name.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads a verdict's name.
func (v *Verdict) UnmarshalText(name []byte) error { return enum.UnmarshalText(v, verdictNames, name) }

// A RuleReport sums up the checks of the vectors about one rule.
type RuleReport struct {
	Rule    policy.Rule
	Verdict Verdict
	// Count is the number of checks by outcome.
	Count map[Outcome]int
}

// Rules returns a report on every rule with a vector, in the order of the
// catalogues.
func (r *Report) Rules() []RuleReport {
	return r.rules(byVector(r.Checks), func(*Vector) bool { return true })
}

// byVector returns the checks of each vector.
func byVector(checks []Check) map[*Vector][]Check {
	all := map[*Vector][]Check{}
	for len(checks) > 0 {
		v, n := checks[0].Vector, 1
		for n < len(checks) && checks[n].Vector == v {
			n++
		}
		all[v], checks = append(all[v], checks[:n]...), checks[n:]
	}
	return all
}

// rules is [Report.Rules] for some of the checks. A vector without checks counts as a
// twin only if isPart reports true of it.
func (r *Report) rules(checks map[*Vector][]Check, isPart func(*Vector) bool) []RuleReport {
	byRule := map[policy.Rule][]*Vector{}
	byID := map[string]*Vector{}
	for _, v := range r.Suite.Vectors {
		if checks[v] != nil {
			for _, rule := range v.Rules {
				byRule[rule] = append(byRule[rule], v)
			}
		}
		if isPart(v) || checks[v] != nil {
			byID[v.ID] = v
		}
	}
	var all []RuleReport
	for rule := range Rules() {
		if vectors := byRule[rule]; vectors != nil {
			all = append(all, r.rule(rule, vectors, byID, checks))
		}
	}
	return all
}

// rule returns the report on a rule with some vectors. A check about a product of which the system
// claims nothing does not make the verdict incomplete: MongoDB's rules decide for DocumentDB too.
func (r *Report) rule(rule policy.Rule, vectors []*Vector, byID map[string]*Vector, checks map[*Vector][]Check) RuleReport {
	report := RuleReport{Rule: rule, Count: map[Outcome]int{}}
	proven, elsewhere := true, 0
	for _, v := range vectors {
		about, beside := v.parted(checks[v], rule.ID())
		if r.Hello.Systems[conformance.SystemOf(v.Op)] == "" {
			elsewhere += about[Inapplicable]
		}
		for outcome, n := range about {
			report.Count[outcome] += n
		}
		twin := byID[v.Twin]
		contrast := (twin == nil || hasPassed(countOf(checks[twin]))) && !hasFailed(beside)
		proven = proven && (contrast || !hasPassed(about))
	}
	if !rule.IsUnspecified() {
		judged := maps.Clone(report.Count)
		judged[Inapplicable] -= elsewhere
		report.Verdict = verdictOf(judged, proven)
	}
	return report
}

// parted counts by outcome the checks of a vector that are about a rule, and its other
// checks. The other checks are about releases that have another rule in its place: a
// failure in today's release shows nothing about the rule of 3.0.
func (v *Vector) parted(checks []Check, rule string) (about, beside map[Outcome]int) {
	if !slices.Contains(v.Deciders(), rule) {
		return countOf(checks), nil
	}
	about, beside = map[Outcome]int{}, map[Outcome]int{}
	var row *Row
	counted := about
	for i := range checks {
		if c := &checks[i]; c.Row != row {
			row, counted = c.Row, beside
			if row.bearsOn(rule) {
				counted = about
			}
		}
		counted[checks[i].Outcome]++
	}
	return about, beside
}

// bearsOn reports whether a rule is one of the deciding rules that a row names, or the
// row names none. The row is nil if no answer is expected.
func (row *Row) bearsOn(rule string) bool {
	if row == nil {
		return true
	}
	here := row.deciders()
	return len(here) == 0 || slices.Contains(here, rule)
}

// countOf returns the number of checks by outcome.
func countOf(checks []Check) map[Outcome]int {
	count := map[Outcome]int{}
	for i := range checks {
		count[checks[i].Outcome]++
	}
	return count
}

// hasPassed reports whether checks were judged, and none failed.
func hasPassed(count map[Outcome]int) bool { return count[Pass] > 0 && !hasFailed(count) }

func hasFailed(count map[Outcome]int) bool { return count[Fail]+count[Broken] > 0 }

func verdictOf(count map[Outcome]int, proven bool) Verdict {
	switch {
	case hasFailed(count):
		return Nonconformant
	case count[Pass] == 0:
		return Untested
	case !proven:
		return Unproven
	case count[Inapplicable]+count[NotRun]+count[Known]+count[Unaskable]+count[Boundary] > 0:
		return Incomplete
	}
	return Conformant
}

// A RuleSetReport is the verdict on one rule set.
type RuleSetReport struct {
	RuleSet
	// Claimed says that the system claims the rule set.
	Claimed bool
	Verdict Verdict
	// Count is the number of the set's rules by verdict.
	Count map[Verdict]int
	// Lacking has a line for each rule whose verdict is not [Conformant]: the rule, and the
	// checks that were not made.
	Lacking []string
}

// RuleSets returns a report on every rule set of the suite, in the order of the suite.
// The verdict on a rule set is that of its worst rule. Checks about another system do not
// count, nor do checks that were not asked and are not part of the rule set.
func (r *Report) RuleSets() (all []RuleSetReport) {
	checks := byVector(r.Checks)
	for _, set := range r.Suite.RuleSets {
		all = append(all, r.ruleSet(set, checks))
	}
	return all
}

func (r *Report) ruleSet(set RuleSet, all map[*Vector][]Check) RuleSetReport {
	report := RuleSetReport{RuleSet: set, Claimed: slices.Contains(r.Hello.RuleSets, set.Name), Count: map[Verdict]int{}}
	checks := map[*Vector][]Check{}
	for v, list := range all {
		if part := set.judged(v, list); len(part) > 0 {
			checks[v] = part
		}
	}
	rules := map[policy.Rule]Verdict{}
	for _, rule := range r.rules(checks, set.holds) {
		rules[rule.Rule] = rule.Verdict
	}
	for _, rule := range set.Rules {
		report.Count[rules[rule]]++
		if rules[rule] != Conformant {
			report.Lacking = append(report.Lacking, fmt.Sprintf("%s is %s%s", rule, rules[rule], r.notAsked(rule, checks)))
		}
	}
	report.Verdict = worst(report.Count)
	return report
}

// judged returns the checks of a vector that count for the set.
func (s RuleSet) judged(v *Vector, checks []Check) []Check {
	switch {
	case conformance.SystemOf(v.Op) != s.System:
		return nil
	case s.holds(v):
		return checks
	}
	return slices.DeleteFunc(slices.Clone(checks), func(c Check) bool { return c.Outcome == Inapplicable })
}

// notAsked describes the number of unasked vectors about a rule, and the reason for the
// first.
func (r *Report) notAsked(rule policy.Rule, checks map[*Vector][]Check) string {
	n, first := 0, ""
	for _, v := range r.Suite.Vectors {
		list := checks[v]
		i := slices.IndexFunc(list, func(c Check) bool { return c.Outcome == Inapplicable })
		if i >= 0 && slices.Contains(v.Rules, rule) {
			n++
			first = cmp.Or(first, fmt.Sprintf("%s (%s)", v.ID, list[i].Detail))
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; vectors of it that were not asked: %d, such as %s", n, first)
}

// worst returns the worst of these verdicts on rules. Untested rules beside tested ones
// count as incomplete.
func worst(count map[Verdict]int) Verdict {
	tested := count[Nonconformant] + count[Unproven] + count[Incomplete] + count[Conformant]
	switch {
	case tested == 0:
		return Untested
	case count[Nonconformant] > 0:
		return Nonconformant
	case count[Unproven] > 0:
		return Unproven
	case count[Incomplete]+count[Untested] > 0:
		return Incomplete
	}
	return Conformant
}

// Conforms reports whether the system does all that it claims: values come back
// unchanged, every check was made and none failed, not even a known failure, and every
// claimed rule set is conformant. It reports false for a system that claims nothing.
func (r *Report) Conforms() bool {
	for _, p := range r.RuleSets() {
		if p.Claimed && p.Verdict != Conformant {
			return false
		}
	}
	count := r.Count()
	return len(r.Damaged) == 0 && count[Pass] > 0 && count[Fail]+count[Broken]+count[NotRun]+count[Known] == 0
}

// Count returns the number of checks by outcome.
func (r *Report) Count() map[Outcome]int { return countOf(r.Checks) }

// A Finding is a list of checks of one vector, about neighbouring releases,
// that ended in the same way. It is never empty.
type Finding []Check

// First returns the check about the first of the releases.
func (f Finding) First() Check { return f[0] }

// Rules returns the rules of the vector that the finding is about, the main one first. It
// leaves out rules that decide in other releases alone, such as one of up to 3.0.
func (f Finding) Rules() []policy.Rule {
	v, elsewhere := f[0].Vector, f[0].Vector.Deciders()
	about := slices.DeleteFunc(slices.Clone(v.Rules), func(r policy.Rule) bool {
		return slices.Contains(elsewhere, r.ID()) && !f[0].Row.bearsOn(r.ID())
	})
	if len(about) == 0 {
		return v.Rules
	}
	return about
}

// Targets names the first and the last of the releases, such as "mongodb@5.0.0
// … mongodb@8.0.16".
func (f Finding) Targets() string {
	first, last := f[0].Target.String(), f[len(f)-1].Target.String()
	if first == last {
		return first
	}
	return first + " … " + last
}

// Findings returns the findings by which a system does not conform, in the
// order of the suite's vectors.
func (r *Report) Findings() (failed []Finding) {
	for _, f := range alike(r.Checks) {
		if f.First().Failed() {
			failed = append(failed, f)
		}
	}
	return failed
}

// A Cause is a group of findings that probably have one cause, though they are about
// several rules: results of the wrong type, deadlines that are all off by the same time,
// or the same text of an implementation that broke.
type Cause struct {
	Op   string // the operation of the findings
	Text string // the text that they have in common
	// Findings are the findings of the cause, two or more.
	Findings []Finding
}

// Count returns the number of checks that failed by the cause.
func (c Cause) Count() (n int) {
	for _, f := range c.Findings {
		n += len(f)
	}
	return n
}

// Causes divides findings into those that share a cause with a finding about another
// rule, and the others. Both keep the order of the findings.
func Causes(findings []Finding) (causes []Cause, others []Finding) {
	type key struct{ op, text string }
	byCause := map[key][]Finding{}
	keyOf := func(f Finding) key { return key{f.First().Vector.Op, f.First().cause} }
	isShared := func(group []Finding) bool {
		return slices.ContainsFunc(group, func(f Finding) bool { return f.Rules()[0] != group[0].Rules()[0] })
	}
	for _, f := range findings {
		byCause[keyOf(f)] = append(byCause[keyOf(f)], f)
	}
	for _, f := range findings {
		k := keyOf(f)
		group := byCause[k]
		switch {
		case k.text == "" || len(group) > 0 && !isShared(group):
			others = append(others, f)
		case group != nil:
			causes = append(causes, Cause{k.op, k.text, group})
			byCause[k] = nil
		}
	}
	return causes, others
}

// alike groups neighbouring checks that ended in the same way.
func alike(checks []Check) (groups []Finding) {
	for _, c := range checks {
		n := len(groups)
		if n > 0 && groups[n-1].First().endedAs(c) {
			groups[n-1] = append(groups[n-1], c)
			continue
		}
		groups = append(groups, Finding{c})
	}
	return groups
}

func (c Check) endedAs(other Check) bool {
	sameRow := c.Row == other.Row || c.Row != nil && other.Row != nil && c.Row.isAlike(other.Row)
	return c.Vector == other.Vector && sameRow && c.Outcome == other.Outcome && c.Detail == other.Detail
}

// Explain describes a finding in several lines: the answer, the answers that conform with
// their sources, the statements of the vector's rules, and the question.
func (suite *Suite) Explain(f Finding) string {
	c := f.First()
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", c.Vector.Title)
	fmt.Fprintf(&b, "  at    %s\n  %-5s %s\n  got   %s\n", f.Targets(), c.Outcome, c.Detail, c.Answer)
	for _, r := range f.Rules() {
		fmt.Fprintf(&b, "  rule  %s: %s\n", r, r.Statement())
	}
	if c.Row != nil {
		suite.explainRow(&b, c.Row)
	}
	fmt.Fprintf(&b, "  in    %s", c.Vector.In)
	return b.String()
}

func (suite *Suite) explainRow(b *strings.Builder, row *Row) {
	for _, e := range row.Answers {
		fmt.Fprintf(b, "  want  %s %s\n", e, e.Label)
		for _, source := range suite.Cited(e) {
			fmt.Fprintf(b, "  see   %s, %s (%s)\n", source.Title, source.Address, row.Evidence)
		}
	}
}

// String returns the result or the refusal.
func (e Expectation) String() string {
	if e.Refusal != nil {
		return e.Refusal.String()
	}
	return string(e.Out)
}

// Cited returns the sources of an answer, with the place in each.
func (suite *Suite) Cited(e Expectation) (list []policy.Citation) {
	for _, cite := range e.Cites {
		key, where, _ := strings.Cut(cite, "#")
		source := suite.sources[key].Citation
		if where != "" {
			source.Title += " (" + where + ")"
		}
		list = append(list, source)
	}
	return list
}
