package policy

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/base/draw"
	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
)

func TestFinderFindsEveryKind(t *testing.T) {
	raw := mustBSON(t, everything)
	for _, e := range everything {
		f := rawbson.NewFinder(e.Key)
		found, ok := f.Find(raw)
		v, err := ParseBSONValue(Kind(found.Type), found.Body)
		if !ok || err != nil || !identical(v, e.Value) {
			t.Errorf("Find(%s) = %s, %v, %v, want %s", e.Key, show(v), ok, err, show(e.Value))
		}
	}
}

// TestFinderNames finds names of each length, near the start and near the end,
// among names that differ only in the last byte.
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
			f := rawbson.NewFinder(name)
			found, ok := f.Find(mustBSON(t, d))
			if date, isDate := found.AsDate(); !ok || !isDate || date != 7 {
				t.Errorf("Find(%q) among %v = %v, %v, want the date", name, others, found, ok)
			}
			d[len(others)].Key = "gone"
			if found, ok := f.Find(mustBSON(t, d)); !ok || found.Type != 0 {
				t.Errorf("Find(%q) among %v without it = %v, %v, want missing", name, others, found, ok)
			}
		}
	}
}

func TestFinderStopsAtTheField(t *testing.T) {
	raw := mustBSON(t, D{{"t", DateValue(5)}, {"s", StringValue("text")}})
	raw[bytes.Index(raw, []byte("text"))-4] = 200 // the length of s
	first, second := rawbson.NewFinder("t"), rawbson.NewFinder("s")
	found, ok := first.Find(raw)
	if date, isDate := found.AsDate(); !ok || !isDate || date != 5 {
		t.Errorf("Find(t) before damage = %v, %v, want the date", found, ok)
	}
	if found, ok := second.Find(raw); ok {
		t.Errorf("Find(s) of a length that does not fit = %v, true", found)
	}
}

func TestParseBSONValueRefuses(t *testing.T) {
	text := "\x01\x00\x00\x00x" // no NUL
	for _, r := range []rawbson.Value{{Type: byte(String), Body: []byte(text)}, {Type: byte(String), Body: []byte("\x00\x00\x00\x00")}, {Type: byte(Bool), Body: []byte{2}}, {Type: byte(Object), Body: []byte("\x05\x00\x00\x00\x01")}} {
		if v, err := ParseBSONValue(Kind(r.Type), r.Body); err == nil {
			t.Errorf("ParseBSONValue(%v) = %s, want an error", r, show(v))
		}
	}
}

func TestRawBSONElements(t *testing.T) {
	raw := mustBSON(t, D{{"a", ListValue(A{DateValue(1), NullValue(), DateValue(2)})}})
	f := rawbson.NewFinder("a")
	array, _ := f.Find(raw)
	var dates []int64
	e := array.Elements()
	n := 0
	for ; e.Next(); n++ {
		if date, ok := e.Value().AsDate(); ok {
			dates = append(dates, date)
		}
	}
	if n != 3 || len(dates) != 2 || dates[0] != 1 || dates[1] != 2 || e.Damaged() {
		t.Errorf("%d elements, dates %v, damaged %v, want 3, [1 2], false", n, dates, e.Damaged())
	}
	array.Body[len(array.Body)-10] = 0x20 // a byte near the last element
	array.Body[4] = 0x20
	e = array.Elements()
	if e.Next() || !e.Damaged() {
		t.Errorf("an unknown type: Damaged() = %v, want true", e.Damaged())
	}
	if e := (rawbson.Value{Type: byte(Date), Body: make([]byte, 8)}).Elements(); e.Next() || !e.Damaged() {
		t.Error("the elements of a date are not damaged")
	}
}

// TestPropertyRawBSONElements: a walk that skips many dates at a time finds the same
// elements as a walk one by one, also in damaged arrays.
func TestPropertyRawBSONElements(t *testing.T) {
	dates := rapid.Map(rapid.Int64(), func(n int64) Value { return DateValue(Instant(n)) })
	mixed := rapid.OneOf(dates, rapid.SampledFrom([]Value{DateValue(5), NullValue(), StringValue("x"), StringValue("xy"), Int64Value(5)}))
	rapid.Check(t, func(t *rapid.T) {
		elements := rapid.SampledFrom([]*rapid.Generator[Value]{dates, mixed}).Draw(t, "of")
		raw, err := AppendBSON(nil, ObjectValue(D{{"a", ListValue(A(rapid.SliceOfN(elements, 0, 15).Draw(t, "elements")))}}))
		if err != nil {
			t.Fatal(err)
		}
		renamed := rapid.Bool().Draw(t, "damaged") // the damage may rename an element
		if renamed {
			raw[rapid.IntRange(11, max(len(raw)-3, 11)).Draw(t, "at")] = rapid.SampledFrom([]byte{0, 1, 9, 0x20, 0xff}).Draw(t, "byte")
		}
		array := rawbson.Value{Type: byte(List), Body: raw[7 : len(raw)-1]}
		var want []rawbson.Value
		one := array.Elements()
		for one.Next() {
			want = append(want, one.Value())
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
				if len(want) == 0 || want[0].Type != many.Value().Type || !bytes.Equal(want[0].Body, many.Value().Body) {
					t.Fatalf("Next = %v behind dates, want %v", many.Value(), want)
				}
				want = want[1:]
			}
		}
		if len(want) > 0 || many.Damaged() != one.Damaged() {
			t.Fatalf("%d elements not found; damaged %v, one by one %v", len(want), many.Damaged(), one.Damaged())
		}
	})
}

