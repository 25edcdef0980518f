//go:build !race

package policy

import "testing"

func checkAllocs(t *testing.T, what string, f func()) {
	t.Helper()
	if got := testing.AllocsPerRun(100, f); got != 0 {
		t.Errorf("%s allocates %v times, want 0", what, got)
	}
}

func TestAllocsParseJSONAndField(t *testing.T) {
	text := []byte(`{"id":"1","a":{"b":[1,{"c":2.5e3}]},"\u0074tl":20,"s":"é","t":[true,null],"_ts":1700000000}`)
	var sum int64
	checkAllocs(t, "ParseJSON with Field, Count and cursors", func() {
		doc, err := ParseJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		sum, _ = doc.Field("ttl").AsInt64()
		sum += int64(doc.Count("ttl"))
		for f := doc.Value().Fields(); f.Next(); {
			for e := f.Value().Elements(); e.Next(); {
				sum++
			}
		}
		if doc.Field("a").Field("b").Kind() == List && doc.Field("id").CompareText("1") == 0 {
			sum++
		}
	})
	if sum != 20+1+2+1 {
		t.Errorf("the loop summed %d, want 24", sum)
	}
}
