package mingo

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/pushdown"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/pushdown/aggregation"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/internal/policies"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A pushed is a policy with the documents on which its pipelines run.
type pushed struct {
	policy    *reasons.Policy
	count     *aggregation.Count
	filters   []policy.Value // the partial filter of each source; Missing for none
	documents []policy.D
	alone     []*mongo.Collection // each source by itself, without its filter
	indexes   []*mongo.Index
	bits      []int // the bit of each filter in the number of a pass; -1 for none
}

const (
	pushedPolicies  = 420
	pushedDocuments = 250
	pushedNow       = 1_700_000_000_123
)

// TestPushdownAgreesWithMingo runs pipelines on mingo, and compares their decisions about
// each document and their counts with this library. If mingo's $match and a partial index
// differ about a document, a habit of mingo must be the reason. The decision about that
// document is compared nevertheless.
func TestPushdownAgreesWithMingo(t *testing.T) {
	needMingo(t)
	policies := pushedPolicies
	if testing.Short() {
		policies /= 4
	}
	r := source(t)
	var all []pushed
	for range policies {
		all = append(all, randomPushed(t, r))
	}
	pairs, agreed, found, matched := 0, 0, 0, map[habit]int{}
	for i, answer := range aggregated(t, all) {
		p := all[i]
		memberships := p.checkDecisions(t, answer.decided)
		p.checkTally(t, answer.grouped, memberships)
		if p.checkFound(t, answer.found) {
			found++
		}
		for n, d := range p.documents {
			pairs++
			if why, differs := p.whyOutside(d, memberships[n]); differs {
				matched[why]++
			} else {
				agreed++
			}
		}
		if t.Failed() {
			t.Fatalf("policy %d: %s", i, p.policy.Description)
		}
	}
	t.Logf("%d pairs of a policy and a document, and %d tallies; %d agreed, the others by what mingo's $match takes in: %s; what has expired was found by %d", pairs, len(all), agreed, counted(matched), found)
	if pairs != policies*pushedDocuments || found < policies/8 || matched[noHabit] > 0 {
		t.Errorf("%d pairs, of which nothing explains %d", pairs, matched[noHabit])
	}
}

// randomPushed draws a policy of one to three sources, and documents.
func randomPushed(t *testing.T, r *rand.Rand) pushed {
	t.Helper()
	var p pushed
	spec := mongo.CollectionSpec{Namespace: "shop.logs"}
	var paths []string
	for i := range 1 + r.IntN(3)/2 + r.IntN(2) {
		paths = append(paths, randomPath(r))
		x := mongo.IndexSpec{
			Name: fmt.Sprint("index", i), Key: policy.D{{Key: paths[i], Value: policy.Int32Value(1)}},
			ExpireAfterSeconds: policy.Int32Value([]int32{0, 60, 86_400, 2_592_000, 2_147_483_647}[r.IntN(5)]),
		}
		if r.IntN(3) == 0 {
			x.PartialFilterExpression = policy.ObjectValue(randomFilter(r, 1))
		}
		spec.Indexes, p.filters = append(spec.Indexes, x), append(p.filters, x.PartialFilterExpression)
	}
	version, err := mongo.ParseVersion("8.3.13")
	if err == nil {
		p.policy, err = reasons.Compile(policies.OfMongoDB(spec, version, nil))
	}
	if err != nil {
		t.Fatal(err)
	}
	p.compileEach(t)
	widths := []string{"", "", "1h", "1d", "2w", "1mo", "1y"}
	width, _ := forecast.ParseWidth(widths[r.IntN(len(widths))])
	if p.count, err = aggregation.NewCount(p.policy, pushdown.Options{Now: pushedNow, Bucket: width}); err != nil {
		t.Fatal(err)
	}
	for n := range pushedDocuments {
		d := documentWith(r, paths[r.IntN(len(paths))], dateAround(r))
		p.documents = append(p.documents, append(policy.D{{Key: "_id", Value: policy.Int32Value(int32(n))}}, d...))
	}
	return p
}

