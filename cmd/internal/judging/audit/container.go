package audit

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/policytext"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A containerAudit is the audit of one container.
type containerAudit struct {
	catalog.StoredContainer
	Options
	line int // of the program that defines it, 0 for none
	// byThousand means that the program multiplies the default by 1000.
	byThousand bool
	by         *cosmos.Container
	documents  int64
	bytes      int64
	classes    []class
	findings   []Finding
}

func newContainerAudit(t *catalog.Target, o Options) (auditor, error) {
	stored, err := t.Container(o.Options)
	if err != nil {
		return nil, err
	}
	a := &containerAudit{StoredContainer: stored, Options: o, line: t.LineOf(-1), byThousand: t.IsByThousand()}
	if a.by, err = cosmos.CompileContainer(a.Spec); err != nil {
		return nil, err
	}
	a.inspect()
	return a, nil
}

func (a *containerAudit) text() dump.Kind { return dump.JSON }

func (a *containerAudit) fields() ([]string, bool) { return nil, false }

// isOff reports whether the container has no defaultTtl.
func (a *containerAudit) isOff() bool { return a.Spec.DefaultTTL.IsMissingOrNull() }

// inspect looks at the container's settings.
func (a *containerAudit) inspect() {
	for _, r := range policytext.ContainerRemarks(a.Resource) {
		if r.Meant != "defaultTtl" || !a.isOff() {
			continue
		}
		a.report(Finding{
			Severity: Keeps, Rule: reasons.Rule("cosmos.off"), Text: cli.Visible(r.Text),
			Advice:  "Spell it defaultTtl.",
			Repairs: a.ttlRepair("switch it on with these seconds", a.Resource.Field(r.Field)),
		})
	}
	for _, text := range a.Unevaluated {
		a.report(Finding{Severity: Unspecified, Rule: reasons.Rule("cosmos.off"), Text: cli.Visible(text) + " The container is judged as if time to live were on, without a default."})
	}
	result, err := cosmos.ValidateContainer(a.Spec, nil)
	for _, w := range result.Warnings {
		a.report(Finding{Rule: w.Rule, Text: "The service does not do as it is told: " + cli.Visible(w.Text) + "."})
	}
	var refused *cosmos.SpecError
	if errors.As(err, &refused) {
		a.report(a.refused(refused))
		return
	}
	a.inspectDefault()
}

// refused is the finding about settings that the service refuses.
func (a *containerAudit) refused(e *cosmos.SpecError) Finding {
	f := Finding{Severity: Keeps, Rule: e.Rule, Text: fmt.Sprintf("The service refuses these settings with status %d: %s.", int(e.Status), strings.TrimSuffix(cli.Visible(e.Reason), "."))}
	if e.Status == 0 {
		f.Severity, f.Text = Unspecified, e.Rule.Statement
	}
	switch n, _ := a.Spec.DefaultTTL.AsInt64(); e.Field {
	case "defaultTtl":
		if look := lookOf(n); look != itself {
			f.Text += fmt.Sprintf(" %d looks like %s.", n, look.phrase(n))
		}
		if fault := faultOf(a.Spec.DefaultTTL); fault != reasons.AnyTTL {
			f.Advice = reasons.TextOf(ruleOf(fault)).Items[fault].Setting
		}
		f.Repairs = a.secondsRepair(lookOf(n), n)
	case "indexingPolicy.indexingMode":
		f.Advice = "Set indexingMode to consistent, with all paths excluded if none is to be indexed, or leave defaultTtl out."
	}
	return f
}

// inspectDefault looks for a defaultTtl that its writer meant otherwise.
func (a *containerAudit) inspectDefault() {
	n, _ := a.Spec.DefaultTTL.AsInt64()
	look := lookOf(n)
	maybe, _ := isMillis(n)
	switch {
	case look == itself && maybe && a.byThousand:
		look = millis
	case look == itself && maybe && n >= hourMillis:
		a.report(Finding{Rule: reasons.Rule("cosmos.seconds"), Text: fmt.Sprintf("defaultTtl %d is %s. As milliseconds it would be %s.", n, catalog.Span(n), catalog.Span(n/1000))})
	}
	if look != itself {
		a.report(Finding{
			Severity: Keeps, Rule: reasons.Rule("cosmos.seconds"), Repairs: a.secondsRepair(look, n),
			Text: fmt.Sprintf("defaultTtl %d looks like %s. It counts seconds from an item's last write: %s.", n, look.phrase(n), years(n)),
		})
	}
}

// secondsRepair returns the command that sets the seconds of a defaultTtl that
// looks like milliseconds.
func (a *containerAudit) secondsRepair(look look, n int64) []Repair {
	if look != millis {
		return nil
	}
	return a.ttlRepair("count seconds", policytext.Integer(n/1000))
}

func (a *containerAudit) report(f Finding) {
	f.Line = a.line
	a.findings = append(a.findings, f)
}

// ttlRepair returns the command that sets the container's default, if v is one
// that the service accepts.
func (a *containerAudit) ttlRepair(purpose string, v policy.Value) []Repair {
	ttl := cosmos.TTLOf(v)
	if _, ok := ttl.Seconds(); !ok && ttl != cosmos.Never {
		return nil
	}
	command, ok := a.SetTTL(ttl)
	if !ok {
		return nil
	}
	return []Repair{{Purpose: purpose, AtOnce: reasons.DeletesWritten("item", ttl), Placeholders: a.Placeholders(), Commands: []string{command}}}
}

func (a *containerAudit) conclude() Result {
	for i := range a.classes {
		a.report(a.finding(&a.classes[i]))
	}
	sources := 1
	if a.isOff() {
		sources = 0
	}
	return Result{
		System: "Azure Cosmos DB for NoSQL", Sources: sources, Notes: a.Notes,
		Documents: a.documents, Bytes: a.bytes, Findings: a.findings,
	}
}
