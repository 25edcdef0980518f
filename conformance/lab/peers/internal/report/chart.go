package report

import (
	"bytes"
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/curve"
	"github.com/ttlpolicy/ttlpolicy/conformance/lab/peers/internal/goals"
)

// Colours that can be told apart without seeing red or green (Okabe and Ito,
// "Color Universal Design", 2008).
var colours = []color.Color{
	color.RGBA{0x00, 0x72, 0xB2, 0xFF}, color.RGBA{0xD5, 0x5E, 0x00, 0xFF}, color.RGBA{0x00, 0x9E, 0x73, 0xFF}, color.RGBA{0xCC, 0x79, 0xA7, 0xFF},
	color.RGBA{0xE6, 0x9F, 0x00, 0xFF}, color.RGBA{0x56, 0xB4, 0xE9, 0xFF}, color.RGBA{0x00, 0x00, 0x00, 0xFF}, color.RGBA{0x80, 0x80, 0x80, 0xFF},
}

// A band holds the ratios to one peer in one row: the measured ratio of each work, and
// the goal for it.
type band struct {
	name          string
	ratios, goals plotter.XYs
}

// bandsOf returns the bands of the lines about peers, with the first row on top.
func bandsOf(lines []goals.Line) (bands []band) {
	for _, l := range lines {
		if !l.IsPeer {
			continue
		}
		name := l.Row + " " + l.Against
		i := slices.IndexFunc(bands, func(b band) bool { return b.name == name })
		if i < 0 {
			bands, i = append(bands, band{name: name}), len(bands)
		}
		bands[i].ratios = append(bands[i].ratios, plotter.XY{X: l.Ratio})
		bands[i].goals = append(bands[i].goals, plotter.XY{X: l.Want})
	}
	slices.Reverse(bands)
	for y, b := range bands {
		for i := range b.ratios {
			b.ratios[i].Y, b.goals[i].Y = float64(y), float64(y)
		}
	}
	return bands
}

// peersChart draws a dot for each work and a ring for its goal.
func peersChart(lines []goals.Line) ([]byte, error) {
	p := newPlot()
	p.Title.Text = "How many times as fast as each peer"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.Add(plotter.NewGrid())
	var names []string
	var ratios, wants plotter.XYs
	for _, b := range bandsOf(lines) {
		names = append(names, b.name)
		ratios, wants = append(ratios, b.ratios...), append(wants, b.goals...)
	}
	wanted, err := dots(wants, colours[1], draw.RingGlyph{}, 4)
	if err != nil {
		return nil, err
	}
	measured, err := dots(ratios, colours[0], draw.CircleGlyph{}, 3)
	if err != nil {
		return nil, err
	}
	p.Add(wanted, measured)
	p.Legend.Add("a work", measured)
	p.Legend.Add("its goal", wanted)
	p.NominalY(names...)
	return svg(p, 22*vg.Centimeter, vg.Length(3+0.62*float64(len(names)))*vg.Centimeter)
}

// newPlot returns an empty plot whose texts have no serifs.
func newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = color.White
	for _, f := range []*font.Font{
		&p.Title.TextStyle.Font, &p.Legend.TextStyle.Font,
		&p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font, &p.X.Tick.Label.Font, &p.Y.Tick.Label.Font,
	} {
		f.Variant = "Sans"
	}
	p.Legend.Padding = vg.Points(2)
	return p
}

func dots(xys plotter.XYs, c color.Color, shape draw.GlyphDrawer, radius vg.Length) (*plotter.Scatter, error) {
	s, err := plotter.NewScatter(xys)
	if err != nil {
		return nil, fmt.Errorf("drawing dots: %w", err)
	}
	s.GlyphStyle = draw.GlyphStyle{Color: c, Radius: radius, Shape: shape}
	return s, nil
}

// curvesChart draws nanoseconds over bytes, both axes logarithmic, so that
// linear growth is parallel to the dashed line.
func curvesChart(curves []curve.Curve) ([]byte, error) {
	p := newPlot()
	p.Title.Text = "What a decision costs as the document grows"
	p.X.Label.Text, p.Y.Label.Text = "bytes", "ns"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.Add(plotter.NewGrid())
	n := 0
	for _, c := range curves {
		if c.Points[0].Bytes == 0 {
			continue
		}
		if err := addLine(p, c, n); err != nil {
			return nil, err
		}
		n++
	}
	reference, err := plotter.NewLine(plotter.XYs{{X: 100, Y: 40}, {X: 1e7, Y: 4e6}})
	if err != nil {
		return nil, fmt.Errorf("drawing the reference: %w", err)
	}
	reference.Dashes, reference.Color = []vg.Length{vg.Points(4), vg.Points(3)}, color.Gray{0x60}
	p.Add(reference)
	p.Legend.Add("in proportion to the bytes", reference)
	p.Legend.Top, p.Legend.Left = true, true
	return svg(p, 22*vg.Centimeter, 14*vg.Centimeter)
}

func addLine(p *plot.Plot, c curve.Curve, n int) error {
	var xys plotter.XYs
	for _, m := range c.Points {
		xys = append(xys, plotter.XY{X: float64(m.Bytes), Y: m.NS})
	}
	line, points, err := plotter.NewLinePoints(xys)
	if err != nil {
		return fmt.Errorf("drawing %s: %w", c.Name, err)
	}
	line.Color, line.Width = colours[n%len(colours)], vg.Points(1.5)
	points.GlyphStyle = draw.GlyphStyle{Color: line.Color, Radius: vg.Points(2.5), Shape: draw.CircleGlyph{}}
	p.Add(line, points)
	p.Legend.Add(c.Name, line, points)
	return nil
}

func svg(p *plot.Plot, width, height vg.Length) ([]byte, error) {
	canvas := vgsvg.New(width, height)
	p.Draw(draw.New(canvas))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("writing a chart: %w", err)
	}
	return b.Bytes(), nil
}
