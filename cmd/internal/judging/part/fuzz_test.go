package part

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

// lines are documents of every kind, and an unreadable document.
const lines = `{"_id":1,"createdAt":{"$date":"2026-11-01T00:00:00Z"},"tenant":"a"}
{"_id":2,"createdAt":{"$date":"2026-11-19T00:00:01Z"},"tenant":"b"}
{"_id":3,"createdAt":{"$date":1795132800001}}
{"_id":"\u202e<","createdAt":"2026"}
{"_id":5}
{"_id":}
`

// partOfLines returns a part in which no member is empty.
func partOfLines(f testing.TB, o forecast.Options) string {
	dir := fixture.Files(f, map[string]string{"a.jsonl": lines, "lost.archive": "\x6d\xe2\x99\x81lost"})
	o.Now, o.SkipBad, o.Groups = now, true, MaxGroups
	key, err := KeyOf(&byCreatedAt, o)
	if err != nil {
		f.Fatal(err)
	}
	return encoded(f, madeWith(f, key, o, dir, "a.jsonl", "lost.archive"))
}

// FuzzPart: a part that can be read passes the checks of checkRead.
func FuzzPart(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkRead(t, text) })
}

func seeds(t testing.TB) []string {
	width, err := forecast.ParseWidth("1d")
	if err != nil {
		t.Fatal(err)
	}
	return []string{partOfLines(t, forecast.Options{}), partOfLines(t, forecast.Options{Bucket: width, By: "tenant"})}
}

