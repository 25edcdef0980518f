package timeline

import (
	_ "embed"
	"fmt"
	"math"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Style is the CSS of every timeline, light and dark, which each SVG carries
// unless [Options.Bare]. Its names begin with .ttl-timeline.
//
//go:embed style.css
var Style string

// Options say how to draw a timeline. The zero Options draw it 720 pixels wide,
// without a slider.
type Options struct {
	Width int    // pixels; 0 is 720, and the least is 280
	ID    string // prefix of the identifiers in the picture, different for each picture of a page; "" means "timeline"
	Scale Scale  // the scale to show; the zero Scale stands for a scale that fits
	Drag  bool   // now is a slider, for a script to move
	Bare  bool   // the SVG does not contain [Style]
}

// The measures of a picture, in pixels.
const (
	margin   = 14.0
	topRoom  = 46.0 // for the label of now
	laneHigh = 50.0
	barTop   = 20.0 // within a lane, below its title
	barHigh  = 20.0
	maxLanes = 8
)

// A drawing is a picture under construction: y is the place of its next part, and axisY
// is the place of the axis.
type drawing struct {
	canvas // the shapes
	words  canvas
	Timeline
	Options
	left, right, y, axisY float64
}

// SVG draws t. The picture needs no other file. Its description says in words what it
// shows.
func (t Timeline) SVG(o Options) string {
	if o.Width == 0 {
		o.Width = 720
	}
	if o.ID == "" {
		o.ID = "timeline"
	}
	if o.Scale == (Scale{}) {
		o.Scale = scaleFor(t)
	}
	o.Width = max(o.Width, 280)
	d := &drawing{Timeline: t, Options: o, left: margin, right: float64(o.Width) - margin, y: topRoom}
	d.lanes()
	d.bands()
	d.axis()
	d.deadline()
	d.tags()
	d.now()
	return d.head() + d.String() + `<g class="tl-words">` + "\n" + d.words.String() + "</g>\n</svg>\n" // words come last, so that no line crosses a word
}

func (d *drawing) x(at policy.Instant) float64 { return d.Scale.X(at, d.left, d.right) }

// room returns the number of characters that fit between two coordinates.
func room(left, right float64) int { return int((right - left) / advance) }

func (d *drawing) head() string {
	var c canvas
	role, data := "img", ""
	if d.Drag {
		role = "group" // assistive software does not reach a slider within an image
		data = fmt.Sprintf(` data-drag="" data-first="%d" data-last="%d" data-left="%.0f" data-right="%.0f"`, d.Scale.First, d.Scale.Last, d.left, d.right)
	}
	fmt.Fprintf(&c, `<svg xmlns="http://www.w3.org/2000/svg" class="ttl-timeline" viewBox="0 0 %[1]d %[2]s" width="%[1]d" height="%[2]s" role="%[3]s" aria-labelledby="%[4]s-title %[4]s-desc"%[5]s>`+"\n",
		d.Width, round(d.y), role, escape(d.ID), data)
	c.add(`<title id="%s-title">%s</title><desc id="%s-desc">%s</desc>`, d.ID, "Timeline: "+verdict(d.State, d.Unknown, d.Deadline, d.Now), d.ID, d.describe())
	if !d.Bare {
		c.WriteString("<style>\n" + Style + "</style>\n")
	}
	c.add(`<defs><pattern id="%s-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="tl-hatch" d="M0 0V6"/></pattern>`, d.ID)
	c.add(`<pattern id="%s-outside" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><path class="tl-outside" d="M0 0V6"/></pattern></defs>`, d.ID)
	return c.String()
}

// axis draws the line of time with its round instants, in UTC.
func (d *drawing) axis() {
	d.axisY = d.y
	d.add(`<line class="tl-axis" x1="%s" x2="%s" y1="%s" y2="%s"/>`, d.left, d.right, d.y, d.y)
	end := d.right - 4*advance
	d.words.add(`<text class="tl-tick" x="%s" y="%s" text-anchor="end">UTC</text>`, d.right, d.y+17)
	for _, tick := range d.Scale.ticks(max(d.Width/95, 2)) {
		x, half := d.x(tick.at), float64(len(tick.label))*advance/2
		d.add(`<line class="tl-axis" x1="%s" x2="%s" y1="%s" y2="%s"/>`, x, x, d.y, d.y+5)
		if x-half >= d.left-margin/2 && x+half < end {
			d.add(`<text class="tl-tick" x="%s" y="%s" text-anchor="middle">%s</text>`, x, d.y+17, tick.label)
		}
	}
	d.y += 26
}

// deadline draws the line at the deadline.
func (d *drawing) deadline() {
	if d.State == policy.Never {
		return
	}
	x := d.x(d.Deadline)
	d.add(`<line class="tl-deadline tl-%s" x1="%s" x2="%s" y1="%s" y2="%s"/>`, d.State.String(), x, x, topRoom+barTop-4, d.axisY)
	d.add(`<path class="tl-deadline tl-%s" d="M%s %sl5 6l-5 6l-5 -6z"/>`, d.State.String(), x, d.axisY-6)
}

// tags writes the instants below the axis.
func (d *drawing) tags() {
	var tags []tag
	if start, ok := d.deciding().Start(); ok {
		tags = append(tags, tag{d.x(start), "tl-faint", []string{shorten(d.deciding().Source.Field, 30), instant(start)}})
	}
	if d.State != policy.Never {
		tags = append(tags, tag{d.x(d.Deadline), "tl-deadline tl-" + d.State.String(), []string{"deadline, " + reasons.Distance(d.Deadline, d.Now), instant(d.Deadline)}})
	}
	for _, row := range arrange(tags, d.left, d.right) {
		for _, t := range row {
			d.write(t, d.y+14)
		}
		d.y += 38
	}
	d.y += 4
}

// write writes a tag, with its first line at y.
func (d *drawing) write(t tag, y float64) {
	for i, line := range t.lines {
		class := t.class
		if i > 0 {
			class = "tl-faint"
		}
		d.add(`<text class="%s" x="%s" y="%s" text-anchor="middle">%s</text>`, class, t.x, y+15*float64(i), line)
	}
}

// now draws the line of the clock through all lanes and bands.
func (d *drawing) now() {
	x := d.x(d.Now)
	slider := ""
	if d.Drag {
		slider = fmt.Sprintf(` role="slider" tabindex="0" aria-label="now" aria-valuemin="%d" aria-valuemax="%d" aria-valuenow="%d" aria-valuetext="%s"`, d.Scale.First, d.Scale.Last, d.Now, escape(instant(d.Now)))
	}
	d.WriteString(`<g class="tl-now"` + slider + ">\n")
	d.add(`<rect class="tl-grip" x="%s" y="0" width="32" height="%s"/>`, x-16, d.y)
	d.add(`<line x1="%s" x2="%s" y1="%s" y2="%s"/><path d="M%s %sh12l-6 8z"/>`, x, x, 38.0, d.axisY, x-6, 33.0)
	for _, row := range arrange([]tag{{x, "tl-strong", []string{"now", instant(d.Now)}}}, d.left, d.right) {
		d.write(row[0], 13)
	}
	d.WriteString("</g>\n")
}

// instant writes an instant as briefly as possible.
func instant(at policy.Instant) string {
	return strings.Replace(at.String(), ".000Z", "Z", 1)
}

// A canvas collects the elements of an SVG. Every text and attribute that
// comes from outside passes escape.
type canvas struct{ strings.Builder }

// add writes an element. Its numbers are rounded to a tenth of a pixel.
func (c *canvas) add(format string, args ...any) {
	for i, a := range args {
		switch a := a.(type) {
		case float64:
			args[i] = round(a)
		case string:
			args[i] = escape(a)
		}
	}
	fmt.Fprintf(c, format+"\n", args...)
}

func round(f float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", f), ".0")
}

// escape escapes text for XML and HTML, in elements and in attributes. A
// character that XML cannot hold becomes a replacement mark.
func escape(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0xFFFE || r == 0xFFFF || r >= 0x7F && r < 0xA0 {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return escaper.Replace(s)
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// shorten cuts text to at most n characters.
func shorten(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= max(n, 1) {
		return s
	}
	return string(runes[:max(n, 1)-1]) + "…"
}

// advance is the approximate width of a character of the labels, in pixels.
const advance = 6.6

// A tag is a text of one or two lines that belongs to a place on the axis.
type tag struct {
	x     float64
	class string
	lines []string
}

func (t tag) wide() float64 {
	n := 0
	for _, line := range t.lines {
		n = max(n, len([]rune(line)))
	}
	return float64(n) * advance
}

// arrange puts tags into rows so that no tag covers another tag or leaves the picture. It
// moves each tag as little as possible.
func arrange(tags []tag, left, right float64) (rows [][]tag) {
	for _, t := range tags {
		half := t.wide() / 2
		t.x = min(max(t.x, left+half), max(right-half, left+half))
		rows = place(rows, t)
	}
	return rows
}

func place(rows [][]tag, t tag) [][]tag {
	for i, row := range rows {
		free := true
		for _, other := range row {
			free = free && math.Abs(t.x-other.x) > (t.wide()+other.wide())/2+10
		}
		if free {
			rows[i] = append(row, t)
			return rows
		}
	}
	return append(rows, []tag{t})
}
