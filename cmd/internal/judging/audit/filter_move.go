package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/moves"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// aboutFilter reports whether a move changes what a partial filter matches.
func aboutFilter(m *moves.Move) bool {
	switch m.Rule {
	case reasons.Rule("mongo.move-filter-more"), reasons.Rule("mongo.move-filter-fewer"), reasons.Rule("mongo.move-filter-unspecified"):
		return true
	}
	return false
}

// filterMoved returns the finding about a partial filter that another release interprets
// differently. reviewFilter adds the counts of documents after the scan.
func (a *collectionAudit) filterMoved(s *source, p *passage) Finding {
	m := p.arrival.index
	f := Finding{Severity: effects[m.Effect], Rule: m.Rule, concern: byFilter}
	filter := clip(catalog.Literal(s.spec.PartialFilterExpression))
	if m.Effect != moves.EffectDeletes {
		f.Text = m.Rule.Statement() + " Here the filter is " + filter + "."
		return f
	}
	cause := `Releases differ in what null, the extreme keys and $type: "array" take in.`
	if r, ok := a.parameterRepair(s, p.move); ok {
		cause = fmt.Sprintf("From 9.0 on null at a dotted path counts also where an array breaks the path off: one that is empty, or holds scalars or arrays (rule %s).", reasons.Rule("mongo.filter-null-path"))
		f.Repairs = append(f.Repairs, r)
		f.Advice = "Give a server parameter from the first start on: a filter seems to keep the way in which its index was opened. "
	}
	f.Text = "the partial filter " + filter + " takes in documents there that it leaves out " + p.origin() + ". " + cause + " " + whenTakenIn(p.By)
	a.narrowRepair(s, p, &f)
	f.Advice = strings.TrimSpace(f.Advice)
	f.Repairs = append(f.Repairs, a.keepRepair(s)...)
	return f
}

// whenTakenIn returns a sentence that says when the index at the destination includes the
// documents that its filter matches there.
func whenTakenIn(by moves.Operation) string {
	switch by {
	case moves.InitialSync:
		return "An initial sync builds the index anew, so that it holds them from the start."
	case moves.DumpRestore:
		return "A restore builds the index anew, so that it holds them from the start."
	}
	return "The index is taken over as it is stored: it holds a document, which then expires, once that is written there or the index is built anew, by an initial sync or a restore for instance."
}

// narrowRepair adds to f the repair that narrows the filter, if a narrower filter exists.
func (a *collectionAudit) narrowRepair(s *source, p *passage, f *Finding) {
	x, ok := narrowed(s.spec, p.move)
	if !ok {
		return
	}
	index := a.AsCreated(pasted.WithField(s.raw, "partialFilterExpression", x.PartialFilterExpression))
	r := a.repair("let only documents with a stored null expire, in both releases", a.recreate(s, index))
	if r == nil {
		return
	}
	f.Repairs = append(f.Repairs, r...)
	f.Advice += "In general no filter of an index takes in exactly the documents there that this one takes in here. The narrower one below asks for a stored null, and leaves out documents without the field."
	alone := s.Alone
	alone.Indexes = []mongo.IndexSpec{x}
	p.narrow, _ = mongo.CompileCollection(alone, a.Profile)
}

// parameterRepair returns the server parameter that keeps the filter of s from matching
// more at the destination than here. The result is false if there is no such parameter.
func (a *collectionAudit) parameterRepair(s *source, m move) (Repair, bool) {
	there, err := m.To.Profile.WithParameter(behaviour.LegacyNullParameter, policy.BoolValue(true))
	if err != nil {
		return Repair{}, false
	}
	result, err := moves.Assess(s.spec, m.From.Profile, there, m.By)
	r := Repair{
		Purpose:  "have null read as before, start every server of MongoDB " + m.To.Release.String() + " with",
		Commands: []string{"mongod --setParameter " + behaviour.LegacyNullParameter + "=true"},
	}
	return r, err == nil && (result.Effect == moves.EffectNone || result.Effect == moves.EffectKeeps)
}

// narrowed returns an index with a narrower filter, which matches the same documents in
// both releases of a move.
func narrowed(index mongo.IndexSpec, m move) (mongo.IndexSpec, bool) {
	for _, every := range []bool{false, true} {
		x := index
		var ok bool
		if x.PartialFilterExpression, ok = narrowFilter(x.PartialFilterExpression, every); !ok {
			continue
		}
		result, err := moves.Assess(x, m.From.Profile, m.To.Profile, m.By)
		if err == nil && !aboutFilter(&result) && result.Refusal == nil {
			return x, true
		}
	}
	return mongo.IndexSpec{}, false
}