// dateAround draws a date from a second to centuries away from now, or on the boundary of
// a minute or a horizon.
func dateAround(r *rand.Rand) policy.Value {
	if r.IntN(4) == 0 {
		minutes := []int64{0, 1, 2, 24 * 60, 7 * 24 * 60, 30 * 24 * 60, 30*24*60 + 1}[r.IntN(7)]
		return policy.DateValue(policy.Instant(pushedNow + 60_000*minutes + r.Int64N(3) - 1))
	}
	spread := []int64{1_000, 60_000, 86_400_000, 40 * 86_400_000, 3_000 * 86_400_000, 300_000 * 86_400_000}[r.IntN(6)]
	return policy.DateValue(policy.Instant(pushedNow + r.Int64N(2*spread) - spread))
}

// An aggregatedAnswer holds the results of a policy's pipelines over its documents. For
// each pass, decided is the result without the last stage, and grouped the result with
// it.
type aggregatedAnswer struct {
	decided [][]decidedRow
	grouped [][]json.RawMessage
	found   []decidedRow // by the pipeline of --find
}

type decidedRow struct {
	ID int `json:"_id"`
	Of struct {
		Source int
		Rule   string
		Kind   *string
		At     *int64
	}
}

// aggregated has mingo run the pipelines of all policies.
func aggregated(t *testing.T, all []pushed) (answers []aggregatedAnswer) {
	t.Helper()
	var in bytes.Buffer
	for _, p := range all {
		in.Write(policy.AppendExtJSON(nil, p.question()))
		in.WriteByte('\n')
	}
	cmd := exec.Command("node", "aggregate.mjs", os.Getenv("MINGO"))
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node aggregate.mjs: %v", err)
	}
	lines := bufio.NewReader(bytes.NewReader(out))
	for _, p := range all {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			t.Fatalf("mingo answers %d of %d policies", len(answers), len(all))
		}
		answers = append(answers, readAnswer(t, line, len(p.count.Passes)))
	}
	return answers
}

func readAnswer(t *testing.T, line []byte, passes int) (a aggregatedAnswer) {
	t.Helper()
	var all []json.RawMessage
	if err := json.Unmarshal(line, &all); err != nil || len(all) != 2*passes+2 {
		t.Fatalf("mingo answers %.200s: %v", line, err)
	}
	if err := json.Unmarshal(all[2*passes], &a.found); err != nil {
		t.Fatalf("mingo answers %.200s: %v", line, err)
	}
	for i, one := range all[:2*passes] {
		var rows []decidedRow
		var groups []json.RawMessage
		err := json.Unmarshal(one, &groups)
		if i%2 == 0 {
			err = json.Unmarshal(one, &rows)
			a.decided = append(a.decided, rows)
		} else {
			a.grouped = append(a.grouped, groups)
		}
		if err != nil {
			t.Fatalf("mingo answers %.200s: %v", one, err)
		}
	}
	return a
}

// question returns the line that asks mingo about a policy.
func (p pushed) question() policy.Value {
	var pipelines, documents policy.A
	for _, pass := range p.count.Passes {
		pipelines = append(pipelines, policy.ListValue(pass.Pipeline))
	}
	for _, d := range p.documents {
		documents = append(documents, policy.ObjectValue(d))
	}
	pipelines = append(pipelines, p.finding())
	return policy.ObjectValue(policy.D{{Key: "pipelines", Value: policy.ListValue(pipelines)}, {Key: "documents", Value: policy.ListValue(documents)}})
}

// finding returns a pipeline that finds the documents that have expired.
func (p pushed) finding() policy.Value {
	filter, _ := p.count.Expired()
	stage := func(name string, v policy.Value) policy.Value {
		return policy.ObjectValue(policy.D{{Key: name, Value: v}})
	}
	nothing := policy.ObjectValue(policy.D{})
	return policy.ListValue(policy.A{stage("$match", filter), stage("$project", stage("_id", policy.Int32Value(1))), stage("$match", nothing)})
}

