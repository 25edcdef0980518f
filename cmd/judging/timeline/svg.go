package timeline

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

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
	topRoom  = 34.0 // for the label of now
	laneHigh = 50.0
	barTop   = 20.0 // within a lane, below its title
	barHigh  = 20.0
	maxLanes = 8
	advance  = 6.6 // the approximate width of a character
)

// A drawing is a picture under construction: y is the place of its next part.
type drawing struct {
	shapes, words canvas // words come last, so that no line crosses a word
	reasons.Explanation
	Options
	left, right, y float64
}

// SVG draws the explanation of a decision. The picture needs no other file. Its description says in
// words what it shows.
func SVG(e reasons.Explanation, o Options) string {
	o.Width, o.ID = max(cmp.Or(o.Width, 720), 280), cmp.Or(o.ID, "timeline")
	o.Scale = cmp.Or(o.Scale, scaleFor(e))
	d := &drawing{Explanation: e, Options: o, left: margin, right: float64(o.Width) - margin, y: topRoom}
	for i, one := range e.Each[:min(len(e.Each), maxLanes)] {
		d.lane(one, i == int(e.Decision.Source))
	}
	if more := len(e.Each) - maxLanes; more > 0 {
		d.words.add(`<text class="tl-faint" x="%s" y="%s">and %d more</text>`, d.left, d.y+12, more)
		d.y += 20
	}
	d.bands()
	d.axis()
	return d.head() + d.shapes.String() + `<g class="tl-words">` + "\n" + d.words.String() + "</g>\n</svg>\n"
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
	c.add(`<title id="%s-title">%s</title><desc id="%s-desc">%s</desc>`, d.ID, "Timeline: "+verdict(d.Decision, d.Now), d.ID, describe(d.Explanation))
	if !d.Bare {
		c.WriteString("<style>\n" + Style + "</style>\n")
	}
	c.add(`<defs><pattern id="%s-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="tl-hatch" d="M0 0V6"/></pattern></defs>`, d.ID)
	return c.String()
}

// verdict says in a few words when something expires.
func verdict(decision policy.Decision, now policy.Instant) string {
	deadline, _ := decision.Deadline()
	switch {
	case reasons.IsUnknown(decision.Rule):
		return "deadline unknown"
	case decision.State == policy.Expired:
		return "expired " + reasons.Distance(deadline, now)
	case decision.State == policy.Pending:
		return "expires " + reasons.Distance(deadline, now)
	}
	return "never expires"
}

// lane draws the time to live by one source: a bar from the date at which it starts, and the dates.
// The time to live of a source that is NaN has no bar, because releases read it differently.
func (d *drawing) lane(of reasons.Each, decides bool) {
	class, bar, says := "tl-faint", "tl-bar tl-other", verdict(of.Decision, d.Now)
	if decides {
		class, bar = "tl-strong", "tl-bar"
	}
	isOutside := strings.HasPrefix(of.Decision.Rule.String(), "mongo.filter-")
	if isOutside {
		says = "not in the index"
	}
	d.title(of.Source.Name, class, of.Source.About, says)
	y := d.y + barTop
	d.shapes.add(`<rect class="tl-track" x="%s" y="%s" width="%s" height="%s" rx="3"/>`, d.left, y, d.right-d.left, barHigh)
	start, counts := of.Start()
	deadline, _ := of.Decision.Deadline()
	switch {
	case of.Source.NaN && of.Decision.State == policy.Never:
		d.over("NaN: nothing is deleted", "tl-over", d.left, d.right, y)
	case of.Source.NaN:
		d.over("NaN, read as 0", "tl-over", d.left, d.right, y)
	case counts && !isOutside:
		d.shapes.add(`<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`, bar, d.x(start), y, d.x(deadline)-d.x(start), barHigh)
		d.over(reasons.Span(deadline, start), "tl-in", d.x(start), d.x(deadline), y)
	}
	for _, at := range slices.Backward(of.Dates) { // the deciding date is drawn last
		class := "tl-dot"
		if counts && at == start && !isOutside {
			class = "tl-dot tl-decides"
		}
		if d.Scale.First <= at && at <= d.Scale.Last {
			d.shapes.add(`<circle class="%s" cx="%s" cy="%s" r="5"><title>%s %s</title></circle>`, class, d.x(at), y+barHigh/2, of.Source.Field, instant(at))
		}
	}
	d.y += laneHigh
}

// title writes the line above a bar: a name, its subject, and a verdict at the
// right end. If there is no room for all, it leaves out the subject first.
func (d *drawing) title(name, class, about, verdict string) {
	n := room(d.left, d.right)
	name = shorten(name, n-utf8.RuneCountInString(verdict)/2-2)
	n -= utf8.RuneCountInString(name) + 2
	verdict = shorten(verdict, n)
	text := fmt.Sprintf(`<tspan class="%s">%s</tspan>`, class, escape(name))
	if n -= utf8.RuneCountInString(verdict) + 2; n > 8 && about != "" {
		text += fmt.Sprintf(`<tspan class="tl-faint" dx="8">%s</tspan>`, escape(shorten(about, n)))
	}
	fmt.Fprintf(&d.words, `<text x="%s" y="%s">%s</text>`+"\n", round(d.left), round(d.y+13), text)
	d.words.add(`<text class="tl-faint" x="%s" y="%s" text-anchor="end">%s</text>`, d.right, d.y+13, verdict)
}

