package explain

import (
	_ "embed"
	"html/template"
	"io"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/timeline"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// SVG writes the timeline as a picture.
func (e Explanation) SVG(w io.Writer) error {
	_, err := io.WriteString(w, timeline.Of(e.Explanation).SVG(timeline.Options{}))
	return err
}

// HTML writes e as one page that needs nothing else: no script, no network.
func (e Explanation) HTML(w io.Writer) error {
	picture := timeline.Of(e.Explanation).SVG(timeline.Options{Width: 860})
	return page.Execute(w, struct {
		Explanation
		Picture template.HTML // our own SVG, which escapes what it is given
	}{e, template.HTML(picture)})
}

// Web returns the address of a source, empty if it has none but a path in a
// repository.
func (Explanation) Web(address string) string {
	if strings.HasPrefix(address, "https://") {
		return address
	}
	return ""
}
