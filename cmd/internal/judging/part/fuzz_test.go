package part

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
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

// FuzzPart: a part with the right checksum that can be read passes the checks of checkRead.
func FuzzPart(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add([]byte(opened(f, text)))
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkRead(t, sealed(t, string(text))) })
}

// opened returns the record in a part.
func opened(t testing.TB, text string) string {
	var s stored
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	return s.Part
}

// sealed returns a record as a part, with its checksum.
func sealed(t testing.TB, record string) []byte {
	record = strings.ToValidUTF8(record, "\ufffd") // JSON holds no other text
	text, err := json.Marshal(stored{Version, checksum(record), record})
	if err != nil {
		t.Fatal(err)
	}
	return text
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
	for _, form := range []func(io.Writer) error{r.Prometheus, r.HTML} {
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

// TestEachMemberIsLookedAt changes each value of a part, one at a time. Reading does not
// panic, and an accepted text is a valid part.
func TestEachMemberIsLookedAt(t *testing.T) {
	for _, seed := range seeds(t) {
		whole := parsed(t, opened(t, seed))
		accepted := func() bool {
			text, err := json.Marshal(whole)
			if err != nil {
				t.Fatal(err)
			}
			return checkRead(t, sealed(t, string(text)))
		}
		if !accepted() {
			t.Fatal("the part is refused")
		}
		tried := 0
		each(whole, "", func(_ string, get any, set func(any)) {
			if tried++; testing.Short() && tried%32 != 0 {
				return
			}
			for _, v := range []any{nil, "\x1b[2J", -1, 1.5, json.Number("9223372036854775807"), json.Number("99999999999999999999"), []any{}, map[string]any{}} {
				set(v)
				accepted()
			}
			set(get)
		})
	}
}

// TestDamage: a part in which any byte is another is refused, or reads as the same part.
func TestDamage(t *testing.T) {
	for _, seed := range seeds(t) {
		for i := range len(seed) {
			if testing.Short() && i%16 != 0 {
				continue
			}
			text := []byte(seed)
			text[i] ^= 1
			p, err := NewDecoder("x", bytes.NewReader(text)).Next()
			if err == nil && encoded(t, p) != seed {
				t.Fatalf("byte %d is %q in place of %q, and another part is read", i, text[i], seed[i])
			}
		}
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
		{map[string]any{".inputs": []any{}}, "there are no inputs"},
		{map[string]any{".collections[0].origins": []any{}}, "collections[0]: there are no origins"},
		{map[string]any{".collections[0].tally": nil}, "collections[0]: there are no origins, or there is no tally"},
		{map[string]any{".unread[0].origins": []any{}}, "unread[0]: there are no origins"},
		{map[string]any{".collections[0].policy.system": "x"}, `collections[0]: unknown system "x"`},
		{map[string]any{".collections[0].policy.sources[0].Option": map[string]any{"$date": "x"}}, "collections[0]: "},
		{map[string]any{".collections[0].findings[0].rule": "x"}, `collections[0]: there is no rule "x"`},
		{map[string]any{".collections[0].findings[0].Source": 256}, "cannot unmarshal number 256"},
		{map[string]any{".collections[0].tally.Histogram.width": "2d"}, "a histogram cannot have"},
		{map[string]any{".collections[0].tally.Histogram.buckets[0][0]": most}, "there is no bucket 9223372036854775807"},
	} {
		var text []byte
		for i, changed := 0, 0; changed < len(tc.change); i++ {
			if i == len(seed) {
				t.Fatalf("%v is not in the parts %q", tc.change, seed)
			}
			whole := parsed(t, opened(t, seed[i]))
			each(whole, "", func(path string, _ any, set func(any)) {
				if v, ok := tc.change[path]; ok {
					set(v)
					changed++
				}
			})
			record, _ := json.Marshal(whole)
			text = sealed(t, string(record))
		}
		_, err := NewDecoder("x.json", bytes.NewReader(text)).Next()
		if err == nil || !strings.HasPrefix(err.Error(), "x.json: the part at byte 0: ") || !strings.Contains(err.Error(), tc.want) || cli.ExitCodeOf(err) != cli.ExitInput {
			t.Errorf("%v: %v, want %q", tc.change, err, tc.want)
		}
	}
	whole := parsed(t, opened(t, seed[0])).(map[string]any)
	list := whole["collections"].([]any)
	whole["collections"] = append(list, list[0])
	text, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewDecoder("x.json", bytes.NewReader(sealed(t, string(text)))).Next(); err == nil || !strings.Contains(err.Error(), "collections[1]: this is the second joined") {
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