// checkRead reads a part and reports whether it was read. If so, it checks that the part
// can be shown, that writing and reading changes nothing, and that the part cannot be
// added to itself.
func checkRead(t testing.TB, text []byte) bool {
	t.Helper()
	p, err := NewDecoder("x", bytes.NewReader(text)).Next()
	if err != nil {
		return false
	}
	var first, second bytes.Buffer
	if err := Encode(&first, p); err != nil {
		t.Fatalf("what was read cannot be written: %v", err)
	}
	q, err := NewDecoder("x", bytes.NewReader(first.Bytes())).Next()
	if err != nil {
		t.Fatalf("what was written cannot be read: %v\n%s", err, first.Bytes())
	}
	sum := new(Part)
	if err := sum.Merge(q); err != nil {
		t.Fatal(err)
	}
	if err := Encode(&second, sum); err != nil || second.String() != first.String() {
		t.Fatalf("written again: %v\n%s\nwant\n%s", err, second.Bytes(), first.Bytes())
	}
	if err := sum.Merge(p); cli.ExitCodeOf(err) != cli.ExitUsage {
		t.Fatalf("a part is added to itself: %v", err)
	}
	r, _ := sum.Report()
	for _, form := range []func(io.Writer) error{r.SummaryCSV, r.Prometheus, r.HTML} {
		if err := form(io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if err := r.Text(&cli.Printer{W: &out, Width: 80}); err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexFunc(out.String(), func(c rune) bool { return c < ' ' && c != '\n' || c == 0x7f || c == 0x202e }); i >= 0 {
		t.Fatalf("the text holds %q", out.String()[i:min(i+20, out.Len())])
	}
	if err := cli.WriteJSON(io.Discard, r.JSON()); err != nil {
		t.Fatal(err)
	}
	return true
}

// checked matches the paths of numbers that follow from other numbers of a part.
var checked = regexp.MustCompile(`findings\[\d\]\.(expired|pending)\.|groups\[\d\]\.(expired|pending|never)\.|buckets\[\d\]\[[123]\]|load\[\d\]\[[1-9]\]|(before|after)\.`)

// TestEachMemberIsLookedAt changes each value of a part, one at a time. Reading does not
// panic, an accepted text is a valid part, and a count that contradicts other counts is
// an error.
func TestEachMemberIsLookedAt(t *testing.T) {
	for _, seed := range seeds(t) {
		whole := parsed(t, seed)
		accepted := func() bool {
			text, err := json.Marshal(whole)
			if err != nil {
				t.Fatal(err)
			}
			return checkRead(t, text)
		}
		if !accepted() {
			t.Fatal("the part is refused")
		}
		tried := 0
		each(whole, "", func(path string, get any, set func(any)) {
			if tried++; testing.Short() && tried%32 != 0 && !checked.MatchString(path) {
				return
			}
			for _, v := range []any{nil, "\x1b[2J", -1, 1.5, json.Number("9223372036854775807"), json.Number("99999999999999999999"), []any{}, map[string]any{}} {
				set(v)
				accepted()
			}
			if n, ok := get.(json.Number); ok {
				i, err := n.Int64()
				if err != nil {
					t.Fatal(err)
				}
				set(i + 1)
				if accepted() && checked.MatchString(path) {
					t.Errorf("%s is %d, and %d is accepted", path, i, i+1)
				}
			}
			set(get)
		})
	}
}

func parsed(t testing.TB, text string) (v any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestDecodeRefuses: decoding a part with an impossible value returns an error with the
// place and the reason.
func TestDecodeRefuses(t *testing.T) {
	most := json.Number("9223372036854775807")
	seed := seeds(t)
	for _, tc := range []struct {
		change map[string]any // the changed values, by paths as in [each]
		want   string
	}{
		{map[string]any{".inputs": []any{}}, "inputs: the list is empty"},
		{map[string]any{".inputs[1]": "a.jsonl"}, `inputs[1]: "a.jsonl" is empty, or appears twice`},
		{map[string]any{".key.bucket": "1x"}, "key.bucket: "},
		{map[string]any{".complete": true}, "complete: true contradicts the collections and inputs"},
		{map[string]any{".collections[0].origins": []any{}}, "collections[0]: origins: the list is empty"},
		{map[string]any{".collections[0].origins[0].input": "b"}, `collections[0]: origins[0]: "b" is not among the inputs`},
		{map[string]any{".collections[0].origins[0].index": -1}, "collections[0]: origins[0]: the index -1 is less than 0"},
		{map[string]any{".unread[0].reason": ""}, "unread[0]: reason: the text is empty"},
		{map[string]any{".collections[0].policy.system": "x"}, `collections[0]: policy: unknown system "x"`},
		{map[string]any{".collections[0].policy.sources[0].expireAfterSeconds": map[string]any{"$date": "x"}}, "collections[0]: policy: sources[0].expireAfterSeconds: "},
		{map[string]any{".collections[0].findings[0].rule": "x"}, `collections[0]: findings[0]: there is no rule "x"`},
		{map[string]any{".collections[0].findings[0].source": 256}, "collections[0]: findings[0]: source 256 is not from 0 to 255"},
		{map[string]any{".collections[0].findings[0].expired.documents": -1}, "collections[0]: findings[0]: a number of documents or bytes is negative"},
		{map[string]any{".collections[0].findings[0].expired.documents": most}, "collections[0]: findings[0]: the sum is above 9223372036854775807"},
		{map[string]any{".collections[0].findings[0].expired.bytes": most}, "collections[0]: findings[0]: the sum is above 9223372036854775807"},
		{map[string]any{".collections[0].findings[1].never.bytes": most}, "collections[0]: findings[1]: the sum is above 9223372036854775807"},
		{map[string]any{".collections[0].findings[1].never.documents": 0}, "collections[0]: findings[1]: the finding counts no documents"},
		{map[string]any{".collections[0].findings[2].samples": []any{map[string]any{}, map[string]any{}}}, "collections[0]: findings[2]: 2 samples of 1 documents, want at most one for each document and at most 3"},
		{map[string]any{".collections[0].findings[2].rule": "mongo.date"}, "collections[0]: findings[2]: the finding appears twice"},
		{map[string]any{".collections[0].expired": nil}, "collections[0]: expired: want null if the state has no documents, otherwise a first and a last deadline; the state has 1"},
		{map[string]any{".collections[0].expired.first.millis": most}, "collections[0]: expired: the first deadline is after the last"},
		{map[string]any{".collections[0].expired.last.millis": now + 1}, "collections[0]: expired: a deadline contradicts the state"},
		{map[string]any{".collections[0].pending.first.millis": now}, "collections[0]: pending: a deadline contradicts the state"},
		{map[string]any{".collections[0].within": []any{}}, "collections[0]: within: got 0 numbers, want 3"},
		{map[string]any{".collections[0].within[2].documents": 3}, "collections[0]: within: element 2 is negative, or above the element after it"},
		{map[string]any{".collections[0].within[0].bytes": 300}, "collections[0]: within: element 0 is negative, or above the element after it"},
		{map[string]any{".collections[0].histogram.width": "2d"}, `collections[0]: histogram: a bucket cannot have the width "2d"`},
		{map[string]any{".collections[0].histogram.before.expired": 1}, "collections[0]: histogram: before and after must be 0 unless the width"},
		{map[string]any{".collections[0].histogram.buckets[0][0]": most}, "collections[0]: histogram: buckets[0]: the bucket's number is out of order"},
		{map[string]any{".collections[0].histogram.buckets[1][0]": 0}, "collections[0]: histogram: buckets[1]: the bucket's number is out of order"},
		{map[string]any{".collections[0].histogram.buckets[0][3]": 0}, "collections[0]: histogram: the buckets do not add up"},
		{map[string]any{".collections[0].histogram.buckets[0][3]": most}, "collections[0]: histogram: buckets[0]: the buckets do not add up"},
		{map[string]any{".collections[0].histogram.buckets[0]": []any{1, 2, 3}}, "collections[0]: histogram: buckets[0]: got 3 numbers, want 4"},
		{map[string]any{".collections[0].histogram.buckets[0]": []any{"1"}}, "cannot unmarshal string into Go struct field Snapshot.collections.histogram.buckets of type int64"},
		{map[string]any{".collections[0].histogram.buckets[0]": []any{1, 0, 0, 0}}, "collections[0]: histogram: buckets[0]: the bucket counts no documents"},
		{map[string]any{".collections[0].groups[1].pending.bytes": 1}, "collections[0]: groups: the groups do not add up to the documents"},
		{map[string]any{".collections[0].groups[1].pending.bytes": 1000}, "collections[0]: groups: element 1: the groups do not add up to the documents"},
		{map[string]any{".collections[0].groups[1].value": `"a"`}, "collections[0]: groups: element 1: the value of the group appears twice"},
		{map[string]any{".collections[0].groups[1].value": "["}, `"[" is not an identifier`},
		{map[string]any{".collections[0].findings[0].samples[0].id": "\x1b"}, "is not an identifier"},
		{map[string]any{".collections[0].bad": 0}, "collections[0]: bad: "},
		{map[string]any{".collections[0].bad": -1}, "collections[0]: bad: "},
		{map[string]any{".collections[0].dialects": 16}, "collections[0]: bad: unknown dialects 16"},
		{map[string]any{".load": []any{}}, "load: the numbers do not add up"},
		{map[string]any{".load[0][1]": 2}, "load: "},
		{map[string]any{".load[0][0]": 43200}, "load: run 0: want a minute"},
		{map[string]any{".load[0][0]": -1}, "load: run 0: want a minute"},
		{map[string]any{".load[0]": []any{1}}, "load: run 0: want a minute"},
	} {
		var text []byte
		for i, changed := 0, 0; changed < len(tc.change); i++ {
			if i == len(seed) {
				t.Fatalf("%v is not in the parts %q", tc.change, seed)
			}
			whole := parsed(t, seed[i])
			each(whole, "", func(path string, _ any, set func(any)) {
				if v, ok := tc.change[path]; ok {
					set(v)
					changed++
				}
			})
			text, _ = json.Marshal(whole)
		}
		_, err := NewDecoder("x.json", bytes.NewReader(text)).Next()
		if err == nil || !strings.HasPrefix(err.Error(), "x.json: the part at byte 0: ") || !strings.Contains(err.Error(), tc.want) || cli.ExitCodeOf(err) != cli.ExitInput {
			t.Errorf("%v: %v, want %q", tc.change, err, tc.want)
		}
	}
	whole := parsed(t, seed[0]).(map[string]any)
	list := whole["collections"].([]any)
	whole["collections"] = append(list, list[0])
	text, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewDecoder("x.json", bytes.NewReader(text)).Next(); err == nil || !strings.Contains(err.Error(), "collections[1]: joined: ") {
		t.Errorf("two collections that continue in other parts: %v, want an error about the second", err)
	}
}

// each calls do for each value within v, with the path of the value and a function that
// replaces the value.
func each(v any, path string, do func(path string, v any, set func(any))) {
	visit := func(path string, v any, set func(any)) {
		do(path, v, set)
		each(v, path, do)
	}
	switch v := v.(type) {
	case []any:
		for i, one := range v {
			visit(fmt.Sprintf("%s[%d]", path, i), one, func(to any) { v[i] = to })
		}
	case map[string]any:
		for name, one := range v {
			visit(path+"."+name, one, func(to any) { v[name] = to })
		}
	}
}
