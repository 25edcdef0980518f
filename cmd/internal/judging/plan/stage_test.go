package plan

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// stagedPlan makes a plan in steps for a dump of shop.logs, and returns the change and
// the collection before the change.
func stagedPlan(t *testing.T, rules, metadata, release string, docs []policy.D, most int64) (*Change, catalog.StoredCollection) {
	t.Helper()
	data, err := bsonOf(docs)
	if err != nil {
		t.Fatal(err)
	}
	dir := fixture.Files(t, map[string]string{"shop/logs.metadata.json": metadata, "shop/logs.bson": string(data)})
	planned, c, err := planIn(t.Context(), dir, rules, release, most)
	if err != nil {
		t.Fatal(err)
	}
	return planned, c
}

// bsonOf returns the documents as a dump holds them.
func bsonOf(docs []policy.D) (data []byte, err error) {
	for _, d := range docs {
		if data, err = policy.AppendBSON(data, policy.ObjectValue(d)); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// planIn is stagedPlan for the dump in a folder.
func planIn(ctx context.Context, dir, rules, release string, most int64) (planned *Change, c catalog.StoredCollection, err error) {
	f, err := parseFile("p", []byte("version: 1\nrules:\n- {namespace: shop.logs, "+rules+"}\n"))
	if err != nil {
		return nil, c, err
	}
	targets, err := catalog.Find(dir, nil, true)
	if err != nil {
		return nil, c, err
	}
	o := Options{Options: change.Options{Options: catalog.Options{Now: now}, MaxDeletes: most}}
	if o.Release, err = mongo.ParseVersion(release); err != nil {
		return nil, c, err
	}
	p, err := Of(ctx, f, targets, o)
	if err != nil {
		return nil, c, err
	}
	c, err = targets[0].Collection(o.Options.Options)
	return &p.Changes[0], c, err
}

// deletesByDay carries out the steps, each at its time. byDay is the number of documents
// that expire, by the evaluator, from one midnight to the next; backlog is the number
// that had expired before the first step.
func deletesByDay(t *testing.T, planned *Change, c catalog.StoredCollection, docs []policy.D) (backlog int64, byDay []int64, reached mongo.CollectionSpec) {
	t.Helper()
	var steps []change.Step
	for _, item := range planned.Items {
		if item.Refused != "" {
			t.Fatalf("%s is refused: %s", item.Name, item.Refused)
		}
		steps = append(steps, item.Steps...)
	}
	gone := make([]bool, len(docs))
	expire := func(spec mongo.CollectionSpec, at policy.Instant) (n int64) {
		by, err := mongo.CompileCollection(spec, c.Profile)
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range docs {
			if !gone[i] && by.Decide(d, at).State == policy.Expired {
				gone[i] = true
				n++
			}
		}
		return n
	}
	spec := c.Spec
	backlog = expire(spec, now) // counts documents that have expired before the first step
	for midnight := now; len(steps) > 0 || midnight == now; midnight += day {
		for len(steps) > 0 && (steps[0].At == nil || steps[0].At.Millis <= int64(midnight)) {
			var err error
			if spec, err = c.After(spec, steps[0].Run); err != nil {
				t.Fatalf("%s is refused: %v", steps[0].Command, err)
			}
			steps = steps[1:]
		}
		byDay = append(byDay, expire(spec, midnight+day-1))
	}
	return backlog, byDay, spec
}

// TestStepsKeepTheBound checks the steps for generated dumps by the decision engine: each
// day deletes at most the limit, each step has the right number of deletions, and after
// the last step the delay is the wanted one.
func TestStepsKeepTheBound(t *testing.T) {
	index := func(list string) string {
		return `{"options":{},"indexes":[{"v":2,"key":{"_id":1},"name":"_id_"}` + list + `]}`
	}
	const (
		t30 = `,{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":2592000}`
		u0  = `,{"v":2,"key":{"u":1},"name":"u_1","expireAfterSeconds":0}`
		k1  = `,{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":2592000,"partialFilterExpression":{"k":1}}`
	)
	for _, tt := range []struct {
		why, release, rules, metadata string
		name                          string // the name of the index; empty for the option
		seconds                       int64
	}{
		{"shorter", "8.0.4", "key: t, expireAfterSeconds: 7d", index(t30), "t_1", 604_800},
		{"by the key", "3.2.0", "key: t, expireAfterSeconds: 7d", index(t30), "t_1", 604_800},
		{"of the first releases", "2.4.0", "key: t, expireAfterSeconds: 7d", index(t30), "t_1", 604_800},
		{"to nothing", "8.0.4", "key: t, expireAfterSeconds: 0", index(t30), "t_1", 0},
		{"beside another", "8.0.4", "indexes: [{key: t, expireAfterSeconds: 7d}, {key: u, expireAfterSeconds: 0}]", index(t30 + u0), "t_1", 604_800},
		{"with a filter", "7.0.0", "key: t, expireAfterSeconds: 7d, partialFilterExpression: {k: 1}", index(k1), "t_1", 604_800},
		{"after one that keeps more", "8.0.4", "key: t, expireAfterSeconds: 7d", index(t30 + u0), "t_1", 604_800},
		{"created", "8.0.4", "key: t, expireAfterSeconds: 7d", index(""), "t_1", 604_800},
		{"created where a long delay is refused", "5.0.9", "key: t, expireAfterSeconds: 7d", index(""), "t_1", 604_800},
		{"on", "4.4.0", "key: t, expireAfterSeconds: 7d", index(`,{"v":2,"key":{"t":1},"name":"t_1"}`), "t_1", 604_800},
		{"NaN that deletes nothing", "8.0.4", "key: t, expireAfterSeconds: 7d", index(`,{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":{"$numberDouble":"NaN"}}`), "t_1", 604_800},
		{"the longest delay", "6.0.1", "key: t, expireAfterSeconds: 7d", index(`,{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":2147483647}`), "t_1", 604_800},
		{"clustered", "8.0.4", "expireAfterSeconds: 7d", `{"options":{"clusteredIndex":true,"expireAfterSeconds":2592000},"indexes":[]}`, "", 604_800},
	} {
		for seed := range uint64(3) {
			docs := generated(seed, 1000)
			most := []int64{60, 90, 400}[seed]
			planned, c := stagedPlan(t, tt.rules, tt.metadata, tt.release, docs, most)
			backlog, byDay, spec := deletesByDay(t, planned, c, docs)
			said, saidBacklog := map[policy.Instant]int64{}, int64(0)
			for _, s := range planned.Steps() {
				if s.At != nil {
					said[policy.Instant(s.At.Millis)] = *s.Deletes
				}
				if s.Expired != nil {
					saidBacklog += *s.Expired
				}
			}
			// Documents that have expired already are deleted on the first day. That day
			// may exceed the limit only because of the present policy.
			standing := *planned
			standing.Items = nil
			_, stands, _ := deletesByDay(t, &standing, c, docs)
			if first := backlog + byDay[0]; saidBacklog != backlog || first > most && byDay[0] > stands[0] {
				t.Errorf("%s, seed %d: %d documents have expired before and %d go on the first day, %d of them by what stands, of at most %d; the steps say %d have", tt.why, seed, backlog, byDay[0], stands[0], most, saidBacklog)
			}
			for d, n := range byDay {
				if says, ok := said[now+policy.Instant(d*day)]; n > most || ok && says != n {
					t.Errorf("%s, seed %d: on day %d of %d the engine deletes %d documents, of at most %d; the step says %d", tt.why, seed, d, len(byDay), n, most, says)
				}
			}
			if len(byDay) < 2 && seed == 0 {
				t.Errorf("%s, seed %d: %v is no sequence", tt.why, seed, byDay)
			}
			if stored := spec.ExpireAfterSeconds; tt.name == "" && !catalog.IsSeconds(stored, tt.seconds) || tt.name != "" && !catalog.HasSeconds(spec, tt.name, tt.seconds) {
				t.Errorf("%s, seed %d: the last step leaves %+v, want %d s", tt.why, seed, spec, tt.seconds)
			}
		}
	}
}

// generated returns documents with dates from 90 days before now up to now, to the
// millisecond, and some documents without a date. Each of the last 30 days has fewer
// documents than the limit for one day.
func generated(seed uint64, n int) (docs []policy.D) {
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range n {
		at := now - policy.Instant(r.Int64N(90*day))
		d := policy.D{{Key: "_id", Value: policy.DateValue(at)}, {Key: "k", Value: policy.Int32Value(int32(r.IntN(3)))}}
		if i%20 > 0 {
			d = append(d, policy.E{Key: "t", Value: policy.DateValue(at)})
		}
		if i%3 == 0 {
			d = append(d, policy.E{Key: "u", Value: policy.DateValue(at + policy.Instant(r.Int64N(200*day)))})
		}
		docs = append(docs, d)
	}
	return docs
}

// TestSteps: the commands and comments of steps are those worked out by hand.
func TestSteps(t *testing.T) {
	const metadata = `{"options":{},"indexes":[{"v":2,"key":{"_id":1},"name":"_id_"},{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":2592000}]}`
	// dates returns documents with dates of these numbers of days before now.
	dates := func(days ...float64) (docs []policy.D) {
		for _, n := range days {
			at := now - policy.Instant(n*day)
			docs = append(docs, policy.D{{Key: "_id", Value: policy.DateValue(at)}, {Key: "t", Value: policy.DateValue(at)}, {Key: "_u", Value: policy.DateValue(at)}})
		}
		return docs
	}
	many := func(n int, days float64) (list []float64) {
		for range n {
			list = append(list, days)
		}
		return list
	}
	spread := func(from float64, n int) (list []float64) {
		for i := range n {
			list = append(list, from+float64(i)/86_400)
		}
		return list
	}
	for _, tt := range []struct {
		why, rules string
		days       []float64
		most       int64
		want       []string
	}{
		// At the end of the first day a document of 20 days is 21 days old. With a delay
		// of 20 days, a document of 19 days expires at the end of the first day, and so
		// counts for the next day.
		{"two a day", "key: t, expireAfterSeconds: 7d", []float64{20, 20, 19, 12, 10, 9.5}, 2, []string{
			"2026-11-20 1728000 2", "2026-11-21 1036800 2", "2026-11-22 604800 2"}},
		{"more than there are", "key: t, expireAfterSeconds: 7d", []float64{20, 20, 19, 12, 10, 9.5}, 6, []string{"2026-11-20 604800 6"}},
		// One document has expired already and counts for the first day. That day deletes
		// 5 of the 6 other documents. At its end, documents of 9.5 days are 10.5 days
		// old.
		{"one gone before", "key: t, expireAfterSeconds: 7d", []float64{40, 20, 20, 19, 12, 10, 9.5}, 6, []string{
			"2026-11-20 907200 5 after 1", "2026-11-21 604800 1"}},
		// With the expired document, the two documents of 20 days would exceed the limit,
		// so the first day has no step. At the end of the second day, documents of 19
		// days are 21 days old. At the next step, documents of 10 days are 13 days old.
		{"one gone before, and no room", "key: t, expireAfterSeconds: 7d", []float64{40, 20, 20, 19, 12, 10, 9.5}, 2, []string{
			"2026-11-21 1814400 2 after 1", "2026-11-22 1123200 2", "2026-11-23 604800 2"}},
		{"more gone before than may go", "key: t, expireAfterSeconds: 7d", []float64{40, 41, 42, 29.5, 20, 19}, 2, []string{
			"2026-11-21 604800 2 after 3: The 3 that have expired already are more than 2, so that no step deletes more on their day."}},
		{"of one millisecond too many", "key: t, expireAfterSeconds: 7d", append(many(5, 20), 12), 3, []string{
			"2026-11-20 1123200 5: 5 of them have their dates within 1 second, and no delay tells those apart", "2026-11-21 604800 1"}},
		{"such that others wait a day", "key: t, expireAfterSeconds: 7d", append(many(5, 20), 25), 3, []string{
			"2026-11-20 1814400 1", "2026-11-21 604800 5: That is more than 3"}},
		{"many of one day, for whom the delay gets longer again", "key: t, expireAfterSeconds: 7d", []float64{20, 19.9, 19.8, 19.7}, 1, []string{
			"2026-11-20 1805760 1", "2026-11-21 1883520 1", "2026-11-22 1961280 1", "2026-11-23 604800 1"}},
		{"too many by what stands", "key: t, expireAfterSeconds: 7d", []float64{29.5, 29.4, 29.3, 29.2}, 3, []string{
			"refused: not possible in steps: on day 1 the present times to live delete more than 3 documents"}},
		{"nothing for long", "key: t, expireAfterSeconds: 0", []float64{-500, -501}, 1, []string{"2026-11-20 0 0: count again before it"}},
		{"created, too many to end", "key: _u, expireAfterSeconds: 7d", spread(8, 400), 1, []string{
			"refused: not possible in steps: 366 days do not suffice at 1 document a day"}},
		{"several", "indexes: [{key: t, expireAfterSeconds: 7d}, {key: u, expireAfterSeconds: 0}]", many(5, 20), 3, []string{
			"refused: not possible in steps: several changes of this", "refused: not possible in steps: several changes of this"}},
		{"longer", "key: t, expireAfterSeconds: 60d", many(5, 20), 3, []string{"once 5184000"}},
	} {
		planned, _ := stagedPlan(t, tt.rules, metadata, "8.0.4", dates(tt.days...), tt.most)
		var got []string
		for _, item := range planned.Items {
			if item.Refused != "" {
				got = append(got, "refused: "+item.Refused)
			}
			for _, s := range item.Steps {
				_, seconds, ok := strings.Cut(strings.TrimSuffix(s.Command, "}})"), "expireAfterSeconds: ")
				switch {
				case !ok: // the command drops an index
					continue
				case s.At == nil:
					got = append(got, "once "+seconds)
					continue
				}
				text := fmt.Sprintf("%s %s %d", strings.TrimSuffix(s.At.Time, "T00:00:00.000Z"), seconds, *s.Deletes)
				if s.Expired != nil {
					text += fmt.Sprintf(" after %d", *s.Expired)
				}
				got = append(got, strings.TrimSpace(text+" "+s.Warning))
			}
		}
		for i, want := range tt.want {
			head, tail, _ := strings.Cut(want, ": ")
			if i < len(got) && strings.HasPrefix(got[i], head) && strings.Contains(got[i], tail) {
				got[i] = want // got has the parts of want
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: the steps differ (-want +got):\n%s", tt.why, diff)
		}
	}
}

// TestExpiredBeforeSteps: documents that have expired, but that the server has not
// deleted yet, are deleted on the first day if their index stays, and stay if a command
// drops the index. In both cases the first day deletes at most the number that the steps
// state.
func TestExpiredBeforeSteps(t *testing.T) {
	const metadata = `{"options":{},"indexes":[{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":2592000},{"v":2,"key":{"u":1},"name":"u_1","expireAfterSeconds":0}]}`
	var docs []policy.D
	for i := range policy.Instant(100) {
		d := policy.D{{Key: "t", Value: policy.DateValue(now - i*day/4)}}
		if i%4 == 0 {
			d = append(d, policy.E{Key: "u", Value: policy.DateValue(now - 3_600_000)})
		}
		docs = append(docs, d)
	}
	for rules, drops := range map[string]bool{"indexes: [{key: t, expireAfterSeconds: 7d}, {key: u, expireAfterSeconds: 0}]": false, "indexes: [{key: t, expireAfterSeconds: 7d}]": true} {
		planned, c := stagedPlan(t, rules, metadata, "8.0.4", docs, 40)
		spec, before, said := c.Spec, int64(0), int64(0)
		for _, s := range planned.Steps() {
			if s.At != nil && s.At.Millis > int64(now) {
				break
			}
			var err error
			if spec, err = c.After(spec, s.Run); err != nil {
				t.Fatal(err)
			}
			if s.Expired != nil {
				before = *s.Expired
			}
			if s.Deletes != nil {
				said = *s.Deletes
			}
		}
		by, err := mongo.CompileCollection(spec, c.Profile)
		if err != nil {
			t.Fatal(err)
		}
		expired, gone := 0, int64(0)
		for i, d := range docs {
			if by.Decide(d, now+day-1).State == policy.Expired {
				gone++
				if i%4 == 0 {
					expired++
				}
			}
		}
		if before != 25 || gone > before+said || !drops && gone != before+said || drops && expired == 25 {
			t.Errorf("%s: %d go on the first day, %d of them expired before, and the steps say %d and %d", rules, gone, expired, before, said)
		}
	}
}
