package peers

import (
	"encoding/json"
	"testing"
)

// TestItemsSize: items have the average sizes that the names of the works state.
func TestItemsSize(t *testing.T) {
	for _, tt := range []struct {
		name  string
		shape JSONShape
		want  int // bytes on average, within a twentieth
	}{
		{"small", SmallJSON, 305},
		{"medium", MediumJSON, 1024},
		{"large", LargeJSON, 10240},
		{"texts", TextJSON, 10240},
	} {
		got := 0
		for _, item := range MakeItems(tt.shape, 400) {
			got += len(item)
		}
		got /= 400
		if got < tt.want*19/20 || got > tt.want*21/20 {
			t.Errorf("%s: %d bytes on average, want about %d", tt.name, got, tt.want)
		}
	}
}

// TestItemsVary: items are JSON, about half have a ttl of their own, and about half have
// expired.
func TestItemsVary(t *testing.T) {
	own, expired := 0, 0
	for _, item := range MakeItems(SmallJSON, 1000) {
		var v struct {
			TTL *int64 `json:"ttl"`
			TS  int64  `json:"_ts"`
		}
		if err := json.Unmarshal(item, &v); err != nil {
			t.Fatalf("%v: %s", err, item)
		}
		seconds := int64(DefaultTTL)
		if v.TTL != nil {
			own++
			seconds = *v.TTL
		}
		if seconds > 0 && v.TS+seconds <= NowSeconds {
			expired++
		}
	}
	if own < 430 || own > 570 {
		t.Errorf("%d of 1000 have a ttl, want about half", own)
	}
	if expired < 400 || expired > 600 {
		t.Errorf("%d of 1000 expired, want about half", expired)
	}
}
