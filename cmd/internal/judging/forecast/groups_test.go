package forecast

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The function of returns a document with a date in the field a and a number in
// tenant.id. If the number is negative, the document has no tenant.id.
func of(at policy.Instant, tenant int32) []byte {
	date := policy.DateValue(at)
	d := policy.D{{Key: "_id", Value: policy.Int32Value(tenant)}, {Key: "a", Value: date}}
	if tenant >= 0 {
		d = append(d, policy.E{Key: "tenant", Value: policy.ObjectValue(policy.D{{Key: "id", Value: policy.Int32Value(tenant)}})})
	}
	raw, err := policy.AppendBSON(nil, policy.ObjectValue(d))
	if err != nil {
		panic(err)
	}
	return raw
}

func TestGroups(t *testing.T) {
	docs := [][]byte{of(1, 7), of(9000, 7), of(1, -1), bsonDoc(5, "", 0, nil), of(2, 3)}
	tally, err := runFiles(t.Context(), []dump.File{file(t, "a.bson", docs...)}, testPolicy, Options{Now: 5000, By: "tenant.id"})
	if err != nil {
		t.Fatal(err)
	}
	n, m, k := int64(len(docs[0])), int64(len(docs[2])), int64(len(docs[3]))
	first := func(offset int64) Place { return Place{tally.ExpiredSpan.First.Sample.File, offset} }
	want := []Group{
		{Value: `{"$numberInt":"7"}`, ByState: ByState{Expired: Sum{1, n}, Pending: Sum{1, n}}, First: first(0)},
		{Value: "", ByState: ByState{Expired: Sum{1, m}, Never: Sum{1, k}}, First: first(2 * n)},
		{Value: `{"$numberInt":"3"}`, ByState: ByState{Expired: Sum{1, n}}, First: first(2*n + m + k)},
	}
	if diff := cmp.Diff(want, tally.Groups.List); diff != "" {
		t.Errorf("groups (-want +got)\n%s", diff)
	}
}

// TestGroupsAreBounded: the first values have groups, independently of the division into
// blocks, and the counts add up to the number of documents.
func TestGroupsAreBounded(t *testing.T) {
	var docs [][]byte
	for i := range 3 * MaxGroups {
		docs = append(docs, of(policy.Instant(i), int32(i)), of(0, 5))
	}
	var all [2]Groups
	for i := range all {
		tally, err := runFiles(t.Context(), []dump.File{file(t, "a.bson", docs[:2500*i]...), file(t, "b.bson", docs[2500*i:]...)}, testPolicy, Options{Now: 5, By: "tenant.id", Workers: 1 + i})
		if err != nil {
			t.Fatal(err)
		}
		all[i] = tally.Groups
		if g := tally.Groups; len(g.List) != MaxGroups || g.Other.Total().Documents != 2*MaxGroups || g.List[1].Total().Documents != 3*MaxGroups+1 || g.List[MaxGroups-1].Value != dump.ID(fmt.Sprintf(`{"$numberInt":"%d"}`, MaxGroups-1)) {
			t.Errorf("%d groups, %d others, %d with 5, the last is %s", len(g.List), g.Other.Total().Documents, g.List[1].Total().Documents, g.List[len(g.List)-1].Value)
		}
	}
	if diff := cmp.Diff(all[0].List, all[1].List, cmpopts.IgnoreFields(Group{}, "First")); diff != "" {
		t.Errorf("groups depend on the files (-one +two)\n%s", diff)
	}
}

// TestExpiredInOrder: [Options.Expired] is called once with each document that has
// expired, in the order of the input, with its bytes. An error ends the job.
func TestExpiredInOrder(t *testing.T) {
	var docs [][]byte
	for i := range int32(40_000) {
		docs = append(docs, bsonDate(i, "a", policy.Instant(i%3))) // the deadlines are 0, 1 and 2; a deadline of 2 is pending
	}
	f := file(t, "a.bson", docs...)
	next, n := int32(0), 0
	_, err := runFiles(t.Context(), []dump.File{f}, testPolicy, Options{Now: 1, Workers: 3, Expired: func(d Document) error {
		for next%3 == 2 {
			next++
		}
		if id := int32(binary.LittleEndian.Uint32(d.Raw[9:])); id != next || fixture.Deadline(d.Decision) != policy.Instant(id%3) || d.Offset != int64(id)*int64(len(docs[0])) {
			return fmt.Errorf("document %d at %d with %v, want %d", id, d.Offset, d.Decision, next)
		}
		next++
		n++
		return nil
	}})
	if err != nil || n != 26_667 {
		t.Errorf("%d documents, %v, want 26667", n, err)
	}
	full := errors.New("disk full")
	if _, err := runFiles(t.Context(), []dump.File{f}, testPolicy, Options{Now: 1, Expired: func(Document) error { return full }}); err != full {
		t.Errorf("an error of the list ends with %v, want it", err)
	}
}

// TestNoIDs: no identifier is in a tally.
func TestNoIDs(t *testing.T) {
	tally, err := runFiles(t.Context(), []dump.File{file(t, "a.bson", mixed()...)}, testPolicy, Options{Now: 1000, NoIDs: true})
	if err != nil {
		t.Fatal(err)
	}
	samples := []dump.Sample{tally.First().Sample, tally.Last().Sample, tally.ExpiredSpan.Last.Sample, tally.PendingSpan.First.Sample}
	for _, f := range tally.Findings {
		samples = append(samples, f.Samples...)
	}
	for _, s := range samples {
		if s.ID != "" || s.File == "" {
			t.Errorf("%+v, want a place and no identifier", s)
		}
	}
}
