package mongo

import (
	"encoding/binary"
	"math"
	"math/big"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A modelledIndex is an index on t of one release, with the delay that the model reads
// from its option.
type modelledIndex struct {
	version behaviour.Version
	stored  drawn.Stored
	index   *indexSource
	delay   *big.Int // in milliseconds; nil if the index has no deadlines
	ms      int64    // delay as an int64; 0 if delay is nil
	strict  bool
}

// modelledIndexes returns an index for each release and each option. The options include
// the ends of ranges.
func modelledIndexes(t testing.TB) (all []modelledIndex) {
	t.Helper()
	for _, v := range drawn.Releases {
		for _, stored := range storedOptions(t) {
			x, err := compileAlone(CollectionSpec{}, IndexSpec{Key: policy.D{{Key: "t", Value: policy.Int32Value(1)}}, ExpireAfterSeconds: stored.Value}, vectorProfile(t, v.String()))
			if err != nil {
				t.Fatal(err)
			}
			m := modelledIndex{version: v, stored: stored, index: x, delay: drawn.DelayOf(stored, v), strict: drawn.Before(v, 3, 2, 0)}
			if m.delay != nil {
				m.ms = m.delay.Int64()
			}
			all = append(all, m)
		}
	}
	return all
}

func storedOptions(t testing.TB) []drawn.Stored {
	t.Helper()
	all := []drawn.Stored{
		{Kind: "nan", Value: policy.DoubleValue(math.NaN())}, {Kind: "infinity", Value: policy.DoubleValue(math.Inf(1))},
		{Kind: "infinity", Value: policy.DecimalValue(0xF8<<56, 0)}, {Kind: "text", Value: policy.StringValue("5")},
	}
	for _, n := range []int64{0, 1, 60, 3600, -1, -3600, math.MaxInt32 - 1, math.MaxInt32, math.MaxInt32 + 1, math.MinInt32, 1_700_000_000,
		9223372036854775, 9223372036854776, -9223372036854775, -9223372036854776, math.MaxInt64, math.MinInt64} {
		all = append(all, drawn.StoredInt(n), drawn.StoredDouble(float64(n)+0.5), drawn.StoredDecimal(t, n, -1), drawn.StoredDecimal(t, n, 0))
	}
	return all
}

// deadline computes drawn.DeadlineOf in 64 bits.
func (m *modelledIndex) deadline(date, now policy.Instant) (policy.Instant, bool) {
	if m.delay == nil || m.ms < 0 && drawn.CutoffOverflows(now, m.delay) {
		return 0, false
	}
	more := m.ms
	if m.strict {
		more++
	}
	switch at := int64(date) + more; {
	case more > 0 && at < int64(date):
		return 0, false
	case more < 0 && at > int64(date):
		return policy.MinInstant, true
	default:
		return policy.Instant(at), true
	}
}

// FuzzDates: for an index of any release, with any option, every method agrees with the
// model's deadline of a date.
func FuzzDates(f *testing.F) {
	all := modelledIndexes(f)
	raw := []byte("\x10\x00\x00\x00\x09t\x00........\x00")
	fuzzing.Run(f, func(t testing.TB, r fuzzing.Random) {
		m := &all[r.IntN(len(all))]
		date, now := policy.Instant(r.Instant()), policy.Instant(r.Instant())
		want, ok := m.deadline(date, now)
		if ok && r.Percent(50) {
			now = want + policy.Instant(r.IntN(3)-1)
			want, ok = m.deadline(date, now)
		}
		binary.LittleEndian.PutUint64(raw[7:], uint64(date))
		d := m.index.DecideBSON(raw, now)
		if key := m.index.DecideKey(date, now); key != d {
			t.Fatalf("%v on %s: DecideKey(%d, %d) = %+v, DecideBSON = %+v", m.stored.Value, m.version, date, now, key, d)
		}
		expired := ok && want <= now
		if (d.State != policy.Never) != ok || ok && drawn.Deadline(d) != want || (d.State == policy.Expired) != expired {
			t.Fatalf("%v on %s: date %d at %d is %+v, want the deadline %d, %t", m.stored.Value, m.version, date, now, d, want, ok)
		}
		if bounds := m.index.Bounds(now); bounds.contains(date) != expired {
			t.Fatalf("%v on %s: date %d at %d, expired %t, bounds %v", m.stored.Value, m.version, date, now, expired, bounds)
		}
	})
}
