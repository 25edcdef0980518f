package transfer

import (
	"bytes"
	"encoding/binary"
	"io"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// logEntry is a document like those of the samples.
const logEntry = `{"_id":{"$oid":"6ac4b53d5f3a91c200000000"},"createdAt":{"$date":{"$numberLong":"1791276349166"}},"service":"checkout","host":"ip-10-0-1-110","level":"info","message":"cache miss, asking the origin","status":300,"millis":2226.625,"trace":"17c127616ccf6a9f0cdf9e92245801f0","sampled":true}`

// byDate expires documents a day after their createdAt.
type byDate struct{}

func (byDate) Decide(doc policy.Document, now policy.Instant) policy.Decision {
	at, _ := doc.Field("createdAt").AsDate()
	return policy.DecisionOf(policy.Pending, at+86_400_000, nil)
}

// BenchmarkCopy rewrites documents each way, with one worker and with two, beside
// a loop that only reads and writes the same bytes.
func BenchmarkCopy(b *testing.B) {
	doc := bsonOf(b, logEntry)
	item := `{"id":"6ac4b53d5f3a91c200000000","_ts":1791276349,"service":"checkout","host":"ip-10-0-1-110","level":"info","message":"cache miss, asking the origin","status":300,"millis":2226.625,"trace":"17c127616ccf6a9f0cdf9e92245801f0","sampled":true}` + "\n"
	const docs = 40_000
	cosmosTo, back := ToCosmos(cosmos.TimestampSeconds(1_791_300_000)), ToMongoDB("expireAt")
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
		text := bytes.Repeat(bm.one, docs)
		for i := 0; bm.kind == dump.BSON && i < docs; i++ {
			binary.BigEndian.PutUint32(text[i*len(bm.one)+17:], uint32(i)) // the end of its _id
		}
		for _, workers := range []int{1, 2} {
			b.Run(bm.name+"/"+string(rune('0'+workers)), func(b *testing.B) {
				var out counting
				for b.Loop() {
					out = 0
					s, err := dump.NewStream("in", bytes.NewReader(text), bm.kind, bm.kind)
					if err != nil {
						b.Fatal(err)
					}
					run := Run{Evaluator: byDate{}, Rewrite: bm.rewrite, Form: bm.form, ID: "_id", Workers: workers}
					if bm.form == JSON {
						run.Item = &Item{IDFrom: "_id"}
					}
					if err := run.Copy(b.Context(), &out, s); err != nil {
						b.Fatal(err)
					}
					s.Close()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/docs, "ns/doc")
				b.ReportMetric(float64(len(text))/docs, "in-B/doc")
				b.ReportMetric(float64(out)/docs, "out-B/doc")
				b.ReportMetric(0, "ns/op")
			})
		}
		b.Run(bm.name+"/floor", func(b *testing.B) {
			buf := make([]byte, 512<<10)
			for b.Loop() {
				io.CopyBuffer(struct{ io.Writer }{new(counting)}, struct{ io.Reader }{bytes.NewReader(text)}, buf)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/docs, "ns/doc")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// counting counts what is written.
type counting int

func (c *counting) Write(b []byte) (int, error) {
	*c += counting(len(b))
	return len(b), nil
}
