package audit

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mentions"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/internal/commandfunc"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func (a *collectionAudit) inspect(s *source) {
	switch {
	case s.by == nil:
	case !s.idle.IsZero():
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
		a.report(s, f)
	case s.index == "" && a.isBeforeBuckets():
		a.report(s, Finding{
			Severity: Deletes, Rule: reasons.Rule("mongo.timeseries-bound-wraps"),
			Text:    a.replace(s, "expireAfterSeconds {option} and the span of a bucket reach back before 1970. The bound of the scan then wraps to about the year 2106, so that every bucket may be deleted. That is read in the server's source, and confirmed by no test."),
			Repairs: a.repairs(s),
		})
	case s.index == "":
	default:
		a.inspectOption(s)
		a.inspectShape(s)
		a.inspectCreation(s)
		a.inspectSense(s)
	}
	a.inspectMoves(s)
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

func (a *collectionAudit) inspectOption(s *source) {
	n, whole := seconds(s.Option)
	listed, isListed := mongofunc.F.Listed(a.Profile, policy.DoubleValue(math.NaN()))
	listedNaN, _ := listed.AsInt64()
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
	case n == 0 && isListed && listed.Kind() == policy.Int32 && listedNaN == 0:
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
	_, err := commandfunc.F.ValidateCreateIndexes(before, command.WithDefaultName(a.AsCreated(s.raw)), a.Profile, a.Now)
	var refused *mongo.SpecError
	if !errors.As(err, &refused) || refused.Code == 0 || refused.Rule.IsZero() {
		return
	}
	a.report(s, Finding{
		Severity: Keeps, Rule: refused.Rule,
		Text: a.replace(s, "{release} would not create this index ("+codes.Text(refused.Code)+"), so that a restore leaves it out. ") + refused.Rule.Statement(),
	})
}

// compare reports pairs of ordinary indexes that delete by the same field. The index with the longer
// delay decides about no document that the other index holds.
func (a *collectionAudit) compare() {
	for i, s := range a.sources {
		for _, t := range a.sources[i+1:] {
			if !s.isOrdinary() || !t.isOrdinary() || s.Field != t.Field {
				continue
			}
			short, long := s, t
			m, _ := seconds(short.Option)
			n, _ := seconds(long.Option)
			if m > n {
				short, long, m, n = long, short, n, m
			}
			filter := short.spec.PartialFilterExpression
			if m == n || !filter.IsMissing() && !filter.Equal(long.spec.PartialFilterExpression) {
				continue
			}
			a.report(long, Finding{
				Severity: Deletes, Rule: reasons.Rule("mongo.earliest-source"),
				Text: fmt.Sprintf("The index %s expires the same documents by %s after %d s already. Each index deletes on its own, so the %d s of this one never come to bear.",
					cli.Visible(short.index), cli.Visible(long.Field), m, n),
				Repairs: a.repair("let this index decide", a.accepted(a.DropIndexes(short.index))),
			})
		}
	}
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
		s.raw = pasted.WithoutField(raw, r.Field)
		f.Repairs = a.keepRepair(s)
	}
	a.report(s, f)
}

// unreadResult returns the result about the places in a file that mention a time to live and
// yield no policy.
func unreadResult(t *catalog.Target) Result {
	r := Result{System: "Not read"}
	for _, u := range t.Unread {
		instead := mentions.Instead(t.File, u.IsCosmos)
		switch {
		case !t.IsOfTerraform:
		case u.Why == catalog.AfterApply:
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
		} else if x, err := mongo.ParseListedIndex(policy.ObjectValue(command.WithDefaultName(policy.DOf(r.Index)))); err == nil {
			a.reportRefused(x, r)
		}
	}
}

// reportRefusedChange reports a collMod that the server refuses, so that the index keeps
// its delay.
func (a *collectionAudit) reportRefusedChange(r catalog.Refusal) {
	option, rule := r.Of.Field("expireAfterSeconds"), cmp.Or(r.Err.Rule, reasons.Rule("mongo.no-ttl"))
	wanted := policy.ObjectValue(r.Change)
	if index := wanted.Field("index"); index.Kind() == policy.Object {
		wanted = index
	}
	left, severity := "nothing is changed", Keeps
	if before, ok := mongofunc.WholeSeconds(option); ok {
		left = "the index keeps expireAfterSeconds " + catalog.Plain(option)
		if after, ok := mongofunc.WholeSeconds(wanted.Field("expireAfterSeconds")); ok && after > before {
			severity = Deletes
		}
	}
	s := &source{index: r.Name, raw: r.Of}
	s.Option = option
	a.report(s, Finding{
		Severity: severity, Rule: rule, Line: r.Line,
		Text: a.replace(s, fmt.Sprintf("{release} refuses this collMod (%s), so that %s: %s.", codes.Text(r.Err.Code), left, strings.TrimSuffix(rule.Statement(), "."))),
	})
}

