package change

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// daySeconds is the time from one step to the next, one day, in seconds.
const daySeconds = 86_400

// A staging is a change made in steps, one a day, so that no day deletes too many
// documents.
type staging struct {
	stands collection
	item   *Item
	of     *forecast.AgesOf
	// longest is the longest delay of a step.
	longest int64
}

// refuse removes the commands of the items that delete more documents, and sets the
// reason in each of these items.
func (x *Change) refuse(why string) {
	for i := range x.Items {
		if item := &x.Items[i]; item.deletes() {
			item.Steps, item.Refused = nil, "not possible in steps: "+why
		}
	}
}

// deletes reports whether an item makes documents expire that did not expire before, or
// makes documents expire earlier.
func (i *Item) deletes() bool {
	switch {
	case i.Action == Nothing || i.Refused != "":
		return false
	case i.Name == defaultTTL:
		return i.Action != ToDrop
	}
	return i.turn == deletesMore || i.turn == creates
}

// prepare finds the item to divide into steps, if there is one, and the policies needed
// to count documents for that item.
func (x *Change) prepare(stands collection, o Options) (err error) {
	var items []*Item
	for i := range x.Items {
		if x.Items[i].deletes() {
			items = append(items, &x.Items[i])
		}
	}
	switch {
	case len(items) == 0:
		return nil
	case len(items) > 1:
		x.refuse("several changes of this collection delete more documents; make one at a time, with a policy file that keeps the others as they are")
		return nil
	}
	s := &staging{stands: stands, item: items[0]}
	for i := range x.Items { // the other items run before the steps
		if &x.Items[i] == s.item {
			continue
		}
		for _, step := range x.Items[i].Steps {
			if s.stands.Spec, err = s.stands.After(s.stands.Spec, step.Run); err != nil {
				return err
			}
		}
	}
	s.stands = s.stands.with(s.stands.Spec)
	// Some releases refuse a delay that is longer than the time since 1970.
	s.longest = max(s.item.seconds, min(s.item.from, math.MaxInt32, int64(o.Now)/1000-1))
	if s.of, err = s.agesOf(o.Parameters); err != nil {
		x.refuse(cli.ErrorLine(err))
		return nil
	}
	x.staging = s
	return nil
}

func (c *collection) with(spec mongo.CollectionSpec) collection {
	out := *c
	out.Spec, out.ListedIndexes = spec, nil
	for _, x := range spec.Indexes {
		out.ListedIndexes = append(out.ListedIndexes, policy.ObjectValue(x.Document()))
	}
	return out
}

func (s *staging) setTo(spec mongo.CollectionSpec, seconds int64) (Item, mongo.CollectionSpec, error) {
	c := s.stands.with(spec)
	item := s.item.at(&c, seconds)
	after := c.settle(&item, spec)
	if item.Refused != "" {
		return item, spec, errors.New(item.Refused)
	}
	return item, after, nil
}

// agesOf returns the policies by which documents are counted: the item's time to live
// alone with the wanted delay, the item's time to live alone with the longest delay, and
// the times to live of all other indexes and options.
func (s *staging) agesOf(parameters policy.D) (*forecast.AgesOf, error) {
	of := &forecast.AgesOf{Seconds: s.item.seconds, LongestSeconds: s.longest}
	for _, x := range []struct {
		to      **reasons.Policy
		seconds int64
		isRest  bool
	}{{&of.Alone, of.Seconds, false}, {&of.Longest, of.LongestSeconds, false}, {&of.Rest, of.Seconds, true}} {
		item, spec, err := s.setTo(s.stands.Spec, x.seconds)
		if err == nil {
			*x.to, err = reasons.Compile(definition.OfMongoDB(only(spec, item.Name, x.isRest), s.stands.Release, parameters))
		}
		if err != nil {
			return nil, err
		}
	}
	return of, nil
}

// The function only returns the collection with a single time to live: that of the named
// index, or of the collection's option if name is optionName. If others is true, it
// returns the collection with all times to live except that one.
func only(spec mongo.CollectionSpec, name string, others bool) mongo.CollectionSpec {
	if (name == optionName) == others {
		spec.ExpireAfterSeconds = policy.Value{}
	}
	spec.Indexes = slices.DeleteFunc(slices.Clone(spec.Indexes), func(x mongo.IndexSpec) bool {
		return !x.Clustered && (x.Name == name) == others
	})
	return spec
}

