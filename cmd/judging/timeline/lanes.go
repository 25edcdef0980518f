package timeline

import (
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// lanes draws a lane for each TTL source.
func (d *drawing) lanes() {
	for _, lane := range d.Lanes[:min(len(d.Lanes), maxLanes)] {
		d.lane(lane)
		d.y += laneHigh
	}
	if more := len(d.Lanes) - maxLanes; more > 0 {
		d.add(`<text class="tl-faint" x="%s" y="%s">and %d more</text>`, d.left, d.y+12, more)
		d.y += 20
	}
}

func (d *drawing) lane(l Lane) {
	class := "tl-faint"
	if l.Decides {
		class = "tl-strong"
	}
	d.title(l.Source.Name, class, l.Source.About, l.verdict(d.Now))
	y := d.y + barTop
	d.add(`<rect class="tl-track" x="%s" y="%s" width="%s" height="%s" rx="3"/>`, d.left, y, d.right-d.left, barHigh)
	switch l.Form {
	case Outside:
		d.add(`<rect fill="url(#%s-outside)" x="%s" y="%s" width="%s" height="%s" rx="3"/>`, d.ID, d.left, y, d.right-d.left, barHigh)
	case Broken:
		d.broken(l, y)
	case Whole:
		d.bar(l, y)
	}
	d.dots(l, y+barHigh/2)
}

// verdict says the result of a lane in a few words.
func (l Lane) verdict(now policy.Instant) string {
	if l.Form == Outside {
		return "not in the index"
	}
	deadline, _ := l.Decision.Deadline()
	return verdict(l.Decision.State, reasons.IsUnknown(l.Decision.Rule), deadline, now)
}

// verdict says in a few words when something expires.
func verdict(s policy.State, isUnknown bool, deadline, now policy.Instant) string {
	switch {
	case isUnknown:
		return "deadline unknown"
	case s == policy.Expired:
		return "expired " + reasons.Distance(deadline, now)
	case s == policy.Pending:
		return "expires " + reasons.Distance(deadline, now)
	}
	return "never expires"
}

// title writes the line above a bar: a name, its subject, and a verdict at the
// right end. If there is no room for all, it leaves out the subject first.
func (d *drawing) title(name, class, about, verdict string) {
	n := room(d.left, d.right)
	name = shorten(name, n-len([]rune(verdict))/2-2)
	n -= len([]rune(name)) + 2
	verdict = shorten(verdict, n)
	text := fmt.Sprintf(`<tspan class="%s">%s</tspan>`, class, escape(name))
	if n -= len([]rune(verdict)) + 2; n > 8 && about != "" {
		text += fmt.Sprintf(`<tspan class="tl-faint" dx="8">%s</tspan>`, escape(shorten(about, n)))
	}
	fmt.Fprintf(&d.words, `<text x="%s" y="%s">%s</text>`+"\n", round(d.left), round(d.y+13), text)
	d.words.add(`<text class="tl-faint" x="%s" y="%s" text-anchor="end">%s</text>`, d.right, d.y+13, verdict)
}

// bar draws the time to live, from the date at which it starts.
func (d *drawing) bar(l Lane, y float64) {
	start, ok := l.Start()
	if !ok {
		return
	}
	class := "tl-bar"
	if !l.Decides {
		class = "tl-bar tl-other"
	}
	deadline, _ := l.Decision.Deadline()
	from, to := d.x(start), d.x(deadline)
	d.add(`<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`, class, from, y, to-from, barHigh)
	if deadline > start {
		d.over(reasons.Span(deadline, start), "tl-in", from+6, to, y)
	}
}

// broken draws a time to live that is NaN. It has no end, except in the releases that
// read NaN as 0.
func (d *drawing) broken(l Lane, y float64) {
	from, reading := d.left, "NaN: nothing is deleted"
	if l.Decision.State != policy.Never {
		reading = "NaN, read as 0"
	}
	if len(l.Dates) > 0 {
		from = d.x(l.Dates[0])
	}
	mid := y + barHigh/2
	d.add(`<path class="tl-broken" d="M%s %sh18l4 -7l6 14l4 -7H%s"/>`, from, mid, max(d.right-2, from+34))
	d.over(reading, "tl-over", from+44, d.right, y)
}

// over writes text upon a bar, if there is room.
func (d *drawing) over(text, class string, from, to, y float64) {
	from, to = max(from, d.left), min(to, d.right)
	if len([]rune(text)) <= room(from+6, to-6) {
		d.words.add(`<text class="%s" x="%s" y="%s">%s</text>`, class, from+6, y+14, text)
	}
}

// dots draws the dates, with the deciding date on top.
func (d *drawing) dots(l Lane, y float64) {
	start, counts := l.Start()
	for _, at := range slices.Backward(l.Dates) {
		if at < d.Scale.First || at > d.Scale.Last {
			continue
		}
		class := "tl-dot"
		if counts && at == start && l.Form != Outside {
			class = "tl-dot tl-decides"
		}
		d.add(`<circle class="%s" cx="%s" cy="%s" r="5"><title>%s %s</title></circle>`, class, d.x(at), y, l.Source.Field, instant(at))
	}
}

// A band is a lane that shows whether the document is visible before and after
// the deadline.
type band struct{ name, before, after, class string }

func (d *drawing) bandsOf() []band {
	switch {
	case d.Unknown:
		return []band{{"The item", "unknown", "", ""}}
	case d.State == policy.Never && d.Lazily:
		return []band{{"The document", "stays", "", ""}}
	case d.State == policy.Never:
		return []band{{"The item", "stays", "", ""}}
	case d.Lazily:
		return []band{{"The document", "there", "expired, may still be there", "hatched"}}
	}
	return []band{
		{"Reads", "find the item", "hidden at once", "hidden"},
		{"Storage", "holds the item", "purged later", "hatched"},
	}
}

// bands draws the view of readers and of the store.
func (d *drawing) bands() {
	deadline := d.right
	if d.State != policy.Never {
		deadline = d.x(d.Deadline)
	}
	for _, b := range d.bandsOf() {
		y, note := d.y+barTop, ""
		d.add(`<rect class="tl-there" x="%s" y="%s" width="%s" height="%s"/>`, d.left, y, deadline-d.left, barHigh)
		if b.class == "hatched" {
			d.add(`<rect class="tl-band" fill="url(#%s-hatch)" x="%s" y="%s" width="%s" height="%s"/>`, d.ID, deadline, y, d.right-deadline, barHigh)
		}
		if b.class == "hidden" {
			d.add(`<rect class="tl-band" fill="none" x="%s" y="%s" width="%s" height="%s"/>`, deadline, y, d.right-deadline, barHigh)
		}
		if b.class == "hatched" && d.Lazily {
			note = d.sweeps(y)
		}
		d.title(b.name, "tl-strong", d.aboutBand(b, deadline), note)
		d.over(b.before, "tl-in", d.left, deadline, y)
		d.over(b.after, "tl-over", deadline, d.right, y)
		d.y += laneHigh
	}
	d.y += 4
}

// aboutBand returns the text that the title of a band shows because it does not fit into
// the bar.
func (d *drawing) aboutBand(b band, deadline float64) string {
	if b.after == "" || len(b.after) <= room(deadline+6, d.right-6) {
		return ""
	}
	return "after the deadline: " + b.after
}

// sweeps draws the passes of the TTL monitor, if they are far enough apart, and returns a
// text about their interval. Their true times are not known, so it draws them at whole
// minutes.
func (d *drawing) sweeps(y float64) string {
	const period = int64(behaviour.TTLMonitorSleepSecs) * second
	wide := float64(gap(d.Scale.Last, d.Scale.First))
	if (d.right-d.left)*float64(period)/wide < 4 {
		if d.Width < 480 {
			return "a sweep every 60 s"
		}
		return "a sweep every 60 s, too many to draw"
	}
	var lines string // one path for all lines is shorter than an element for each line
	for _, tick := range d.Scale.everyFixed(period) {
		lines += "M" + round(d.x(tick.at)) + " " + round(y+barHigh) + "v6"
	}
	d.add(`<path class="tl-sweep" d="%s"/>`, lines)
	return "a sweep every 60 s"
}
