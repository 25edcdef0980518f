package program

import (
	"regexp"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A word is one of a line of a shell.
type word struct {
	text     string
	at       int
	isQuoted bool // as a whole
}

var (
	azContainer = regexp.MustCompile(`\baz\s+cosmosdb\s+(sql\s+container|mongodb\s+collection)\s+(create|update)\b`)
	psContainer = regexp.MustCompile(`(?i)\b(New|Update)-AzCosmosDB(SqlContainer|MongoDBIndex)\b`)
)

// readShell reads the commands of the az tool and of PowerShell in a script, or in the steps of
// a pipeline, and what a script sends to the shell of MongoDB.
func (b *builder) readShell() {
	end := 0 // of the last command
	for _, m := range azContainer.FindAllStringSubmatchIndex(b.text, maxPolicies) {
		if m[0] >= end && !b.isComment(m[0]) {
			end = b.readAz(m[0], strings.HasPrefix(b.text[m[2]:m[3]], "mongodb"))
		}
	}
	end = 0
	for _, m := range psContainer.FindAllStringSubmatchIndex(b.text, maxPolicies) {
		if m[0] >= end && !b.isComment(m[0]) {
			end = b.readPowerShell(m[0], strings.EqualFold(b.text[m[4]:m[5]], "MongoDBIndex"))
		}
	}
	for _, p := range shellParts(b) { // of mongosh, in a text or a document of its own
		b.addPart(p)
	}
}

// isComment reports whether the line of a byte is a comment.
func (b *builder) isComment(at int) bool {
	before := b.text[max(at-maxCommand, 0):at]
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return strings.HasPrefix(strings.TrimLeft(line, " \t-"), "#")
}

// maxCommand bounds the bytes of one command.
const maxCommand = 4 << 10

// command returns the words of the command that begins at a byte, up to the end of its line. A
// backslash or a backtick at the end of a line continues it.
func (b *builder) command(at int) (words []word, end int) {
	i := at
	for i < len(b.text) && i < at+maxCommand {
		switch c := b.text[i]; {
		case (c == '\\' || c == '`') && strings.HasPrefix(strings.TrimLeft(b.text[i+1:min(i+4, len(b.text))], " \r"), "\n"):
			i += strings.IndexByte(b.text[i:], '\n') + 1
		case c == '\n' || c == ';' || c == '|' || c == '&':
			return words, i
		case c == ' ' || c == '\t' || c == '\r':
			i++
		default:
			w, n := shellWord(b.text[i:])
			words = append(words, word{w, i, c == '"' || c == '\''})
			i += n
		}
	}
	return words, i
}

// shellWord returns the word that a text begins with, without its quotes.
func shellWord(s string) (text string, n int) {
	var w strings.Builder
	quote := byte(0)
	for n < len(s) && n < maxCommand {
		c := s[n]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			if c == '\\' && quote == '"' && n+1 < len(s) && (s[n+1] == '"' || s[n+1] == '\\') {
				n++
				c = s[n]
			}
			w.WriteByte(c)
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte(" \t\r\n;|&", c) >= 0:
			return w.String(), n
		default:
			w.WriteByte(c)
		}
		n++
	}
	return w.String(), n
}

// flagOf returns the value of a flag, and where it stands.
func flagOf(words []word, names ...string) (v word, ok bool) {
	for i, w := range words {
		name, value, isOne := strings.Cut(w.text, "=")
		switch {
		case w.isQuoted, !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) }):
		case isOne:
			return word{value, w.at, false}, true
		case i+1 < len(words):
			return word{words[i+1].text, w.at, false}, true
		default:
			return word{"", w.at, false}, true
		}
	}
	return v, false
}

// readAz reads az cosmosdb sql container create and its like, and returns where it ends.
func (b *builder) readAz(at int, isMongo bool) (end int) {
	words, end := b.command(at)
	name, _ := flagOf(words, "--name", "-n")
	database, _ := flagOf(words, "--database-name", "-d")
	d := definition{at: at, end: end, name: plain(name.text), database: plain(database.text)}
	if isMongo {
		b.readIdx(words, d)
		return end
	}
	resource := policy.D{}
	for _, o := range [][2]string{{"--ttl", "defaultTtl"}, {"--analytical-storage-ttl", "analyticalStorageTtl"}} {
		v, ok := flagOf(words, o[0])
		if o[0] == "--ttl" && !ok {
			v, ok = flagOf(words, "-t")
		}
		if !ok {
			continue
		}
		seconds, ok := wholeText(v.text)
		if !ok {
			b.refuse(v.at, o[0], "its value is "+syntax.Clip(v.text, 60)+", which is not evaluated here", true)
			return end
		}
		resource = append(resource, policy.E{Key: o[1], Value: seconds})
	}
	b.defineResource(d, resource)
	return end
}

func (b *builder) defineResource(d definition, resource policy.D) {
	if len(resource) == 0 {
		return
	}
	if d.name != "" {
		resource = append(policy.D{{Key: "id", Value: policy.StringValue(d.name)}}, resource...)
	}
	d.container = policy.ObjectValue(resource)
	b.define(d)
}

// plain returns a name that holds no variable of the shell.
func plain(text string) string {
	if strings.ContainsAny(text, "$`{(") {
		return ""
	}
	return text
}

func wholeText(text string) (policy.Value, bool) {
	n, ok := numberOf(strings.TrimPrefix(text, "-"))
	if strings.HasPrefix(text, "-") {
		n = -n
	}
	v, isWhole := quantity{n: n}.seconds()
	return v, ok && isWhole && v.Kind() != policy.Double
}

// readIdx reads --idx of az cosmosdb mongodb collection.
func (b *builder) readIdx(words []word, d definition) {
	v, ok := flagOf(words, "--idx")
	if !ok {
		return
	}
	list, err := policy.ParseJSON([]byte(`{"indexes":` + v.text + `}`))
	if err != nil {
		b.refuse(v.at, "--idx", "its value is not JSON that stands here", true)
		return
	}
	for _, x := range MongoIndexes(list.Value()) {
		one := d
		one.index, one.notes = x, []string{CosmosMongo}
		b.define(one)
	}
}

// readPowerShell reads New-AzCosmosDBSqlContainer and its like, and returns where it ends.
func (b *builder) readPowerShell(at int, isMongo bool) (end int) {
	words, end := b.command(at)
	v, ok := flagOf(words, "-TtlInSeconds")
	if !ok {
		return end
	}
	seconds, ok := wholeText(v.text)
	if !ok {
		b.refuse(v.at, "-TtlInSeconds", "its value is "+syntax.Clip(v.text, 60)+", which is not evaluated here", true)
		return end
	}
	name, _ := flagOf(words, "-Name")
	database, _ := flagOf(words, "-DatabaseName")
	d := definition{at: at, end: end, name: plain(name.text), database: plain(database.text)}
	if !isMongo {
		b.defineResource(d, policy.D{{Key: "defaultTtl", Value: seconds}})
		return end
	}
	keys, _ := flagOf(words, "-Key")
	if plain(keys.text) == "" {
		b.refuse(v.at, "-TtlInSeconds", "the key of its index is not read", true)
		return end
	}
	var key policy.D
	for _, k := range strings.Split(keys.text, ",") {
		key = append(key, policy.E{Key: strings.Trim(k, ` "'`), Value: policy.Int32Value(1)})
	}
	d.name = ""
	d.index = policy.ObjectValue(policy.D{{Key: "key", Value: policy.ObjectValue(key)}, {Key: secondsOption, Value: seconds}})
	d.notes = []string{CosmosMongo}
	b.define(d)
	return end
}
