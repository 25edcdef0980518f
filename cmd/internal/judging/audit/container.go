package audit

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A containerAudit is the audit of one container.
type containerAudit struct {
	catalog.StoredContainer
	Options
	line int // the line of the container in a template; 0 without one
	// isOfTerraform reports whether repairs are arguments of Terraform and not commands.
	isOfTerraform bool
	by            *cosmos.Container
	documents     int64
	bytes         int64
	classes       []class
	findings      []Finding
}

func newContainerAudit(t *catalog.Target, o Options) (auditor, error) {
	stored, err := t.Container(o.Options)
	if err != nil {
		return nil, err
	}
	a := &containerAudit{StoredContainer: stored, Options: o, line: t.LineOf(-1), isOfTerraform: t.IsOfTerraform}
	if a.by, err = cosmos.CompileContainer(a.Spec); err != nil {
		return nil, err
	}
	a.inspect()
	return a, nil
}

func (a *containerAudit) fields() ([]string, bool) { return nil, false }

// isOff reports whether the container has no defaultTtl.
func (a *containerAudit) isOff() bool { return a.Spec.DefaultTTL.IsMissingOrNull() }

// inspect reports faults of the container's settings.
func (a *containerAudit) inspect() {
	for _, r := range pasted.ContainerRemarks(a.Resource) {
		set := a.settingOf(r.Meant)
		if set == nil || !set.value.IsMissingOrNull() {
			continue
		}
		f := Finding{Rule: set.off, Text: cli.Visible(r.Text), Advice: "Spell it " + set.name + "."}
		if r.Meant == "defaultTtl" {
			f.Severity, f.Repairs = Keeps, set.repair(a, "switch it on with these seconds", a.Resource.Field(r.Field))
		}
		a.report(f)
	}
	_, warnings, err := cosmos.ValidateContainer(a.Spec, nil)
	for _, w := range warnings {
		a.report(Finding{Rule: w.Rule, Text: "The service does not do as it is told: " + cli.Visible(w.Text) + "."})
	}
	var refused *cosmos.SpecError
	if errors.As(err, &refused) {
		a.report(a.refused(refused))
	}
	for _, name := range []string{"defaultTtl", "analyticalStorageTtl"} {
		if refused == nil || refused.Field != name {
			a.inspectSeconds(a.settingOf(name))
		}
	}
}

// A secondsSetting is a setting of a container whose value is a number of seconds.
type secondsSetting struct {
	name    string
	value   policy.Value
	rule    policy.Rule // the rule that applies the seconds
	off     policy.Rule // the rule that applies without the setting
	command func(cosmos.TTL) (string, bool)
	atOnce  func(cosmos.TTL) string
}

// settingOf returns the setting with this name; nil if its value is not in seconds.
func (a *containerAudit) settingOf(name string) *secondsSetting {
	switch name {
	case "defaultTtl":
		return &secondsSetting{name, a.Spec.DefaultTTL, reasons.Rule("cosmos.seconds"), reasons.Rule("cosmos.off"), a.SetTTL,
			func(ttl cosmos.TTL) string { return reasons.DeletesWritten("item", ttl) }}
	case "analyticalStorageTtl":
		return &secondsSetting{name, a.Spec.AnalyticalStorageTTL, reasons.Rule("cosmos.analytical"), reasons.Rule("cosmos.analytical-off"), a.SetAnalyticalTTL, reasons.HidesRows}
	}
	return nil
}

// refused returns the finding about settings that the service refuses.
func (a *containerAudit) refused(e *cosmos.SpecError) Finding {
	f := Finding{Severity: Keeps, Rule: e.Rule, Text: fmt.Sprintf("The service refuses these settings with status %d: %s.", int(e.Status), strings.TrimSuffix(cli.Visible(e.Reason), "."))}
	if e.Status == 0 {
		f.Severity, f.Text = Unspecified, e.Rule.Statement()
	}
	switch set := a.settingOf(e.Field); {
	case set != nil:
		n, _ := set.value.AsInt64()
		if look := lookOf(n); look != itself {
			f.Text += fmt.Sprintf(" %d looks like %s.", n, look.phrase(n))
		}
		if fault := faultOf(set.value); fault != reasons.AnyTTL && e.Field == "defaultTtl" {
			f.Advice = reasons.TextOf(ruleOf(fault)).Items[fault].Setting
		}
		f.Repairs = set.secondsRepair(a, lookOf(n), n)
	case e.Field == "indexingPolicy.indexingMode":
		f.Advice = "Set indexingMode to consistent, with all paths excluded if none is to be indexed, or leave defaultTtl out."
	}
	return f
}

