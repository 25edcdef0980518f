package audit

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/policytext"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A container is a container of Cosmos DB as a listing or a template describes
// it.
type container struct {
	resource policy.Value
	id       armID
	// resolve evaluates a template's expressions; nil where there are none.
	resolve func(policy.Value) (policy.Value, bool)
	// wanted means that the settings are to be sent to the service, where a
	// null is a value, rather than shown by it.
	wanted bool
	notes  []string // how a text was read that is not a listing
}

// A containerAudit is the audit of one container.
type containerAudit struct {
	Options
	target    *Target
	container *container
	spec      cosmos.ContainerSpec
	by        *cosmos.Container
	notes     []string
	documents int64
	bytes     int64
	classes   []class
	findings  []Finding
}

func (c *container) auditor(t *Target, o Options) (auditor, error) {
	if len(o.Parameters) > 0 {
		return nil, cli.Usagef("--server-parameter is for MongoDB; Azure Cosmos DB has no server parameters (%s)", t.File)
	}
	a := &containerAudit{Options: o, target: t, container: c, notes: c.notes}
	a.spec = cosmos.ContainerSpec{
		DefaultTTL:           a.setting("defaultTtl"),
		TTLPropertyPath:      textOf(a.setting("ttlPropertyPath")),
		IndexingMode:         strings.ToLower(textOf(a.setting("indexingPolicy", "indexingMode"))),
		AnalyticalStorageTTL: a.setting("analyticalStorageTtl"),
	}
	var err error
	if a.by, err = cosmos.Compile(a.spec); err != nil {
		return nil, fmt.Errorf("%s: %w", t.File, err)
	}
	a.inspect()
	return a, nil
}

// setting returns a property of the container. One that cannot be evaluated
// is noted, and taken for a time to live that is on; a null that the service
// shows is a property that is not there.
func (a *containerAudit) setting(path ...string) policy.Value {
	v := a.container.resource
	for _, name := range path {
		v = v.Field(name)
	}
	if v.Kind() == policy.Null && !a.container.wanted {
		return policy.Value{}
	}
	if a.container.resolve == nil {
		return v
	}
	resolved, ok := a.container.resolve(v)
	if ok {
		return resolved
	}
	a.notes = append(a.notes, fmt.Sprintf("%s is %s, which is not evaluated here.", strings.Join(path, "."), plain(v)))
	if path[0] == "defaultTtl" {
		return policy.Int32Value(-1)
	}
	return policy.Value{}
}

func (a *containerAudit) text() dump.Kind { return dump.JSON }

func (a *containerAudit) fields() ([]string, bool) { return nil, false }

// isOff reports whether the container has no defaultTtl.
func (a *containerAudit) isOff() bool { return a.spec.DefaultTTL.IsAbsent() }

// inspect looks at the container's settings.
func (a *containerAudit) inspect() {
	for _, r := range policytext.ContainerRemarks(a.container.resource) {
		if r.Meant != "defaultTtl" || !a.isOff() {
			continue
		}
		a.report(Finding{
			Severity: Keeps, Rule: reasons.Rule("cosmos.off"), Text: cli.Visible(r.Text),
			Advice:  "Spell it defaultTtl.",
			Repairs: a.ttlRepair("switch it on with these seconds", a.container.resource.Field(r.Field)),
		})
	}
	result, err := cosmos.ValidateContainer(a.spec, nil)
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
	switch n, _ := a.spec.DefaultTTL.AsInt64(); e.Field {
	case "defaultTtl":
		if look := lookOf(n); look != itself {
			f.Text += fmt.Sprintf(" %d looks like %s.", n, look.phrase(n))
		}
		if fault := faultOf(a.spec.DefaultTTL); fault != reasons.AnyTTL {
			f.Advice = reasons.TextOf(ruleOf(fault)).Items[fault].Setting
		}
		f.Repairs = a.secondsRepair(n)
	case "indexingPolicy.indexingMode":
		f.Advice = "Set indexingMode to consistent, with all paths excluded if none is to be indexed, or leave defaultTtl out."
	}
	return f
}

// inspectDefault looks for a defaultTtl that means something else.
func (a *containerAudit) inspectDefault() {
	n, _ := a.spec.DefaultTTL.AsInt64()
	if look := lookOf(n); look != itself {
		a.report(Finding{
			Severity: Keeps, Rule: reasons.Rule("cosmos.seconds"), Repairs: a.secondsRepair(n),
			Text: fmt.Sprintf("defaultTtl %d looks like %s. It counts seconds from an item's last write: %s.", n, look.phrase(n), years(n)),
		})
	}
}

// secondsRepair returns the command that sets the seconds of a defaultTtl that
// looks like milliseconds.
func (a *containerAudit) secondsRepair(n int64) []Repair {
	if lookOf(n) != millis {
		return nil
	}
	return a.ttlRepair("count seconds", policytext.Integer(n/1000))
}

func (a *containerAudit) report(f Finding) { a.findings = append(a.findings, f) }

// ttlRepair returns the command that sets the container's default, if v is one
// that the service accepts.
func (a *containerAudit) ttlRepair(purpose string, v policy.Value) []Repair {
	ttl := cosmos.TTLOf(v)
	if _, ok := ttl.Seconds(); !ok && !ttl.IsNever() {
		return nil
	}
	return []Repair{{Purpose: purpose, Commands: []string{a.azUpdate("--ttl " + ttl.String())}}}
}

// azUpdate returns the command of the az tool that changes the container. What
// is not known of its place is left to be filled in, in capitals.
func (a *containerAudit) azUpdate(change string) string {
	id := a.container.id
	name := a.target.Name
	if id.container != "" {
		name = id.container
	}
	return strings.Join([]string{
		"az cosmosdb sql container update --resource-group", shellWord(id.group, "GROUP"), "--account-name", shellWord(id.account, "ACCOUNT"),
		"--database-name", shellWord(id.database, "DATABASE"), "--name", shellWord(name, "CONTAINER"), change,
	}, " ")
}

// shellWord quotes s for a shell, and returns instead if s is empty.
func shellWord(s, instead string) string { return cli.ShellWord(cmp.Or(s, instead)) }

func (a *containerAudit) conclude() Result {
	for i := range a.classes {
		a.report(a.finding(&a.classes[i]))
	}
	sources := 1
	if a.isOff() {
		sources = 0
	}
	return Result{
		System: "Azure Cosmos DB for NoSQL", Sources: sources, Notes: a.notes,
		Documents: a.documents, Bytes: a.bytes, Findings: a.findings,
	}
}
