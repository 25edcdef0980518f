package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/words"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A container is a container of Cosmos DB as a listing or a template describes
// it.
type container struct {
	resource policy.Value
	id       armID
	// resolve evaluates a template's expressions; nil where there are none.
	resolve func(policy.Value) (policy.Value, bool)
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

func (c *container) judge(t *Target, o Options) (judgement, error) {
	a := &containerAudit{Options: o, target: t, container: c}
	a.spec = cosmos.ContainerSpec{DefaultTTL: a.setting("defaultTtl"), TTLPropertyPath: textOf(a.setting("ttlPropertyPath"))}
	var err error
	if a.by, err = cosmos.Compile(a.spec); err != nil {
		return nil, fmt.Errorf("%s: %w", t.File, err)
	}
	a.inspect()
	return a, nil
}

// setting returns a property of the container. One that cannot be evaluated
// is noted, and taken for a time to live that is on.
func (a *containerAudit) setting(name string) policy.Value {
	v := a.container.resource.Field(name)
	if a.container.resolve == nil {
		return v
	}
	resolved, ok := a.container.resolve(v)
	if ok {
		return resolved
	}
	a.notes = append(a.notes, fmt.Sprintf("%s is %s, which is not evaluated here.", name, plain(v)))
	if name == "defaultTtl" {
		return policy.Int32Value(-1)
	}
	return policy.Value{}
}

func (a *containerAudit) text() dump.Kind { return dump.JSON }

// isOff reports whether the container has no defaultTtl.
func (a *containerAudit) isOff() bool { return isAbsent(a.spec.DefaultTTL) }

func isAbsent(v policy.Value) bool { return v.IsMissing() || v.Kind() == policy.Null }

// inspect looks at the container's settings.
func (a *containerAudit) inspect() {
	if name := misnamedSetting(a.container.resource); name != "" && a.isOff() {
		a.report(Finding{
			Severity: Keeps, Rule: catalogue["cosmos.off"],
			Text:    fmt.Sprintf("The property %s is not defaultTtl, so time to live is off and nothing expires.", words.Visible(name)),
			Advice:  "Spell it defaultTtl.",
			Repairs: a.ttlRepair("switch it on with these seconds", a.container.resource.Field(name)),
		})
	}
	a.inspectDefault()
	a.inspectRefused()
}

// misnamed are names, in lower case, that are taken for the real one.
var misnamed = []string{"ttl", "_ttl", "timetolive", "time_to_live", "ttlseconds", "ttlinseconds", "ttl_seconds"}

// misnamedSetting returns the name of a property that was meant to be
// defaultTtl, empty for none.
func misnamedSetting(v policy.Value) string {
	f := v.Fields()
	for f.Next() {
		name := f.Name()
		rest, isDefault := strings.CutPrefix(strings.TrimPrefix(strings.ToLower(name), "_"), "default")
		if name != "defaultTtl" && isDefault && slices.Contains(misnamed, strings.TrimPrefix(rest, "_")) {
			return name
		}
	}
	return ""
}

// inspectDefault looks for a defaultTtl that means something else.
func (a *containerAudit) inspectDefault() {
	n, ok := a.spec.DefaultTTL.AsInt64()
	look := lookOf(n)
	if !ok || look == itself {
		return
	}
	f := Finding{Severity: Keeps, Rule: catalogue["cosmos.default"], Text: fmt.Sprintf("defaultTtl %d looks like %s", n, look.phrase(n))}
	if _, valid := cosmos.TTLOf(a.spec.DefaultTTL).Seconds(); valid {
		f.Text += fmt.Sprintf(". It counts seconds from an item's last write: %s.", years(n))
	} else {
		f.Rule = catalogue["cosmos.container-unspecified"]
		f.Text += ". It counts seconds, and the service refuses more than 2147483647."
	}
	if look == millis {
		f.Repairs = a.ttlRepair("count seconds", number(n/1000))
	}
	a.report(f)
}

// inspectRefused reports settings that the service refuses.
func (a *containerAudit) inspectRefused() {}

func (a *containerAudit) report(f Finding) { a.findings = append(a.findings, f) }

// ttlRepair returns the command that sets the container's default, if v is one
// that the service takes.
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

// shellWord quotes s for a POSIX shell, and returns instead if s is empty or no
// shell could show it.
func shellWord(s, instead string) string {
	if s == "" || words.Visible(s) != s {
		return instead
	}
	if strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./") == "" && s[0] != '-' {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
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
		Judged: "Azure Cosmos DB for NoSQL", Sources: sources, Notes: a.notes,
		Documents: a.documents, Bytes: a.bytes, Findings: a.findings,
	}
}
