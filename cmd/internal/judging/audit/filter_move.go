package audit

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/moves"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
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
		f.Advice = "Give a server parameter from the first start on: a filter seems to keep the way in which its index was opened. A filter with {$type: \"null\"} matches stored nulls alone, in every release; documents without the field then stay."
	}
	f.Text = "the partial filter " + filter + " takes in documents there that it leaves out " + p.origin() + ". " + cause + " " + whenTakenIn(p.By)
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

// A crossing counts the documents that two releases decide differently.
type crossing struct {
	lost        tally // documents that have expired at the destination, but not here
	goes        tally // documents that expire at the destination, now or later, and never here
	stays       tally // documents that expire here, now or later, and never at the destination
	unspecified tally // documents whose expiry is unspecified in exactly one of the two releases
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
}
