package policytext

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// errNoSetting is the error for a text that is not about a container.
var errNoSetting = errors.New(`want a container such as {"defaultTtl": 3600}`)

// A token is a word of a text in any language: a name, a text between quotes, a
// number, or one sign.
type token struct {
	kind byte // 'n', 's', '0' or '.'
	text string
	at   int
	line int
	// isSet means that a colon, an equals sign or a parenthesis follows the name or text.
	isSet bool
}

// tokens splits a text into words. It skips comments in the syntax of C, C++ and the
// shell.
func tokens(src string) []token {
	s := scanner{src: src, line: 1}
	for s.at < len(src) {
		s.at += s.step(src[s.at:])
	}
	return s.list
}

// A scanner is the state of one call of tokens.
type scanner struct {
	src  string
	at   int
	line int
	open int // the last line with a quote that has no end
	list []token
}

// step reads one token, comment or space at the start of rest, and returns its length.
func (s *scanner) step(rest string) int {
	switch c := rest[0]; {
	case c == '\n':
		s.line++
		return 1
	case c == ' ' || c == '\t' || c == '\r':
		return 1
	case strings.HasPrefix(rest, "//"), c == '#':
		line, _, _ := strings.Cut(rest, "\n")
		return len(line)
	case strings.HasPrefix(rest, "/*"):
		return s.comment(rest)
	case (c == '"' || c == '\'') && s.line != s.open:
		return s.quoted(rest)
	case c == '-' && isFlag(s.src, s.at), isWordPart(rune(c)) && (c < '0' || c > '9'):
		return s.add('n', rest[:nameEnd(rest)])
	case isWordPart(rune(c)):
		return s.add('0', rest[:nameEnd(rest)])
	}
	return s.add('.', rest[:1])
}

// add adds a token, and returns its length.
func (s *scanner) add(kind byte, text string) int {
	last := len(s.list) - 1
	if last >= 0 && kind == '.' && strings.Contains(":=(", text) && strings.IndexByte("ns", s.list[last].kind) >= 0 {
		s.list[last].isSet = true
	}
	s.list = append(s.list, token{kind: kind, text: text, at: s.at, line: s.line})
	return len(text)
}

func (s *scanner) comment(rest string) int {
	n := len(rest)
	if end := strings.Index(rest[2:], "*/"); end >= 0 {
		n = end + 4
	}
	s.line += strings.Count(rest[:n], "\n")
	return n
}

func (s *scanner) quoted(rest string) int {
	end := QuoteEnd(rest, false)
	if end == 0 {
		s.open = s.line
		return 1
	}
	s.add('s', rest[1:end-1])
	return end
}

// QuoteEnd returns the end of the quoted text at the start of s, or 0 if the text has no
// end. Unless multiline is true, the text must end on its first line.
func QuoteEnd(s string, multiline bool) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == s[0]:
			return i + 1
		case s[i] == '\n' && !multiline:
			return 0
		}
	}
	return 0
}

// isFlag reports whether the dash at a place begins an option of a command.
func isFlag(src string, at int) bool {
	before := at == 0 || strings.IndexByte(" \t\n`\\", src[at-1]) >= 0
	rest := strings.TrimLeft(src[at:], "-")
	return before && rest != "" && isWordPart(rune(rest[0])) && (rest[0] < '0' || rest[0] > '9')
}

// nameEnd returns the end of the name, flag or number at the start of s.
func nameEnd(s string) int {
	dashes := len(s) - len(strings.TrimLeft(s, "-"))
	for i := dashes; i < len(s); i++ {
		if !isWordPart(rune(s[i])) && (s[i] != '-' || dashes == 0) {
			return i
		}
	}
	return len(s)
}

// readSettings reads the settings that a text in any language gives a
// container.
func readSettings(text string) (c Container, err error) {
	list := tokens(text)
	if n := declared(list); n > 1 {
		return c, fmt.Errorf("%d containers are written here; write one of them", n)
	}
	var d policy.D
	mode := policy.Value{}
	for i, t := range list {
		s, known := settings[t.text]
		if !known || t.kind == '0' || t.kind == '.' {
			continue
		}
		v, ok, err := assigned(text, list, i)
		if ok {
			v, err = s.valueOf(t.text, v)
		}
		switch before := d.Field(s.name); {
		case err != nil:
			return c, &mongosh.SyntaxError{Offset: t.at, Err: fmt.Errorf("%s is %w", t.text, err)}
		case !ok:
		case s.name == "indexingMode":
			mode = v
		case before.IsMissing():
			d = append(d, policy.E{Key: s.name, Value: v})
			c.note(readAs+"a container with %s %s, which the text calls %s.", s.name, jsonOf(v), t.text)
		case before.String() != v.String():
			return c, &mongosh.SyntaxError{Offset: t.at, Err: fmt.Errorf("%s is set twice, to %s and to %s; write one container", s.name, jsonOf(before), jsonOf(v))}
		}
	}
	return c.ofSettings(list, d, mode)
}