// reportRefused reports an index that a program creates and that the server refuses.
func (a *collectionAudit) reportRefused(x mongo.IndexSpec, r catalog.Refusal) {
	s := &source{index: x.Name, spec: x, raw: r.Index}
	s.Option = x.ExpireAfterSeconds
	rule, key := cmp.Or(r.Err.Rule, reasons.Rule("mongo.no-ttl")), clip(catalog.Literal(policy.ObjectValue(x.Key)))
	f := Finding{
		Severity: Keeps, Rule: rule, Line: r.Line,
		Text: a.replace(s, fmt.Sprintf("{release} refuses to create the index on %s (%s), so that it will not exist, and nothing expires by it: %s.",
			cli.Visible(key), codes.Text(r.Err.Code), strings.TrimSuffix(rule.Statement(), "."))),
		Advice: "Write the option as a whole number of seconds, from 0 to 2147483647, on an index of one field.",
	}
	if n, ok := a.meant(s); ok && len(x.Key) == 1 && x.Key[0].Value.Kind().IsNumber() && x.PartialFilterExpression.IsMissing() {
		f.Repairs = a.expireRepair(n, a.indexing(x.Key[0].Key, n))
	}
	a.report(s, f)
}

// inspectDatabases reports indexes that keep other indexes of their database from
// deleting: those that end each pass over the database, if another index in the input may come
// after them. The order of indexes of other collections is unknown.
func inspectDatabases(jobs []*job) {
	of := map[string][]ttlIndex{}
	for _, j := range jobs {
		of[j.database] = append(of[j.database], j.indexes...)
	}
	for _, all := range of {
		for i, x := range all {
			if x.ending == nil {
				continue
			}
			first := i // the first index of the collection
			for first > 0 && all[first-1].namespace == x.namespace {
				first--
			}
			if after := namesOf(all[:first], all[i+1:]); after != "" {
				x.of.report(x.ending, Finding{
					Severity: Keeps, Rule: reasons.Rule("mongo.monitor-stops"),
					Text: x.of.replace(x.ending, "{release} fails at this index, and that ends each pass over the database: TTL indexes that were made after it delete nothing. Those that may be: "+
						cli.Visible(after)+". db.system.indexes.find() lists them in the order of the pass."),
					Repairs: x.of.repair("let the other indexes delete", x.of.accepted(x.of.DropIndexes(x.name))),
				})
			}
		}
	}
}

// A ttlIndex is a TTL index of a database. If it ends a pass of the TTL monitor, ending is its
// source, and of the audit of its collection; otherwise both are nil.
type ttlIndex struct {
	name, namespace string
	ending          *source
	of              *collectionAudit
}

// inDatabase returns the database of a, empty if unknown, and the TTL indexes of a in the
// order of their positions.
func (a *collectionAudit) inDatabase() (database string, list []ttlIndex) {
	database, _, ok := strings.Cut(a.Spec.Namespace, ".")
	if !ok {
		return "", nil
	}
	sources := slices.DeleteFunc(slices.Clone(a.sources), func(s *source) bool { return s.index == "" })
	slices.SortStableFunc(sources, func(x, y *source) int { return cmp.Compare(x.Position, y.Position) })
	for _, s := range sources {
		x := ttlIndex{name: s.index, namespace: a.Spec.Namespace}
		if mongofunc.F.EndsPass(a.Spec, s.spec, a.Profile) {
			x.ending, x.of = s, a
		}
		list = append(list, x)
	}
	return database, list
}

// namesOf returns the names of a few TTL indexes of a database, and the number of the
// others.
func namesOf(lists ...[]ttlIndex) string {
	const few = 20
	var names []string
	left := 0
	for _, list := range lists {
		for _, x := range list[:min(len(list), few-len(names))] {
			names = append(names, x.name+" of "+x.namespace)
		}
		left += len(list)
	}
	if left -= len(names); left > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), left)
	}
	return strings.Join(names, ", ")
}
