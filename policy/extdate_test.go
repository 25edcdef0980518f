package policy

import (
	"fmt"
	"testing"
	"time"
)

// TestParseDateDays: parseDate accepts exactly the days that package time has, in each
// year that is a multiple of 100, the year before and the year after.
func TestParseDateDays(t *testing.T) {
	for year := range 10_000 {
		if rest := (year + 1) % 100; rest > 2 && year%97 != 0 {
			continue
		}
		for month := range 14 {
			for day := range 33 {
				text := fmt.Sprintf("%04d-%02d-%02dT01:02:03.456Z", year, month, day)
				want := time.Date(year, time.Month(month), day, 1, 2, 3, 456e6, time.UTC)
				isDay := want.Year() == year && want.Month() == time.Month(month) && want.Day() == day
				got, err := parseDate([]byte(text))
				if isDay != (err == nil) || isDay && got != InstantOf(want) {
					t.Fatalf("parseDate(%s) = %v, %v, want a day: %t", text, got, err, isDay)
				}
			}
		}
	}
}
