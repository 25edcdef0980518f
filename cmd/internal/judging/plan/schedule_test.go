package plan

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A modelIndex is a TTL index of the model of a server below. Its filter is {k: 1} or none.
type modelIndex struct {
	field      string
	seconds    int64
	isFiltered bool
}

// A modelDoc is a document: the dates of its fields, in milliseconds, and the value of k.
type modelDoc struct {
	dates map[string][]int64
	k     int32
}

// due returns the instant at which an index deletes a document.
func (x modelIndex) due(d modelDoc) (at int64, ok bool) {
	if x.isFiltered && d.k != 1 || len(d.dates[x.field]) == 0 {
		return 0, false
	}
	return slices.Min(d.dates[x.field]) + x.seconds*1000, true
}

// A model is a server that holds one collection. It shares no code with the evaluator, with
// the counts or with the schedule.
type model struct {
	indexes map[string]modelIndex
	docs    []modelDoc
	gone    []bool
}

// until deletes the documents that expire up to an instant, and returns their number.
func (m *model) until(at int64) (n int64) {
	for i, d := range m.docs {
		for _, x := range m.indexes {
			if due, ok := x.due(d); ok && due <= at && !m.gone[i] {
				m.gone[i] = true
				n++
			}
		}
	}
	return n
}

var (
	modelCollMod = regexp.MustCompile(`\{collMod: "logs", index: \{(?:name: "([ab])_1"|keyPattern: \{([ab]): 1\}), expireAfterSeconds: (\d+)\}\}`)
	modelDrop    = regexp.MustCompile(`\{dropIndexes: "logs", index: "([ab])_1"\}`)
	modelCreate  = regexp.MustCompile(`\{createIndexes: "logs", indexes: \[\{key: \{([ab]): 1\}, name: "[ab]_1"(?:, expireAfterSeconds: (\d+))?(, partialFilterExpression: \{k: 1\})?(?:, expireAfterSeconds: (\d+))?\}\]\}`)
)

// run carries out a printed command.
func (m *model) run(command string) error {
	if found := modelCollMod.FindStringSubmatch(command); found != nil {
		x := m.indexes[found[1]+found[2]]
		x.field = found[1] + found[2]
		x.seconds, _ = strconv.ParseInt(found[3], 10, 64)
		m.indexes[x.field] = x
		return nil
	}
	if found := modelDrop.FindStringSubmatch(command); found != nil {
		delete(m.indexes, found[1])
		return nil
	}
	if found := modelCreate.FindStringSubmatch(command); found != nil {
		if seconds := found[2] + found[4]; seconds != "" {
			n, _ := strconv.ParseInt(seconds, 10, 64)
			m.indexes[found[1]] = modelIndex{found[1], n, found[3] != ""}
		}
		return nil
	}
	return fmt.Errorf("%s: the model does not know this command", command)
}

// A drawnChange is a dump with a wanted policy and a limit.
type drawnChange struct {
	stands, wanted map[string]modelIndex
	docs           []modelDoc
	most           int64
	release        string
}

var drawnSeconds = []int64{0, 1, 3600, 86_400, 7 * 86_400, 30 * 86_400, 45*86_400 + 17, 90 * 86_400, 365 * 86_400, 2_147_483_647}

