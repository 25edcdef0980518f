package report

import (
	"testing"
)

func TestBaselines(t *testing.T) {
	s := small(t)
	all, err := Baselines(s, claims())
	if err != nil || len(all) != 2 {
		t.Fatalf("Baselines = %v, %v", all, err)
	}
	never, expired := all[0], all[1]
	if never.Total == 0 || never.Total != expired.Total {
		t.Errorf("the totals are %d and %d", never.Total, expired.Total)
	}
	if never.Pass == 0 || expired.Pass == 0 || never.Pass+expired.Pass != never.Total {
		t.Errorf("%d + %d of %d pass: each check has one of the two answers", never.Pass, expired.Pass, never.Total)
	}
}
