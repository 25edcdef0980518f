package dump

import "io"

// Counted returns r with tell, unless it is nil, being told how many bytes each
// Read yields.
func Counted(r io.Reader, tell func(n int)) io.Reader { return counter{r, tell} }

type counter struct {
	r    io.Reader
	tell func(n int)
}

func (c counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	if c.tell != nil {
		c.tell(n)
	}
	return n, err
}