// drawChange draws documents in groups: of one millisecond, of one second, of one day, or of
// one date a day, around deadlines that equal now, whole days, or any other instants.
func drawChange(t *rapid.T) (c drawnChange) {
	seconds := rapid.SampledFrom(drawnSeconds)
	c.stands, c.wanted = map[string]modelIndex{}, map[string]modelIndex{}
	for _, field := range []string{"a", "b"} {
		isFiltered := rapid.IntRange(0, 2).Draw(t, "filtered") == 0
		if rapid.IntRange(0, 4).Draw(t, "stands") > 1 {
			c.stands[field] = modelIndex{field, seconds.Draw(t, "seconds"), isFiltered}
		}
		switch stands, ok := c.stands[field]; {
		case field == "a":
			c.wanted[field] = modelIndex{field, seconds.Draw(t, "wanted seconds"), isFiltered}
		case ok && rapid.IntRange(0, 2).Draw(t, "stays") > 0:
			c.wanted[field] = stands
		case ok && rapid.Bool().Draw(t, "changes"):
			c.wanted[field] = modelIndex{field, seconds.Draw(t, "wanted seconds"), isFiltered}
		}
	}
	var anchors []int64 // dates whose deadline is now, or midnights around now
	for _, x := range []map[string]modelIndex{c.stands, c.wanted} {
		for _, field := range []string{"a", "b"} {
			if one, ok := x[field]; ok {
				anchors = append(anchors, int64(now)-one.seconds*1000)
			}
		}
	}
	for range rapid.IntRange(1, 6).Draw(t, "groups") {
		at := rapid.SampledFrom(anchors).Draw(t, "anchor") + rapid.Int64Range(-3, 30).Draw(t, "days")*day + rapid.SampledFrom([]int64{-1000, -1, 0, 0, 0, 1, 999}).Draw(t, "near")
		if rapid.Bool().Draw(t, "anywhere") {
			at = int64(now) - rapid.Int64Range(-30*day, 200*day).Draw(t, "age")
		}
		apart := rapid.SampledFrom([]int64{0, 100, 1000, day / 20, day}).Draw(t, "apart")
		other, isArray := rapid.SampledFrom([]int64{-day, 0, 1, 40 * day}).Draw(t, "other"), rapid.IntRange(0, 5).Draw(t, "array") == 0
		for i := range rapid.Int64Range(1, 25).Draw(t, "documents") {
			one := modelDoc{map[string][]int64{}, int32(i%3 + 1)}
			if i%5 != 4 {
				one.dates["a"] = []int64{at + i*apart}
			}
			if i%2 == 0 {
				one.dates["b"] = []int64{at + i*apart + other}
			}
			if isArray {
				one.dates["a"] = append(one.dates["a"], at+i*apart+day)
			}
			c.docs = append(c.docs, one)
		}
	}
	c.most = rapid.SampledFrom([]int64{1, 2, 3, 5, 10, 40}).Draw(t, "most")
	c.release = rapid.SampledFrom([]string{"3.2.0", "3.6.13", "4.4.29", "5.0.9", "6.0.14", "8.0.4"}).Draw(t, "release")
	return c
}

// write writes the dump into a folder, and returns the rules of the wanted policy.
func (c *drawnChange) write(dir string) (rules string, err error) {
	metadata := `{"options":{},"indexes":[{"v":2,"key":{"_id":1},"name":"_id_"}`
	for _, field := range []string{"a", "b"} {
		if x, ok := c.stands[field]; ok {
			metadata += fmt.Sprintf(`,{"v":2,"key":{"%s":1},"name":"%s_1","expireAfterSeconds":%d`, field, field, x.seconds)
			if x.isFiltered {
				metadata += `,"partialFilterExpression":{"k":1}`
			}
			metadata += "}"
		}
		if x, ok := c.wanted[field]; ok {
			rules += fmt.Sprintf("{key: %s, expireAfterSeconds: %d", field, x.seconds)
			if x.isFiltered {
				rules += ", partialFilterExpression: {k: 1}"
			}
			rules += "}, "
		}
	}
	var docs []policy.D
	for i, d := range c.docs {
		doc := policy.D{{Key: "_id", Value: policy.Int32Value(int32(i))}, {Key: "k", Value: policy.Int32Value(d.k)}}
		for _, field := range []string{"a", "b"} {
			var dates policy.A
			for _, at := range d.dates[field] {
				dates = append(dates, policy.DateValue(policy.Instant(at)))
			}
			switch len(dates) {
			case 0:
			case 1:
				doc = append(doc, policy.E{Key: field, Value: dates[0]})
			default:
				doc = append(doc, policy.E{Key: field, Value: policy.ListValue(dates)})
			}
		}
		docs = append(docs, doc)
	}
	data, err := bsonOf(docs)
	if err != nil {
		return "", err
	}
	for name, text := range map[string][]byte{"logs.metadata.json": []byte(metadata + "]}"), "logs.bson": data} {
		if err := os.WriteFile(filepath.Join(dir, "shop", name), text, 0o600); err != nil {
			return "", err
		}
	}
	return "indexes: [" + rules + "]", nil
}

