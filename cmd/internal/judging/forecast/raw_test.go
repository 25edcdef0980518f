package forecast

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// followed returns doc with a further field of an unknown type.
func followed(doc []byte) []byte {
	doc = append(slices.Clone(doc[:len(doc)-1]), "\x1cz\x00\x00"...)
	doc[0] += 3
	return doc
}

func TestRunLooksAtWhatDecides(t *testing.T) {
	date, text := bsonDate(2, "a", 1), bsonDoc(2, "a", policy.String, []byte("\x02\x00\x00\x00x\x00"))
	first := slices.Clone(date)
	first[4] = 0x1c
	tests := []struct {
		why     string
		doc     []byte
		bad     bool // the document cannot be read
		checked bool // the document cannot be read with Check
	}{
		{"a date", date, false, false},
		{"no date", text, false, false},
		{"damage behind the date", followed(date), false, true},
		{"damage behind what words tell of", followed(text), false, true},
		{"damage in front of the date", first, true, true},
		{"damage in a document without the field", followed(bsonDoc(2, "", 0, nil)), true, true},
	}
	good := bsonDate(1, "a", 1)
	for _, tt := range tests {
		path := file(t, "d.bson", good, tt.doc, good)
		for check, bad := range map[bool]bool{false: tt.bad, true: tt.checked} {
			tally, err := runFiles(t.Context(), []dump.File{path}, indexOn(t, "a", 1), Options{Now: 5e9, Check: check})
			var e *dump.Error
			found := errors.As(err, &e) && e.Offset == int64(len(good)) && tally.Total().Documents == 1
			if found != bad || !bad && (err != nil || tally.Total().Documents != 3) {
				t.Errorf("%s, Check %t: %v, %d documents; want it found: %t", tt.why, check, err, tally.Total().Documents, bad)
			}
		}
	}
}

// TestRunRawIsTheSame: a forecast does not depend on whether documents are checked whole.
func TestRunRawIsTheSame(t *testing.T) {
	var docs [][]byte
	for i := range int32(3000) {
		switch i % 7 {
		case 0:
			docs = append(docs, bsonDoc(i, "", 0, nil))
		case 1:
			docs = append(docs, bsonDoc(i, "a", policy.Null, nil))
		case 2:
			docs = append(docs, bsonDoc(i, "a", policy.String, []byte("\x02\x00\x00\x00x\x00")))
		case 3:
			docs = append(docs, bsonDoc(i, "a", policy.Int32, []byte("\x02\x00\x00\x00")))
		default:
			docs = append(docs, bsonDate(i, "a", policy.Instant(i)*7_000_000))
		}
	}
	path := file(t, "d.bson", docs...)
	var tallies [2]*Tally
	for i := range tallies {
		var err error
		if tallies[i], err = runFiles(t.Context(), []dump.File{path}, indexOn(t, "a", 1), Options{Now: 5e9, Check: i == 1}); err != nil {
			t.Fatal(err)
		}
	}
	raw, checked := tallies[0], tallies[1]
	if !reflect.DeepEqual(raw.Findings, checked.Findings) || !reflect.DeepEqual(raw.Histogram.table.sorted(), checked.Histogram.table.sorted()) ||
		raw.ExpiredSpan != checked.ExpiredSpan || raw.PendingSpan != checked.PendingSpan || raw.Total() != checked.Total() {
		t.Errorf("without checking %+v, with %+v", raw, checked)
	}
	if f := tallies[0].Findings; len(f) != 5 {
		t.Errorf("%d findings, want dates, missing, null, string and int", len(f))
	}
}