// valueOf returns the value that a tool sends for a setting with this name. A shell and
// Terraform do not distinguish "3600" from 3600; from an SDK the service gets the text.
// Any other text in the place of a number is an expression of the language. The error
// continues a sentence that begins with the name.
func (s setting) valueOf(name string, v policy.Value) (policy.Value, error) {
	text, isText := v.AsString()
	if !isText || s.name == "ttlPropertyPath" || s.name == "indexingMode" {
		return v, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil || strconv.FormatInt(n, 10) != text:
		return v, fmt.Errorf("%s, which is not evaluated here; write the number", show(text))
	case strings.HasPrefix(name, "-"), strings.Contains(name, "_"): // a flag, or a name of Terraform
		return Integer(n), nil
	}
	return v, nil
}

// ofSettings makes a container from the settings of a text. It also accepts a
// text without settings that is clearly about a container.
func (c Container) ofSettings(list []token, d policy.D, mode policy.Value) (Container, error) {
	if d.Field("defaultTtl").IsMissing() {
		if i := slices.IndexFunc(list, func(t token) bool { return t.isSet && meantSetting(t.text) == "defaultTtl" }); i >= 0 {
			return c, &mongosh.SyntaxError{Offset: list[i].at, Err: fmt.Errorf(`%s is not a known setting of a container; write {"defaultTtl": 3600}`, show(list[i].text))}
		}
		if len(d) == 0 && declared(list) == 0 && !slices.ContainsFunc(list, func(t token) bool { return t.kind == 'n' && slices.Contains(marks, t.text) }) {
			return c, errNoSetting
		}
		c.note(readAs + "a container without defaultTtl: time to live is off.")
	}
	if !mode.IsMissing() {
		d = append(d, policy.E{Key: policies[0], Value: policy.ObjectValue(policy.D{{Key: "indexingMode", Value: mode}})})
	}
	v := policy.ObjectValue(d)
	c.Known = true
	return c.finish(string(plainjson.Append(nil, v)), v)
}

// declared returns a lower bound of the number of containers that a text declares.
func declared(list []token) (most int) {
	counts := map[string]int{}
	for i, t := range list {
		kind := ""
		switch {
		case t.kind == 's' && (t.text == "azurerm_cosmosdb_sql_container" || strings.Contains(strings.ToLower(t.text), "/sqldatabases/containers@")):
			kind = "resource"
		case t.kind == 'n' && strings.HasSuffix(t.text, "ContainerProperties") && i > 0 && list[i-1].text == "new":
			kind = "new"
		case t.kind == 'n' && strings.HasPrefix(strings.ReplaceAll(strings.ToLower(t.text), "_", ""), "createcontainer") && i+1 < len(list) && list[i+1].text == "(":
			kind = "create"
		case t.kind == 'n' && t.text == "create" && i > 2 && list[i-1].text == "container" && list[i-2].text == "sql" && list[i-3].text == "cosmosdb":
			kind = "az"
		}
		if kind != "" {
			counts[kind]++
			most = max(most, counts[kind])
		}
	}
	return most
}

// assigned returns the value of the name at list[i], in one of the forms name: value,
// name = value, name(value) and --name value. It reports false if the name is not set
// there. The error continues a sentence that begins with the name.
func assigned(src string, list []token, i int) (v policy.Value, ok bool, err error) {
	start, ok := valueStart(list, i)
	if !ok {
		return v, false, nil
	}
	v, end, ok := value(list, start)
	if ok && (strings.HasPrefix(list[i].text, "-") || endsValue(list, end)) {
		return v, true, nil
	}
	given := restOfValue(src, list, start)
	if given == "" {
		return v, false, errors.New("given no value here; write the number")
	}
	return v, false, fmt.Errorf("%s, which is not evaluated here; write the value itself", show(given))
}

