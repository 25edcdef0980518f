// Package mentions finds the words of a text that mention a time to live of MongoDB or of
// Azure Cosmos DB, such as expireAfterSeconds, default_ttl and WithDefaultTimeToLive. It
// knows no language: it evaluates nothing, and a word counts in code, texts and comments
// alike. A mention is no policy; it says where a person has to look.
//
// A word that a program puts together, such as "expire" + "AfterSeconds", is not found.
package mentions

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
)

// A Mention is a word of a text that mentions a time to live.
type Mention struct {
	At   int    // offset of its first byte
	Line int    // from 1
	Word string // as it is written
	// IsCosmos means that only Azure Cosmos DB has an option of this name.
	IsCosmos bool
}

// Max is the largest number of mentions that In returns.
const Max = 10_000

// In returns the mentions in a text, at most one for each spelling in a line, in the order
// of the text. The name of the file tells only whether the text is a list of values for
// other files: there the option itself is not written, so that each name with ttl counts.
// In looks at each byte a limited number of times.
func In(name, text string) []Mention {
	s := scanner{text: text, line: 1, isValues: hasEnd(name, ".tfvars", ".tfvars.json", ".bicepparam", ".parameters.json")}
	for s.at < len(text) && len(s.list) < Max {
		s.step()
	}
	s.addRest()
	slices.SortStableFunc(s.list, func(a, b Mention) int { return a.At - b.At })
	return slices.CompactFunc(s.list, func(a, b Mention) bool { return a.Line == b.Line && a.Word == b.Word })
}

// hasEnd reports whether the name of a file ends with one of these texts in lower case.
func hasEnd(name string, ends ...string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(strings.ToLower(name), end) })
}

// A scanner is the state of one call of In.
type scanner struct {
	text     string
	at       int
	line     int
	isValues bool
	folded   []byte // the letters and digits of the present word, in lower case
	places   []int  // for each byte of folded, its offset in the text
	list     []Mention
	// Words that count only near others, or only if the whole text has certain words.
	expires, flags []Mention
	near           []int // offsets of words about indexes and schemas
	isAzure        bool
	isMongo        bool
}

// step reads one word, or one byte between words.
func (s *scanner) step() {
	if c := s.text[s.at]; !isLetter(c) {
		if c == '\n' {
			s.line++
		}
		s.at++
		return
	}
	start := s.at
	s.folded, s.places = s.folded[:0], s.places[:0]
	for s.at < len(s.text) && (isLetter(s.text[s.at]) || isJoiner(s.text[s.at]) && s.at+1 < len(s.text) && isLetter(s.text[s.at+1])) {
		if c := s.text[s.at]; c != '_' && c != '$' && !isJoiner(c) {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			s.folded, s.places = append(s.folded, c), append(s.places, s.at)
		}
		s.at++
	}
	s.word(start)
}

// isLetter reports whether a byte can be part of a name. Every byte of a character beyond
// ASCII counts.
func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

// isJoiner reports whether a byte joins parts of a name, as in expire-after and
// index.expire.after.
func isJoiner(c byte) bool { return c == '-' || c == '.' }

// A stem is a part of a name, in lower case and without signs between its words.
type stem struct {
	letters  string
	isCosmos bool
}

// stems are the parts of names that mention a time to live wherever they stand.
var stems = []stem{
	{"expireafter", false}, {"expiresafterseconds", false}, {"ttlindex", false}, {"indexttl", false},
	{"defaultttl", true}, {"timetolive", true}, {"ttlinseconds", true}, {"ttlpropertypath", true}, {"analytical", true},
}

// caching are the words that follow expireAfter in names of caches: Caffeine and Guava have
// expireAfterWrite and expireAfterAccess.
var caching = []string{"write", "access", "create", "creation", "update", "read", "idle", "each"}

// word adds the mention in the word from start to s.at, if there is one.
func (s *scanner) word(start int) {
	letters := string(s.folded)
	first, end, isCosmos := len(letters), 0, false
	for _, x := range stems {
		if i := x.in(letters); i >= 0 && i < first {
			first, end, isCosmos = i, i+len(x.letters), x.isCosmos
		}
	}
	if end > 0 {
		s.list = append(s.list, s.mention(start, first, end, isCosmos))
		return
	}
	s.inContext(start, letters)
}

// in returns the offset of the first place where x mentions a time to live, -1 for none.
func (x stem) in(letters string) int {
	for from := 0; ; {
		i := strings.Index(letters[from:], x.letters)
		if i < 0 {
			return -1
		}
		from += i + len(x.letters)
		if x.isMeant(letters[from:]) {
			return from - len(x.letters)
		}
	}
}

