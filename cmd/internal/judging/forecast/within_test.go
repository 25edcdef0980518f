package forecast

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestWithin: a document that expires up to a horizon, to the millisecond,
// counts for it and for every longer horizon.
func TestWithin(t *testing.T) {
	const now, day = policy.Instant(5000), 86_400_000
	var docs [][]byte
	for id, at := range []policy.Instant{
		now,             // expired
		now + 1,         // 24 h, 7 d, 30 d
		now + day,       // the same
		now + day + 1,   // 7 d, 30 d
		now + 7*day,     // the same
		now + 7*day + 1, // 30 d
		now + 30*day,    // the same
		now + 30*day + 1,
		policy.MaxInstant,
	} {
		docs = append(docs, bsonDate(int32(id), "a", at))
	}
	size := int64(len(docs[0]))
	want := [len(Horizons)]Sum{{2, 2 * size}, {4, 4 * size}, {6, 6 * size}}
	for _, tc := range []struct {
		why   string
		now   policy.Instant
		files []dump.File
		want  [len(Horizons)]Sum
	}{
		{"one block", now, []dump.File{file(t, "a.bson", docs...)}, want},
		{"three blocks", now, []dump.File{file(t, "a.bson", docs[:3]...), file(t, "b.bson", docs[3:6]...), file(t, "c.bson", docs[6:]...)}, want},
		{"from the beginning of time to its end", policy.MinInstant, []dump.File{file(t, "a.bson", docs...)}, [len(Horizons)]Sum{}},
	} {
		tally, err := runFiles(t.Context(), tc.files, testPolicy, Options{Now: tc.now})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, tally.Within); diff != "" {
			t.Errorf("%s: within 24 h, 7 d, 30 d (-want +got)\n%s", tc.why, diff)
		}
	}
}
