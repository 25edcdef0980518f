package program

import (
	"errors"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A word is a word of a shell command, with its offset in the script.
type word struct {
	text     string
	at       int
	isQuoted bool // the word begins with a quote
}

// A command makes or changes a container, or a collection of the API for MongoDB.
type command struct {
	words   []string // in lower case
	isMongo bool
}

var (
	azCommands = []command{
		{strings.Fields("az cosmosdb sql container create"), false}, {strings.Fields("az cosmosdb sql container update"), false},
		{strings.Fields("az cosmosdb mongodb collection create"), true}, {strings.Fields("az cosmosdb mongodb collection update"), true},
	}
	azRest             = []command{{[]string{"az", "rest"}, false}}
	powerShellCommands = []command{
		{[]string{"new-azcosmosdbsqlcontainer"}, false}, {[]string{"update-azcosmosdbsqlcontainer"}, false},
		{[]string{"new-azcosmosdbmongodbindex"}, true}, {[]string{"update-azcosmosdbmongodbindex"}, true},
	}
)

// readShell reads the commands of the az tool and of PowerShell in a script, or in the steps of
// a pipeline, and the text that a script sends to the shell of MongoDB.
func (b *Builder) readShell() {
	b.readCommands(b.Text, azCommands, b.readAz)
	b.readCommands(b.Text, azRest, b.readAzRest)
	if lower := strings.ToLower(b.Text); len(lower) == len(b.Text) {
		b.readCommands(lower, powerShellCommands, b.readPowerShell)
	}
	for _, p := range shellParts(b) { // calls of mongosh, in a quoted text or a here-document
		b.addPart(p)
	}
}

// readCommands calls read with the offset of each of these commands in a text. The text
// is as long as the file, so that its offsets are those of the file. read returns the end
// of the command.
func (b *Builder) readCommands(text string, commands []command, read func(at int, isMongo bool) (end int)) {
	found := 0
	for at := 0; at < len(text) && found < maxPolicies; at++ {
		if at > 0 && isWordByte(text[at-1]) || !isWordByte(text[at]) {
			continue
		}
		for _, c := range commands {
			if isCommand(text[at:], c.words) && !b.isComment(at) {
				at = max(read(at, c.isMongo)-1, at)
				found++
				break
			}
		}
	}
}

// isCommand reports whether a text begins with words that white space separates.
func isCommand(text string, words []string) bool {
	for i, w := range words {
		rest, ok := strings.CutPrefix(text, w)
		if !ok || i == len(words)-1 && rest != "" && isWordByte(rest[0]) {
			return false
		}
		if text = strings.TrimLeft(rest, asciiSpace); i < len(words)-1 && text == rest {
			return false
		}
	}
	return true
}

func isWordByte(c byte) bool { return c != '$' && c < 0x80 && isNameByte(c) || isDigit(c) }

// isComment reports whether the line of a byte is a comment.
func (b *Builder) isComment(at int) bool {
	before := b.Text[max(at-maxCommand, 0):at]
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return strings.HasPrefix(strings.TrimLeft(line, " \t-"), "#")
}

// maxCommand bounds the bytes of one command.
const maxCommand = 4 << 10

// command returns the words of the command that begins at a byte, up to the end of its line. A
// backslash or a backtick at the end of a line continues it.
func (b *Builder) command(at int) (words []word, end int) {
	i := at
	for i < len(b.Text) && i < at+maxCommand {
		switch c := b.Text[i]; {
		case (c == '\\' || c == '`') && strings.HasPrefix(strings.TrimLeft(b.Text[i+1:min(i+4, len(b.Text))], " \r"), "\n"):
			i += strings.IndexByte(b.Text[i:], '\n') + 1
		case c == '\n' || c == ';' || c == '|' || c == '&':
			return words, i
		case c == ' ' || c == '\t' || c == '\r':
			i++
		default:
			w, n := shellWord(b.Text[i:])
			words = append(words, word{w, i, c == '"' || c == '\''})
			i += n
		}
	}
	return words, i
}

// shellWord returns the first word of a text, without its quotes.
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

// flagOf returns the word that is the value of a flag. The flag may have any of the
// names.
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

// readAz reads az cosmosdb sql container create and similar commands, and returns the
// end of the command.
func (b *Builder) readAz(at int, isMongo bool) (end int) {
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
			b.Refuse(v.at, o[0], "its value is "+syntax.Clip(v.text, 60)+", which is not evaluated here", true)
			return end
		}
		resource = append(resource, policy.E{Key: o[1], Value: seconds})
	}
	if len(resource) > 0 {
		b.defineContainer(d, resource)
	}
	return end
}

// textOf returns the value of a flag. If the value is an @ and the path of a file, textOf
// returns the text of the file, and a note. If the file cannot be read, it refuses the
// flag with the reason.
func (b *Builder) textOf(v word, flag string, isCosmos bool) (text string, notes []string, ok bool) {
	path, isFile := strings.CutPrefix(v.text, "@")
	if !isFile {
		return v.text, nil, true
	}
	shown := syntax.Clip(path, 60)
	var err error
	switch {
	case plain(path) == "":
		err = errors.New("a name with variables or commands is not evaluated here")
	case b.beside == nil:
		err = errors.New("the path after @ is read only if the script was given as a file or in a folder")
	default:
		text, err = b.beside(path)
	}
	if err != nil {
		b.Refuse(v.at, flag, "the file "+shown+" was not read: "+err.Error(), isCosmos)
		return "", nil, false
	}
	return text, []string{flag + " was read from " + shown + " beside the script."}, true
}

