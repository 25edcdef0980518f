package audit

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// inspectNames reports options that are misspelt or in the wrong place. A server that
// stores an index with such options ignores them.
func (a *collectionAudit) inspectNames() {
	for _, r := range pasted.OptionRemarks(a.ListedOptions) {
		if r.Field == r.Meant {
			continue // another finding says that the source does nothing
		}
		a.report(&source{}, Finding{Severity: Keeps, Rule: reasons.Rule("mongo.no-ttl"), Text: r.Text, Advice: "Set expireAfterSeconds with collMod."})
	}
	for i, raw := range a.ListedIndexes {
		for _, r := range pasted.IndexRemarks(raw) {
			a.inspectName(&source{index: a.Spec.Indexes[i].Name, spec: a.Spec.Indexes[i]}, raw, r)
		}
	}
}

// inspectName adds a finding about the option of an index that r describes, which is misspelt
// or in the wrong place.
func (a *collectionAudit) inspectName(s *source, raw policy.Value, r pasted.Remark) {
	f := Finding{Severity: Keeps, Rule: reasons.Rule("mongo.no-ttl"), Text: r.Text, Advice: "Make the index anew with the option spelled " + r.Meant + ", beside the key."}
	known := !raw.Field(r.Meant).IsMissing()
	isTTL := !s.spec.ExpireAfterSeconds.IsMissing()
	switch {
	case known, r.Meant == "partialFilterExpression" && !isTTL:
		f.Severity, f.Rule, f.Advice = Harmless, reasons.Rule("mongo.createindexes-unknown-field"), ""
	case r.Meant == "partialFilterExpression":
		f.Severity, f.Rule, f.concern = Deletes, reasons.Rule("mongo.createindexes-unknown-field"), byPolicy
		f.Repairs = a.misspeltFilterRepairs(s, raw, r)
	default:
		f.Repairs = a.misspeltSecondsRepairs(s, raw, r)
	}
	a.report(s, f)
}

// misspeltFilterRepairs returns the repairs of an index that should be partial. A delay
// that is not a number of seconds, such as NaN, may change if the index is created again,
// so such an index is not created again.
func (a *collectionAudit) misspeltFilterRepairs(s *source, raw policy.Value, r pasted.Remark) []Repair {
	s.raw = pasted.WithoutField(raw, r.Field)
	if _, isNumber := mongofunc.WholeSeconds(s.spec.ExpireAfterSeconds); !isNumber || s.spec.ExpireAfterSeconds.IsNaN() {
		return a.keepRepair(s)
	}
	option := policy.E{Key: "expireAfterSeconds", Value: s.spec.ExpireAfterSeconds}
	filter := policy.E{Key: r.Meant, Value: raw.Field(r.Field)}
	return append(a.keepRepair(s), a.repair("take in what the filter was meant for", a.recreate(s, append(a.WithoutTTL(s.raw), option, filter)))...)
}

// misspeltSecondsRepairs returns the repair that gives an index the intended delay.
func (a *collectionAudit) misspeltSecondsRepairs(s *source, raw policy.Value, r pasted.Remark) []Repair {
	s.raw, s.Option = pasted.WithoutField(raw, r.Field), raw.Field(r.Field)
	index := a.WithoutTTL(s.raw)
	if s.Option.IsMissing() { // the option is inside the key, so the index gets another name
		s.Option = raw.Field("key").Field(r.Field)
		key := pasted.WithoutField(raw.Field("key"), r.Field)
		index = slices.DeleteFunc(index, func(e policy.E) bool { return e.Key == "key" || e.Key == "name" })
		index = append(policy.D{{Key: "key", Value: key}, {Key: "name", Value: policy.StringValue(strings.TrimSuffix(s.index, "_"+r.Field+"_"+catalog.Plain(s.Option)))}}, index...)
	}
	n, ok := a.meant(s)
	if !ok {
		return nil
	}
	return a.expireRepair(n, a.recreate(s, append(index, secondsOption(n))))
}
