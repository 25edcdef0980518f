package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A number in another unit is recognized if it stands for a time from 2000 to 2099.
// Seconds of this time, stored as milliseconds, give dates from January 11 to February
// 17, 1970. Microseconds give dates far later than the year 9999. Dates of the year 9999
// are stored by programs that mean never.
const (
	from2000  = policy.Instant(946_684_800_000)
	until2100 = policy.Instant(4_102_444_800_000)
)

const (
	minuteMillis = 60_000
	daySeconds   = 86_400
)

// A scaled counts documents whose dates were probably stored in another unit.
type scaled struct {
	tally
	first   policy.Instant // the date in the first document, as stored
	meant   policy.Instant // the same date, as intended
	expired int64
}

func (c *scaled) see(stored, meant policy.Instant, d policy.Decision, doc policy.Document, w place) {
	if c.documents == 0 {
		c.first, c.meant = stored, meant
	}
	if d.State == policy.Expired {
		c.expired++
	}
	c.add(doc, w)
}

// A datesSeen counts the dates by which a source decides, by kind.
type datesSeen struct {
	documents int64 // the documents with a deadline
	first     policy.Instant
	last      policy.Instant // the latest date; first is the earliest
	pending   int64          // the documents that have not expired
	seconds   scaled         // Unix seconds stored as milliseconds
	fine      scaled         // microseconds or nanoseconds stored as milliseconds
	old       int64          // other dates before 2000, except 1970-01-01T00:00:00Z
}

func (s *source) seeDate(d policy.Decision, doc policy.Document, w place) {
	n, ok := seconds(s.Option)
	if d.State == policy.Never || !s.Alone.TimeSeries.IsMissing() || !ok && !s.Option.IsNaN() {
		return
	}
	seen := &s.dates
	seen.documents++
	if d.State == policy.Pending {
		seen.pending++
	}
	if n < 0 || n > int64(policy.MaxSeconds) {
		return
	}
	deadline, _ := d.Deadline()
	at := deadline - policy.Instant(n*1000)
	if seen.documents == 1 {
		seen.first, seen.last = at, at
	}
	seen.first, seen.last = min(seen.first, at), max(seen.last, at)
	switch form, meant := dateForm(at); {
	case form == shortForm:
		seen.seconds.see(at, meant, d, doc, w)
	case form != noForm:
		seen.fine.see(at, meant, d, doc, w)
	case at != 0 && at < from2000:
		seen.old++
	}
}

// reviewDates reports dates of s in another unit. It reports dates of 1970 only if fewer
// other dates are from before 2000, because many such dates may be dates of birth.
func (a *collectionAudit) reviewDates(s *source) {
	report := func(severity Severity, c *scaled, repairs []Repair, text, advice string) {
		a.report(s, Finding{
			Severity: severity, Rule: s.dateRule(), Documents: c.documents, Samples: c.samples, Repairs: repairs,
			Text: fmt.Sprintf(text, holdDates(c.documents), cli.Visible(s.Field), c.first, c.meant), Advice: "Find out what writes them, and have it " + advice,
		})
	}
	if c := &s.dates.seconds; c.documents > s.dates.old {
		repairs := a.keepRepair(s)
		if len(a.sources) == 1 && s.spec.PartialFilterExpression.IsMissing() { // otherwise the update could delete a document that would have stayed
			repairs = append(repairs, a.convertRepair(s, shortForm)...)
		}
		report(Deletes, c, repairs, "%s in January or February 1970 in %s, which is what seconds become that are stored as milliseconds: %s would be %s. Of them "+haveExpired(c.expired)+".",
			"multiply by 1000. An update with a pipeline, from MongoDB 4.2 on, puts right what is stored; what is past the delay then still goes.")
	}
	if c := &s.dates.fine; c.documents > 0 {
		report(Keeps, c, a.convertRepair(s, longForm, longestForm), "%s in %s that no clock reaches, which is what microseconds or nanoseconds become that are stored as milliseconds: %s would be %s. No document expires by such a date.",
			"divide. An update with a pipeline puts right what is stored; what is past the delay then goes at once.")
	}
}

// holdDates returns "n documents hold dates", or its singular.
func holdDates(n int64) string {
	if n == 1 {
		return "1 document holds a date"
	}
	return cli.Documents(n) + " hold dates"
}

