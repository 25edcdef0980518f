package boltttl

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

const onT = `{"key":{"t":1},"expireAfterSeconds":10}`

func TestDocuments(t *testing.T) {
	s := newCollection(t)
	insert(t, s, `{"_id":1,"a":1}`)
	got, err := s.Get("c", value(`1.0`)) // the same _id
	if want := bson(`{"_id":1,"a":1}`); err != nil || !bytes.Equal(got, want) {
		t.Errorf("Get = %x, %v, want %x", got, err, want)
	}
	must(t, s.Replace("c", bson(`{"_id":1.0,"a":2}`)))
	if got, err = s.Get("c", value(`1`)); err != nil || !bytes.Equal(got, bson(`{"_id":1.0,"a":2}`)) {
		t.Errorf("Get after Replace = %x, %v", got, err)
	}
	must(t, s.Delete("c", value(`1`)))
	if has(s, `1`) {
		t.Error("the document is there after Delete")
	}
}

func TestDocumentErrors(t *testing.T) {
	s := newCollection(t)
	insert(t, s, `{"_id":1}`)
	must(t, s.Adopt("v", mongo.CollectionSpec{View: true}))
	_, noDocument := s.Get("c", value(`2`))
	_, noCollection := s.Get("d", value(`1`))
	_, noJudgement := s.Judge("c", value(`2`), 0)
	for _, tt := range []struct {
		what      string
		got, want error
	}{
		{"Insert twice", s.Insert("c", bson(`{"_id":1}`)), ErrDuplicate},
		{"Insert without _id", s.Insert("c", bson(`{"a":1}`)), ErrBadID},
		{"Insert an array as _id", s.Insert("c", bson(`{"_id":[1]}`)), ErrBadID},
		{"Insert half a document", s.Insert("c", bson(`{"_id":1}`)[:8]), policy.ErrTruncated},
		{"Insert into nothing", s.Insert("d", bson(`{"_id":1}`)), ErrNoCollection},
		{"Insert into a view", s.Insert("v", bson(`{"_id":1}`)), ErrIsView},
		{"Replace nothing", s.Replace("c", bson(`{"_id":2}`)), ErrNoDocument},
		{"Delete nothing", s.Delete("c", value(`2`)), ErrNoDocument},
		{"Delete no _id", s.Delete("c", policy.Value{}), ErrBadID},
		{"Get nothing", noDocument, ErrNoDocument},
		{"Get from nothing", noCollection, ErrNoCollection},
		{"Judge nothing", noJudgement, ErrNoDocument},
	} {
		if !errors.Is(tt.got, tt.want) {
			t.Errorf("%s = %v, want %v", tt.what, tt.got, tt.want)
		}
	}
	checkEntries(t, s)
}

// TestExpiredIsVisible: until the next sweep an expired document can be read,
// and kept by a write.
func TestExpiredIsVisible(t *testing.T) {
	s := newCollection(t, onT)
	insert(t, s, `{"_id":1,"t":{"$date":{"$numberLong":"0"}}}`)
	j, err := s.Judge("c", value(`1`), 10_000)
	if err != nil || j.State != policy.Expired || j.Rule.ID() != "mongo.date" || j.Index != "t_1" || j.Collection != "c" || j.ID.String() != value(`1`).String() {
		t.Errorf("Judge = %+v, %v, want expired by mongo.date of t_1", j, err)
	}
	if !has(s, `1`) {
		t.Error("an expired document is not visible before the sweep")
	}
	must(t, s.Replace("c", bson(`{"_id":1,"t":{"$date":{"$numberLong":"1"}}}`)))
	if did := runSweep(t, s, 10_000); did.deleted != 0 {
		t.Errorf("Sweep = %+v, want the later date to save it", did)
	}
	if did := runSweep(t, s, 10_001); did.deleted != 1 || has(s, `1`) {
		t.Errorf("Sweep = %+v, want it gone", did)
	}
}

// TestResultsOutliveTheFile: results do not refer to mapped memory.
func TestResultsOutliveTheFile(t *testing.T) {
	s := newCollection(t, onT)
	insert(t, s, `{"_id":"name","t":{"$date":{"$numberLong":"0"}}}`)
	doc, err := s.Get("c", value(`"name"`))
	must(t, err)
	judged, err := s.Judge("c", value(`"name"`), 0)
	must(t, err)
	var deleted Judgement
	sweeper := s.Sweeper(func(j Judgement) { deleted = j })
	must(t, second(sweeper.Sweep(context.Background(), 10_000)))
	must(t, s.db.Close())
	if !bytes.Equal(doc, bson(`{"_id":"name","t":{"$date":{"$numberLong":"0"}}}`)) ||
		judged.ID.String() != `"name"` || deleted.ID.String() != `"name"` || deleted.Collection != "c" {
		t.Errorf("Get = %x, Judge = %+v, Deleted = %+v", doc, judged, deleted)
	}
}

// TestWritesMoveEntries: after each write a document has at most one entry, that of its
// present deadline.
func TestWritesMoveEntries(t *testing.T) {
	s := newCollection(t, `{"key":{"t":1},"expireAfterSeconds":0,"partialFilterExpression":{"done":true}}`)
	insert(t, s, `{"_id":1,"t":{"$date":{"$numberLong":"5"}},"done":false}`)
	for _, step := range []struct {
		doc   string
		found bool
		want  policy.Instant
	}{
		{`{"_id":1,"t":{"$date":{"$numberLong":"5"}},"done":true}`, true, 5},
		{`{"_id":1,"t":{"$date":{"$numberLong":"5"}},"done":true,"x":1}`, true, 5},
		{`{"_id":1,"t":{"$date":{"$numberLong":"-5"}},"done":true}`, true, -5},
		{`{"_id":1,"t":[{"$date":{"$numberLong":"9"}},{"$date":{"$numberLong":"7"}}],"done":true}`, true, 7},
		{`{"_id":1,"t":5,"done":true}`, false, 0},
		{`{"_id":1,"t":{"$date":{"$numberLong":"5"}},"done":1}`, false, 0},
	} {
		must(t, s.Replace("c", bson(step.doc)))
		if got, found, err := s.Next(); err != nil || found != step.found || found && got != step.want {
			t.Errorf("after %s Next = %d, %v, %v, want %d, %v", step.doc, got, found, err, step.want, step.found)
		}
		checkEntries(t, s)
	}
}
