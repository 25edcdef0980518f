package audit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An itemAudit counts documents, and groups those with a fault.
type itemAudit struct {
	Options
	target           *catalog.Target
	noun             string // "item" or "document"
	documents, bytes int64
	classes          []class
	findings         []Finding
}

func (a *itemAudit) fields() ([]string, bool) { return nil, false }

func (a *itemAudit) result(system string, sources int, notes []string) Result {
	return Result{System: system, Sources: sources, Notes: notes, Documents: a.documents, Bytes: a.bytes, Findings: a.findings}
}

type containerAudit struct {
	catalog.StoredContainer
	itemAudit
	by *cosmos.Container
}

func newContainerAudit(t *catalog.Target, o Options) (auditor, error) {
	stored, err := t.Container(o.Options)
	if err != nil {
		return nil, err
	}
	a := &containerAudit{StoredContainer: stored, itemAudit: itemAudit{Options: o, target: t, noun: "item"}}
	if a.by, err = cosmos.CompileContainer(a.Spec); err != nil {
		return nil, err
	}
	a.inspect()
	return a, nil
}

func (a *containerAudit) isOff() bool { return a.Spec.DefaultTTL.IsMissingOrNull() }

func (a *containerAudit) inspect() {
	for _, r := range pasted.ContainerRemarks(a.Resource) {
		set := a.settingOf(r.Meant)
		if set == nil || !set.value.IsMissingOrNull() {
			continue
		}
		f := Finding{Rule: set.off, Text: cli.Visible(r.Text), Advice: "Spell it " + set.name + "."}
		if r.Meant == "defaultTtl" {
			f.Severity = Keeps
			a.repair(&f, set, "switch it on with these seconds", a.Resource.Field(r.Field))
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

// A setting of a container is a number of seconds.
type setting struct {
	name      string
	value     policy.Value
	rule, off policy.Rule // the rules that apply with the seconds, and without the setting
}

func (a *containerAudit) settingOf(name string) *setting {
	switch name {
	case "defaultTtl":
		return &setting{name, a.Spec.DefaultTTL, ruleSeconds, reasons.Rule("cosmos.off")}
	case "analyticalStorageTtl":
		return &setting{name, a.Spec.AnalyticalStorageTTL, reasons.Rule("cosmos.analytical"), reasons.Rule("cosmos.analytical-off")}
	}
	return nil
}

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
		a.repairMillis(&f, set, n)
	case e.Field == "indexingPolicy.indexingMode":
		f.Advice = "Set indexingMode to consistent, with all paths excluded if none is to be indexed, or leave defaultTtl out."
	}
	return f
}

func (a *containerAudit) inspectSeconds(set *setting) {
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
		f := Finding{Severity: Keeps, Rule: set.rule, Text: fmt.Sprintf("%s %d looks like %s. It counts seconds from an item's last write: %s.", set.name, n, look.phrase(n), years(n))}
		a.repairMillis(&f, set, n)
		a.report(f)
	}
}

// repairMillis adds the repair of a setting that is likely in milliseconds, which sets the same
// time in seconds.
func (a *containerAudit) repairMillis(f *Finding, set *setting, n int64) {
	if lookOf(n) == millis {
		a.repair(f, set, "count seconds", pasted.Integer(n/1000))
	}
}

// repair adds the repair that gives a setting a value, unless the service refuses the value. For a
// container of Terraform, where the next apply would undo a command, and for the analytical
// store the repair is advice.
func (a *containerAudit) repair(f *Finding, set *setting, purpose string, v policy.Value) {
	ttl := cosmos.TTLOf(v)
	if _, ok := ttl.Seconds(); !ok && ttl != cosmos.TTLSeconds(-1) {
		return
	}
	atOnce := reasons.DeletesWritten("item", ttl)
	command, ok := a.SetTTL(ttl)
	switch {
	case set.name != "defaultTtl":
		f.Advice = strings.TrimSpace(fmt.Sprintf("%s To %s, set %s to %s.", f.Advice, purpose, set.name, ttl))
	case a.target.IsOfTerraform:
		f.Advice = strings.TrimSpace(fmt.Sprintf("%s To %s, write %s = %s in Terraform. %s", f.Advice, purpose, set.name, ttl, atOnce))
	case ok:
		r := Repair{Purpose: purpose, AtOnce: atOnce, Placeholders: a.Placeholders(), Commands: []string{command}}
		if a.documents == 0 {
			r.Count = fmt.Sprintf(`ttl forecast --container '{"defaultTtl":%s}' items.jsonl`, ttl)
		}
		f.Repairs = append(f.Repairs, r)
	}
}

