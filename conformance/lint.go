package conformance

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/conformance/internal/jsonfile"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// lint makes the checks for which everything must have been read.
func (l *loader) lint() {
	seen := map[string]jsonfile.Place{}
	for _, v := range l.suite.Vectors {
		if first, ok := seen[v.ID]; ok {
			l.Add(v.at, "id %q is that of %s:%d too", v.ID, first.File, first.Line)
		}
		seen[v.ID] = v.at
		l.vectorLint(v)
	}
	for _, p := range l.suite.RuleSets {
		if len(p.Rules) == 0 {
			l.Add(jsonfile.Place{File: tablesFile, Line: 1}, "profile %q has no rules", p.Name)
		}
	}
}

func (l *loader) vectorLint(v *Vector) {
	op := operations[v.Op]
	if op.system == "" {
		l.Add(v.at, "unknown op %q", v.Op)
		return
	}
	for _, r := range v.Rules {
		if _, ok := l.suite.Untestable[r]; ok {
			l.Add(v.at, "rule %s is listed as untestable", r)
		}
	}
	if v.Status == Retired && v.Comment == "" {
		l.Add(v.at, "retired without a \"comment\" that says why")
	}
	l.question(v, op)
	if len(v.Want)+len(v.Unverified) == 0 {
		l.Add(v.at, "neither \"want\" nor \"unverified\"")
	}
	if presumes := slices.ContainsFunc(v.scopes(), func(s TargetRange) bool { return s.Parameters != nil }); presumes != slices.Contains(v.Needs, featureParameters) {
		l.Add(v.at, "%q in \"needs\" goes with \"parameters\"", featureParameters)
	}
	for i := range v.Want {
		l.scopeLint(v.Want[i].TargetRange, op)
		l.rowLint(v, &v.Want[i], op)
	}
	for _, g := range v.Unverified {
		l.scopeLint(g.TargetRange, op)
		l.gapLint(g)
	}
	l.overlaps(v)
	l.twin(v)
}

// question checks the members of a vector's input.
func (l *loader) question(v *Vector, op operation) {
	in := v.question
	if !in.Is('{') {
		l.Add(v.at, "\"in\" is no object")
		return
	}
	members := op.members()
	for _, m := range members {
		if _, ok := in.Member(m.name); m.stated && !ok {
			l.Add(v.at, "\"in\" lacks %q", m.name)
		}
	}
	for i, name := range in.Names {
		if !slices.ContainsFunc(members, func(m member) bool { return m.name == name }) {
			l.Add(v.at, "%s has no %q in \"in\"", v.Op, name)
			continue
		}
		if err := readable(op.system, name, in.Nodes[i]); err != nil {
			l.Add(v.at, "%q: %v", name, err)
		}
	}
	if _, ok := v.now(); op.decides() && !ok {
		l.Add(v.at, "\"now\" is no date")
	}
	command, _ := in.Member("command")
	if name := v.Op[strings.LastIndexByte(v.Op, '.')+1:]; slices.Contains(command.Names, name) {
		l.Add(v.at, "the command of %s stands without the collection's name: leave %q out", v.Op, name)
	}
}

// readable reports what is wrong with a member of a question. Containers and
// items are plain JSON, everything else is Extended JSON.
func readable(system, name string, n jsonfile.Node) error {
	if system == CosmosNoSQL && name != "now" {
		_, err := policy.ParseJSON(n.Raw)
		return err
	}
	_, err := policy.ParseExtJSONInt32(n.Raw)
	return err
}

// now returns the instant that a vector's question is about.
func (v *Vector) now() (policy.Instant, bool) {
	n, ok := v.question.Member("now")
	if !ok {
		return 0, false
	}
	value, _ := policy.ParseExtJSONInt32(n.Raw)
	return value.AsDate()
}

func (l *loader) scopeLint(s TargetRange, op operation) {
	known := l.suite.releases[s.System].all
	switch {
	case s.System != op.system:
		l.Add(s.at, "the question is about %q, not %q", op.system, s.System)
		return
	case known == nil && s.Versions != "":
		l.Add(s.at, "%s has no versions", s.System)
		return
	case known != nil && s.Versions == "":
		l.Add(s.at, "\"versions\" is missing")
		return
	case s.Capabilities != nil && s.System != CosmosMongo:
		l.Add(s.at, "%s has no capabilities", s.System)
	case s.Parameters != nil && s.System != MongoDB:
		l.Add(s.at, "%s has no server parameters", s.System)
	}
	for _, b := range s.versions.bounds() {
		if !slices.ContainsFunc(known, func(r release) bool { return r.compare(b.release) == 0 }) {
			l.Add(s.at, "%s is no release that the suite knows", b.text)
		}
	}
	if known != nil && !slices.ContainsFunc(known, s.versions.contains) {
		l.Add(s.at, "versions %q hold for no release", s.Versions)
	}
}

