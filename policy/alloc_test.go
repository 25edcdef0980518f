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
	checkAllocs(t, "ParseJSON with Field and cursors", func() {
		doc, err := ParseJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		sum, _ = doc.Field("ttl").AsInt64()
		sum += int64(countFields(doc.Value(), "ttl"))
		for f := doc.Value().Fields(); f.Next(); {
			for e := f.Value().Elements(); e.Next(); {
				sum++
			}
		}
		if doc.Field("a").Field("b").Kind() == List && hidden.CompareText(doc.Field("id"), StringValue("1")) == 0 {
			sum++
		}
	})
	if sum != 20+1+2+1 {
		t.Errorf("the loop summed %d, want 24", sum)
	}
}

func TestAllocsParseBSONAndField(t *testing.T) {
	raw := mustBSON(t, everything)
	seen := 0
	checkAllocs(t, "ParseBSON with Field and cursors", func() {
		doc, err := ParseBSON(raw)
		if err != nil {
			t.Fatal(err)
		}
		seen = 0
		for f := doc.Value().Fields(); f.Next(); {
			if doc.Field("long").Kind() == Int64 && f.compareName("date") != 0 {
				seen++
			}
			for e := f.Value().Elements(); e.Next(); {
				seen++
			}
		}
		if doc.Field("scoped").scope().Field("x").Kind() == List && hidden.CompareText(doc.Field("string"), StringValue("text")) == 0 {
			seen++
		}
	})
	if want := len(everything) - 1 + 3 + 1; seen != want {
		t.Errorf("the loop saw %d, want %d", seen, want)
	}
}

// TestAllocsDocument: the conversion of the three document types of this package, or of
// the values of a D, to a Document allocates nothing.
func TestAllocsDocument(t *testing.T) {
	raw, err := ParseBSON(mustBSON(t, everything))
	if err != nil {
		t.Fatal(err)
	}
	text, inMemory := parseJSON(t, `{"date":1,"object":{"a":1}}`), &everything
	checkAllocs(t, "Field through the interface", func() {
		for _, doc := range [...]Document{&raw, text, inMemory} {
			if doc.Field("date").IsMissing() || doc.Field("object").Field("a").Kind() != Int32 {
				t.Fatal("a field is missing")
			}
		}
	})
	object := ObjectValue(inMemory)
	checkAllocs(t, "cursors in memory", func() {
		for f := object.Fields(); f.Next(); {
			for e := f.Value().Elements(); e.Next(); {
				if e.Value().IsMissing() {
					t.Fatal("an element is missing")
				}
			}
		}
	})
}
