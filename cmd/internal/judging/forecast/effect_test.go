package forecast

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestEffect: documents that one policy deletes and the other keeps are counted one by one,
// so that one more and one fewer do not cancel. Under the present policy documents expire
// one day after a, and under the other policy two days after b.
func TestEffect(t *testing.T) {
	const now, day = policy.Instant(100 * 86_400_000), 86_400_000
	docs := [][]byte{
		bsonDate(1, "a", now-day),     // less: now and up to each horizon
		bsonDate(2, "b", now-2*day),   // more: now and up to each horizon
		bsonDate(3, "b", now-day),     // more: within 24 h
		bsonDate(4, "b", now-day+1),   // more: within 7 d
		bsonDate(5, "a", now+10*day),  // less: within 30 d
		bsonDate(6, "b", now+100*day), // more: later
		bsonDoc(7, "", 0, nil),        // no policy deletes it
	}
	one, n := int64(len(docs[0])), func(more, less, size int64) Difference {
		return Difference{Sum{more, more * size}, Sum{less, less * size}}
	}
	want := Effect{
		Now:    n(1, 1, one),
		Within: [len(Horizons)]Difference{n(2, 1, one), n(3, 1, one), n(3, 2, one)},
		Ever:   n(4, 2, one),
	}
	for _, check := range []bool{false, true} {
		job := Job{Policy: indexOn(t, "a", daySeconds), Others: []*reasons.Policy{indexOn(t, "b", 2*daySeconds)}, Collections: dump.NewInput(file(t, "x.bson", docs...)).Collections}
		r := Run(t.Context(), []Job{job}, Options{Now: now, Check: check})[0]
		if diff := cmp.Diff(want, r.Tally.Others[0].Effect); diff != "" || r.Err != nil {
			t.Errorf("check %v: %v, the effect differs (-want +got)\n%s", check, r.Err, diff)
		}
	}
}

// TestEffectOfDamage: a document that one policy finds malformed is not counted, even if
// the other policy stops reading before the damage.
func TestEffectOfDamage(t *testing.T) {
	doc := bsonDate(1, "a", 5)
	doc = append(doc[:len(doc)-1:len(doc)-1], 0x99, 'z', 0, 0) // after a, an element with an unknown type
	doc[0] = byte(len(doc))
	job := Job{Policy: indexOn(t, "a", 1), Others: []*reasons.Policy{indexOn(t, "b", 1)}, Collections: dump.NewInput(file(t, "x.bson", doc)).Collections}
	if r := Run(t.Context(), []Job{job}, Options{Now: 5e9, SkipBad: true})[0]; r.Err != nil || r.Tally.Bad != 1 || r.Tally.Others[0].Effect != (Effect{}) {
		t.Errorf("%v, %d bad, %+v; want 1 bad and no effect", r.Err, r.Tally.Bad, r.Tally.Others[0].Effect)
	}
}

// TestOthersAreRunsOfTheirOwn: the tally by each other policy equals that of a run by
// this policy alone.
func TestOthersAreRunsOfTheirOwn(t *testing.T) {
	const now = policy.Instant(100 * 86_400_000)
	list := []*reasons.Policy{indexOn(t, "a", 30*daySeconds), indexOn(t, "a", 7*daySeconds), indexOn(t, "b", 2*daySeconds)}
	var docs [][]byte
	for i := range int32(4000) { // enough for several blocks
		at := now + policy.Instant(i%97-60)*86_400_000 + policy.Instant(i)*1000
		switch i % 9 {
		case 0:
			docs = append(docs, bsonDate(i, "b", at))
		case 1:
			docs = append(docs, bsonString(i, "a", strings.Repeat("x", 300)))
		case 2:
			docs = append(docs, bsonDoc(i, "", 0, nil))
		default:
			docs = append(docs, of(at, i%5))
		}
	}
	path := file(t, "x.bson", docs...)
	width, err := ParseWidth("1d")
	if err != nil {
		t.Fatal(err)
	}
	horizon, err := ParseCondition("14d>0")
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]Options{
		"plain": {}, "checked": {Check: true}, "by a field": {By: "tenant.id"}, "by days": {Bucket: width}, "one worker": {Workers: 1},
		"a period": {Bucket: width, Period: Period{now, now + 5*86_400_000}}, "another horizon": {Horizons: horizon.Horizons()},
	} {
		o.Now = now
		run := func(first *reasons.Policy, others ...*reasons.Policy) *Tally {
			job := Job{Policy: first, Others: others, Collections: dump.NewInput(path).Collections}
			r := Run(t.Context(), []Job{job}, o)[0]
			if r.Err != nil || r.Tally.Total().Documents != int64(len(docs)) {
				t.Fatalf("%s: %d documents, %v", name, r.Tally.Total().Documents, r.Err)
			}
			return r.Tally
		}
		together := run(list[0], list[1:]...)
		for i, p := range list {
			want, got := run(p), together
			if i > 0 {
				got = together.Others[i-1]
				if got.Effect == (Effect{}) {
					t.Errorf("%s: policy %d has no effect, and deletes otherwise", name, i)
				}
			}
			got.Others, got.Effect = nil, Effect{}
			opts := []cmp.Option{cmp.Exporter(func(reflect.Type) bool { return true })}
			if diff := cmp.Diff(want, got, opts...); diff != "" {
				t.Errorf("%s: policy %d beside others differs from a run of its own (-want +got)\n%s", name, i, diff)
			}
			if i == 0 {
				together = run(list[0], list[1:]...)
			}
		}
	}
}
