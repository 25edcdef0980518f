package conform

import (
	"fmt"
	"io"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

// A printer writes lines until one cannot be written.
type printer struct {
	w   io.Writer
	err error
	cli.Style
	width int // of wrapped text, in columns
}

// Write writes text as it is.
func (p *printer) Write(text []byte) (n int, err error) {
	if p.err == nil {
		n, p.err = p.w.Write(text)
	}
	return n, p.err
}

func (p *printer) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// wrap writes text in lines behind indent spaces.
func (p *printer) wrap(text string, indent int) { cli.Wrap(p, text, indent, p.width) }
