package policy

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// plainFind is what Find does, a byte at a time, for documents that are whole.
func plainFind(d D, name string) Value {
	for _, e := range d {
		if e.Key == name {
			return e.Value
		}
	}
	return Value{}
}

func TestFinderFindsEveryKind(t *testing.T) {
	raw := mustBSON(t, everything)
	for _, e := range everything {
		f := NewFinder(e.Key)
		found, ok := f.Find(raw)
		v, err := found.Check()
		if !ok || err != nil || !identical(v, e.Value) {
			t.Errorf("Find(%s) = %s, %v, %v, want %s", e.Key, show(v), ok, err, show(e.Value))
		}
	}
}

// TestFinderNames holds names of each length, near the start and near the end,
// against names that share all but the last byte.
func TestFinderNames(t *testing.T) {
	for length := range 20 {
		name := strings.Repeat("n", length)
		others := []string{name + "n", name + "x", "x" + name}
		if length > 0 {
			others = append(others, name[1:], name[1:]+"x")
		}
		for _, pad := range []int{0, 1, 40} {
			var d D
			for _, other := range others {
				d = append(d, E{other, BoolValue(true)})
			}
			d = append(d, E{name, DateValue(7)}, E{"last", StringValue(strings.Repeat("s", pad))})
			f := NewFinder(name)
			found, ok := f.Find(mustBSON(t, d))
			if date, isDate := found.AsDate(); !ok || !isDate || date != 7 {
				t.Errorf("Find(%q) among %v = %v, %v, want the date", name, others, found, ok)
			}
			d[len(others)].Key = "gone"
			if found, ok := f.Find(mustBSON(t, d)); !ok || found.Kind != Missing {
				t.Errorf("Find(%q) among %v without it = %v, %v, want missing", name, others, found, ok)
			}
		}
	}
}

// TestFinderNameWithNUL asks for a name that the bytes of an element spell
// together with its value.
func TestFinderNameWithNUL(t *testing.T) {
	raw := mustBSON(t, D{{"a", Int32Value('b')}})
	for _, name := range []string{"a\x00b", "a\x00", "\x00", "a\x00b\x00\x00\x00\x00\x00"} {
		f := NewFinder(name)
		if found, ok := f.Find(raw); !ok || found.Kind != Missing {
			t.Errorf("Find(%q) = %v, %v, want missing", name, found, ok)
		}
	}
}

func TestFinderStopsAtTheField(t *testing.T) {
	raw := mustBSON(t, D{{"t", DateValue(5)}, {"s", StringValue("text")}})
	raw[bytes.Index(raw, []byte("text"))-4] = 200 // the length of s
	first, second := NewFinder("t"), NewFinder("s")
	found, ok := first.Find(raw)
	if date, isDate := found.AsDate(); !ok || !isDate || date != 5 {
		t.Errorf("Find(t) before damage = %v, %v, want the date", found, ok)
	}
	if found, ok := second.Find(raw); ok {
		t.Errorf("Find(s) of a length that does not fit = %v, true", found)
	}
}

func TestFinderRefuses(t *testing.T) {
	tests := []struct{ why, doc string }{
		{"nothing", ""},
		{"four bytes", "\x04\x00\x00\x00"},
		{"a length beyond the bytes", "\x06\x00\x00\x00\x00"},
		{"a length short of the bytes", "\x05\x00\x00\x00\x00\x00"},
		{"no NUL at the end", "\x05\x00\x00\x00\x01"},
		{"an unknown type", "\x10\x00\x00\x00\x20a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"},
		{"a name without an end, near it", "\x08\x00\x00\x00\x0aab\x00"},
		{"a name without an end, far from it", "\x14\x00\x00\x00\x0aabcdefghijklmn\x00"},
		{"an int64 cut short", "\x0d\x00\x00\x00\x12a\x00\x01\x02\x03\x04\x05\x00"},
		{"an end inside", "\x10\x00\x00\x00\x00a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"},
		{"a negative length", "\x12\x00\x00\x00\x02a\x00\xff\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00"},
		{"the greatest length", "\x12\x00\x00\x00\x02a\x00\xff\xff\xff\x7f\x00\x00\x00\x00\x00\x00\x00"},
	}
	for _, test := range tests {
		f := NewFinder("missing")
		if found, ok := f.Find([]byte(test.doc)); ok {
			t.Errorf("%s: Find = %v, true, want false", test.why, found)
		}
	}
}

// TestFinderNoRoom finds names behind which the document has no room for their
// values.
func TestFinderNoRoom(t *testing.T) {
	for _, name := range []string{"", "n", "sixsix", "seven77", "eighteig", "nineninen"} {
		for room := range 8 {
			raw := append([]byte{0, 0, 0, 0, byte(Date)}, name...)
			raw = append(raw, make([]byte, 1+room+1)...)
			raw[0] = byte(len(raw))
			f := NewFinder(name)
			if found, ok := f.Find(raw); ok {
				t.Errorf("Find(%q) with room for %d bytes = %v, true, want false", name, room, found)
			}
		}
	}
}

