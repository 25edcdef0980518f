package report

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/curve"
)

// A Drawn curve is one that was measured.
type Drawn struct {
	curve.Curve
	Measured []curve.Measured
}

// Curves writes the points of curves for a terminal.
func Curves(w io.Writer, curves []Drawn) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range curves {
		fmt.Fprintf(t, "\n%s\t\t\t\n%s\tBYTES\tNS\tNS A BYTE\n", c.Name, c.X)
		for _, p := range c.Measured {
			fmt.Fprintf(t, "%d\t%s\t%s\t%s\n", p.X, dash(p.Bytes), plain(p.NS), perByte(p))
		}
		size, cost := curve.Growth(c.Measured)
		fmt.Fprintf(t, "%s\t\t\t\n", growth(size, cost))
	}
	return t.Flush()
}

func growth(size, cost float64) string {
	return fmt.Sprintf("%s times the size at %s times the cost", plain(size), plain(cost))
}

func dash(bytes int) string {
	if bytes == 0 {
		return "-"
	}
	return fmt.Sprint(bytes)
}

func perByte(p curve.Measured) string {
	if p.Bytes == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3g", p.NS/float64(p.Bytes))
}

// plain writes a number to three digits, larger ones whole.
func plain(f float64) string {
	if f >= 100 {
		return fmt.Sprintf("%.0f", f)
	}
	return fmt.Sprintf("%.3g", f)
}