// isMillis reports whether expireAfterSeconds may be, or likely is, in milliseconds. It may
// be if n milliseconds are whole minutes that people choose: 1 to 5, a multiple of 5 below an
// hour, 90, or whole hours. It likely is if, in addition, n seconds are not whole days, or are
// two years or more.
func isMillis(n int64) (maybe, likely bool) {
	minutes := n / minuteMillis
	isUsual := minutes <= 5 || minutes%5 == 0 && minutes < 60 || minutes == 90 || minutes%60 == 0
	maybe = n > 0 && n%minuteMillis == 0 && isUsual || lookOf(n) == millis
	return maybe, maybe && (n%daySeconds != 0 || n >= longSeconds)
}

// longSeconds is two years. Hardly anybody wants a longer delay.
const longSeconds = 2 * 365 * daySeconds

// inspectSense reports an expireAfterSeconds that is valid but hardly ever intended.
func (a *collectionAudit) inspectSense(s *source) {
	n, whole := seconds(s.Option)
	if !whole || s.Option.IsNaN() || n < 0 || n >= int64(policy.MaxSeconds) {
		return
	}
	if maybe, likely := isMillis(n); maybe {
		s.millis = map[bool]Finding{true: a.millisFinding(s, n), false: {
			Rule: s.dateRule(), concern: byUnit,
			Text: a.replace(s, fmt.Sprintf("expireAfterSeconds {option} is %s. As milliseconds it would be %s.", catalog.Span(n), catalog.Span(n/1000))),
		}}
		a.report(s, s.millis[likely || a.isByThousand(s)])
	}
	if n == 0 && isPastName(s.Field) {
		a.report(s, a.zeroFinding(s, "{field} is named like a date on which something happened"))
	}
}

func (a *collectionAudit) millisFinding(s *source, n int64) Finding {
	after, given := a.given()
	if !given {
		after = n / 1000
	}
	return Finding{
		Severity: Keeps, Rule: s.dateRule(), concern: byUnit, Repairs: append(a.keepRepair(s), a.expireRepair(after, a.expiring(s, after))...),
		Text: a.replace(s, fmt.Sprintf("expireAfterSeconds {option} looks like %s. It counts seconds from {field}: %s.", millis.phrase(n), years(n))),
	}
}

// isByThousand reports whether the program that makes an index multiplies its delay by 1000.
func (a *collectionAudit) isByThousand(s *source) bool {
	i := a.position(s)
	return i >= 0 && i < len(a.byThousand) && a.byThousand[i]
}

// reviewMillis decides by the documents whether a delay is likely a number of
// milliseconds: only if the range of their dates is shorter than the delay.
func (a *collectionAudit) reviewMillis(s *source) {
	i := slices.IndexFunc(a.findings, func(f Finding) bool { return f.Index == s.index && f.concern == byUnit })
	if n, _ := seconds(s.Option); i >= 0 && s.dates.documents > 0 && !a.isByThousand(s) {
		line := a.findings[i].Line
		a.findings[i] = s.millis[int64(s.dates.last-s.dates.first)/1000 < n]
		a.findings[i].Index, a.findings[i].Line = s.index, line
	}
}

// zeroFinding returns the finding about a delay of 0 seconds after a date that is no
// deadline.
func (a *collectionAudit) zeroFinding(s *source, why string) Finding {
	f := Finding{
		Severity: Deletes, concern: byPolicy, Rule: reasons.Rule("mongo.seconds-zero"), Repairs: a.keepRepair(s),
		Text:   a.replace(s, "expireAfterSeconds is 0, and "+why+": a document expires as soon as that date is not in the future."),
		Advice: "Find out how long documents are to stay; --expire-after writes the command for it.",
	}
	if after, given := a.given(); given && after > 0 {
		f.Repairs, f.Advice = append(f.Repairs, a.expireRepair(after, a.expiring(s, after))...), ""
	}
	return f
}

func (a *collectionAudit) given() (int64, bool) { return a.options.ExpireAfter.AsInt64() }

// manyPast is the minimum number of dates from which the audit draws a conclusion. If at
// least so many dates are in a field and all are past, they are probably no deadlines.
const manyPast = 50

// reviewZero finds out from the documents whether the field of an index with a delay of 0
// seconds holds deadlines. It does if it is named like a deadline, or if some dates are
// in the future.
func (a *collectionAudit) reviewZero(s *source) {
	isZero := func(f Finding) bool { return f.Index == s.index && f.Rule == reasons.Rule("mongo.seconds-zero") }
	n, whole := seconds(s.Option)
	switch {
	case s.dates.pending > 0 || s.dates.documents == 0:
		a.findings = slices.DeleteFunc(a.findings, isZero)
	case s.index != "" && whole && n == 0 && s.dates.documents >= manyPast && s.dates.seconds.documents == 0 && !isDeadlineName(s.Field) && !slices.ContainsFunc(a.findings, isZero):
		a.report(s, a.zeroFinding(s, fmt.Sprintf("each of %s here has a past date in {field}, which is not named like a deadline", cli.Documents(s.dates.documents))))
	}
}