// checkFound compares the documents that were found with those that have expired. It
// compares nothing and reports false if mingo's own $match decides: if a source has a
// partial filter, or if its path has no number.
func (p pushed) checkFound(t *testing.T, found []decidedRow) bool {
	t.Helper()
	for i, s := range p.policy.Sources {
		if !p.filters[i].IsMissing() || !strings.ContainsAny(s.Field, "01") {
			return false
		}
	}
	var got, want []int
	for _, row := range found {
		got = append(got, row.ID)
	}
	for n, d := range p.documents {
		if p.policy.Decide(d, pushedNow).State == policy.Expired {
			want = append(want, n)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("documents %v are found, want %v", got, want)
	}
	return true
}

// checkDecisions compares decisions, and returns the pass that each document is in.
func (p pushed) checkDecisions(t *testing.T, passes [][]decidedRow) []int {
	t.Helper()
	in := slices.Repeat([]int{-1}, len(p.documents))
	for n, rows := range passes {
		for _, row := range rows {
			if in[row.ID] >= 0 {
				t.Errorf("document %d is in pass %d and in %d", row.ID, in[row.ID], n)
			}
			in[row.ID] = n
			d, kind := p.decide(row.ID, n)
			var at *int64
			if deadline := int64(fixture.Deadline(d)); d.State != policy.Never {
				at = &deadline
			}
			got := decisionText(row.Of.Source, row.Of.Rule, kindText(row.Of.Kind), row.Of.At)
			want := decisionText(int(d.Source), d.Rule.String(), kind, at)
			if got != want {
				t.Errorf("%v: the pipeline decides %s, want %s", p.documents[row.ID], got, want)
			}
		}
	}
	if slices.Contains(in, -1) {
		t.Errorf("a document is in no pass: %v", in)
	}
	return in
}

func decisionText(source int, rule, kind string, at *int64) string {
	if at == nil {
		return fmt.Sprintf("source %d, %s, %s, never", source, rule, kind)
	}
	return fmt.Sprintf("source %d, %s, %s, at %d", source, rule, kind, *at)
}

// kindText returns a kind in the form that is compared. JavaScript has a single kind of
// number.
func kindText(kind *string) string {
	switch {
	case kind == nil:
		return policy.Missing.String()
	case *kind == "int", *kind == "long", *kind == "decimal":
		return "double"
	}
	return *kind
}

// decide returns the decision about a document that is in a pass, by the sources whose
// filters match in that pass.
func (p pushed) decide(n, pass int) (policy.Decision, string) {
	d := p.documents[n]
	var first policy.Decision
	for i, e := range p.alone {
		one := e.Decide(d, pushedNow)
		if b := p.bits[i]; b >= 0 && pass>>b&1 == 0 {
			one = policy.Decision{Rule: mismatch}
		}
		one.Source = uint8(i)
		if i == 0 || one.State != policy.Never && (first.State == policy.Never || fixture.Deadline(one) < fixture.Deadline(first)) {
			first = one
		}
	}
	kind := policy.Missing
	if text := reasons.TextOf(first.Rule); first.State == policy.Never && text != nil && text.ByKind != nil {
		kind = reasons.KindAt(d, strings.Split(p.policy.Sources[first.Source].Field, "."))
	}
	name := kind.String()
	return first, kindText(&name)
}

var mismatch = reasons.Rule("mongo.filter-mismatch")

// compileEach compiles the sources one by one.
func (p *pushed) compileEach(t *testing.T) {
	t.Helper()
	var texts []string
	for i, x := range p.policy.Collection.Indexes {
		index, err := mongo.CompileIndex(mongo.CollectionSpec{}, x, p.policy.Profile)
		x.PartialFilterExpression = policy.Value{}
		e, alone := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{x}}, p.policy.Profile)
		if err = cmp.Or(err, alone); err != nil {
			t.Fatal(err)
		}
		bit := -1
		if f := p.filters[i]; !f.IsMissing() {
			text := string(policy.AppendExtJSON(nil, f))
			if bit = slices.Index(texts, text); bit < 0 {
				bit, texts = len(texts), append(texts, text)
			}
		}
		p.alone, p.indexes, p.bits = append(p.alone, e), append(p.indexes, index), append(p.bits, bit)
	}
}

