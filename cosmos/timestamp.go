package cosmos

import (
	"math"
	"strconv"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Timestamp is what an item's time to live counts from: _ts, the second of its
// last write, or the value at a container's ttlPropertyPath. It may be absent,
// and then the item has no deadline; the zero Timestamp is. Timestamps compare
// with ==.
type Timestamp struct {
	// biased is the seconds since 1970 and bias, so that zero lies where no
	// deadline can be reached.
	biased uint64
}

const bias = 1 << 63

// TimestampSeconds returns the Timestamp of n seconds since 1970, 0 included. The
// smallest int64 counts as the number after it, which no instant reaches either.
func TimestampSeconds(n int64) Timestamp {
	return Timestamp{uint64(max(n, math.MinInt64+1)) + bias}
}

// TimestampOf returns the Timestamp that the value of a property stands for. Only
// an integer is one; what is missing, and any other value, is absent.
func TimestampOf(v policy.Value) Timestamp {
	return timestampOf(v.AsInt64())
}

// timestampOf returns the Timestamp of n seconds if ok.
func timestampOf(n int64, ok bool) Timestamp {
	if !ok {
		return Timestamp{}
	}
	return TimestampSeconds(n)
}

// TimestampAt returns the Timestamp of a write at an instant: the second that it
// falls into.
func TimestampAt(at policy.Instant) Timestamp {
	n := int64(at) / 1000
	if int64(at)%1000 < 0 {
		n--
	}
	return TimestampSeconds(n)
}

// unix returns the seconds since 1970, the smallest int64 if t is absent.
func (t Timestamp) unix() int64 { return int64(t.biased - bias) }

// IsAbsent reports whether there is nothing to count from.
func (t Timestamp) IsAbsent() bool { return t == Timestamp{} }

// Seconds returns the seconds since 1970. It reports false if t is absent.
func (t Timestamp) Seconds() (int64, bool) {
	if t.IsAbsent() {
		return 0, false
	}
	return t.unix(), true
}

// String returns "absent", or the seconds.
func (t Timestamp) String() string {
	if t.IsAbsent() {
		return "absent"
	}
	return strconv.FormatInt(t.unix(), 10)
}