// inspectSeconds reports a setting whose value is likely in a unit other than seconds.
func (a *containerAudit) inspectSeconds(set *secondsSetting) {
	n, _ := set.value.AsInt64()
	look := lookOf(n)
	maybe, _ := isMillis(n)
	if n == 1 && set.name == "defaultTtl" {
		a.report(Finding{
			Severity: Deletes, Rule: set.rule,
			Text:   "defaultTtl 1 expires every item without a ttl of its own a second after its last write. An edit of the indexes with Terraform was reported to set it (hashicorp/terraform-provider-azurerm, issue 25123).",
			Advice: "If that is meant, name it with --ignore.",
		})
	}
	if look == itself && maybe && n >= hourMillis {
		a.report(Finding{Rule: set.rule, Text: fmt.Sprintf("%s %d is %s. As milliseconds it would be %s.", set.name, n, catalog.Span(n), catalog.Span(n/1000))})
	}
	if look != itself {
		a.report(Finding{
			Severity: Keeps, Rule: set.rule, Repairs: set.secondsRepair(a, look, n),
			Text: fmt.Sprintf("%s %d looks like %s. It counts seconds from an item's last write: %s.", set.name, n, look.phrase(n), years(n)),
		})
	}
}

// secondsRepair returns the repair of a setting that is likely in milliseconds: the
// command that sets the same time in seconds.
func (s *secondsSetting) secondsRepair(a *containerAudit, look look, n int64) []Repair {
	if look != millis {
		return nil
	}
	return s.repair(a, "count seconds", pasted.Integer(n/1000))
}

func (a *containerAudit) report(f Finding) {
	f.Line = a.line
	if a.isOfTerraform {
		f = inTerraform(f)
	}
	a.findings = append(a.findings, f)
}

// repair returns the repair that gives the setting a value; nil if the service refuses
// the value.
func (s *secondsSetting) repair(a *containerAudit, purpose string, v policy.Value) []Repair {
	ttl := cosmos.TTLOf(v)
	if _, ok := ttl.Seconds(); !ok && ttl != cosmos.TTLSeconds(-1) {
		return nil
	}
	command, ok := s.command(ttl)
	if !ok {
		return nil
	}
	count := ""
	if a.documents == 0 && s.name == "defaultTtl" && !a.isOfTerraform {
		count = fmt.Sprintf(`ttl forecast --container '{"defaultTtl":%s}' items.jsonl`, ttl)
	}
	return []Repair{{Purpose: purpose, AtOnce: s.atOnce(ttl), Count: count, Placeholders: a.Placeholders(), Commands: []string{command}, argument: s.name + " = " + ttl.String()}}
}

// terraformWords replace the service's words by those of Terraform's provider. It keeps the stored
// value if default_ttl is left out, and leaves a 0 out of the request, see package tfshow.
var terraformWords = strings.NewReplacer(
	"Leave defaultTtl out", "Write default_ttl = 0", "leave defaultTtl out", "write default_ttl = 0", "defaultTtl", "default_ttl", "analyticalStorageTtl", "analytical_storage_ttl",
)

// inTerraform returns a finding with arguments of Terraform in the place of commands, which the next
// apply would undo.
func inTerraform(f Finding) Finding {
	f.Advice = terraformWords.Replace(f.Advice)
	for _, r := range f.Repairs {
		f.Advice = strings.TrimSpace(f.Advice + " To " + r.Purpose + ", write " + terraformWords.Replace(r.argument) + " in Terraform. " + r.AtOnce)
	}
	f.Repairs = nil
	return f
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
