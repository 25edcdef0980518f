package audit

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// inspect reports faults of s itself.
func (a *collectionAudit) inspect(s *source) {
	switch {
	case s.by == nil:
	case !s.idle.IsZero():
		a.report(s, a.idleFinding(s))
	case s.index == "":
		a.inspectOwn(s)
	default:
		a.inspectOption(s)
		a.inspectShape(s)
		a.inspectCreation(s)
		a.inspectSense(s)
	}
	a.inspectMoves(s)
}

func (a *collectionAudit) idleFinding(s *source) Finding {
	f := Finding{Severity: keepsBy(s.idle), Rule: s.idle, Text: s.idle.Statement(), Repairs: a.repairs(s)}
	if text := reasons.TextOf(s.idle).Source; text != "" {
		f.Text = a.replace(s, text)
	}
	if s.Option.IsNaN() && a.IsAssumed {
		f.Text += " Only 4.4 and earlier list it as NaN: name the release with --server."
	}
	if s.Option.Kind() == policy.Null {
		f.Text += " JSON.stringify writes NaN as null: print the indexes with EJSON.stringify."
	}
	return f
}

// inspectOwn reports faults of the collection's own option.
func (a *collectionAudit) inspectOwn(s *source) {
	if !a.isBeforeBuckets() {
		return
	}
	a.report(s, Finding{
		Severity: Deletes, Rule: reasons.Rule("mongo.timeseries-bound-wraps"),
		Text:    a.replace(s, "expireAfterSeconds {option} and the span of a bucket reach back before 1970. The bound of the scan then wraps to about the year 2106, so that every bucket may be deleted. That is read in the server's source, and confirmed by no test."),
		Repairs: a.repairs(s),
	})
}

// isBeforeBuckets reports whether not even a bucket of 1970-01-01 has expired, because
// the option of the time-series collection is too large. That bucket expires after the
// span of a bucket and the seconds of the option. The newest release computes the span,
// because some other releases never visit this bucket.
func (a *collectionAudit) isBeforeBuckets() bool {
	newest, err := mongo.ProfileOf(mongo.Latest())
	if a.Spec.TimeSeries.IsMissing() || err != nil {
		return false
	}
	c, err := mongo.CompileCollection(mongo.CollectionSpec{TimeSeries: a.Spec.TimeSeries, ExpireAfterSeconds: policy.Int32Value(0)}, newest)
	if err != nil {
		return false
	}
	timeField, _ := a.Spec.TimeSeries.Field("timeField").AsString()
	span, _ := c.Decide(policy.D{{Key: timeField, Value: policy.DateValue(0)}}, a.Now).Deadline()
	n, _ := seconds(a.Spec.ExpireAfterSeconds)
	return n > int64(a.Now-span)/1000
}

// inspectOption checks the expireAfterSeconds of an index that deletes.
func (a *collectionAudit) inspectOption(s *source) {
	n, whole := seconds(s.Option)
	deletes := func(rule policy.Rule, text string) {
		a.report(s, Finding{Severity: Deletes, concern: byPolicy, Rule: rule, Repairs: a.repairs(s), Text: a.replace(s, text)})
	}
	switch {
	case s.Option.IsNaN():
		deletes(reasons.Rule("mongo.nan-zero"), "expireAfterSeconds is NaN, which {release} takes for 0: every document whose {field} is not in the future expires at once.")
	case n > math.MaxInt64/1000 || n < math.MinInt64/1000:
		deletes(reasons.Rule("mongo.seconds-wrap"), "The milliseconds of expireAfterSeconds {option} do not fit 64 bits, and {release} deletes by what is left of them: 0 of an infinity and of a number such as 1e300, a second ahead of the clock for 9223372036854775807.")
	case n < 0:
		deletes(s.dateRule(), "expireAfterSeconds {option} is used as it is: documents expire before the date in {field}.")
	case n > int64(policy.MaxSeconds):
		a.report(s, Finding{
			Rule: reasons.Rule("mongo.seconds-invalid"), Repairs: a.repairs(s),
			Text: a.replace(s, "expireAfterSeconds {option} is more than an index may have. {release} uses it; since 7.0 the index is skipped, and then turned into 2147483647, 68 years."),
		})
	case n == int64(policy.MaxSeconds):
		text := "expireAfterSeconds 2147483647 is not never but 68 years"
		if cutoff, ok := a.Now.Add(-policy.MaxSeconds); ok {
			text += ": a document whose {field} is " + cutoff.String() + " or earlier expires"
		}
		deletes(reasons.Rule("mongo.seconds-68-years"), text+". It is also what servers put in the place of NaN and other values that no index may have, so the delay that was meant may be lost.")
	case n == 0 && a.listsNaNAsZero():
		a.report(s, Finding{
			Rule: reasons.Rule("mongo.seconds-listed"),
			Text: a.replace(s, "{release} lists a NaN as 0, so this may be one: documents expire at once all the same, but other releases would keep them."),
		})
	case !whole:
		a.report(s, Finding{
			Rule: reasons.Rule("mongo.seconds-conversion"), Repairs: a.repair("store what it works as", a.expiring(s, n)),
			Text: a.replace(s, fmt.Sprintf("expireAfterSeconds {option} works as %d.", n)),
		})
	}
}