// whyOutside returns the habit of mingo that puts a document into another pass than
// this library does. It reports false if both put it into the same pass.
func (p pushed) whyOutside(d policy.D, pass int) (why habit, differs bool) {
	for i, f := range p.filters {
		if f.IsMissing() {
			continue
		}
		inside := p.indexes[i].Decide(d, pushedNow).Rule != mismatch
		if theirs := pass>>p.bits[i]&1 == 1; theirs != inside {
			filter, document := question{policy.DOf(f), d}.plain()
			one, ok := explain(model{}, filter, document, theirs)
			if !ok {
				return noHabit, true
			}
			why, differs = why|one, true
		}
	}
	return why, differs
}

// checkTally compares the counts of the pipelines with decisions that are counted one by
// one.
func (p pushed) checkTally(t *testing.T, passes [][]json.RawMessage, memberships []int) {
	t.Helper()
	o := forecast.Options{Now: pushedNow, Bucket: p.count.Bucket()}
	got, want := forecast.NewTally(len(p.filters), o), forecast.NewTally(len(p.filters), o)
	for _, rows := range passes {
		for _, raw := range rows {
			row, err := policy.ParseJSON(raw)
			if err != nil {
				t.Fatal(err)
			}
			counted, err := p.count.Row(&row)
			if err == nil {
				counted.Kind = numberKind(counted.Kind)
				err = got.Count(counted)
			}
			if err != nil {
				t.Errorf("%s: %v", raw, err)
			}
		}
	}
	for n := range p.documents {
		d, kind := p.decide(n, memberships[n])
		c := forecast.Counted{Sum: forecast.Sum{Documents: 1, Bytes: int64(100 + n)}, Rule: d.Rule, Source: int(d.Source), State: d.State, Kind: kindNamed(kind)}
		if d.State != policy.Never {
			c.First = forecast.MomentAt(fixture.Deadline(d), sampleOf(p.documents[n]))
			c.Last = c.First
		}
		c.Samples = []dump.Sample{sampleOf(p.documents[n])}
		if err := want.Count(c); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := shown(got), shown(want); a != b {
		t.Errorf("the pipelines count otherwise (-got +want): %s", diff.Diff(strings.Split(a, "\n"), strings.Split(b, "\n")))
	}
}

func sampleOf(d policy.D) dump.Sample { return dump.SampleOf(d, "_id", "", 0) }

func numberKind(k policy.Kind) policy.Kind {
	if k.IsNumber() {
		return policy.Double
	}
	return k
}

func kindNamed(name string) policy.Kind {
	for k := range math.MaxUint8 + 1 {
		if policy.Kind(k).String() == name {
			return policy.Kind(k)
		}
	}
	return policy.Missing
}

// shown returns as text the parts of a tally that do not depend on the order of
// documents.
func shown(t *forecast.Tally) string {
	var b strings.Builder
	fmt.Fprintln(&b, "sums", t.Total(), t.Expired, t.Pending, t.Never, t.Within, t.Sources)
	for _, m := range []forecast.Moment{t.ExpiredSpan.First, t.ExpiredSpan.Last, t.PendingSpan.First, t.PendingSpan.Last} {
		fmt.Fprintln(&b, "moment", m.At, m.Known())
	}
	findings := map[string]string{}
	for _, f := range t.Findings {
		findings[fmt.Sprint(f.Rule, f.Source, f.Kind)] = fmt.Sprint(f.Expired, f.Pending, f.Never)
	}
	for _, key := range slices.Sorted(maps.Keys(findings)) {
		fmt.Fprintln(&b, key, findings[key])
	}
	fmt.Fprintln(&b, "load", t.Load.Days())
	fmt.Fprintln(&b, "histogram", t.Histogram.View(60))
	return b.String()
}