func TestRawCheckRefuses(t *testing.T) {
	text := "\x01\x00\x00\x00x" // no NUL
	for _, r := range []Raw{{String, []byte(text)}, {String, []byte("\x00\x00\x00\x00")}, {Bool, []byte{2}}, {Object, []byte("\x05\x00\x00\x00\x01")}} {
		if v, err := r.Check(); err == nil {
			t.Errorf("Check(%v) = %s, want an error", r, show(v))
		}
	}
}

func TestRawAsString(t *testing.T) {
	tests := []struct {
		why  string
		raw  Raw
		want string
		ok   bool
	}{
		{"a text", Raw{String, []byte("\x03\x00\x00\x00ab\x00")}, "ab", true},
		{"an empty one", Raw{String, []byte("\x01\x00\x00\x00\x00")}, "", true},
		{"no room for the NUL", Raw{String, []byte("\x00\x00\x00\x00")}, "", false},
		{"no NUL", Raw{String, []byte("\x02\x00\x00\x00ab")}, "", false},
		{"nothing", Raw{Kind: String}, "", false},
		{"another kind", Raw{Symbol, []byte("\x02\x00\x00\x00a\x00")}, "", false},
	}
	for _, tt := range tests {
		if got, ok := tt.raw.AsString(); string(got) != tt.want || ok != tt.ok {
			t.Errorf("%s: AsString() = %q, %v, want %q, %v", tt.why, got, ok, tt.want, tt.ok)
		}
	}
}

func TestRawElements(t *testing.T) {
	raw := mustBSON(t, D{{"a", ListValue(A{DateValue(1), NullValue(), DateValue(2)})}})
	f := NewFinder("a")
	array, _ := f.Find(raw)
	var dates []Instant
	e := array.Elements()
	n := 0
	for ; e.Next(); n++ {
		if date, ok := e.Raw().AsDate(); ok {
			dates = append(dates, date)
		}
	}
	if n != 3 || len(dates) != 2 || dates[0] != 1 || dates[1] != 2 || e.Damaged() {
		t.Errorf("%d elements, dates %v, damaged %v, want 3, [1 2], false", n, dates, e.Damaged())
	}
	array.Body[len(array.Body)-10] = 0x20 // the type, or a byte, of the last
	array.Body[4] = 0x20
	e = array.Elements()
	if e.Next() || !e.Damaged() {
		t.Errorf("an unknown type: Damaged() = %v, want true", e.Damaged())
	}
	if e := (Raw{Kind: Date, Body: make([]byte, 8)}).Elements(); e.Next() || !e.Damaged() {
		t.Error("the elements of a date are not damaged")
	}
}

// TestPropertyRawElements: passing over dates many at a time finds the elements
// that one by one does, also in damaged arrays.
func TestPropertyRawElements(t *testing.T) {
	dates := rapid.Map(rapid.Int64(), func(n int64) Value { return DateValue(Instant(n)) })
	mixed := rapid.OneOf(dates, rapid.SampledFrom([]Value{DateValue(5), NullValue(), StringValue("x"), StringValue("xy"), Int64Value(5)}))
	rapid.Check(t, func(t *rapid.T) {
		elements := rapid.SampledFrom([]*rapid.Generator[Value]{dates, mixed}).Draw(t, "of")
		raw, err := AppendBSON(nil, ObjectValue(D{{"a", ListValue(A(rapid.SliceOfN(elements, 0, 15).Draw(t, "elements")))}}))
		if err != nil {
			t.Fatal(err)
		}
		renamed := rapid.Bool().Draw(t, "damaged") // maybe a position
		if renamed {
			raw[rapid.IntRange(11, max(len(raw)-3, 11)).Draw(t, "at")] = rapid.SampledFrom([]byte{0, 1, 9, 0x20, 0xff}).Draw(t, "byte")
		}
		array := Raw{List, raw[7 : len(raw)-1]}
		var want []Raw
		one := array.Elements()
		for one.Next() {
			want = append(want, one.Raw())
		}
		got, all := array.EarliestDate()
		if earliest, isDates := earliestOf(want); all && (got != earliest || !isDates || one.Damaged()) || !all && isDates && !one.Damaged() && !renamed {
			t.Fatalf("EarliestDate = %d, %v of %v", got, all, want)
		}
		many := array.Elements()
		for more := true; more; {
			earliest, n := many.Dates()
			for i := range n {
				if len(want) == 0 {
					t.Fatalf("Dates finds %d dates more than there are", n-i)
				}
				if date, ok := want[0].AsDate(); !ok || date < earliest {
					t.Fatalf("Dates = %d, %d, but element is %v", earliest, n, want[0])
				}
				want = want[1:]
			}
			if more = many.Next(); more {
				if len(want) == 0 || want[0].Kind != many.Raw().Kind || !bytes.Equal(want[0].Body, many.Raw().Body) {
					t.Fatalf("Next = %v behind dates, want %v", many.Raw(), want)
				}
				want = want[1:]
			}
		}
		if len(want) > 0 || many.Damaged() != one.Damaged() {
			t.Fatalf("%d elements not found; damaged %v, one by one %v", len(want), many.Damaged(), one.Damaged())
		}
	})
}

