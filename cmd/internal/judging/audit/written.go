package audit

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/tfshow"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mentions"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// unreadResult returns the result about the places in a file that mention a time to live and
// yield no policy.
func unreadResult(t *catalog.Target) Result {
	r := Result{System: "Not read"}
	for _, u := range t.Unread {
		instead := mentions.Instead(t.File, u.IsCosmos)
		switch {
		case !t.IsOfTerraform:
		case u.Why == tfshow.AfterApply:
			instead = "Apply the plan, and audit the state: terraform show -json > state.json."
		default:
			instead = "The documentation of the provider has the values that it takes."
		}
		rule := reasons.Rule("mongo.no-ttl")
		if u.IsCosmos {
			rule = reasons.Rule("cosmos.off")
		}
		text := fmt.Sprintf("%s mentions a time to live, but no policy could be read there", u.Word)
		if u.Why != "" {
			text += ": " + u.Why
		}
		r.Findings = append(r.Findings, Finding{
			Severity: Unspecified, Rule: rule, Line: u.Line, Text: cli.Visible(strings.TrimSuffix(text, ".")) + ".", Advice: instead,
		})
	}
	return r
}

// carryOut carries out the commands of a program, and reports the commands that the
// server refuses.
func (a *collectionAudit) carryOut() {
	if !a.target.IsWritten {
		return
	}
	w := a.target.Written(a.Spec, a.Profile, a.Now)
	a.ListedOptions, a.ListedIndexes, a.Spec.Indexes, a.lines, a.byThousand = w.Options, w.Indexes, w.Specs, w.Lines, w.ByThousand
	for _, r := range w.Refused {
		if r.Change != nil {
			a.reportRefusedChange(r)
			continue
		}
		if x, err := mongo.ParseListedIndex(policy.ObjectValue(command.WithDefaultName(policy.DOf(r.Index)))); err == nil {
			a.reportRefused(x, r.Index, r.Err, r.Line)
		}
	}
}

// reportRefusedChange reports a collMod that the server refuses, so that the index keeps
// its delay.
func (a *collectionAudit) reportRefusedChange(r catalog.Refusal) {
	s := &source{index: r.Name, raw: r.Of}
	s.Option = r.Of.Field("expireAfterSeconds")
	rule := cmp.Or(r.Err.Rule, reasons.Rule("mongo.no-ttl"))
	wanted := policy.ObjectValue(r.Change)
	if index := wanted.Field("index"); index.Kind() == policy.Object {
		wanted = index
	}
	left, severity := "nothing is changed", Keeps
	if before, ok := mongofunc.WholeSeconds(s.Option); ok {
		left = "the index keeps expireAfterSeconds " + catalog.Plain(s.Option)
		if after, ok := mongofunc.WholeSeconds(wanted.Field("expireAfterSeconds")); ok && after > before {
			severity = Deletes
		}
	}
	a.report(s, Finding{
		Severity: severity, Rule: rule, Line: r.Line,
		Text: a.replace(s, fmt.Sprintf("{release} refuses this collMod (%s), so that %s: %s.", r.Err.Code.Error(), left, strings.TrimSuffix(rule.Statement(), "."))),
	})
}

// reportRefused reports an index that a program creates and that the server refuses.
func (a *collectionAudit) reportRefused(x mongo.IndexSpec, raw policy.Value, refused *mongo.SpecError, line int) {
	s := &source{index: x.Name, spec: x, raw: raw}
	s.Option = x.ExpireAfterSeconds
	rule := cmp.Or(refused.Rule, reasons.Rule("mongo.no-ttl"))
	f := Finding{
		Severity: Keeps, Rule: rule, Line: line,
		Text:   a.replace(s, fmt.Sprintf("{release} refuses to create the index on %s (%s), so that it will not exist, and nothing expires by it: %s", cli.Visible(keyText(x)), refused.Code.Error(), strings.TrimSuffix(rule.Statement(), ".")+".")),
		Advice: "Write the option as a whole number of seconds, from 0 to 2147483647, on an index of one field.",
	}
	if n, ok := a.meant(s); ok && len(x.Key) == 1 && x.Key[0].Value.Kind().IsNumber() && x.PartialFilterExpression.IsMissing() {
		f.Repairs = a.expireRepair(n, a.indexing(x.Key[0].Key, n))
	}
	a.report(s, f)
}

// keyText returns the key of an index as text.
func keyText(x mongo.IndexSpec) string { return clip(catalog.Literal(policy.ObjectValue(x.Key))) }