func (l *loader) rowLint(v *Vector, row *Row, op operation) {
	binding := row.Level == LevelMust || row.Level == LevelRuleSet
	switch {
	case binding && row.Evidence <= policy.Inferred:
		l.Add(row.at, "a %q row must not rest on evidence that is %q", row.Level, row.Evidence)
	case binding && len(row.Answers) > 1:
		l.Add(row.at, "a %q row has one answer, not \"anyOf\"", row.Level)
	case !binding && len(row.Answers) < 2:
		l.Add(row.at, "a row that is %q wants \"anyOf\" with two answers or more", row.Level)
	case row.Level == LevelDisputed && row.Evidence != policy.Disputed:
		l.Add(row.at, "a row that is disputed has disputed evidence, not %q", row.Evidence)
	case row.Level == LevelRuleSet != (row.RuleSet != ""):
		l.Add(row.at, "\"profile\" goes with the level \"profile\"")
	case row.RuleSet != "" && !slices.ContainsFunc(l.suite.RuleSets, func(p RuleSet) bool { return p.Name == row.RuleSet }):
		l.Add(row.at, "unknown profile %q", row.RuleSet)
	case (row.System == MongoDB) != (row.AsOf == ""):
		l.Add(row.at, "\"asOf\" is for services, and they all need it")
	}
	l.evidenceLint(row)
	for i, e := range row.Answers {
		for _, other := range row.Answers[:i] {
			if e.Label == other.Label {
				l.Add(row.at, "two answers are labelled %q", e.Label)
			}
		}
		l.expectationLint(v, row.at, e, op)
	}
}

// expectationLint checks an answer against the question.
func (l *loader) expectationLint(v *Vector, at jsonfile.Place, e Expectation, op operation) {
	if e.Refusal != nil {
		if e.Refusal.Class != refusedClass {
			l.Add(at, "the class of an error is %q, not %q", refusedClass, e.Refusal.Class)
		}
		return
	}
	fields := e.fields.Fields()
	for fields.Next() {
		if !slices.Contains(op.results(), fields.Name()) {
			l.Add(at, "%s has no %q in \"out\"", v.Op, fields.Name())
		}
	}
	if op.decides() {
		l.decision(v, at, e)
	}
}

// decision checks that a state, a deadline and the clock of the question agree.
func (l *loader) decision(v *Vector, at jsonfile.Place, e Expectation) {
	if id, ok := e.fields.Field("rule").AsString(); ok {
		l.rule(id, at)
	}
	now, _ := v.now()
	state, _ := e.fields.Field("state").AsString()
	deadline := e.fields.Field("deadline")
	due, dated := deadline.AsDate()
	switch {
	case state == "never" && deadline.Kind() == policy.Null:
	case state == "expired" && (deadline.IsMissing() || dated && due <= now):
	case state == "pending" && (deadline.IsMissing() || dated && due > now):
	default:
		l.Add(at, "state %q does not go with the deadline %s at %d", state, deadline, now)
	}
	if distance := due - now; dated && -1 <= distance && distance <= 1 && !l.isBoundary(v) {
		l.Add(at, "the deadline is now, but no flag of the kind \"boundary\" says that this is meant")
	}
}

func (l *loader) isBoundary(v *Vector) bool {
	return slices.ContainsFunc(v.Flags, func(name string) bool { return l.suite.Flags[name].Kind == "boundary" })
}

func (l *loader) gapLint(g Gap) {
	switch {
	case g.Rule == nil:
		l.Add(g.at, "\"rule\" is missing: which one says that this is open?")
	case !g.Rule.IsOpen():
		l.Add(g.at, "rule %s does not say that something is unspecified", g.Rule)
	}
}

// overlaps complains about releases that two rows or gaps hold for.
func (l *loader) overlaps(v *Vector) {
	scopes := v.scopes()
	for i, s := range scopes {
		for _, other := range scopes[:i] {
			if r, ok := l.common(s, other); ok {
				l.Add(s.at, "holds for %s %s as line %d does", s.System, r.text, other.at.Line)
			}
		}
	}
}

func (v *Vector) scopes() (all []TargetRange) {
	for _, row := range v.Want {
		all = append(all, row.TargetRange)
	}
	for _, g := range v.Unverified {
		all = append(all, g.TargetRange)
	}
	return all
}

// common returns a release that two scopes hold for.
func (l *loader) common(s, t TargetRange) (release, bool) {
	if s.System != t.System || !s.setting().equal(t.setting()) {
		return release{}, false
	}
	return l.suite.commonRelease(s, t)
}

// commonRelease returns a release of both, whatever else they presume.
func (suite *Suite) commonRelease(s, t TargetRange) (release, bool) {
	known := suite.releases[s.System].all
	if known == nil {
		return release{}, true
	}
	i := slices.IndexFunc(known, func(r release) bool { return s.versions.contains(r) && t.versions.contains(r) })
	if i < 0 {
		return release{}, false
	}
	return known[i], true
}
