package transfer

import (
	"bytes"
	"encoding/binary"
	"io"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// logEntry is a document of the kind in the samples.
const logEntry = `{"_id":{"$oid":"6ac4b53d5f3a91c200000000"},"createdAt":{"$date":{"$numberLong":"1791276349166"}},"service":"checkout","host":"ip-10-0-1-110","level":"info","message":"cache miss, asking the origin","status":300,"millis":2226.625,"trace":"17c127616ccf6a9f0cdf9e92245801f0","sampled":true}`

// byDate is an evaluator by which documents expire a day after createdAt.
type byDate struct{}

func (byDate) Decide(doc policy.Document, now policy.Instant) policy.Decision {
	at, _ := doc.Field("createdAt").AsDate()
	return policy.DecisionOf(policy.Pending, at+86_400_000, policy.Rule{})
}

// BenchmarkCopy rewrites documents in both directions:
//
//	go test -run '^$' -bench Copy -benchtime 9x ./internal/judging/transfer
func BenchmarkCopy(b *testing.B) {
	doc := bsonOf(b, logEntry)
	item := `{"id":"6ac4b53d5f3a91c200000000","_ts":1791276349,"service":"checkout","host":"ip-10-0-1-110","level":"info","message":"cache miss, asking the origin","status":300,"millis":2226.625,"trace":"17c127616ccf6a9f0cdf9e92245801f0","sampled":true}` + "\n"
	cosmosTo, back := ToCosmos(cosmos.TimestampSeconds(1_791_300_000)), toMongoDB("expireAt")
	for _, bm := range []struct {
		name    string
		one     []byte
		kind    dump.Kind
		form    Form
		rewrite Rewriter
	}{
		{"bson-items", doc, dump.BSON, JSON, cosmosTo},
		{"bson-bson", doc, dump.BSON, BSON, cosmosTo},
		{"extjson-extjson", []byte(logEntry + "\n"), dump.ExtJSON, ExtJSON, cosmosTo},
		{"items-extjson", []byte(item), dump.JSON, ExtJSON, back},
	} {
		b.Run(bm.name, func(b *testing.B) {
			const docs = 200_000
			text := bytes.Repeat(bm.one, docs)
			for i := 0; bm.kind == dump.BSON && i < docs; i++ {
				binary.BigEndian.PutUint32(text[i*len(bm.one)+17:], uint32(i)) // these bytes are the end of the document's _id
			}
			for b.Loop() {
				s, err := dump.NewStream("in", bytes.NewReader(text), bm.kind, bm.kind)
				if err != nil {
					b.Fatal(err)
				}
				run := Run{Evaluator: byDate{}, Rewrite: bm.rewrite, Form: bm.form, ID: "_id"}
				if bm.form == JSON {
					run.Item = &Item{IDFrom: "_id"}
				}
				if err := run.copy(b.Context(), io.Discard, s); err != nil {
					b.Fatal(err)
				}
				s.Close()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/docs, "ns/doc")
		})
	}
}