func (a *containerAudit) report(f Finding) {
	if f.Line = a.target.LineOf(-1); a.target.IsOfTerraform {
		f.Advice = terraformWords.Replace(f.Advice)
	}
	a.findings = append(a.findings, f)
}

// terraformWords replace the service's words by those of Terraform's provider. It keeps the stored
// value if default_ttl is left out, and leaves a 0 out of the request, see package catalog.
var terraformWords = strings.NewReplacer(
	"Leave defaultTtl out", "Write default_ttl = 0", "leave defaultTtl out", "write default_ttl = 0", "defaultTtl", "default_ttl", "analyticalStorageTtl", "analytical_storage_ttl",
)

func (a *containerAudit) conclude() Result {
	for i := range a.classes {
		f := a.finding(&a.classes[i])
		switch f.Rule {
		case noTimestamp:
			f.Severity = Harmless // in the service, every stored item has a _ts
		case reasons.Rule("cosmos.off"):
			a.repair(&f, a.settingOf("defaultTtl"), "let the items with a ttl expire, and no others", policy.Int32Value(-1))
		}
		a.report(f)
	}
	sources := 1
	if a.isOff() {
		sources = 0
	}
	return a.result("Azure Cosmos DB for NoSQL", sources, a.Notes)
}

type apiAudit struct {
	catalog.APICollection
	itemAudit
	by *cosmos.Collection
	// onTS decides as an index on _ts with a default of one second would, so that its rules
	// show what the ttl of a document is.
	onTS  *cosmos.Collection
	index *cosmos.IndexSpec // the TTL index that counts; nil for none
}