// A crossing counts the documents that two releases decide differently.
type crossing struct {
	lost        tally // documents that have expired at the destination, but not here
	goes        tally // documents that expire at the destination, now or later, and never here
	stays       tally // documents that expire here, now or later, and never at the destination
	unspecified tally // documents whose expiry is unspecified in exactly one of the two releases
	left        int64 // documents that expire here, but not with the narrowed filter
}

func (c *crossing) see(here, there policy.Decision, doc policy.Document, w place) {
	if there.State == policy.Expired && here.State != policy.Expired {
		c.lost.add(doc, w)
	}
	switch {
	case here.Rule.IsUnspecified() != there.Rule.IsUnspecified():
		c.unspecified.add(doc, w)
	case here.State == policy.Never && there.State != policy.Never:
		c.goes.add(doc, w)
	case here.State != policy.Never && there.State == policy.Never:
		c.stays.add(doc, w)
	}
}

// reviewFilter adds the affected documents to a finding about a filter.
func (a *collectionAudit) reviewFilter(f *Finding) {
	all, c, origin := cli.Documents(a.documents), &f.passage.crossing, f.passage.origin()
	switch concerned := c.goes.documents + c.stays.documents + c.unspecified.documents; {
	case concerned == 0:
		f.concerns(tally{}, fmt.Sprintf(" None of %s here is concerned.", all))
	case c.goes.documents > 0:
		f.concerns(c.goes, fmt.Sprintf(" Of %s here, %s there and never %s; %s.", all, cli.Count(c.goes.documents, "expires", "expire"), origin,
			countOr("none of them is past its deadline yet", c.lost.documents, "of them is past its deadline", "of them are past their deadline")))
		if c.lost.documents > 0 {
			f.Samples = c.lost.samples
		}
	case c.stays.documents > 0:
		f.concerns(c.stays, fmt.Sprintf(" Of %s here, %s %s and not there.", all, cli.Count(c.stays.documents, "expires", "expire"), origin))
	default:
		f.concerns(c.unspecified, fmt.Sprintf(" Of %s here, that is so for %s.", all, cli.Number(c.unspecified.documents)))
	}
	if f.passage.narrow != nil {
		f.Advice += fmt.Sprintf(" Of %s here it leaves out %s a deadline now.", all, countOr("none that has", c.left, "that has", "that have"))
	}
}

// narrowFilter returns a filter in which null matches only a stored null. In the given
// filter, null matches a missing field as well. In every release, the given filter
// matches all documents that the new filter matches. narrowFilter rewrites the clauses on
// dotted paths, or on all paths if every is set. The result is false if a clause cannot
// be narrowed.
func narrowFilter(filter policy.Value, every bool) (policy.Value, bool) {
	var d policy.D
	for f := filter.Fields(); f.Next(); {
		v, ok := narrowClause(f.Name(), f.Value(), every)
		if !ok {
			return policy.Value{}, false
		}
		d = append(d, policy.E{Key: f.Name(), Value: v})
	}
	return policy.ObjectValue(d), filter.Kind() == policy.Object
}

func narrowClause(name string, v policy.Value, every bool) (policy.Value, bool) {
	switch {
	case name == "$and" || name == "$or":
		return narrowList(v, every)
	case strings.HasPrefix(name, "$") || !every && !strings.Contains(name, "."):
		return v, true
	}
	operators := v.Fields()
	if !operators.Next() || !strings.HasPrefix(operators.Name(), "$") {
		if v.Kind() != policy.Null {
			return v, true
		}
		v = policy.ObjectValue(policy.D{{Key: "$eq", Value: v}})
	}
	return narrowOperators(v)
}

func narrowList(v policy.Value, every bool) (policy.Value, bool) {
	var list policy.A
	for e := v.Elements(); e.Next(); {
		clause, ok := narrowFilter(e.Value(), every)
		if !ok {
			return policy.Value{}, false
		}
		list = append(list, clause)
	}
	return policy.ListValue(list), true
}

// narrowOperators narrows the operators on one path. Each operator may occur once.
func narrowOperators(v policy.Value) (policy.Value, bool) {
	var d policy.D
	for f := v.Fields(); f.Next(); {
		e, ok := narrowOperator(f.Name(), f.Value())
		if !ok || slices.ContainsFunc(d, func(other policy.E) bool { return other.Key == e.Key }) {
			return policy.Value{}, false
		}
		d = append(d, e)
	}
	return policy.ObjectValue(d), true
}

func narrowOperator(name string, operand policy.Value) (policy.E, bool) {
	switch isNull := operand.Kind() == policy.Null; {
	case isNull && slices.Contains([]string{"$eq", "$gte", "$lte"}, name):
		return policy.E{Key: "$type", Value: policy.StringValue("null")}, true
	case name == "$in" || name == "$all":
		return policy.E{Key: name, Value: operand}, !slices.ContainsFunc(policy.AOf(operand), func(v policy.Value) bool { return v.Kind() == policy.Null })
	}
	return policy.E{Key: name, Value: operand}, true
}