// listsNaNAsZero reports whether the release shows a stored NaN as 0 when it lists an index.
func (a *collectionAudit) listsNaNAsZero() bool {
	listed, ok := mongofunc.Listed(a.Profile, policy.DoubleValue(math.NaN()))
	n, _ := listed.AsInt64()
	return ok && listed.Kind() == policy.Int32 && n == 0
}

// dateRule returns the rule of a decision about a document with an ordinary date.
func (s *source) dateRule() policy.Rule {
	first := policy.D{{Key: s.Field, Value: policy.DateValue(0)}}
	return s.by.Decide(first, 0).Rule
}

// inspectShape reports faults in the fields beside expireAfterSeconds of an index that
// deletes.
func (a *collectionAudit) inspectShape(s *source) {
	if consulted := s.by.Consulted(s.by.Decide(policy.D{}, 0)); slices.Contains(consulted, reasons.Rule("mongo.filter-ignored")) {
		a.report(s, Finding{
			Severity: Deletes, concern: byPolicy, Rule: reasons.Rule("mongo.filter-ignored"),
			Text:    a.replace(s, "{release} stores partialFilterExpression and does not look at it: documents outside of the filter expire too."),
			Repairs: a.repair("keep every document", a.keeping(s)),
		})
	}
	if s.spec.Hidden {
		a.report(s, Finding{
			Rule: reasons.Rule("mongo.index-options"),
			Text: "The index is hidden from queries, and deletes like any other.",
		})
	}
}

// inspectCreation reports an index that the server would refuse to create: an index on
// _id, or an index in conflict with an earlier index of the listing.
func (a *collectionAudit) inspectCreation(s *source) {
	if slices.ContainsFunc(a.findings, func(f Finding) bool { return f.Index == s.index && f.Severity > Harmless }) {
		return
	}
	before := a.Spec
	before.Indexes = before.Indexes[:s.Position]
	_, err := command.ValidateCreateIndexes(before, command.WithDefaultName(a.AsCreated(s.raw)), a.Profile, a.Now)
	var refused *mongo.SpecError
	if !errors.As(err, &refused) || refused.Code == 0 || refused.Rule.IsZero() {
		return
	}
	a.report(s, Finding{
		Severity: Keeps, Rule: refused.Rule,
		Text: a.replace(s, "{release} would not create this index ("+refused.Code.Error()+"), so that a restore leaves it out. ") + refused.Rule.Statement(),
	})
}

// compare reports pairs of ordinary indexes that delete by the same field.
func (a *collectionAudit) compare() {
	for i, s := range a.sources {
		for _, t := range a.sources[i+1:] {
			if s.isOrdinary() && t.isOrdinary() && s.Field == t.Field {
				a.compareTwo(s, t)
			}
		}
	}
}

// compareTwo reports two indexes on one field. The index with the longer delay decides
// about no document that the other index holds.
func (a *collectionAudit) compareTwo(s, t *source) {
	short, long := s, t
	m, _ := seconds(short.Option)
	n, _ := seconds(long.Option)
	if m > n {
		short, long, m, n = long, short, n, m
	}
	covers := short.spec.PartialFilterExpression.IsMissing() || short.spec.PartialFilterExpression.Equal(long.spec.PartialFilterExpression)
	if m == n || !covers {
		return
	}
	f := Finding{
		Severity: Deletes, Rule: reasons.Rule("mongo.earliest-source"),
		Text: fmt.Sprintf("The index %s expires the same documents by %s after %d s already. Each index deletes on its own, so the %d s of this one never come to bear.",
			cli.Visible(short.index), cli.Visible(long.Field), m, n),
		Repairs: a.repair("let this index decide", a.accepted(a.DropIndexes(short.index))),
	}
	a.report(long, f)
}

// seconds returns the whole number that servers read from an option. whole is false for a
// value that is no number, for a fraction, and for a decimal whose text differs from the
// text of that whole number.
func seconds(option policy.Value) (n int64, whole bool) {
	n, ok := mongofunc.WholeSeconds(option)
	if !ok {
		return 0, false
	}
	_, isInteger := option.AsInt64()
	f, isDouble := option.AsDouble()
	return n, isInteger || isDouble && f == math.Trunc(f) || catalog.Plain(option) == fmt.Sprint(n)
}