// valueStart returns the index of the token at which the value of the name at list[i]
// begins. It reports false if the name has no value.
func valueStart(list []token, i int) (int, bool) {
	sign, next := textAt(list, i+1), textAt(list, i+2)
	isFlag := strings.HasPrefix(list[i].text, "-")
	switch {
	case sign == ":", sign == "=" && (isFlag || next != "=" && next != ">"), sign == "(" && next != ")" && !isFlag:
		return i + 2, true
	}
	return i + 1, isFlag
}

func textAt(list []token, i int) string {
	if i < len(list) {
		return list[i].text
	}
	return ""
}

// endsValue reports whether a value ends before list[i].
func endsValue(list []token, i int) bool {
	return i == len(list) || list[i].line > list[i-1].line || slices.Contains([]string{",", ";", ")", "}", "]", "|", "`"}, list[i].text)
}

// restOfValue returns the text from list[i] up to the end of its line or of the value.
func restOfValue(src string, list []token, i int) string {
	k := i
	for k < len(list) && list[k].line == list[i].line && !slices.Contains([]string{",", ";", "}"}, list[k].text) {
		k++
	}
	switch {
	case k == i:
		return ""
	case k < len(list):
		src = src[:list[k].at]
	}
	return strings.TrimSpace(src[list[i].at:])
}

// value reads a value at list[i]: a product of whole numbers, a text, or a
// constant. It returns where the value ends.
func value(list []token, i int) (v policy.Value, end int, ok bool) {
	if i >= len(list) {
		return v, i, false
	}
	switch t := list[i]; {
	case t.kind == 's':
		return policy.StringValue(t.text), i + 1, true
	case slices.Contains([]string{"null", "None", "nil", "undefined"}, t.text):
		return policy.NullValue(), i + 1, true
	case t.kind == 'n':
		return constant(list, i)
	}
	sign := int64(1)
	if list[i].text == "-" {
		sign = -1
		i++
	}
	product := int64(1)
	for ; i < len(list) && list[i].kind == '0'; i++ {
		digits := strings.TrimRight(strings.ReplaceAll(list[i].text, "_", ""), "lL")
		n, err := strconv.ParseInt(digits, 10, 32)
		if product *= n; err != nil || product > 1<<31 || digits != strconv.FormatInt(n, 10) {
			return v, i, false
		}
		if i+1 == len(list) || list[i+1].text != "*" {
			return Integer(sign * product), i + 1, true
		}
		i++
	}
	return v, i, false
}

// Integer returns n as a shell sends it: as an int32 if it fits, else as an int64.
func Integer(n int64) policy.Value {
	if n == int64(int32(n)) {
		return policy.Int32Value(int32(n))
	}
	return policy.Int64Value(n)
}

// constant reads a name such as IndexingMode.Consistent, and returns its last
// part.
func constant(list []token, i int) (v policy.Value, end int, ok bool) {
	if !strings.EqualFold(list[i].text, "IndexingMode") || i+2 >= len(list) || list[i+1].text != "." {
		return v, i, false
	}
	return policy.StringValue(strings.ToLower(list[i+2].text)), i + 3, true
}

// ParseRelease reads a release of MongoDB, such as "8.0.4". It is an error if no
// profile describes it.
func ParseRelease(text string) (mongo.Version, error) {
	v, err := mongo.ParseVersion(text)
	if err == nil {
		_, err = mongo.ProfileOf(v)
	}
	return v, err
}

// ParseInstant reads an instant in one of these forms: a date, a date and a time with its
// zone, @ and seconds since 1970, or milliseconds such as 1795176000000ms, which is the
// text of a [policy.Instant] beyond the year 9999. It also accepts the given layouts of
// package time.
func ParseInstant(text string, layouts ...string) (policy.Instant, bool) {
	if seconds, ok := strings.CutPrefix(text, "@"); ok {
		n, err := strconv.ParseInt(seconds, 10, 64)
		at, ok := policy.InstantOfUnix(n)
		return at, ok && err == nil
	}
	if ms, ok := strings.CutSuffix(text, "ms"); ok {
		n, err := strconv.ParseInt(ms, 10, 64)
		return policy.Instant(n), err == nil
	}
	for _, layout := range append([]string{time.RFC3339, time.DateOnly}, layouts...) {
		if t, err := time.Parse(layout, text); err == nil {
			return policy.InstantOf(t), true
		}
	}
	return 0, false
}
