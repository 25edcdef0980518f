package cli

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"html"
	"html/template"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// serviceCommand matches the beginning of a command to a CI service that reads the
// output.
var serviceCommand = regexp.MustCompile(`(?m)^\s*::|(?i)##(vso|teamcity)?\[`)

// isRaw reports whether text holds a command to a CI service, or a character, except a
// line end, that no output form may contain.
func isRaw(text string) bool {
	return serviceCommand.MatchString(text) || strings.ToValidUTF8(text, "\x00") != text || strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) })
}

// TestForms: no output form contains a raw control character. JSON gives the original text
// back, and the other forms show it with escapes.
func TestForms(t *testing.T) {
	type element struct {
		XMLName xml.Name `xml:"e"`
		Name    string   `xml:"name,attr"`
		Text    string   `xml:",chardata"`
	}
	page := NewPage(`<p title="{{.}}">{{.}}</p>`, nil)
	const utf = "\x1b\a\n\r\u009b\u202e\u200b\U000e0100=|'`\"</script>" // JSON has no other bytes
	for _, tt := range []struct {
		form  string
		write func(io.Writer) error
		check func(string) bool
	}{
		{"JSON", func(w io.Writer) error { return WriteJSON(w, map[string]string{"a": utf}) }, func(s string) bool {
			var back map[string]string
			return json.Unmarshal([]byte(s), &back) == nil && back["a"] == utf
		}},
		{"JSON text", func(w io.Writer) error { p := NewJSON(w); p.Line("%s", JSONText(utf)); return p.Err() }, func(s string) bool {
			var back string
			return json.Unmarshal([]byte(s), &back) == nil && back == utf
		}},
		{"JSON that was encoded", func(w io.Writer) error { p := NewJSON(w); p.Lines("[\n\"\u009b\"\n]", 0); return p.Err() }, func(s string) bool {
			return s == "[\n\"\\u009b\"\n]\n"
		}},
		{"XML", func(w io.Writer) error { return WriteXML(w, element{Name: hostile, Text: hostile}) }, func(s string) bool {
			var back element
			return xml.Unmarshal([]byte(s), &back) == nil && strings.Contains(back.Name, "</script>") && strings.Contains(back.Text, `\u{9b}`)
		}},
		{"SVG", func(w io.Writer) error { return WriteSVG(w, "<text>\u202e</text>\n") }, func(s string) bool { return s == "<text>\\u{202e}</text>\n" }},
		{"HTML", func(w io.Writer) error { return page.Write(w, hostile) }, func(s string) bool {
			return strings.Count(s, "<") == 2 && strings.Contains(s, `\u{202e}`) && strings.Contains(s, `\x9b`)
		}},
	} {
		var b bytes.Buffer
		if err := tt.write(&b); err != nil || isRaw(b.String()) || !tt.check(b.String()) {
			t.Errorf("%s: %v, wrote %q", tt.form, err, b.String())
		}
		if err := tt.write(broken{}); err == nil {
			t.Errorf("%s: no error where nothing can be written", tt.form)
		}
	}
}