// TestPropertySchedule: a model of a server carries out drawn schedules, command by command,
// day by day. No day deletes more documents than the limit without a step that says so; each
// step says how many go; no document goes before the earlier of its two deadlines; and in the
// end the policy is the wanted one. A longer run is go test -run Schedule -rapid.checks 10000.
func TestPropertySchedule(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "shop"), 0o700); err != nil {
		t.Fatal(err)
	}
	changes := rapid.Custom(drawChange)
	var found scheduleKinds
	for seed := range 40 { // the kinds that these changes have do not depend on chance
		found.check(t, dir, changes.Example(seed))
	}
	t.Logf("%+v", found)
	if found.staged*5 < found.all || found.over == 0 || found.expired == 0 || found.refused == 0 {
		t.Errorf("the drawn changes miss a kind: %+v", found)
	}
	rapid.Check(t, func(rt *rapid.T) {
		var one scheduleKinds
		one.check(rt, dir, changes.Draw(rt, "change"))
	})
}

// scheduleKinds counts drawn changes: all of them, those in steps, those with expired
// documents, those that are refused, and days above the limit that a step names.
type scheduleKinds struct{ all, staged, over, expired, refused int }

// check plans a change in a folder and lets the model carry it out.
func (k *scheduleKinds) check(t rapid.TB, dir string, drawn drawnChange) {
	rules, err := drawn.write(dir)
	if err != nil {
		t.Fatal(err)
	}
	planned, _, err := planIn(context.Background(), dir, rules, drawn.release, drawn.most)
	if err != nil || planned.Err != nil {
		t.Fatal(err, planned)
	}
	k.all++
	var steps []change.Step
	for _, item := range planned.Items {
		if item.Refused != "" {
			if strings.Contains(item.Refused, "do not hold") {
				t.Fatalf("refused: %s", item.Refused)
			}
			k.refused++
			return
		}
		steps = append(steps, item.Steps...)
	}
	if !slices.ContainsFunc(steps, func(s change.Step) bool { return s.At != nil }) {
		return // nothing deletes more
	}
	k.staged++
	m := &model{indexes: map[string]modelIndex{}, docs: drawn.docs, gone: make([]bool, len(drawn.docs))}
	for k, x := range drawn.stands {
		m.indexes[k] = x
	}
	before := m.until(int64(now))
	if got := planned.Documents.Expired.Documents; got != before {
		t.Fatalf("the plan counts %d expired documents, want %d", got, before)
	}
	if before > 0 {
		k.expired++
	}
	for at := int64(now); len(steps) > 0; at += day {
		var says *change.Step
		for len(steps) > 0 && (steps[0].At == nil || steps[0].At.Millis <= at) {
			if err := m.run(steps[0].Command); err != nil {
				t.Fatal(err)
			}
			if steps[0].Expired != nil && *steps[0].Expired != before {
				t.Fatalf("%s says %d have expired, want %d", steps[0].Command, *steps[0].Expired, before)
			}
			if steps[0].At != nil {
				says = &steps[0]
			}
			steps = steps[1:]
		}
		goes, backlog := m.until(at+day-1), int64(0)
		if at == int64(now) {
			backlog = before
		}
		if says != nil && *says.Deletes != goes {
			t.Fatalf("on %s go %d, the step says %d", says.At.Time, goes, *says.Deletes)
		}
		isOver := backlog+goes > drawn.most
		switch {
		case backlog > drawn.most: // the first step says so, on whichever day it is
		case isOver && (says == nil || says.Over == nil || *says.Over != backlog+goes || !strings.Contains(says.Warning, "more than "+strconv.FormatInt(drawn.most, 10))):
			t.Fatalf("%d days from now %d go, of at most %d, and the step says %+v", (at-int64(now))/day, backlog+goes, drawn.most, says)
		case isOver:
			k.over++
		case says != nil && says.Over != nil:
			t.Fatalf("%d go, of at most %d, and the step says %d", goes, drawn.most, *says.Over)
		}
		for i, d := range drawn.docs {
			if m.gone[i] && !isDue(drawn.stands, d, at+day-1) && !isDue(drawn.wanted, d, at+day-1) {
				t.Fatalf("%v goes by %d, and both policies keep it", d, at+day-1)
			}
		}
	}
	for field, x := range drawn.wanted {
		if m.indexes[field] != x {
			t.Fatalf("in the end %+v, want %+v", m.indexes[field], x)
		}
	}
	if len(m.indexes) != len(drawn.wanted) {
		t.Fatalf("in the end %+v, want %+v", m.indexes, drawn.wanted)
	}
}

func isDue(indexes map[string]modelIndex, d modelDoc, at int64) bool {
	for _, x := range indexes {
		if due, ok := x.due(d); ok && due <= at {
			return true
		}
	}
	return false
}
