package timeline

import (
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// onMongo returns the explanation of a document in a collection with these indexes. The
// document and the indexes are Extended JSON.
func onMongo(t rapid.TB, indexes, doc string, now policy.Instant) reasons.Explanation {
	t.Helper()
	spec, err := mongo.ParseCollectionSpec(policy.Value{}, fixture.Value(t, indexes))
	if err != nil {
		t.Fatal(err)
	}
	p, err := reasons.Compile(definition.OfMongoDB(spec, mongo.Latest(), nil))
	if err != nil {
		t.Fatal(err)
	}
	return reasons.Of(p, fixture.Value(t, doc), now)
}

// A shape is an element with its attributes.
type shape struct {
	name string
	attr map[string]string
}

func (s shape) number(t rapid.TB, name string) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(s.attr[name], 64)
	if err != nil {
		t.Fatalf("%s of %v: %v", name, s, err)
	}
	return f
}

// shapesOf returns the shapes and the text of a picture, which must be well-formed.
func shapesOf(t rapid.TB, svg string) (shapes []shape, text string) {
	t.Helper()
	r := xml.NewDecoder(strings.NewReader(svg))
	var words strings.Builder
	for {
		token, err := r.Token()
		if errors.Is(err, io.EOF) {
			return shapes, words.String()
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			s := shape{token.Name.Local, map[string]string{}}
			for _, a := range token.Attr {
				s.attr[a.Name.Local] = a.Value
			}
			shapes = append(shapes, s)
		case xml.CharData:
			words.Write(token)
			words.WriteByte('\n')
		}
	}
}

// find returns the only shape of a class.
func find(t rapid.TB, shapes []shape, class string) shape {
	t.Helper()
	var found []shape
	for _, s := range shapes {
		if s.attr["class"] == class {
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d shapes of class %q, want one", len(found), class)
	}
	return found[0]
}

const hourIndex = `[{"key":{"at":1},"name":"at_1","expireAfterSeconds":3600}]`

// TestSVG checks places worked out by hand: the marks span 64 minutes, and the
// scale adds a sixteenth of that before and an eighth after.
func TestSVG(t *testing.T) {
	const minutes = policy.Instant(60_000)
	svg := SVG(onMongo(t, hourIndex, `{"at":{"$date":{"$numberLong":"0"}}}`, 64*minutes), Options{Width: 720})
	shapes, text := shapesOf(t, svg)
	// The span from -4 min to 72 min takes 692 pixels, from 14 on: 9.105 pixels a
	// minute.
	at := func(minute float64) float64 { return 14 + 692*(minute+4)/76 }
	bar := find(t, shapes, "tl-bar")
	for _, tc := range []struct {
		why       string
		got, want float64
	}{
		{"the bar begins at the date", bar.number(t, "x"), at(0)},
		{"and is the time to live long", bar.number(t, "width"), at(60) - at(0)},
		{"the date that decides", find(t, shapes, "tl-dot tl-decides").number(t, "cx"), at(0)},
		{"the band begins at the deadline", find(t, shapes, "tl-band").number(t, "x"), at(60)},
		{"and ends with the picture", find(t, shapes, "tl-band").number(t, "width"), 706 - at(60)},
		{"the document is there until then", find(t, shapes, "tl-there").number(t, "width"), at(60) - 14},
	} {
		if tc.got < tc.want-0.1 || tc.got > tc.want+0.1 {
			t.Errorf("%s: %v, want %v", tc.why, tc.got, tc.want)
		}
	}
	for _, want := range []string{"expired 4 min ago", "1970-01-01T01:04:00Z", "may still be there", "a sweep every 60 s"} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture does not say %q:\n%s", want, text)
		}
	}
}

// TestSVGForms checks elements that the picture must have, and must not have.
func TestSVGForms(t *testing.T) {
	container, err := reasons.Compile(definition.OfContainer(cosmos.ContainerSpec{DefaultTTL: policy.Int64Value(10)}))
	if err != nil {
		t.Fatal(err)
	}
	item, err := policy.ParseJSON([]byte(`{"_ts":5}`))
	if err != nil {
		t.Fatal(err)
	}
	date := `{"at":{"$date":{"$numberLong":"0"}},"D":3}`
	for _, tc := range []struct {
		why        string
		e          reasons.Explanation
		want, none []string
	}{
		{"no date", onMongo(t, hourIndex, `{"at":"x"}`, 0), []string{"never expires", "stays", ">now 1970-01-01T00:00:00Z<"}, []string{`class="tl-deadline`, `class="tl-bar"`, `class="tl-band"`, "sweep every"}},
		{"outside a partial index", onMongo(t, `[{"key":{"at":1},"name":"at_1","expireAfterSeconds":10,"partialFilterExpression":{"D":1}}]`, date, 0),
			[]string{"not in the index", `class="tl-dot"`}, []string{`class="tl-bar"`, "tl-dot tl-decides\""}},
		{"NaN", onMongo(t, `[{"key":{"at":1},"name":"at_1","expireAfterSeconds":{"$numberDouble":"NaN"}}]`, date, 0),
			[]string{"NaN: nothing is deleted", "never expires"}, []string{`class="tl-bar"`, `class="tl-deadline`}},
		{"two indexes", onMongo(t, `[{"key":{"D":1},"name":"D_1","expireAfterSeconds":10},{"key":{"at":1},"name":"at_1","expireAfterSeconds":10}]`, date, 0),
			[]string{"D_1", "at_1", "never expires", "expires in 10 s"}, nil},
		{"Cosmos DB hides at once", reasons.Of(container, item.Value(), 20_000),
			[]string{"Reads", "hidden at once", "Storage", "purged later"}, []string{"a sweep", "may still be there"}},
		{"more indexes than there is room for", onMongo(t, "["+strings.TrimSuffix(strings.Repeat(`{"key":{"D":1},"name":"D_1","expireAfterSeconds":10},`, 20), ",")+"]", date, 0), []string{"and 12 more"}, nil},
		{"the zero explanation", reasons.Explanation{}, []string{">now 1970-01-01T00:00:00Z<"}, []string{`class="tl-deadline`}},
	} {
		svg := SVG(tc.e, Options{Bare: true})
		shapesOf(t, svg)
		for _, want := range tc.want {
			if !strings.Contains(svg, want) {
				t.Errorf("%s: %q is not in\n%s", tc.why, want, svg)
			}
		}
		for _, none := range tc.none {
			if strings.Contains(svg, none) {
				t.Errorf("%s: %q is in\n%s", tc.why, none, svg)
			}
		}
	}
}

