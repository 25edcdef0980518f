package forecast

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestCondition(t *testing.T) {
	tally := &Tally{ByState: ByState{Expired: Sum{Documents: 10, Bytes: 5000}, Pending: Sum{Documents: 90, Bytes: 1000}, Never: Sum{Documents: 900, Bytes: 94000}}, Bad: 3,
		Within: [len(Horizons)]Sum{{Documents: 1}, {Documents: 20}, {Documents: 80}}, Due: []Due{{Horizon{"14d", 14 * day}, Sum{Documents: 30}}}}
	for text, want := range map[string]bool{
		"expired>1%": false, "expired>=1%": true, "expired > 0.999 %": true, "expired=1%": true, "expired==10": true, "expired!=10": false,
		"never<901": true, "never<900": false, "never<=900": true, "bad>0": true, "bad>3": false, "documents=1000": true, "pending>=9%": true,
		"24h>0": true, "7d>20": false, "30d>=8%": true, " 30d >= 80 ": true, "1d>0": true, "14d=30": true, "2w>30": false, "2w>=3%": true,
		"expired>9 and never>899": true, "expired>9 and never>900": false, "expired>10 and never>0": false, "expired>0 and 24h>0 and bad>2": true,
		"expired bytes>4kB": true, "expired bytes>5kB": false, "expired bytes>4.8KiB": true, "bytes=100000": true, "never bytes>=94%": true, "never bytes>94%": false, "7d bytes>=0b": true,
	} {
		c, err := ParseCondition(text)
		if err != nil {
			t.Errorf("ParseCondition(%q): %v", text, err)
			continue
		}
		if _, _, got := c.Holds(tally); got != want {
			t.Errorf("%q holds: %v, want %v", text, got, want)
		}
	}
	c, _ := ParseCondition("expired>=0%")
	if _, _, got := c.Holds(&Tally{}); !got {
		t.Error("nothing is not 0 % of nothing")
	}
	if _, _, got := (Condition{}).Holds(tally); got {
		t.Error("the zero condition holds")
	}
	for text, says := range map[string]string{
		"": "no comparison", "expired": "no comparison", "expird>1": "is not one of bad, documents, expired, never, pending, unknown, and not a time such as 24h", "1mo>1": "not a time", "0d>1": "not a time", "14d": "no comparison",
		"expired>": "cannot compare", "expired>x": "cannot compare", "expired>-1": "cannot compare", "expired>NaN": "cannot compare",
		"expired>1%%": "cannot compare", "expired!1": "cannot compare", "expired=>1": "cannot compare", ">1": "is not one of", "expired>101%": "want at most 100%",
		"expired>1 and": "cannot compare", "expired>1 and x": "no comparison", "bad bytes>1": "are not counted", "expired>1kB": "cannot compare", "expired bytes>x": "write a size", "bytes>1EB": "cannot compare",
	} {
		if c, err := ParseCondition(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("ParseCondition(%q) = %+v, %v, want %q", text, c, err, says)
		}
	}
}

// TestDue: documents are counted up to and including each requested time.
func TestDue(t *testing.T) {
	var docs [][]byte
	for i, h := range []int64{13 * 24, 14 * 24, 14*24 + 1, 40 * 24} {
		docs = append(docs, bsonDate(int32(i), "a", policy.Instant(h*hour)))
	}
	for text, want := range map[string]int64{"14d>0": 2, "337h>0": 3, "1000d>0": 4, "1h>0": 0} {
		c, err := ParseCondition(text)
		if err != nil {
			t.Fatal(err)
		}
		h := c.Horizons()
		if len(h) != 1 {
			t.Fatalf("%s needs no counting", text)
		}
		tally, err := runFiles(t.Context(), []dump.File{file(t, "a.bson", docs...)}, testPolicy, Options{Horizons: h})
		if n, _, _ := c.Holds(tally); err != nil || n != want {
			t.Errorf("%s is about %d documents, %v, want %d", text, n, err, want)
		}
	}
}
