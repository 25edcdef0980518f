package boltttl

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestEntriesSortByDeadline: the order of entries by their bytes is the order of their
// deadlines. Deadlines before 1970 come first.
func TestEntriesSortByDeadline(t *testing.T) {
	order := []policy.Instant{policy.MinInstant, policy.MinInstant + 1, -256, -1, 0, 1, 255, 256, policy.MaxInstant - 1, policy.MaxInstant}
	var last []byte
	for _, deadline := range order {
		for number := range uint64(3) {
			e := entry{deadline, numberOf(number), []byte{0xff}}
			if b := e.bytes(); bytes.Compare(last, b) >= 0 {
				t.Errorf("the entry %v of collection %d does not sort behind the one before", deadline, number)
			} else {
				last = b
			}
		}
	}
}

func TestEntriesModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := rapid.Map(rapid.Int64(), func(n int64) policy.Instant { return policy.Instant(n) })
		a := entry{drawn.Draw(t, "a"), numberOf(rapid.Uint64().Draw(t, "number")), []byte("k")}
		b := entry{drawn.Draw(t, "b"), numberOf(1), []byte("k")}
		if got := bytes.Compare(a.bytes(), b.bytes()); a.deadline != b.deadline && (got < 0) != (a.deadline < b.deadline) {
			t.Fatalf("entries of %d and %d compare as %d", a.deadline, b.deadline, got)
		}
		back, err := parseEntry(a.bytes())
		if err != nil || back.deadline != a.deadline || !slices.Equal(back.number, a.number) || !slices.Equal(back.key, a.key) {
			t.Fatalf("parseEntry(%+v) = %+v, %v", a, back, err)
		}
	})
}

func TestRecords(t *testing.T) {
	for _, r := range []record{
		{doc: []byte("doc")},
		{doc: []byte("doc"), deadline: -1, listed: true},
		{doc: []byte{1}, deadline: policy.MinInstant, listed: true},
	} {
		back, err := parseRecord(r.bytes())
		if err != nil || back.listed != r.listed || back.deadline != r.deadline || !slices.Equal(back.doc, r.doc) {
			t.Errorf("parseRecord(%+v) = %+v, %v", r, back, err)
		}
	}
}

func TestDamagedFileIsNoticed(t *testing.T) {
	for _, b := range [][]byte{{}, {2, 3}, {1, 0, 0, 0, 0, 0, 0, 0}} {
		if r, err := parseRecord(b); !errors.Is(err, ErrDamaged) {
			t.Errorf("parseRecord(%x) = %+v, %v, want ErrDamaged", b, r, err)
		}
	}
	if e, err := parseEntry(make([]byte, deadlineSize+numberSize)); !errors.Is(err, ErrDamaged) {
		t.Errorf("parseEntry of nothing but a deadline = %+v, %v, want ErrDamaged", e, err)
	}
	if c, err := (&Store{}).compile("1", []byte{5, 0, 0, 0, 1}); !errors.Is(err, ErrDamaged) {
		t.Errorf("compile = %+v, %v, want ErrDamaged", c, err)
	}
}