func newAPIAudit(t *catalog.Target, o Options) (auditor, error) {
	stored, err := t.APICollection(o.Options)
	if err != nil {
		return nil, err
	}
	a := &apiAudit{APICollection: stored, itemAudit: itemAudit{Options: o, target: t, noun: "document"}}
	if a.by, err = cosmos.CompileCollection(a.Spec); err != nil {
		return nil, err
	}
	second := a.Spec
	second.Indexes = []cosmos.IndexSpec{{Name: "_ts_1", Key: policy.D{{Key: "_ts", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(1)}}
	if a.onTS, err = cosmos.CompileCollection(second); err != nil {
		return nil, err
	}
	a.inspect()
	return a, nil
}

func (a *apiAudit) inspect() {
	before := a.Spec
	for i := range a.Spec.Indexes {
		x := &a.Spec.Indexes[i]
		if x.ExpireAfterSeconds.IsMissingOrNull() {
			continue
		}
		a.index = cmp.Or(a.index, x)
		before.Indexes = a.Spec.Indexes[:i]
		var refused *cosmos.SpecError
		switch err := cosmos.ValidateCreateIndexes(before, *x); {
		case !errors.As(err, &refused):
			a.inspectSeconds(i)
		case errors.Is(err, policy.ErrUnspecified):
			a.report(i, Finding{Severity: Unspecified, Rule: refused.Rule, Text: refused.Rule.Statement()})
		default:
			a.report(i, Finding{
				Severity: Keeps, Rule: refused.Rule, Advice: apiAdvice[refused.Rule],
				Text: "The service refuses this index: " + strings.TrimSuffix(refused.Reason, ".") + ". Nothing expires by it.",
			})
		}
	}
}

// apiAdvice says what to do about an index that the service refuses.
var apiAdvice = map[policy.Rule]string{
	reasons.Rule("cosmos.mongo-index-zero"):  "Write -1 for a time to live without a default, or leave expireAfterSeconds out for none.",
	reasons.Rule("cosmos.mongo-index-field"): "If the account has the capability " + definition.CustomPathCapability + ", name it with --capability.",
}

func (a *apiAudit) inspectSeconds(i int) {
	x := a.Spec.Indexes[i]
	n, _ := x.ExpireAfterSeconds.AsInt64()
	if look := lookOf(n); look != itself {
		a.report(i, Finding{
			Severity: Keeps, Rule: ruleSeconds,
			Text: "expireAfterSeconds " + catalog.Plain(x.ExpireAfterSeconds) + " looks like " + look.phrase(n) + ". As seconds it is " + years(n) + ".",
		})
	}
}

// report adds a finding about the index at a position, or about the collection if the
// position is negative.
func (a *apiAudit) report(i int, f Finding) {
	if i >= 0 {
		f.Index = a.Spec.Indexes[i].Name
	}
	f.Line, f.Text = a.target.LineOf(i), cli.Visible(f.Text)
	way := "There is no collMod in this API: drop the index and create it again."
	if a.target.IsWritten || a.target.IsOfTerraform {
		way = "Put it right where it is defined."
	}
	f.Advice = strings.TrimSpace(f.Advice + " " + way)
	a.findings = append(a.findings, f)
}

func (a *apiAudit) see(doc policy.Document, w place) {
	a.documents++
	a.bytes += int64(w.size)
	ttl := doc.Field("ttl")
	// The time of the write makes no difference to the faults, and exports lack it.
	rule := a.by.DecideAt(doc, cosmos.TimestampSeconds(0), a.Now).Rule
	name, v, isOnTS := "", policy.Value{}, a.isOnTS()
	if isOnTS {
		name, v = "ttl", ttl
		if own := a.onTS.DecideAt(doc, cosmos.TimestampSeconds(0), a.Now).Rule; slices.Contains(ttlFaults, own) {
			rule = own
		}
	} else if a.index != nil {
		name = a.index.Key[0].Key
		v = valueAt(doc, strings.Split(name, "."))
	}
	n, isInteger := ttl.AsInt64()
	switch {
	case rule == ruleInert && !ttl.IsMissing():
		a.add(doc, w, rule, reasons.AnyTTL, "ttl", ttl)
	case slices.Contains(apiFaults, rule), rule == ruleField && isSeconds(v):
		a.add(doc, w, rule, reasons.AnyTTL, name, v)
	case isInteger && lookOf(n) != itself && isOnTS:
		a.add(doc, w, ruleSeconds, reasons.AnyTTL, "ttl", ttl)
	case isOnTS && a.by.Decide(doc, a.Now).Rule == noTimestamp:
		a.add(doc, w, noTimestamp, reasons.AnyTTL, "_ts", policy.Value{})
	}
	if name, v := misnamedProperty(doc); ttl.IsMissing() && isOnTS && name != "" {
		a.add(doc, w, ruleMisnamed, reasons.AnyTTL, name, v)
	}
}

func (a *apiAudit) isOnTS() bool { return a.index != nil && a.index.Key[0].Key == "_ts" }

// isSeconds reports whether v is a number that is likely a time in seconds since 1970.
func isSeconds(v policy.Value) bool {
	n, ok := v.AsInt64()
	if f, isDouble := v.AsDouble(); isDouble && f >= epochSeconds && f < 10*epochSeconds {
		n, ok = int64(f), true
	}
	return ok && lookOf(n) == instantSeconds
}

// Rules about documents and indexes of the API for MongoDB.
var (
	ruleSeconds    = reasons.Rule("cosmos.seconds")
	ruleInert      = reasons.Rule("cosmos.mongo-off")
	ruleTTLIgnored = reasons.Rule("cosmos.mongo-ttl-ignored")
	ruleField      = reasons.Rule("cosmos.mongo-field")
	ruleMisnamed   = reasons.Rule("cosmos.property-name")
	// ttlFaults are the rules about a ttl that does not count.
	ttlFaults = []policy.Rule{ruleTTLIgnored, reasons.Rule("cosmos.mongo-ttl-unspecified"), reasons.Rule("cosmos.mongo-ttl-version-unspecified")}
	// apiFaults are the rules by which a document expires otherwise than meant.
	apiFaults = append([]policy.Rule{
		reasons.Rule("cosmos.duplicate-unspecified"), reasons.Rule("cosmos.mongo-field-missing"), reasons.Rule("cosmos.mongo-field-type"),
		reasons.Rule("cosmos.mongo-field-array-unspecified"), reasons.Rule("cosmos.mongo-field-ttl-unspecified"),
	}, ttlFaults...)
)

func (a *apiAudit) findingOf(c *class) Finding {
	c.look = itself
	if c.rule == ruleSeconds {
		c.fault, c.look = reasons.UnlikelyTTL, lookOf(c.number)
	}
	f := a.finding(c)
	switch c.rule {
	case noTimestamp:
		f.Severity, f.Advice = Harmless, "" // in the service, every document has a _ts, which no client sees
	case ruleField:
		f.Severity, f.Text = Deletes, f.Text+" As milliseconds it is in January 1970, so that the index deletes at once."
	case ruleTTLIgnored:
		if n, _ := a.index.ExpireAfterSeconds.AsInt64(); n > 0 {
			f.Severity, f.Text = Deletes, f.Text+" The collection's "+catalog.Span(n)+" applies instead."
		} else {
			f.Text += " The collection has no default, so that nothing expires by it."
		}
	}
	return f
}

func (a *apiAudit) conclude() Result {
	for i := range a.classes {
		f := a.findingOf(&a.classes[i])
		f.Line = a.target.LineOf(-1)
		if a.index != nil {
			f.Index = a.index.Name
		}
		a.findings = append(a.findings, f)
	}
	sources := 0
	for _, x := range a.Spec.Indexes {
		if !x.ExpireAfterSeconds.IsMissingOrNull() {
			sources++
		}
	}
	return a.result(a.SystemName(), sources, a.Notes)
}

// A class groups items with the same fault.
type class struct {
	classKey
	number int64  // the value in the first item, if it is a whole number
	shown  string // the value as the report shows it
	name   string // the name of the property, as the first item spells it
	tally
}

// A classKey holds what the items of a class have in common.
type classKey struct {
	rule  policy.Rule
	fault reasons.Fault
	name  string // the name of the property, in lower case
	look  look
}

// noTimestamp is the rule of an item without the time of its last write.
var noTimestamp = reasons.Rule("cosmos.no-timestamp")

func (a *containerAudit) see(doc policy.Document, w place) {
	a.documents++
	a.bytes += int64(w.size)
	ttl := doc.Field("ttl")
	switch rule := a.by.Decide(doc, a.Now).Rule; rule {
	case noTimestamp:
		a.add(doc, w, rule, reasons.AnyTTL, "_ts", ttl)
	case reasons.Rule("cosmos.path-unspecified"):
		a.add(doc, w, rule, reasons.AnyTTL, "", ttl)
		return
	case reasons.Rule("cosmos.duplicate-unspecified"):
		a.add(doc, w, rule, reasons.AnyTTL, "ttl", ttl)
		return
	}
	if ttl.IsMissing() {
		if name, v := misnamedProperty(doc); name != "" {
			a.add(doc, w, ruleMisnamed, reasons.AnyTTL, name, v)
		}
		return
	}
	if a.isOff() {
		a.add(doc, w, reasons.Rule("cosmos.off"), reasons.AnyTTL, "ttl", ttl)
	}
	if f := faultOf(ttl); f != reasons.AnyTTL {
		a.add(doc, w, ruleOf(f), f, "ttl", ttl)
	}
}

// ruleOf returns the rule about a ttl with this fault.
func ruleOf(f reasons.Fault) policy.Rule {
	if f == reasons.UnlikelyTTL {
		return reasons.Rule("cosmos.seconds")
	}
	return reasons.Rule("cosmos.item-unspecified")
}

// faultOf returns the fault of a ttl's value, or [reasons.AnyTTL] if the value has no
// fault.
func faultOf(v policy.Value) reasons.Fault {
	n, isInteger := v.AsInt64()
	switch {
	case v.Kind() == policy.Null:
		return reasons.NullTTL
	case v.Kind() == policy.String:
		return reasons.StringTTL
	case v.Kind() == policy.Double:
		return faultOfDouble(v)
	case !isInteger:
		return reasons.OtherTTL
	case n == 0:
		return reasons.ZeroTTL
	case n < -1:
		return reasons.NegativeTTL
	case n > int64(policy.MaxSeconds):
		return reasons.HugeTTL
	case lookOf(n) != itself:
		return reasons.UnlikelyTTL
	}
	return reasons.AnyTTL
}

// faultOfDouble returns the fault of a JSON number that is not an integer of 64 bits.
func faultOfDouble(v policy.Value) reasons.Fault {
	switch f, _ := v.AsDouble(); {
	case f >= 1<<63:
		return reasons.HugeTTL
	case f <= -1<<63:
		return reasons.NegativeTTL
	}
	return reasons.FractionTTL
}

// A number in these ranges is probably not a number of seconds. It is a point in time
// from September 2001 on, or a time to live of whole hours in milliseconds.
const (
	epochSeconds = 1_000_000_000
	epochMillis  = 1_000_000_000_000
	hourMillis   = 3_600_000
)

// A look is the unit that a number given as seconds is probably in. The zero look is
// seconds.
type look uint8

const (
	itself look = iota
	instantSeconds
	instantMillis
	millis
)

func lookOf(n int64) look {
	switch {
	case n >= epochMillis && n < 10*epochMillis:
		return instantMillis
	case n >= hourMillis && n < epochMillis && n%hourMillis == 0 && (n >= longSeconds || n%daySeconds != 0): // a multiple of an hour is hardly ever a point in time
		return millis
	case n >= epochSeconds && n < 10*epochSeconds:
		return instantSeconds
	}
	return itself
}

// phrase returns words for n in the unit of l.
func (l look) phrase(n int64) string {
	switch l {
	case instantSeconds:
		return "the time " + policy.Instant(n*1000).String()
	case instantMillis:
		return "the time " + policy.Instant(n).String() + " in milliseconds"
	case millis:
		return catalog.Span(n/1000) + " in milliseconds"
	}
	return ""
}

// years returns a long time to live in years, as text.
func years(n int64) string {
	const year = 31_556_952
	if n < 2*year {
		return catalog.Span(n)
	}
	return fmt.Sprintf("%.1f years", float64(n)/year)
}

// misnamed are names, in lower case, that people write in place of ttl.
var misnamed = []string{"ttl", "_ttl", "timetolive", "time_to_live", "ttlseconds", "ttlinseconds", "ttl_seconds"}

// misnamedProperty returns a property with a number or a text that was probably meant as
// the ttl.
func misnamedProperty(doc policy.Document) (string, policy.Value) {
	for f := valueOf(doc).Fields(); f.Next(); {
		isValue := f.Value().Kind().IsNumber() || f.Value().Kind() == policy.String
		if name := f.Name(); isValue && slices.Contains(misnamed, strings.ToLower(name)) {
			return name, f.Value()
		}
	}
	return "", policy.Value{}
}

// add counts a document in the class with this rule, fault and name. For some faults, values
// that look like different units have classes of their own. A new class shows v.
func (a *itemAudit) add(doc policy.Document, w place, rule policy.Rule, f reasons.Fault, name string, v policy.Value) {
	k := classKey{rule: rule, fault: f, name: strings.ToLower(name)}
	n, _ := v.AsInt64()
	if f == reasons.HugeTTL || f == reasons.UnlikelyTTL {
		k.look = lookOf(n)
	}
	i := slices.IndexFunc(a.classes, func(c class) bool { return c.classKey == k })
	if i < 0 {
		i = len(a.classes)
		shown := catalog.Plain(v)
		if a.NoIDs {
			shown = reasons.KindName(v.Kind())
		}
		a.classes = append(a.classes, class{classKey: k, name: name, shown: shown, number: n})
	}
	a.classes[i].tally.add(doc, w)
}

// withoutValues removes the placeholder for an item's value from a text.
var withoutValues = strings.NewReplacer(", such as {value}", "", " such as {value}", "", ": {years}", "")

func (a *itemAudit) finding(c *class) Finding {
	t := reasons.TextOf(c.rule).Items[c.fault]
	text, looks := strings.ReplaceAll(t.Documents, "item", a.noun), ""
	if c.look != itself {
		looks = ", which looks like " + c.look.phrase(c.number)
	}
	if a.NoIDs {
		looks, text = "", withoutValues.Replace(text)
	}
	if c.documents == 1 {
		text = reasons.ForOne(text)
	}
	f := Finding{Severity: keepsBy(c.rule), Rule: c.rule, Advice: t.Advice, Documents: c.documents, Samples: c.samples}
	f.Text = cli.Visible(strings.NewReplacer("{n}", cli.Count(c.documents, a.noun, a.noun+"s"), "{value}", c.shown, "{name}", c.name, "{looks}", looks, "{years}", years(c.number)).Replace(text))
	return f
}