// stage replaces the item's commands by those of the steps, after the documents are
// counted.
func (x *Change) stage(o Options) {
	s := x.staging
	switch {
	case x.Before != nil && x.Before.System == definition.CosmosNoSQL:
		if x.Documents == nil || x.Effect.More() {
			x.refuse("there are steps for MongoDB alone")
		}
		return
	case s == nil:
		return
	case x.Documents == nil:
		x.refuse("no documents were read to count")
		return
	case x.Err != nil:
		x.refuse("its documents were not all read")
		return
	case x.Documents.Ages.Unequal:
		x.refuse("the deadlines of its documents do not follow from their dates alone")
		return
	}
	steps, err := schedule(x.Documents.Ages, s.item.from, s.longest, s.item.seconds, o.MaxDeletes)
	if err == nil {
		err = s.write(steps, x.Documents.Ages, o)
	}
	if err != nil {
		x.refuse(cli.ErrorLine(err))
	}
}

type daily struct {
	number, seconds int64
	deletes         int64 // the number of documents deleted in the 24 h of the step
	together        int64 // the number of documents with one date, if this number exceeds the limit; otherwise 0
	gone            int64 // the number of documents that had expired before, if they make the first day exceed the limit; otherwise 0
}

// schedule returns the steps from the present delay, or forever, to the wanted delay. No
// step has a longer delay than the present delay. A step may have a longer delay than the
// preceding step, if many documents are about to expire. The argument most is the limit:
// no day deletes more documents, except if more documents than the limit share one date.
// Documents that have expired already count for the first day. If they exceed the limit,
// the steps begin on the second day. Any other day that exceeds the limit has a step, even
// if its delay is that of the preceding day, so that the step can say so. The error is the
// reason why there are no steps.
func schedule(ages *forecast.Ages, from, longest, wanted, most int64) (steps []daily, err error) {
	list := ages.List()
	var alive [forecast.Days + 1]int64 // the number of documents by the day on which AgesOf.Rest deletes them
	for _, a := range list {
		alive[a.RestDay] += a.Documents
	}
	delay := from
	for d := range int64(forecast.Days) {
		end := (d + 1) * daySeconds // a delay deletes by end the documents dated before end minus the delay
		today := daily{number: d, seconds: wanted, deletes: alive[d]}
		before := int64(0) // the number of documents that have expired already
		chosen := false    // whether the step deletes more than the present policy
		if d == 0 {
			before = ages.Gone
		}
		for isFirst := true; len(list) > 0 && list[0].At < end-wanted; {
			isForced := list[0].At < end-longest
			n, together := first(list, d)
			n24 := today.deletes - today.together + together
			fits := before+n24 <= most
			switch {
			case fits && (isForced || today.together == 0):
			case isForced && before > 0 && n24 <= most: // no step can prevent these deletions
			case together > most && before == 0 && (isForced || isFirst && today.together == 0):
				today.together += together
			case isForced:
				return nil, fmt.Errorf("on day %d the present times to live delete more than %s", d+1, cli.Documents(most))
			default:
				today.seconds = end - list[0].At
			}
			if today.seconds != wanted {
				break
			}
			for _, a := range list[:n] {
				alive[a.RestDay] -= a.Documents
			}
			today.deletes += together
			list, isFirst, chosen = list[n:], isFirst && isForced, chosen || !isForced || from > longest
		}
		if today.seconds != wanted && delay == from && !chosen && today.together == 0 {
			today.seconds = delay // documents that the present policy deletes need no step
		}
		if today.deletes-today.together > most {
			return nil, fmt.Errorf("on day %d the time to live of another index or option deletes %s", d+1, cli.Documents(alive[d]))
		}
		if before <= most && before+today.deletes > most {
			today.gone = before
			today.seconds = min(today.seconds, longest) // an index that is missing is created
		}
		if today.seconds != delay || today.gone > 0 || today.together > 0 {
			steps = append(steps, today)
		}
		if delay = today.seconds; delay == wanted {
			return steps, nil
		}
	}
	return nil, fmt.Errorf("%d days do not suffice at %s a day", forecast.Days, cli.Documents(most))
}

