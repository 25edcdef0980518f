package card

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reference/rulebook"
)

var example = Card{Above: "ttlpolicy · MongoDB", Title: "mongo.nan-zero", Below: "5.0.0 to 5.0.13, 5.1 to 6.0.1 · documented",
	Text:  "expireAfterSeconds NaN is read as 0: every document whose date is not in the future expires at once.",
	Strip: []rulebook.Cell{{Line: "4.4"}, {Line: "5.0", Patches: "0–13", Support: rulebook.Documented}, {Line: "5.0", Patches: "14–31"}, {Line: "5.1", Support: rulebook.VendorTest}}}

func draw(t *testing.T, c Card) (image.PalettedImage, []byte) {
	t.Helper()
	b, err := c.PNG()
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return decoded.(image.PalettedImage), b
}

func TestPNG(t *testing.T) {
	p, b := draw(t, example)
	if dir := os.Getenv("TTL_SHOTS"); dir != "" {
		_ = os.WriteFile(dir+"/card.png", b, 0o644)
	}
	if got := p.Bounds(); got != image.Rect(0, 0, 1200, 630) {
		t.Errorf("the card is %v, want 1200 by 630", got)
	}
	if _, again := draw(t, example); !bytes.Equal(b, again) {
		t.Error("the same card twice differs")
	}
	if len(b) > 16<<10 {
		t.Errorf("the card has %d bytes, want 16 KiB at most", len(b))
	}
	for _, tt := range []struct {
		name string
		x, y int
		want uint8
	}{
		{"the band above", 600, 5, mark.full()}, {"paper", 1190, 300, paper}, {"a cell of a release without the rule", 100, 510, ground}, {"one with it", 1000, 510, mark.full()},
		{"the stripes of what is documented", 400, 486 + 20, mark.full()}, {"between stripes", 400, 486 + 24, paper},
	} {
		if got := p.ColorIndexAt(tt.x, tt.y); got != tt.want {
			t.Errorf("%s has the colour %d, want %d", tt.name, got, tt.want)
		}
	}
}

// letters counts the pixels of r that are neither paper nor part of a pattern.
func letters(p image.PalettedImage, r image.Rectangle) (n int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if i := p.ColorIndexAt(x, y); i != paper && i != line && i != ground {
				n++
			}
		}
	}
	return n
}

// TestTextHasRoom: nothing is written over the margins, whatever the text is.
func TestTextHasRoom(t *testing.T) {
	long := example
	long.Title, long.Text, long.Below = strings.Repeat("very-", 12)+"long", strings.Repeat("and so on ", 100), strings.Repeat("and so on ", 40)
	for _, c := range []Card{example, long, {}, {Title: "x", Text: strings.Repeat("x", 30)}} {
		p, _ := draw(t, c)
		for _, side := range []image.Rectangle{image.Rect(0, 14, margin-4, Height), image.Rect(Width-margin+4, 14, Width, Height), image.Rect(0, 462, Width, 484), image.Rect(0, Height-20, Width, Height)} {
			if n := letters(p, side); n > 0 && len(c.Strip) > 0 {
				t.Errorf("%.20q: %d pixels are written in %v", c.Title, n, side)
			}
		}
	}
	if p, _ := draw(t, example); letters(p, image.Rect(margin, 130, 700, 190)) < 1000 {
		t.Error("the title is missing")
	}
}

func TestWrap(t *testing.T) {
	f := face(regular, 38)
	if got, want := wrap(f, "one  two three", 150), []string{"one two", "three"}; !slices.Equal(got, want) {
		t.Errorf("wrap = %q, want %q", got, want)
	}
	if got := wrap(f, "", 100); len(got) != 0 {
		t.Errorf("wrap of nothing = %q", got)
	}
	if got, want := cut([]string{"one two", "three"}, 1), []string{"one …"}; !slices.Equal(got, want) {
		t.Errorf("cut = %q, want %q", got, want)
	}
}

func BenchmarkPNG(b *testing.B) {
	for b.Loop() {
		if _, err := example.PNG(); err != nil {
			b.Fatal(err)
		}
	}
}