// reviewDelayed reports a delay after a date that is a deadline itself: its field is named
// like a deadline, and some of its dates are in the future. A delay of 0 is usual for such a
// field.
func (a *collectionAudit) reviewDelayed(s *source) {
	n, whole := seconds(s.Option)
	if s.index == "" || !whole || n <= 0 || s.dates.pending == 0 || s.dates.last <= a.options.Now || s.dates.fine.documents > 0 || !isDeadlineName(s.Field) {
		return
	}
	a.report(s, Finding{
		Severity: Harmless, Rule: s.dateRule(), concern: byPolicy,
		Text:   a.replace(s, fmt.Sprintf("{field} is named like a deadline, and dates in it are in the future: each document stays %s longer than its date says.", catalog.Span(n))),
		Advice: "If the date is the time at which the document is to go, expireAfterSeconds 0 is usual. Count what that deletes first: ttl forecast --what-if 0s.",
	})
}

// deadlineWords are parts of field names that suggest a deadline, in lower case.
var deadlineWords = []string{"expir", "until", "purge", "delet", "valid", "end", "ttl", "due", "deadline", "remov", "clean", "evict", "timeout", "dispos", "retention", "destroy", "archiv", "keep", "die", "drop", "stop", "close", "finish"}

func isDeadlineName(path string) bool {
	name := plainName(path)
	return slices.ContainsFunc(deadlineWords, func(word string) bool { return strings.Contains(name, word) })
}

// An overtaking is a pair of indexes: one with a short delay on a creation date, and one on
// a deadline that each document carries.
type overtaking struct {
	short, own  *source
	both, early int64 // the number of documents with both deadlines, and of those in which the short deadline comes first
}

// lookForOvertaking records each pair in which one index may delete before the other. An
// index with a filter, or on a date that is renewed, such as lastSeen, counts as
// intended.
func (a *collectionAudit) lookForOvertaking() {
	live := func(s *source) bool { return s.isOrdinary() && !s.Option.IsNaN() }
	for _, own := range a.sources {
		if n, _ := seconds(own.Option); n != 0 || !live(own) || isPastName(own.Field) {
			continue
		}
		for _, short := range a.sources {
			if n, _ := seconds(short.Option); n > 0 && live(short) && isCreationName(short.Field) && short.spec.PartialFilterExpression.IsMissing() {
				a.overtakings = append(a.overtakings, &overtaking{short: short, own: own})
			}
		}
	}
}

func (a *collectionAudit) reviewOvertaking(o *overtaking) {
	if 2*o.early <= o.both {
		return
	}
	n, _ := seconds(o.short.Option)
	a.report(o.own, Finding{
		Severity: Deletes, Rule: reasons.Rule("mongo.earliest-source"), Documents: o.early,
		Text: fmt.Sprintf("The index %s expires documents %s after %s, and the earliest deadline wins: of %s with both dates, %s before %s.",
			cli.Visible(o.short.index), catalog.Span(n), cli.Visible(o.short.Field), cli.Documents(o.both), cli.Count(o.early, "goes", "go"), cli.Visible(o.own.Field)),
		Repairs: a.repair("let this index decide", a.accepted(a.DropIndexes(o.short.index))),
	})
}

// creationNames and renewedNames are usual field names of a creation date and of a date of
// last use, in lower case and without punctuation.
var (
	creationNames = []string{"createdat", "created", "createdon", "createdate", "createddate", "createtime", "createdtime", "creationdate", "creationtime", "datecreated", "timecreated", "insertedat", "inserted", "insertdate", "insertedon", "timestamp", "loggedat"}
	renewedNames  = []string{"updatedat", "updated", "updatedon", "dateupdated", "modifiedat", "modified", "modifiedon", "lastmodified", "lastupdated", "lastseen", "lastaccess", "lastactivity"}
)

func isCreationName(path string) bool { return slices.Contains(creationNames, plainName(path)) }

// isPastName reports whether a field's name suggests a past date.
func isPastName(path string) bool {
	return isCreationName(path) || slices.Contains(renewedNames, plainName(path))
}

// plainName returns the last component of a path in lower case, without punctuation.
func plainName(path string) string {
	name := path[strings.LastIndexByte(path, '.')+1:]
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
}