// The function first returns the number of entries with the first date of the list, and
// the number of their documents that the policy [forecast.AgesOf.Rest] has not deleted by
// the end of day d.
func first(list []forecast.Aged, d int64) (n int, documents int64) {
	for n < len(list) && list[n].At == list[0].At {
		if int64(list[n].RestDay) > d {
			documents += list[n].Documents
		}
		n++
	}
	return n, documents
}

func (s *staging) write(steps []daily, ages *forecast.Ages, o Options) error {
	var list []Step
	spec := s.stands.Spec
	name := s.item.Name
	var states []mongo.CollectionSpec // the collection after each step of list
	isWarned := false
	for _, d := range steps {
		item, after, err := s.setTo(spec, d.seconds)
		if err == nil && item.Action == Nothing {
			item.Steps, err = s.repeat(spec, item.Name, d.seconds)
		}
		if err != nil {
			return err
		}
		at := cli.TimeOf(o.Now + policy.Instant(d.number*daySeconds*1000))
		for i := range item.Steps {
			step := item.Steps[i]
			step.At, step.Deletes = &at, &d.deletes
			if text := d.overLimit(ages.Width, o.MaxDeletes); text != "" {
				over := d.gone + d.deletes
				step.Warning, step.Over = join(step.Warning, text), &over
			}
			if !isWarned && (d.number+1)*daySeconds > d.seconds {
				isWarned = true
				step.Warning = join(step.Warning, "From here on documents with a date after --now go too, and those that are written since then are in no number: count again before it.")
			}
			if len(list) == 0 && ages.Gone > 0 {
				step.Expired = &ages.Gone
				if ages.Gone > o.MaxDeletes {
					step.Warning = join(fmt.Sprintf("The %s that have expired already are more than %s, so that no step deletes more on their day.", cli.Number(ages.Gone), cli.Number(o.MaxDeletes)), step.Warning)
				}
			}
			list = append(list, step)
			states = append(states, after)
		}
		spec, name = after, item.Name
	}
	r := replay{of: &s.stands, name: name, ages: ages.List(), width: ages.Width, gone: ages.Gone, most: o.MaxDeletes, now: o.Now}
	if err := r.check(list, states, s.item.seconds); err != nil {
		return fmt.Errorf("the steps were carried out on the counts before they were printed, and do not hold: %w", err)
	}
	s.item.Steps = list
	return nil
}

// overLimit says that the day of a step deletes more than most documents, and why; "" if it
// does not. Dates within width seconds share a count.
func (d *daily) overLimit(width, most int64) string {
	switch {
	case d.together > 0:
		return fmt.Sprintf("That is more than %s: %s of them have their dates within %s, and no delay tells those apart.", cli.Number(most), cli.Number(d.together), cli.Count(width, "second", "seconds"))
	case d.gone > 0:
		return fmt.Sprintf("With the %s that have expired already that is more than %s: the times that stand delete them, and no step prevents it.", cli.Number(d.gone), cli.Number(most))
	}
	return ""
}

// repeat returns a step that sets the delay that the index or option of this name has
// already. It changes nothing, and stands for a day that needs a warning.
func (s *staging) repeat(spec mongo.CollectionSpec, name string, seconds int64) ([]Step, error) {
	c := s.stands.Collection
	ways := [][]catalog.Command{{c.CollMod(policy.E{Key: optionName, Value: pasted.Integer(seconds)})}}
	if i := slices.IndexFunc(spec.Indexes, func(x mongo.IndexSpec) bool { return x.Name == name }); i >= 0 && name != optionName {
		ways = c.SecondsWays(policy.ObjectValue(spec.Indexes[i].Document()), seconds)
		for i, way := range ways {
			ways[i] = way[len(way)-1:] // creating an index that is there changes nothing, and dropping it would
		}
	}
	x, err := First(c, spec, nil, ways...)
	if err != nil {
		return nil, err
	}
	lines, err := x.Lines()
	if err != nil {
		return nil, err
	}
	return []Step{{Command: lines[0], Run: x.Commands[0], Warning: "The time to live stays as it is on this day."}}, nil
}

func join(a, b string) string { return strings.TrimSpace(a + " " + b) }