// readAzRest reads a container or a collection that az rest sends to Azure Resource Manager as
// JSON, and returns the end of the command. An option in a body that is not JSON is refused.
func (b *Builder) readAzRest(at int, _ bool) (end int) {
	words, end := b.command(at)
	to, _ := flagOf(words, "--url", "--uri", "-u")
	body, ok := flagOf(words, "--body", "-b")
	path, _, _ := strings.Cut(to.text, "?")
	names := map[string]string{}
	parts := strings.Split(path, "/")
	for i, part := range parts[:len(parts)-1] {
		names[strings.ToLower(part)] = plain(parts[i+1])
	}
	_, isMongo := names["mongodbdatabases"]
	_, isNoSQL := names["sqldatabases"]
	if !ok || !isMongo && !isNoSQL {
		return end
	}
	text, notes, ok := b.textOf(body, "--body", isNoSQL)
	if !ok || notes != nil && !mentions(text) {
		return end
	}
	doc, err := policy.ParseJSON([]byte(text))
	if err != nil && notes != nil {
		b.Refuse(body.at, "--body", "the file "+syntax.Clip(body.text[1:], 60)+" is not JSON", isNoSQL)
		return end
	}
	if err != nil {
		for _, option := range []string{"defaultTtl", "analyticalStorageTtl", secondsOption} {
			if i := strings.Index(b.Text[at:end], option); i >= 0 {
				b.Refuse(at+i, option, "the body of its request is not written out in the script as JSON", isNoSQL)
			}
		}
		return end
	}
	resource := doc.Value().Field("properties").Field("resource")
	if resource.Kind() != policy.Object {
		return end
	}
	resource = policy.ObjectValue(slices.DeleteFunc(policy.DOf(resource), func(e policy.E) bool {
		id, _ := e.Value.AsString()
		return e.Key == "id" && plain(id) == ""
	}))
	d := definition{at: at, end: end, name: names["collections"], database: names["mongodbdatabases"], notes: notes}
	if isNoSQL {
		d.name, d.database, d.container = names["containers"], names["sqldatabases"], resource
		b.define(d)
		return end
	}
	b.defineIndexes(resource, d)
	return end
}

// defineIndexes defines the indexes of a collection of the API for MongoDB.
func (b *Builder) defineIndexes(resource policy.Value, d definition) {
	for _, x := range MongoIndexes(resource) {
		one := d
		one.index, one.notes = x, append([]string{CosmosMongo}, d.notes...)
		b.define(one)
	}
}

// plain returns a name if it holds no variable of the shell.
func plain(text string) string {
	if strings.ContainsAny(text, "$`{(") {
		return ""
	}
	return text
}

func wholeText(text string) (policy.Value, bool) {
	n, ok := signedNumberOf(text)
	v, isFinite := quantity{n: n}.seconds()
	return v, ok && isFinite && v.Kind() != policy.Double
}

// readIdx reads --idx of az cosmosdb mongodb collection.
func (b *Builder) readIdx(words []word, d definition) {
	v, ok := flagOf(words, "--idx")
	if !ok {
		return
	}
	text, notes, ok := b.textOf(v, "--idx", true)
	if !ok {
		return
	}
	list, err := policy.ParseJSON([]byte(`{"indexes":` + text + `}`))
	if err != nil {
		b.Refuse(v.at, "--idx", "its value is not written out in the script as JSON", true)
		return
	}
	d.notes = notes
	b.defineIndexes(list.Value(), d)
}

// readPowerShell reads New-AzCosmosDBSqlContainer and similar commands, and returns the
// end of the command.
func (b *Builder) readPowerShell(at int, isMongo bool) (end int) {
	words, end := b.command(at)
	v, ok := flagOf(words, "-TtlInSeconds")
	if !ok {
		return end
	}
	seconds, ok := wholeText(v.text)
	if !ok {
		b.Refuse(v.at, "-TtlInSeconds", "its value is "+syntax.Clip(v.text, 60)+", which is not evaluated here", true)
		return end
	}
	name, _ := flagOf(words, "-Name")
	database, _ := flagOf(words, "-DatabaseName")
	d := definition{at: at, end: end, name: plain(name.text), database: plain(database.text)}
	if !isMongo {
		b.defineContainer(d, policy.D{{Key: "defaultTtl", Value: seconds}})
		return end
	}
	keys, _ := flagOf(words, "-Key")
	if plain(keys.text) == "" {
		b.Refuse(v.at, "-TtlInSeconds", "the key of its index is not read", true)
		return end
	}
	var key policy.D
	for _, k := range strings.Split(keys.text, ",") {
		key = append(key, policy.E{Key: strings.Trim(k, ` "'`), Value: policy.Int32Value(1)})
	}
	d.name = ""
	d.index, d.notes = Index(key, seconds), []string{CosmosMongo}
	b.define(d)
	return end
}