// over writes text upon a bar, if there is room.
func (d *drawing) over(text, class string, from, to, y float64) {
	from, to = max(from, d.left)+12, min(to, d.right)-12
	if utf8.RuneCountInString(text) <= room(from, to) {
		d.words.add(`<text class="%s" x="%s" y="%s">%s</text>`, class, from, y+14, text)
	}
}

// A band shows whether the document is visible before and after the deadline.
type band struct{ name, before, after, note string }

func (d *drawing) bandsOf() []band {
	name := "The item"
	if isLazy(d.Explanation) {
		name = "The document"
	}
	switch {
	case reasons.IsUnknown(d.Decision.Rule):
		return []band{{name: name, before: "unknown"}}
	case d.Decision.State == policy.Never:
		return []band{{name: name, before: "stays"}}
	case isLazy(d.Explanation):
		return []band{{name, "there", "after the deadline: expired, may still be there", "a sweep every 60 s"}}
	}
	return []band{{"Reads", "find the item", "after the deadline: hidden at once", ""}, {"Storage", "holds the item", "after the deadline: purged later", ""}}
}

// bands draws the view of readers and of the store.
func (d *drawing) bands() {
	deadline := d.right
	if at, ok := d.Decision.Deadline(); ok {
		deadline = d.x(at)
	}
	for _, b := range d.bandsOf() {
		y := d.y + barTop
		d.shapes.add(`<rect class="tl-there" x="%s" y="%s" width="%s" height="%s"/>`, d.left, y, deadline-d.left, barHigh)
		if fill := "url(#" + d.ID + "-hatch)"; b.after != "" {
			if b.name == "Reads" {
				fill = "none"
			}
			d.shapes.add(`<rect class="tl-band" fill="%s" x="%s" y="%s" width="%s" height="%s"/>`, fill, deadline, y, d.right-deadline, barHigh)
		}
		d.title(b.name, "tl-strong", b.after, b.note)
		d.over(b.before, "tl-in", d.left, deadline, y)
		d.y += laneHigh
	}
}

// axis draws the line of time, the deadline, the clock through all lanes and bands, and the instants
// of these and of the date that decides.
func (d *drawing) axis() {
	axis := d.y + 4
	d.shapes.add(`<line class="tl-axis" x1="%s" x2="%s" y1="%s" y2="%s"/>`, d.left, d.right, axis, axis)
	d.y = axis + 18
	if start, ok := deciding(d.Explanation).Start(); ok {
		d.tag(&d.shapes, d.x(start), d.y, "tl-faint", shorten(deciding(d.Explanation).Source.Field, 20)+" "+instant(start))
		d.y += 18
	}
	if deadline, ok := d.Decision.Deadline(); ok {
		x, class := d.x(deadline), "tl-deadline tl-"+d.Decision.State.String()
		d.shapes.add(`<line class="%s" x1="%s" x2="%s" y1="%s" y2="%s"/>`, class, x, x, topRoom+barTop-4, axis)
		d.shapes.add(`<path class="%s" d="M%s %sl5 6l-5 6l-5 -6z"/>`, class, x, axis-6)
		d.tag(&d.shapes, x, d.y, class, "deadline "+instant(deadline)+", "+reasons.Distance(deadline, d.Now))
		d.y += 18
	}
	x, slider := d.x(d.Now), ""
	if d.Drag {
		slider = fmt.Sprintf(` role="slider" tabindex="0" aria-label="now" aria-valuemin="%d" aria-valuemax="%d" aria-valuenow="%d" aria-valuetext="%s"`, d.Scale.First, d.Scale.Last, d.Now, escape(instant(d.Now)))
	}
	d.shapes.WriteString(`<g class="tl-now"` + slider + ">\n")
	d.shapes.add(`<rect class="tl-grip" x="%s" y="0" width="32" height="%s"/>`, x-16, d.y)
	d.shapes.add(`<line x1="%s" x2="%s" y1="%s" y2="%s"/><path d="M%s %sh12l-6 8z"/>`, x, x, 26.0, axis, x-6, 21.0)
	d.tag(&d.shapes, x, 13, "tl-strong", "now "+instant(d.Now))
	d.shapes.WriteString("</g>\n")
}

// tag writes a line of text around x, moved so that it stays in the picture.
func (d *drawing) tag(to *canvas, x, y float64, class, text string) {
	const bold = advance * 1.1
	text = shorten(text, int((d.right-d.left)/bold))
	half := float64(utf8.RuneCountInString(text)) * bold / 2
	to.add(`<text class="%s" x="%s" y="%s" text-anchor="middle">%s</text>`, class, min(max(x, d.left+half), d.right-half), y, text)
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
