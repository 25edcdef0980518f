package plainjson

import (
	"errors"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestDates: a Writer writes dates at the top level and nested as worked out by
// hand.
func TestDates(t *testing.T) {
	const before, first, last, after = -62_167_219_200_001, -62_167_219_200_000, 253_402_300_799_999, 253_402_300_800_000
	tests := []struct {
		dates Dates
		at    policy.Instant
		want  string // empty if the date has no such form
	}{
		{ExtJSONDates, 5, `{"$date":{"$numberLong":"5"}}`},
		{ExtJSONDates, after, `{"$date":{"$numberLong":"253402300800000"}}`},
		{MillisDates, -5, `-5`},
		{MillisDates, policy.MaxInstant, `9223372036854775807`},
		{ISODates, 0, `"1970-01-01T00:00:00.000Z"`},
		{ISODates, 1_795_161_600_007, `"2026-11-20T08:00:00.007Z"`},
		{ISODates, first, `"0000-01-01T00:00:00.000Z"`},
		{ISODates, before, ``},
		{ISODates, last, `"9999-12-31T23:59:59.999Z"`},
		{ISODates, after, ``},
	}
	for _, tt := range tests {
		date := policy.DateValue(tt.at)
		doc := policy.D{{Key: "n", Value: policy.DoubleValue(2)}, {Key: "d", Value: date}, {Key: "l", Value: policy.ListValue(policy.A{policy.ObjectValue(policy.D{{Key: "at", Value: date}})})}}
		want := `{"n":2.0,"d":` + tt.want + `,"l":[{"at":` + tt.want + `}]}`
		var no error
		if tt.want == "" {
			want, no = "", ErrNoISODate
		}
		bson := fixture.BSON(t, doc)
		w := Writer{Dates: tt.dates}
		for _, d := range []policy.Document{doc, &bson} {
			got, err := w.AppendFields([]byte("{"), d)
			if text := string(got) + "}"; !errors.Is(err, no) || err == nil && text != want {
				t.Errorf("Dates(%d): a Writer wrote %s, %v, want %s, %v", tt.dates, text, err, want, no)
			}
		}
	}
}