func TestSVGOptions(t *testing.T) {
	e := onMongo(t, hourIndex, `{"at":{"$date":{"$numberLong":"0"}}}`, 5)
	shapes, _ := shapesOf(t, SVG(e, Options{Width: 10, ID: `a"<b`, Drag: true, Bare: true, Scale: Scale{-7, 7_200_000}}))
	root := shapes[0].attr
	for name, want := range map[string]string{
		"width": "280", "role": "group", "aria-labelledby": `a"<b-title a"<b-desc`, "data-first": "-7", "data-last": "7200000", "data-left": "14", "data-right": "266",
	} {
		if root[name] != want {
			t.Errorf("%s = %q, want %q", name, root[name], want)
		}
	}
	slider := find(t, shapes, "tl-now").attr
	if slider["role"] != "slider" || slider["tabindex"] != "0" || slider["aria-valuenow"] != "5" || slider["aria-valuetext"] != "1970-01-01T00:00:00.005Z" {
		t.Errorf("now is %v, want a slider at 5", slider)
	}
	for _, s := range shapes {
		if s.name == "style" {
			t.Error("a bare picture has a style")
		}
	}
	if svg := SVG(e, Options{}); !strings.Contains(svg, Style) || !strings.Contains(svg, `role="img"`) || strings.Contains(svg, "slider") {
		t.Error("a picture to be looked at must bring its style and be no slider")
	}
}

// TestSVGHostileProperty: for all names, dates and clocks the picture is well-formed, has
// no markup from the names, and has all its shapes.
func TestSVGHostileProperty(t *testing.T) {
	extremes := rapid.SampledFrom([]policy.Instant{policy.MinInstant, policy.MinInstant + 1, -62_135_596_800_000, -1, 0, 1, 1_795_132_800_000, policy.MaxInstant - 1, policy.MaxInstant})
	instants := rapid.OneOf(extremes, drawn.Instants)
	names := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{`"/><script>alert(1)</script>`, "]]>", "&amp;", "a\x00b\x1b", "\xff\xfe", strings.Repeat("w", 5000)}))
	rapid.Check(t, func(t *rapid.T) {
		system := rapid.SampledFrom([]string{definition.MongoDB, definition.CosmosNoSQL}).Draw(t, "system")
		e := reasons.Explanation{Now: instants.Draw(t, "now"), Policy: &reasons.Policy{Policy: definition.Policy{Definition: definition.Definition{System: system}}}}
		e.Decision = policy.DecisionOf(policy.State(rapid.IntRange(0, 2).Draw(t, "state")), instants.Draw(t, "deadline"), policy.Rule{})
		for range rapid.IntRange(0, 3).Draw(t, "lanes") {
			each := reasons.Each{Source: reasons.Source{Name: names.Draw(t, "name"), Field: names.Draw(t, "field"), About: names.Draw(t, "about"), NaN: rapid.Bool().Draw(t, "NaN")}, Dates: rapid.SliceOfN(instants, 0, 5).Draw(t, "dates")}
			each.Decision = policy.DecisionOf(policy.State(rapid.IntRange(0, 2).Draw(t, "lane state")), instants.Draw(t, "lane deadline"), policy.Rule{})
			e.Each = append(e.Each, each)
		}
		width := rapid.IntRange(280, 1200).Draw(t, "width")
		svg := SVG(e, Options{Width: width, Bare: true, Drag: rapid.Bool().Draw(t, "drag")})
		shapes, _ := shapesOf(t, svg)
		for _, s := range shapes {
			if s.name == "script" {
				t.Fatalf("a script:\n%s", svg)
			}
			for _, name := range []string{"x", "x1", "cx", "width"} {
				if _, ok := s.attr[name]; ok && s.name != "rect" && s.name != "text" && (s.number(t, name) < 0 || s.number(t, name) > float64(width)) {
					t.Fatalf("%v lies outside", s)
				}
			}
			if s.name == "rect" && s.number(t, "width") < 0 {
				t.Fatalf("%v has a negative width", s)
			}
		}
		if len(svg) > 100_000 {
			t.Fatalf("%d bytes", len(svg))
		}
	})
}
