package audit

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An apiAudit is the audit of one collection of Azure Cosmos DB's API for MongoDB.
type apiAudit struct {
	catalog.APICollection
	Options
	target *catalog.Target
	by     *cosmos.Collection
	// onTS decides as an index on _ts with a default of one second would, so that its rules
	// show what the ttl of a document is.
	onTS      *cosmos.Collection
	index     *cosmos.IndexSpec // the TTL index that counts; nil for none
	documents int64
	bytes     int64
	classes   []apiClass
	findings  []Finding
}

// An apiClass groups documents with the same fault.
type apiClass struct {
	rule   policy.Rule
	name   string // the field
	shown  string // the value in the first document
	number int64  // that value, if it is a whole number
	tally
}

func newAPIAudit(t *catalog.Target, o Options) (auditor, error) {
	stored, err := t.APICollection(o.Options)
	if err != nil {
		return nil, err
	}
	a := &apiAudit{APICollection: stored, Options: o, target: t}
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

func (a *apiAudit) fields() ([]string, bool) { return nil, false }

// inspect reports faults of the indexes.
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
	reasons.Rule("cosmos.mongo-index-field"): "If the account has the capability " + cosmos.CustomPathCapability + ", name it with --capability.",
}

// inspectSeconds reports an option whose value is likely in a unit other than seconds.
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
	f.Advice = strings.TrimSpace(f.Advice + " " + a.way())
	a.findings = append(a.findings, f)
}

// way says how an index is changed.
func (a *apiAudit) way() string {
	if a.target.IsWritten || a.target.IsOfTerraform {
		return "Put it right where it is defined."
	}
	return "There is no collMod in this API: drop the index and create it again."
}

// see counts a document in the class of its fault.
func (a *apiAudit) see(doc policy.Document, w place) {
	a.documents++
	a.bytes += int64(w.size)
	ttl := doc.Field("ttl")
	// The time of the write makes no difference to the faults, and exports lack it.
	rule := a.by.DecideAt(doc, cosmos.TimestampSeconds(0), a.Now).Rule
	name, v := "", policy.Value{}
	if a.index != nil && a.isOnTS() {
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
		a.count(rule, "ttl", ttl, doc, w)
	case slices.Contains(apiFaults, rule):
		a.count(rule, name, v, doc, w)
	case rule == ruleField && isSeconds(v):
		a.count(rule, name, v, doc, w)
	case isInteger && lookOf(n) != itself && a.index != nil && a.isOnTS():
		a.count(ruleSeconds, "ttl", ttl, doc, w)
	case a.index != nil && a.isOnTS() && a.by.Decide(doc, a.Now).Rule == noTimestamp:
		a.count(noTimestamp, "_ts", policy.Value{}, doc, w)
	}
	if ttl.IsMissing() && a.index != nil && a.isOnTS() {
		if name, v := misnamedProperty(doc); name != "" {
			a.count(ruleMisnamed, name, v, doc, w)
		}
	}
}

// isOnTS reports whether the TTL index is on _ts.
func (a *apiAudit) isOnTS() bool { return a.index.Key[0].Key == "_ts" }

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

// count counts a document in the class of a rule.
func (a *apiAudit) count(rule policy.Rule, name string, v policy.Value, doc policy.Document, w place) {
	i := slices.IndexFunc(a.classes, func(c apiClass) bool { return c.rule == rule && strings.EqualFold(c.name, name) })
	if i < 0 {
		i = len(a.classes)
		shown := catalog.Plain(v)
		n, _ := v.AsInt64()
		if a.NoIDs {
			shown = reasons.KindName(v.Kind())
		}
		a.classes = append(a.classes, apiClass{rule: rule, name: name, shown: shown, number: n})
	}
	a.classes[i].add(doc, w)
}

// finding returns the finding about the documents of a class.
func (a *apiAudit) finding(c *apiClass) Finding {
	fault := reasons.AnyTTL
	if c.rule == ruleSeconds {
		fault = reasons.UnlikelyTTL
	}
	t := reasons.TextOf(c.rule).Items[fault]
	text, n := strings.ReplaceAll(t.Documents, "item", "document"), cli.Documents(c.documents)
	if a.NoIDs {
		text = withoutValues.Replace(text)
	}
	if c.documents == 1 {
		text = reasons.ForOne(text)
	}
	f := Finding{Severity: keepsBy(c.rule), Rule: c.rule, Advice: t.Advice, Documents: c.documents, Samples: c.samples}
	switch c.rule {
	case noTimestamp:
		f.Severity, f.Advice = Harmless, "" // in the service, every document has a _ts, which no client sees
	case ruleField:
		f.Severity, text = Deletes, text+" As milliseconds it is in January 1970, so that the index deletes at once."
	case ruleTTLIgnored:
		if n, _ := a.index.ExpireAfterSeconds.AsInt64(); n > 0 {
			f.Severity, text = Deletes, text+" The collection's "+catalog.Span(n)+" applies instead."
		} else {
			text += " The collection has no default, so that nothing expires by it."
		}
	}
	looks := ""
	if look := lookOf(c.number); look != itself {
		looks = ", which looks like " + look.phrase(c.number)
	}
	f.Text = cli.Visible(strings.NewReplacer("{n}", n, "{value}", c.shown, "{name}", c.name, "{looks}", looks, "{years}", years(c.number)).Replace(text))
	return f
}

func (a *apiAudit) conclude() Result {
	for i := range a.classes {
		f := a.finding(&a.classes[i])
		f.Line = a.target.LineOf(-1)
		if a.index != nil {
			f.Index = a.index.Name
		}
		a.findings = append(a.findings, f)
	}
	a.classes = nil
	sources := 0
	for _, x := range a.Spec.Indexes {
		if !x.ExpireAfterSeconds.IsMissingOrNull() {
			sources++
		}
	}
	return Result{
		System: a.SystemName(), Sources: sources, Notes: a.Notes, Documents: a.documents, Bytes: a.bytes, Findings: a.findings,
	}
}
