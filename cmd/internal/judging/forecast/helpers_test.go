package forecast

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Rules by which dateIn decides.
var (
	ruleDate    = policy.NewRule("test.date", "")
	ruleMissing = policy.NewRule("test.missing", "")
	ruleType    = reasons.Rule("mongo.field-not-date") // findings by this rule name the type of the value
)

// dateIn is a hand-written evaluator. A document expires at the earlier of the Dates in a
// and b.
type dateIn struct{}

func (dateIn) Decide(doc policy.Document, now policy.Instant) policy.Decision {
	a, inA := doc.Field("a").AsDate()
	b, inB := doc.Field("b").AsDate()
	switch {
	case inB && (!inA || b < a):
		d := policy.DecisionOf(policy.Pending, b, ruleDate).At(now)
		d.Source = 1
		return d
	case inA:
		return policy.DecisionOf(policy.Pending, a, ruleDate).At(now)
	case doc.Field("a").IsMissing():
		return policy.Decision{Rule: ruleMissing}
	}
	return policy.Decision{Rule: ruleType}
}

func (dateIn) Consulted(policy.Decision) []policy.Rule { return nil }

var testPolicy = &reasons.Policy{
	Policy:  definition.Policy{Evaluator: dateIn{}},
	Sources: []reasons.Source{{Name: "a_1", Field: "a"}, {Name: "b_1", Field: "b"}},
}

// indexOn returns the policy of a TTL index on a field.
func indexOn(t testing.TB, field string, seconds int32) *reasons.Policy {
	t.Helper()
	index := mongo.IndexSpec{Name: field + "_1", Key: policy.D{{Key: field, Value: policy.Int32Value(1)}}, ExpireAfterSeconds: policy.Int32Value(seconds)}
	p, err := reasons.Compile(definition.OfMongoDB(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{index}}, mongo.Latest(), nil))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// bsonDoc returns a BSON document with _id id, and with a value of the given kind in
// field. If the name of the field is empty, the document has only an _id.
func bsonDoc(id int32, field string, kind policy.Kind, value []byte) []byte {
	body := binary.LittleEndian.AppendUint32([]byte("\x10_id\x00"), uint32(id))
	if field != "" {
		body = append(append(append(body, byte(kind)), field...), 0)
		body = append(body, value...)
	}
	doc := binary.LittleEndian.AppendUint32(nil, uint32(len(body)+5))
	return append(append(doc, body...), 0)
}

func bsonDate(id int32, field string, at policy.Instant) []byte {
	return bsonDoc(id, field, policy.Date, binary.LittleEndian.AppendUint64(nil, uint64(at)))
}

func bsonString(id int32, field, text string) []byte {
	value := binary.LittleEndian.AppendUint32(nil, uint32(len(text)+1))
	return bsonDoc(id, field, policy.String, append(append(value, text...), 0))
}

// runFiles runs the job of one collection, whose documents are in files.
func runFiles(ctx context.Context, files []dump.File, p *reasons.Policy, o Options) (*Tally, error) {
	j := Job{Policy: p}
	for _, f := range files {
		j.Collections = append(j.Collections, dump.NewInput(f).Collections...)
	}
	r := Run(ctx, []Job{j}, o)[0]
	return r.Tally, r.Err
}

// file writes docs to a temporary file of the test.
func file(t testing.TB, name string, docs ...[]byte) dump.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	text := bytes.Join(docs, nil)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return dump.File{Path: path, Size: int64(len(text))}
}