// earliestOf returns the earliest element of a non-empty array in which all
// elements are Dates.
func earliestOf(elements []rawbson.Value) (earliest int64, ok bool) {
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

// TestEarliestDate uses arrays whose positions have one to four digits.
func TestEarliestDate(t *testing.T) {
	for _, n := range []int{1, 9, 10, 11, 99, 100, 101, 1000, 1001} {
		for _, first := range []int{0, n / 2, n - 1} {
			var a A
			for i := range n {
				a = append(a, DateValue(Instant(100+i)))
			}
			a[first] = DateValue(-7)
			raw := mustBSON(t, D{{"a", ListValue(a)}})
			if got, ok := (rawbson.Value{Type: byte(List), Body: raw[7 : len(raw)-1]}).EarliestDate(); !ok || got != -7 {
				t.Errorf("EarliestDate of %d dates, element %d the earliest, = %d, %v, want -7, true", n, first, got, ok)
			}
			a[first] = NullValue()
			raw = mustBSON(t, D{{"a", ListValue(a)}})
			if got, ok := (rawbson.Value{Type: byte(List), Body: raw[7 : len(raw)-1]}).EarliestDate(); ok {
				t.Errorf("EarliestDate of %d elements, element %d a null, = %d, true, want false", n, first, got)
			}
		}
	}
	for why, r := range map[string]rawbson.Value{
		"an empty array": {Type: byte(List), Body: []byte("\x05\x00\x00\x00\x00")}, "no array": {Type: byte(Date), Body: make([]byte, 8)}, "nothing": {},
		"a length that does not fit": {Type: byte(List), Body: []byte("\x06\x00\x00\x00\x00")},
	} {
		if got, ok := r.EarliestDate(); ok {
			t.Errorf("%s: EarliestDate = %d, true, want false", why, got)
		}
	}
}

// TestPropertyFinderDamaged: in damaged bytes Find finds the same field or damage
// as a walk one element at a time.
func TestPropertyFinderDamaged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw, err := AppendBSON(nil, ObjectValue(DrawnDocuments(2).Draw(t, "document")))
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 3).Draw(t, "damages") {
			raw[rapid.IntRange(0, len(raw)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		name := draw.Names.Draw(t, "name")
		f := rawbson.NewFinder(name)
		found, ok := f.Find(raw)
		want, wantOK := walkTo(raw, name)
		if ok != wantOK || found.Type != want.Type || !bytes.Equal(found.Body, want.Body) {
			t.Fatalf("Find(%q) = %v, %v, want %v, %v", name, found, ok, want, wantOK)
		}
	})
}

// walkTo does the work of Find with a cursor that visits each element.
func walkTo(raw []byte, name string) (rawbson.Value, bool) {
	e := rawElements(raw)
	for e.Next() {
		if string(e.Name()) == name {
			return e.Value(), true
		}
	}
	return rawbson.Value{}, !e.Damaged()
}

func TestPropertyFinder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := DrawnDocuments(2).Draw(t, "document")
		raw, err := AppendBSON(nil, ObjectValue(d))
		if err != nil {
			t.Fatal(err)
		}
		name := draw.Names.Draw(t, "name")
		if len(d) > 0 && rapid.Bool().Draw(t, "present") {
			name = rapid.SampledFrom(d).Draw(t, "field").Key
		}
		f := rawbson.NewFinder(name)
		found, ok := f.Find(raw)
		v, err := ParseBSONValue(Kind(found.Type), found.Body)
		want := d.Field(name)
		if !ok || err != nil || !identical(v, want) {
			t.Fatalf("Find(%q) = %s, %v, %v, want %s", name, show(v), ok, err, show(want))
		}
	})
}

func FuzzFinder(f *testing.F) {
	f.Add(mustBSON(f, everything), "date")
	f.Add([]byte("\x08\x00\x00\x00\x0aab\x00"), "ab")
	f.Fuzz(func(t *testing.T, raw []byte, name string) {
		finder := rawbson.NewFinder(name)
		found, ok := finder.Find(raw)
		v, err := ParseBSONValue(Kind(found.Type), found.Body)
		doc, whole := ParseBSON(raw)
		if whole != nil {
			return
		}
		want := Value{}
		fields := doc.Value().Fields()
		for fields.Next() && want.IsMissing() {
			if fields.compareName(name) == 0 {
				want = fields.Value()
			}
		}
		if !ok || err != nil || !identical(v, want) {
			t.Errorf("Find(%q) in %q = %s, %v, %v, want %s", name, raw, show(v), ok, err, show(want))
		}
	})
}