// A replay carries out printed steps on the counted dates of the documents. It shares no
// code with the function schedule, which chose the steps: it goes document by document
// instead of day by day, and takes the delays from the collection as the commands leave it.
type replay struct {
	of   *collection // the collection before the steps
	name string      // the name of the index whose delay changes, or optionName
	// ages are the dates of the documents. A count holds the dates of width seconds. gone is
	// the number of documents that had expired before the first day.
	ages        []forecast.Aged
	width, gone int64
	most        int64 // the largest number of documents to delete on one day
	now         policy.Instant
}

type period struct {
	first, end int64 // days from now; end is excluded
	seconds    int64
}

// check reports the first day on which the steps delete more than the limit without saying
// so, or another number than they say. states are the collections after each step. The last
// step has to leave the delay wanted.
func (r *replay) check(steps []Step, states []mongo.CollectionSpec, wanted int64) error {
	periods := []period{{0, forecast.Days, r.delayIn(r.of.Spec)}}
	byDay := map[int64]*Step{}
	last := int64(0)
	for i := range steps {
		day, rest := divide(steps[i].At.Millis-int64(r.now), 1000*24*60*60)
		if rest != 0 || day < last || day >= forecast.Days {
			return fmt.Errorf("a step is at %s", steps[i].At.Time)
		}
		byDay[day], last = &steps[i], day
		periods[len(periods)-1].end = day
		periods = append(periods, period{day, forecast.Days, r.delayIn(states[i])})
	}
	if left := periods[len(periods)-1].seconds; left != wanted {
		return fmt.Errorf("the last step leaves %s, not %s", cli.Count(left, "second", "seconds"), cli.Count(wanted, "second", "seconds"))
	}
	sure, possible := r.deletions(periods)
	for day := int64(0); day <= last; day++ {
		step, before := byDay[day], int64(0)
		if day == 0 {
			before = r.gone
		}
		switch goes := before + possible[day]; {
		case step != nil && (*step.Deletes < sure[day] || *step.Deletes > possible[day]):
			return fmt.Errorf("on day %d %s go, and the step says %s", day+1, cli.Documents(possible[day]), cli.Number(*step.Deletes))
		case goes <= r.most || before > r.most && steps[0].Expired != nil:
		case before+sure[day] <= r.most && sure[day] < possible[day]:
			return fmt.Errorf("dates are counted by spans of %s, so that day %d may delete more than %s", cli.Count(r.width, "second", "seconds"), day+1, cli.Documents(r.most))
		case step == nil || step.Over == nil || *step.Over != before+*step.Deletes:
			return fmt.Errorf("on day %d %s go, and no step says that this is more than %s", day+1, cli.Documents(goes), cli.Number(r.most))
		}
	}
	return nil
}

// deletions counts the documents by the day on which they go. The dates of a count may lie
// on both sides of a midnight. Its documents are then sure on no day, and possible on each.
func (r *replay) deletions(periods []period) (sure, possible [forecast.Days + 1]int64) {
	for _, a := range r.ages {
		from, to := goesOn(periods, a.At, a.RestDay), goesOn(periods, a.At+r.width-1, a.RestDay)
		if from == to {
			sure[from] += a.Documents
		}
		for day := from; day <= to; day++ {
			possible[day] += a.Documents
		}
	}
	return sure, possible
}

// goesOn returns the day on which a document goes whose date is at, in seconds from now,
// and which other indexes delete on restDay. The day is [forecast.Days] if it stays.
func goesOn(periods []period, at int64, restDay int) int64 {
	goes := int64(restDay)
	for _, p := range periods {
		due := int64(math.MaxInt64)
		if at <= due-p.seconds {
			due = at + p.seconds
		}
		day, _ := divide(due, 24*60*60)
		if day = max(day, p.first); day < p.end {
			return min(goes, day)
		}
	}
	return goes
}

// divide returns the quotient, rounded down, and the remainder.
func divide(a, b int64) (quotient, remainder int64) {
	quotient, remainder = a/b, a%b
	if remainder < 0 {
		quotient, remainder = quotient-1, remainder+b
	}
	return quotient, remainder
}

// delayIn returns the delay that a collection has, in seconds; forever if it has none.
func (r *replay) delayIn(spec mongo.CollectionSpec) int64 {
	if r.name == optionName {
		return r.of.effective(spec.ExpireAfterSeconds)
	}
	for _, x := range spec.Indexes {
		if x.Name == r.name {
			return r.of.effective(x.ExpireAfterSeconds)
		}
	}
	return forever
}
