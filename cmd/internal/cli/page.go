package cli

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/ttlpolicy/ttlpolicy/cmd/pattern"
)

// A Page is a self-contained HTML page, without scripts and network. Its
// Content-Security-Policy allows only the page's own styles.
type Page struct{ template func() *template.Template }

var styleElement = pattern.Lazy(`(?s)<style>(.*?)</style>`)

// NewPage returns the page of a text, in which {{csp}} stands for the
// Content-Security-Policy. The policy allows the styles in the text and the given styles
// of pictures. The first Write parses the text, and panics if the text cannot be parsed.
func NewPage(text string, functions template.FuncMap) Page {
	return Page{sync.OnceValue(func() *template.Template { return parsePage(text, functions) })}
}

func parsePage(text string, functions template.FuncMap) *template.Template {
	policy := "default-src 'none'; base-uri 'none'; form-action 'none'; style-src"
	for _, m := range styleElement().FindAllStringSubmatch(text, -1) {
		sum := sha256.Sum256([]byte(m[1]))
		policy += fmt.Sprintf(" 'sha256-%s'", base64.StdEncoding.EncodeToString(sum[:]))
	}
	all := template.FuncMap{"csp": func() string { return policy }, "join": strings.Join, "shell": func(words []string) string { return ShellWords(words...) }}
	return template.Must(template.New("page").Funcs(all).Funcs(functions).Parse(text))
}

// Write writes the page with data, and escapes invisible characters and commands to CI
// services.
func (p Page) Write(w io.Writer, data any) error {
	l := lineWriter{w: w}
	if err := p.template().Execute(&l, data); err != nil {
		return err
	}
	return writeMarkup(w, string(l.rest))
}