// TestCommandsToServices: text from outside cannot give a command to a CI service, and a
// reader of the output gets the text back unchanged.
func TestCommandsToServices(t *testing.T) {
	type element struct{ A string }
	page := NewPage("<p>\n{{.}}\n</p>", nil)
	long := strings.Repeat("x", 1<<16)
	for _, text := range []string{"::error title=x::y", "  ::add-mask::a", "##vso[task.setvariable variable=a]b", "##[error]x", "a ##teamcity[x] ##VSO[y]", long + "##vso[task.x]", long + "###[x] ::error::"} {
		for form, tt := range map[string]struct {
			write func(w io.Writer) error
			read  func(s string) (string, error)
		}{
			"text": {func(w io.Writer) error { p := Printer{W: w}; p.Line("%s", text); return p.Err() }, nil},
			"wrapped": {func(w io.Writer) error {
				p := Printer{W: w, Width: 4}
				p.Wrap("some words "+text, 2)
				return p.Err()
			}, nil},
			"bold": {func(w io.Writer) error { p := Printer{W: w}; p.Line("%s", Style{}.Bold(text)); return p.Err() }, nil},
			"JSON": {func(w io.Writer) error { return WriteJSON(w, text) }, func(s string) (back string, err error) {
				return back, json.Unmarshal([]byte(s), &back)
			}},
			"JSON text": {func(w io.Writer) error { p := NewJSON(w); p.Line("%s", JSONText(text)); return p.Err() }, func(s string) (back string, err error) {
				return back, json.Unmarshal([]byte(s), &back)
			}},
			"XML": {func(w io.Writer) error { return WriteXML(w, element{A: text}) }, func(s string) (string, error) {
				var back element
				err := xml.Unmarshal([]byte(s), &back)
				return back.A, err
			}},
			"HTML": {func(w io.Writer) error { return page.Write(w, text) }, func(s string) (string, error) {
				return strings.TrimSuffix(strings.TrimPrefix(html.UnescapeString(s), "<p>\n"), "\n</p>"), nil
			}},
		} {
			var b strings.Builder
			if err := tt.write(&b); err != nil || isRaw(b.String()) {
				t.Errorf("%s of %.60q: %v, wrote %.200q", form, text[max(len(text)-40, 0):], err, b.String())
			}
			if tt.read == nil {
				continue
			}
			if back, err := tt.read(b.String()); err != nil || back != text {
				t.Errorf("%s of %.60q is read back as %.60q, %v", form, text[max(len(text)-40, 0):], back[max(len(back)-40, 0):], err)
			}
		}
	}
	for _, harmless := range []string{"a::b", "std::vector", "# [x]", "#[x]", "## x", "f(::1)"} {
		var b strings.Builder
		p := Printer{W: &b}
		if p.Line("%s", harmless); b.String() != harmless+"\n" {
			t.Errorf("Line(%q) wrote %q", harmless, b.String())
		}
	}
}

// TestPageIsWrittenByLines: a page is not held as a whole.
func TestPageIsWrittenByLines(t *testing.T) {
	w := &largestWrite{}
	lines := slices.Repeat([]string{"a line"}, 10_000)
	if err := NewPage("{{range .}}<p>{{.}}</p>\n{{end}}end", nil).Write(w, lines); err != nil {
		t.Fatal(err)
	}
	if want := len("<p>a line</p>\n"); w.largest > 2*want || w.n != len(lines)*want+len("end") {
		t.Errorf("%d bytes, %d at a time, want %d, a line at a time", w.n, w.largest, len(lines)*want+len("end"))
	}
}

// largestWrite counts the bytes of all writes, and of the largest.
type largestWrite struct{ n, largest int }

func (w *largestWrite) Write(text []byte) (int, error) {
	w.n, w.largest = w.n+len(text), max(w.largest, len(text))
	return len(text), nil
}

// TestShellWord: a shell reads back the original words.
func TestShellWord(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	words := []string{"a", "", "-x", "a b", "it's", `\`, "$(id)", "`id`", "=cmd()", "a\nb", hostile, "é", "\x9b7", "!!", "~", "#", "*", "##vso[x]", "'##[x]", " ::error::"}
	line := ShellWords(words...)
	if isRaw(line) || strings.Contains(line, "\n") {
		t.Errorf("ShellWords = %q", line)
	}
	out, err := exec.Command(bash, "-c", "printf '%s\\0' "+line).Output()
	if want := strings.Join(words, "\x00") + "\x00"; err != nil || string(out) != want {
		t.Errorf("the shell reads %q, %v, want %q", out, err, want)
	}
}

func TestPageRefusesWhatItDoesNotHold(t *testing.T) {
	page := NewPage(`<meta http-equiv="Content-Security-Policy" content="{{csp}}"><style>p { color: red }</style>{{f}}`, template.FuncMap{"f": func() string { return "<x>" }})
	var b strings.Builder
	if err := page.Write(&b, nil); err != nil {
		t.Fatal(err)
	}
	const want = `content="default-src &#39;none&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;; style-src ` +
		`&#39;sha256-`
	if got := b.String(); !strings.Contains(got, want) || strings.Count(got, "sha256-") != 1 || !strings.HasSuffix(got, "&lt;x&gt;") {
		t.Errorf("the page is %s", got)
	}
}