// earliestOf returns the earliest of elements that are Dates, all of them and at
// least one.
func earliestOf(elements []Raw) (earliest Instant, ok bool) {
	for i, r := range elements {
		date, isDate := r.AsDate()
		if !isDate {
			return 0, false
		}
		if i == 0 || date < earliest {
			earliest = date
		}
	}
	return earliest, len(elements) > 0
}

// TestEarliestDate has positions of one digit to four.
func TestEarliestDate(t *testing.T) {
	for _, n := range []int{1, 9, 10, 11, 99, 100, 101, 1000, 1001} {
		for _, first := range []int{0, n / 2, n - 1} {
			var a A
			for i := range n {
				a = append(a, DateValue(Instant(100+i)))
			}
			a[first] = DateValue(-7)
			raw := mustBSON(t, D{{"a", ListValue(a)}})
			if got, ok := (Raw{List, raw[7 : len(raw)-1]}).EarliestDate(); !ok || got != -7 {
				t.Errorf("EarliestDate of %d dates, element %d the earliest, = %d, %v, want -7, true", n, first, got, ok)
			}
			a[first] = NullValue()
			raw = mustBSON(t, D{{"a", ListValue(a)}})
			if got, ok := (Raw{List, raw[7 : len(raw)-1]}).EarliestDate(); ok {
				t.Errorf("EarliestDate of %d elements, element %d a null, = %d, true, want false", n, first, got)
			}
		}
	}
	for why, r := range map[string]Raw{
		"an empty array": {List, []byte("\x05\x00\x00\x00\x00")}, "no array": {Date, make([]byte, 8)}, "nothing": {},
		"a length that does not fit": {List, []byte("\x06\x00\x00\x00\x00")},
	} {
		if got, ok := r.EarliestDate(); ok {
			t.Errorf("%s: EarliestDate = %d, true, want false", why, got)
		}
	}
}

// TestPropertyFinderDamaged: in damaged bytes a field is found, or damage met, as
// by walking one element at a time.
func TestPropertyFinderDamaged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw, err := AppendBSON(nil, ObjectValue(documents(2).Draw(t, "document")))
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 3).Draw(t, "damages") {
			raw[rapid.IntRange(0, len(raw)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		f := NewFinder(names().Draw(t, "name"))
		found, ok := f.Find(raw)
		want, wantOK := walkTo(raw, f.name)
		if ok != wantOK || found.Kind != want.Kind || !bytes.Equal(found.Body, want.Body) {
			t.Fatalf("Find(%q) = %v, %v, want %v, %v", f.name, found, ok, want, wantOK)
		}
	})
}

// walkTo is Find by the cursor that reads whole documents.
func walkTo(raw []byte, name string) (Raw, bool) {
	if !isFramed(raw) {
		return Raw{}, false
	}
	c := cursorOf(raw)
	for c.step() {
		if string(c.name) == name {
			return Raw{c.kind, c.body}, true
		}
	}
	return Raw{}, len(c.rest) == 0
}

func TestPropertyFinder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := documents(2).Draw(t, "document")
		raw, err := AppendBSON(nil, ObjectValue(d))
		if err != nil {
			t.Fatal(err)
		}
		name := names().Draw(t, "name")
		if len(d) > 0 && rapid.Bool().Draw(t, "present") {
			name = rapid.SampledFrom(d).Draw(t, "field").Key
		}
		f := NewFinder(name)
		found, ok := f.Find(raw)
		v, err := found.Check()
		want := plainFind(d, name)
		if !ok || err != nil || !identical(v, want) {
			t.Fatalf("Find(%q) = %s, %v, %v, want %s", name, show(v), ok, err, show(want))
		}
	})
}

func FuzzFinder(f *testing.F) {
	f.Add(mustBSON(f, everything), "date")
	f.Add([]byte("\x08\x00\x00\x00\x0aab\x00"), "ab")
	f.Fuzz(func(t *testing.T, raw []byte, name string) {
		finder := NewFinder(name)
		found, ok := finder.Find(raw)
		v, err := found.Check()
		doc, whole := ParseBSON(raw)
		if whole != nil {
			return
		}
		want := Value{}
		fields := doc.Value().Fields()
		for fields.Next() && want.IsMissing() {
			if fields.CompareName(name) == 0 {
				want = fields.Value()
			}
		}
		if !ok || err != nil || !identical(v, want) {
			t.Errorf("Find(%q) in %q = %s, %v, %v, want %s", name, raw, show(v), ok, err, show(want))
		}
	})
}
