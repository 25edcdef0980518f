package change

import (
	"fmt"
	"math"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

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

// A period is a time during which a delay stands, from one step to the next.
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
