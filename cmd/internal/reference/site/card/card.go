// Package card draws the pictures that networks and messengers show for a link to a page:
// its title, its statement, and the releases for which it holds.
package card

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reference/rulebook"
)

// Width and Height are the size that networks ask for, in pixels.
const (
	Width  = 1200
	Height = 630
	margin = 64
)

// A Card is the text of a picture.
type Card struct {
	Above string          // in small letters, such as "ttlpolicy"
	Title string          // in monospaced letters
	Text  string          // cut off where there is no room
	Strip []rulebook.Cell // the releases of a rule, none for other pages
	Below string          // in small letters
}

// A ramp is the shades of one colour over paper, in the palette.
type ramp struct{ first, shades uint8 }

// The palette has few colours, which makes the files small.
const (
	paper = iota
	line
	ground
	shades // the first palette index for shades
)

var (
	ink     = ramp{shades, 4}
	mark    = ramp{shades + 4, 4}
	palette = append(color.Palette{
		paper: color.White, line: color.RGBA{0xdf, 0xe3, 0xe8, 0xff}, ground: color.RGBA{0xf6, 0xf7, 0xf9, 0xff},
	}, make(color.Palette, 8)...)
)

func init() {
	ink.mix(color.RGBA{0x1b, 0x1f, 0x27, 0xff})
	mark.mix(color.RGBA{0x0f, 0x6b, 0x52, 0xff})
}

// mix puts the shades of c into the palette.
func (r ramp) mix(c color.RGBA) {
	over := func(part uint8, i uint8) uint8 { return uint8(255 - (255-int(part))*int(i+1)/int(r.shades)) }
	for i := range r.shades {
		palette[r.first+i] = color.RGBA{over(c.R, i), over(c.G, i), over(c.B, i), 0xff}
	}
}

// full is the darkest shade.
func (r ramp) full() uint8 { return r.first + r.shades - 1 }

var regular, mono = mustParse(goregular.TTF), mustParse(gomonobold.TTF)

func mustParse(ttf []byte) *opentype.Font {
	f, err := opentype.Parse(ttf)
	if err != nil {
		panic(err)
	}
	return f
}

// PNG draws the card.
func (c Card) PNG() ([]byte, error) {
	p := picture{image.NewPaletted(image.Rect(0, 0, Width, Height), palette)}
	p.fill(image.Rect(0, 0, Width, 14), mark.full())
	p.text(mono, 30, margin, 82, ink, c.Above)
	p.text(mono, min(64, 1.63*(Width-2*margin)/float64(max(len(c.Title), 1))), margin, 184, ink, c.Title)
	lines := wrap(face(regular, 38), c.Text, Width-2*margin)
	room := 6
	if len(c.Strip) > 1 {
		room = 4
		p.strip(c.Strip)
	}
	for i, text := range cut(lines, room) {
		p.text(regular, 38, margin, 262+54*i, ink, text)
	}
	below := wrap(face(regular, 26), c.Below, Width-2*margin)
	p.text(regular, 26, margin, Height-30, mark, strings.Join(cut(below, 1), ""))
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.DefaultCompression}).Encode(&b, p)
	return b.Bytes(), err
}

// face returns a font in a size, in pixels.
func face(f *opentype.Font, size float64) font.Face {
	made, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		panic(err) // no option is wrong
	}
	return made
}

// wrap divides text into lines of at most a width. A longer word gets its own line.
func wrap(f font.Face, text string, width int) (lines []string) {
	for _, word := range strings.Fields(text) {
		last := len(lines) - 1
		if last >= 0 && font.MeasureString(f, lines[last]+" "+word).Ceil() <= width {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// cut keeps as many lines as there is room for, and shows where it cut.
func cut(lines []string, room int) []string {
	if len(lines) <= room {
		return lines
	}
	lines[room-1] = lines[room-1][:max(strings.LastIndex(lines[room-1], " "), 0)] + " …"
	return lines[:room]
}

type picture struct{ *image.Paletted }

func (p picture) fill(r image.Rectangle, index uint8) {
	p.pattern(r, func(int, int) uint8 { return index })
}

// pattern colours the pixels of r. The function named of gets the place of a pixel in r,
// and returns the colour of the pixel.
func (p picture) pattern(r image.Rectangle, of func(x, y int) uint8) {
	for y := range r.Dy() {
		for x := range r.Dx() {
			p.SetColorIndex(r.Min.X+x, r.Min.Y+y, of(x, y))
		}
	}
}

// text writes a line that begins at x, y.
func (p picture) text(f *opentype.Font, size float64, x, y int, colour ramp, text string) {
	in, dot, before := face(f, size), fixed.P(x, y), rune(-1)
	for _, r := range text {
		if before >= 0 {
			dot.X += in.Kern(before, r)
		}
		at, mask, from, advance, _ := in.Glyph(dot, r)
		p.glyph(at, mask, from, colour)
		dot.X += advance
		before = r
	}
}

// glyph draws a letter, whose mask says how much of each pixel it covers.
func (p picture) glyph(at image.Rectangle, mask image.Image, from image.Point, colour ramp) {
	covers, ok := mask.(*image.Alpha)
	if !ok {
		return // opentype has no other masks
	}
	for y := at.Min.Y; y < at.Max.Y; y++ {
		for x := at.Min.X; x < at.Max.X; x++ {
			shade := uint8(int(covers.AlphaAt(from.X+x-at.Min.X, from.Y+y-at.Min.Y).A) * int(colour.shades) / 255)
			if shade > 0 && image.Pt(x, y).In(p.Rect) {
				p.SetColorIndex(x, y, colour.first+shade-1)
			}
		}
	}
}

// strip draws a cell for each release, with the name of its line below.
func (p picture) strip(cells []rulebook.Cell) {
	const top, height = 486, 46
	left := func(i int) int { return margin + i*(Width-2*margin)/len(cells) }
	for i, c := range cells {
		p.pattern(image.Rect(left(i), top, left(i+1)-4, top+height), drawn(c.Support, left(i+1)-4-left(i), height))
		if i == 0 || c.Line != cells[i-1].Line {
			p.text(mono, 15, left(i), top+height+20, ink, c.Line)
		}
	}
}

// drawn draws a degree of support as the pages do, in a cell of the given size.
func drawn(s rulebook.Support, width, height int) func(x, y int) uint8 {
	within := func(on func(x, y int) bool, border, inside uint8) func(x, y int) uint8 {
		return func(x, y int) uint8 {
			switch {
			case x < 2 || y < 2 || x >= width-2 || y >= height-2:
				return border
			case on(x, y):
				return inside
			}
			return paper
		}
	}
	full := mark.full()
	switch s {
	case rulebook.Run:
		return within(func(x, y int) bool { return x > 5 && y > 5 && x < width-6 && y < height-6 }, full, full)
	case rulebook.VendorTest:
		return within(func(int, int) bool { return true }, full, full)
	case rulebook.FromSource:
		return within(func(x, y int) bool { return (x/4+y/4)%2 == 0 }, full, full)
	case rulebook.Reported:
		return within(func(x, y int) bool { return (x+y)%10 < 4 }, full, full)
	case rulebook.Documented:
		return within(func(_, y int) bool { return y%9 < 4 }, full, full)
	case rulebook.Unspecified:
		return within(func(int, int) bool { return false }, ink.first+1, paper)
	default:
		return within(func(int, int) bool { return true }, line, ground)
	}
}