// isMeant reports whether a stem mentions a time to live, by the letters behind it.
func (x stem) isMeant(behind string) bool {
	switch x.letters {
	case "expireafter":
		return !slices.ContainsFunc(caching, func(word string) bool { return strings.HasPrefix(behind, word) })
	case "analytical":
		near := behind[:min(len(behind), 40)]
		return strings.Contains(near, "ttl") || strings.Contains(near, "timetolive")
	}
	return true
}

// mention returns the mention in the letters from i to end of the word that begins at start. It
// leaves out the names before the last dot and behind the next one.
func (s *scanner) mention(start, i, end int, isCosmos bool) Mention {
	from, to := s.places[i], s.places[end-1]+1
	if dot := strings.LastIndexByte(s.text[start:from], '.'); dot >= 0 {
		start += dot + 1
	}
	rest, _, _ := strings.Cut(s.text[to:s.at], ".")
	return Mention{At: start, Line: s.line, Word: syntax.Clip(s.text[start:to]+rest, maxWord), IsCosmos: isCosmos}
}

// maxWord bounds the quotation of a word, in characters.
const maxWord = 60

// inContext handles the words that mention a time to live only in some texts or places.
func (s *scanner) inContext(start int, letters string) {
	word := s.text[start:s.at]
	name := word[strings.LastIndexByte(word, '.')+1:]
	one := Mention{At: s.at - len(name), Line: s.line, Word: syntax.Clip(name, maxWord)}
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(letters, part) })
	}
	switch {
	case s.isValues && strings.Contains(letters, "ttl"):
		s.list = append(s.list, one)
	case letters == "ttl" && start > 0 && s.text[start-1] == '-': // --ttl of az, -ttl
		for one.IsCosmos = true; one.At > 0 && one.At > s.at-len(name)-2 && s.text[one.At-1] == '-'; one.At-- {
			one.Word = "-" + one.Word
		}
		s.flags = append(s.flags, one)
	case name == "expires" || name == "expire":
		s.expires = append(s.expires, one)
	}
	s.isAzure = s.isAzure || has("cosmosdb")
	s.isMongo = s.isMongo || has("mongo", "schema", "index", "blueprint", "typegoose")
	if has("index", "schema", "prop", "blueprint", "mongo") || word == "Date" && !strings.HasSuffix(s.text[:start], "new ") {
		s.near = append(s.near, start)
	}
}

// reach is how far a word about an index or a schema may stand from expires, in bytes.
const reach = 300

// addRest adds the mentions that depend on the other words of the text: expires of mongoose
// and expire( of Laravel near a word about an index or a schema, and --ttl of az.
func (s *scanner) addRest() {
	if s.isAzure {
		s.list = append(s.list, s.flags...)
	}
	for _, one := range s.expires {
		i, _ := slices.BinarySearch(s.near, one.At-reach)
		behind := strings.TrimLeft(s.text[one.At+len(one.Word):min(one.At+len(one.Word)+20, len(s.text))], " \t\"'")
		isSet := behind != "" && strings.IndexByte(":=(", behind[0]) >= 0
		if isSet && !isInstant(behind) && s.isMongo && i < len(s.near) && s.near[i] < one.At+reach {
			s.list = append(s.list, one)
		}
	}
}

// isInstant reports whether a text gives a name an instant, as for cookies: the option of
// mongoose is a span of time.
func isInstant(text string) bool {
	text = strings.TrimLeft(text, ":=> \t")
	return strings.HasPrefix(text, "new Date") || strings.HasPrefix(text, "Date") || strings.HasPrefix(text, "time()")
}

// Outside returns the mentions that lie in none of the given parts of the text. A part is a
// pair of offsets; the parts are in ascending order of their begins.
func Outside(list []Mention, parts [][2]int) (rest []Mention) {
	end := 0
	for _, m := range list {
		for len(parts) > 0 && parts[0][0] <= m.At {
			end = max(end, parts[0][1])
			parts = parts[1:]
		}
		if m.At >= end {
			rest = append(rest, m)
		}
	}
	return rest
}

// Instead returns what to do about a mention in a file of this name: how to get the value that
// the server or the service has, or gets.
func Instead(name string, isCosmos bool) string {
	switch {
	case hasEnd(name, ".tf", ".tofu", ".tfvars", ".tfvars.json", ".hcl"):
		return "Terraform knows the value: write its plan or its state as JSON by terraform show -json, and name that file."
	case hasEnd(name, ".bicep", ".bicepparam", ".parameters.json"), hasEnd(name, ".json") && isCosmos:
		return "Compile the template by bicep build, and name the file with its JSON; expressions that are left, az deployment group what-if computes. What the service has is shown by az cosmosdb sql container show."
	case isCosmos:
		return "Nothing is evaluated here. What the service has is shown by az cosmosdb sql container show: name a file with its output."
	}
	return "Nothing is evaluated here. Run the program against a test database, and audit that database: ttl audit mongodb://…, or a file with the reply of listIndexes."
}
