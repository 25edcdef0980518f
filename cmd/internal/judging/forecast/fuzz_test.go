package forecast

import (
	"bytes"
	"io"
	"reflect"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// FuzzForecast: one worker and several workers compute the same forecast, and its sums
// equal those of a loop over the documents.
func FuzzForecast(f *testing.F) {
	index := indexOn(f, "a", 1)
	fuzzing.Run(f, func(t testing.TB, r fuzzing.Random) {
		var text []byte
		var expired, pending, never Sum
		now := policy.Instant(r.Instant())
		for range r.IntN(12) {
			raw := r.Document(1, "a", "b")
			text = append(text, raw...)
			doc, err := policy.ParseBSON(raw)
			if err != nil {
				t.Fatal(err)
			}
			sum := map[policy.State]*Sum{policy.Expired: &expired, policy.Pending: &pending, policy.Never: &never}[index.Decide(&doc, now).State]
			sum.add(Sum{1, int64(len(raw))})
		}
		open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
		files := []dump.File{{Path: "drawn.bson", Size: int64(len(text)), Reader: open}}
		one, err := runFiles(t.Context(), files, index, Options{Now: now, Workers: 1})
		if err != nil {
			t.Fatalf("%x at %d: %v", text, now, err)
		}
		several, err := runFiles(t.Context(), files, index, Options{Now: now, Workers: 3, Check: true})
		if err != nil || !reflect.DeepEqual(one, several) {
			t.Fatalf("%x at %d: by one worker %+v, by three %+v, %v", text, now, one, several, err)
		}
		if one.Expired != expired || one.Pending != pending || one.Never != never {
			t.Fatalf("%x at %d: %+v, %+v, %+v; one by one %+v, %+v, %+v", text, now, one.Expired, one.Pending, one.Never, expired, pending, never)
		}
	})
}
