package program

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/policytext"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// secondsOption is the option of a TTL index for its seconds, as createIndexes spells it.
const secondsOption = "expireAfterSeconds"

// plainName returns a name in lower case, without signs.
func plainName(name string) string { return withoutSigns.Replace(strings.ToLower(name)) }

var withoutSigns = strings.NewReplacer("_", "", "-", "", "$", "")

// indexCalls are the names of functions and classes that make an index, in lower case.
var indexCalls = []string{
	"createindex", "createindexasync", "createindexes", "ensureindex", "ensureindexes", "createone", "createoneasync", "createmany", "createmanyasync",
	"index", "indexmodel", "createindexmodel", "addindex", "compoundindex",
}

// keyNames are the names of members that hold the key of an index, in lower
// case.
var keyNames = []string{"key", "keys", "fields", "properties", "def", "keypattern"}

// readTokens reads a program without parsing its statements: it examines each mention of
// an option within the brackets around it.
func (b *Builder) readTokens(l lexis) {
	t := parseTree(b.Text, l)
	b.readMentions(t)
}

// readMentions reads each option that a program mentions, and refuses an option from
// which no policy can be read.
func (b *Builder) readMentions(t *tree) {
	systems := systemsOf(b.Text)
	systems.other = systems.other || !b.isSource
	for i, k := range t.tokens {
		if k.kind != 'n' && k.kind != 's' || b.IsRead(k.at) {
			continue
		}
		if k.kind == 's' && givesSeconds(k.text) >= 0 {
			if !b.IsRead(b.mentionIn(k)) {
				b.readText(k)
			}
			continue
		}
		name := plainName(k.text)
		o, isOption := options[name]
		if !isOption || len(k.text) > 60 || !systems.have(o, k.text) || t.isNoOption(i) || k.kind == 's' && o.only == ofMongo {
			continue
		}
		if t.work > maxWork {
			b.Refuse(k.at, k.text, "too much before it cannot be read", o.setting != "")
			continue
		}
		switch {
		case o.read != nil:
			o.read(b, t, i)
		case o.setting != "":
			if why := b.readSetting(t, i, o.setting); why != "" {
				b.Refuse(k.at, k.text, why, true)
			}
		default:
			if why := b.readIndex(t, i); why != "" {
				b.Refuse(k.at, k.text, why, false)
			}
		}
	}
}

// mentionIn returns the offset at which a text gives a value to the option of an
// index.
func (b *Builder) mentionIn(k lexeme) int {
	return k.at + max(givesSeconds(b.Text[k.at:k.end]), 0)
}

// readText reads a command or an index in a quoted text, such as a JSON document that a
// program gives to a parser.
func (b *Builder) readText(k lexeme) {
	parts, err := policytext.ReadProgram(k.text, b.now, func(string) (policy.Value, bool) { return policy.Value{}, false })
	if v, _, wrong := mongosh.ParseValue(k.text, b.now); wrong == nil && v.Kind() == policy.Object {
		one := policytext.Part{}
		if one.Collection, err = policytext.CollectionOf(v); len(one.Indexes) > 0 || one.Change != nil {
			one.Owner = "db." + policytext.CommandOn(v)
			parts = []policytext.Part{one}
		}
	}
	found := false
	for _, p := range parts {
		if err == nil && p.Err == nil && p.CheckNames() == nil && (len(p.Indexes) > 0 || p.Change != nil) {
			p.At, p.End = k.at, k.end
			b.addPart(p)
			found = true
		}
	}
	if !found {
		b.Refuse(b.mentionIn(k), secondsOption, "it stands in a text that is not read", false)
	}
}

// refuseRest refuses the unread mentions of options that count in this file.
func (b *Builder) refuseRest(l lexis, counts func(o option, spelled string) bool) {
	t := parseTree(b.Text, l)
	for i, k := range t.tokens {
		at, word := k.at, k.text
		o, isOption := options[plainName(word)]
		isOption = isOption && o.read == nil && counts(o, word) && k.kind != '.' && !t.isNoOption(i)
		if k.kind == 's' && givesSeconds(k.text) >= 0 {
			at, word, isOption = b.mentionIn(k), secondsOption, true
		}
		if isOption && !b.IsRead(at) {
			b.Refuse(at, word, "its form is not known here", o.setting != "")
		}
	}
}

// typeNames are names of types. After a colon, such a name shows that an option is
// declared and gets no value.
var typeNames = []string{"number", "int", "string", "Int", "Integer", "Optional", "Number", "Long", "long", "Duration", "TimeSpan", "String", "float"}

// isNoOption reports whether a name gives no value to an option. Such a name occurs in an
// import, in the declaration of a type or a variable, in an expression that reads its
// value, or in a list of texts.
func (t *tree) isNoOption(i int) bool {
	gives := t.is(i+1, ":", "=", "=>", "(")
	switch {
	case strings.HasPrefix(t.tokens[i].text, "$"): // a variable of PHP
		return true
	case t.is(i-1, "import", "use", "using"), t.is(i-1, ".", "->") && !gives:
		return true
	case t.is(i+1, "?"), t.is(i+1, ":") && t.is(i+2, typeNames...) && !t.is(i+3, "(", "."):
		return true
	case t.kind(i) == 's':
		return !t.is(i+1, ":", "=", "=>") && !(t.is(i+1, ",") && t.is(i-1, "(", "{")) && !(t.is(i+1, "]") && t.is(i+2, "="))
	case t.isVariable(i), t.isPattern(i):
		return true
	}
	return t.is(i-1, "def", "func", "function", "fun") || t.is(i+1, "(") && t.pair[i+1] > 0 && (t.is(t.pair[i+1]+1, "{") || t.pair[i+1] == i+2)
}

// isVariable reports whether a name is a constant in capitals, a declared variable or
// parameter, or a variable whose value is used.
func (t *tree) isVariable(i int) bool {
	text := t.tokens[i].text
	isDeclared := t.kind(i-1) == 'n' && !t.is(i-1, "return", "and", "or", "not", "in", "await", "yield") && t.sameLine(i-1, i)
	switch {
	case text == strings.ToUpper(text):
		return true
	case isDeclared && text[0] >= 'a' && t.is(i+1, "=", ";", ",", ")"):
		return true
	case t.up[i] > 1 && t.is(t.up[i], "(") && t.is(t.up[i]-2, "def", "func", "function", "fun", "fn"): // a parameter
		return true
	}
	return !t.is(i+1, ":", "=", "=>", "(") && (t.kind(i+1) == '.' || i+1 == len(t.tokens)) && !t.isShort(i)
}

// isShort reports whether a name is a shorthand member, whose value is the variable of
// the same name, as in {key, expireAfterSeconds}. A name in a pattern that takes members
// out of an object is not a shorthand member.
func (t *tree) isShort(i int) bool {
	open := t.up[i]
	if !t.is(open, "{") || !t.is(i-1, "{", ",") || !t.is(i+1, "}", ",") || t.pair[open] < 0 || t.is(t.pair[open]+1, "=") {
		return false
	}
	outer := t.up[open]
	return !t.is(outer, "(") || t.pair[outer] < 0 || !t.is(t.pair[outer]+1, "{", "=>", ":")
}

// isPattern reports whether a name is part of a pattern for comparing a value.
func (t *tree) isPattern(i int) bool { return t.is(t.up[i], "{") && t.is(t.up[i]-1, "is") }

// notEvaluated returns the reason that a value is not evaluated.
func (t *tree) notEvaluated(r [2]int) string {
	if r[0] >= r[1] || r[0] >= len(t.tokens) {
		return "no value is given to it here"
	}
	from := t.tokens[r[0]].at
	text := t.text[from:min(t.end(r[1]), from+300)]
	return "its value is " + syntax.Clip(strings.Join(strings.Fields(text), " "), 60) + ", which is not evaluated here"
}

// valueOf returns the tokens of the value of the option at i: option: v, option = v,
// option => v, or option(v).
func (t *tree) valueOf(i int) (r [2]int, ok bool) {
	from := i + 1
	switch {
	case t.is(from, "(") && t.pair[from] > 0:
		return [2]int{from + 1, t.pair[from]}, true
	case t.is(from, ":", "=", "=>"):
		from++
	case t.kind(i) == 's' && t.is(from, ",") && t.up[i] >= 0: // an argument of new Document("option", v)
		return [2]int{from + 1, t.pair[t.up[i]]}, true
	case t.is(from, "]") && t.is(from+1, "="):
		from += 2
	case t.kind(i) == 'n' && t.isShort(i):
		from = i
	default:
		return r, false
	}
	return [2]int{from, t.valueEnd(from)}, true
}

// secondsOf returns the value of an option at i. why says why there is no value.
func (b *Builder) secondsOf(t *tree, i int) (v policy.Value, why string) {
	r, ok := t.valueOf(i)
	if !ok {
		return v, "no value is given to it here"
	}
	parts := t.list(r[0], r[1])
	unit := 1.0
	if len(parts) == 2 && t.is(i+1, "(") { // expireAfter(30L, TimeUnit.DAYS)
		words := t.tokens[parts[1][0]:parts[1][1]]
		if unit, ok = unitOf(words[len(words)-1].text); !ok {
			return v, t.notEvaluated(r)
		}
		r = parts[0]
	}
	q, ok := t.evaluate(r, 0)
	if q.n *= unit; ok && q.isText && strings.EqualFold(t.tokens[i].text, "expireAfter") { // Spring: expireAfter = "10d"
		q.n, ok = spanOf(q.text)
		q.isText, q.isSpan = false, true
	}
	if ok {
		v, ok = q.seconds()
	}
	if !ok {
		return v, t.notEvaluated(r)
	}
	if q.byThousand {
		b.thousands[int64(q.n)] = true
	}
	return v, ""
}

// readIndex reads the index that has the option at i, or says why it cannot.
func (b *Builder) readIndex(t *tree, i int) (why string) {
	seconds, why := b.secondsOf(t, i)
	if why != "" {
		return why
	}
	if seconds.Kind() == policy.Null {
		return "" // null has the effect of no option
	}
	if n, ok := seconds.AsInt64(); ok && n == -1 && t.annotation(i) >= 0 { // the default of the annotation
		return ""
	}
	d := definition{at: t.tokens[i].at, end: t.tokens[i].at + 1}
	key, call, why := t.keyFor(i)
	if why != "" {
		return why
	}
	index := policy.D{{Key: "key", Value: policy.ObjectValue(key)}, {Key: secondsOption, Value: seconds}}
	if call >= 0 {
		d.at, d.end = t.tokens[t.start(call)].at, t.end(t.next(call))
		index = append(index, t.optionsOf(call, &d)...)
	}
	d.index = policy.ObjectValue(index)
	d.owner, d.database, d.name = t.ownerOf(i, call)
	if name, ok := t.changed(call); ok {
		d.change, d.name = collMod(name, key, seconds), name
		if d.database, _ = t.names([2]int{t.start(call), call}, 0); d.name != "" {
			d.owner = ""
		}
	}
	b.define(d)
	return ""
}

// changed reports whether a bracket holds the index document of a collMod, and returns the
// name of the collection if a bracket around it has one.
func (t *tree) changed(open int) (name string, ok bool) {
	if open < 0 || !slices.ContainsFunc(t.inside(open), func(m [2]int) bool { return t.isMember(m, []string{"keypattern"}) }) {
		return "", false
	}
	for outer := t.up[open]; outer >= 0; outer = t.up[outer] {
		t.work++
		for _, m := range t.inside(outer) {
			if t.isMember(m, []string{"collmod"}) && t.kind(m[0]+2) == 's' {
				return t.tokens[m[0]+2].text, true
			}
		}
	}
	return "", true
}

// collMod returns the command that changes the seconds of an index.
func collMod(name string, key policy.D, seconds policy.Value) policy.D {
	index := policy.D{{Key: "keyPattern", Value: policy.ObjectValue(key)}, {Key: secondsOption, Value: seconds}}
	return policy.D{{Key: "collMod", Value: policy.StringValue(name)}, {Key: "index", Value: policy.ObjectValue(index)}}
}

// keyFor finds the key of the index whose option is at i, and the bracket that holds both;
// -1 if the key is the field of an annotation.
func (t *tree) keyFor(i int) (key policy.D, call int, why string) {
	for open := t.up[i]; open >= 0; open = t.up[open] {
		t.work++
		for _, m := range t.inside(open) {
			if t.isMember(m, keyNames) && !(m[0] <= i && i < m[1]) {
				if key, ok := t.keyOf([2]int{m[0] + 2, m[1]}, 0); ok {
					return key, open, ""
				}
			}
		}
		name := t.callee(open)
		if (name == "options" || name == "with_options") && t.is(open, "(") {
			if key, ok := t.chainKey(open); ok {
				return key, open, ""
			}
		}
		if name == "" || !slices.Contains(indexCalls, plainName(name)) || !t.is(open, "(") {
			continue
		}
		for _, arg := range t.inside(open) {
			if arg[0] <= i && i < arg[1] || t.isNamed(arg) && !t.isMember(arg, keyNames) {
				continue
			}
			if key, ok := t.keyOf(arg, 0); ok {
				return key, open, ""
			}
		}
	}
	if at := t.annotation(i); at >= 0 {
		if field := t.annotated(at); field != "" {
			return policy.D{{Key: field, Value: policy.Int32Value(1)}}, -1, ""
		}
	}
	if use := t.useOf(i); use >= 0 {
		for _, arg := range t.inside(use) {
			if key, ok := t.keyOf(arg, 0); ok {
				return key, use, ""
			}
		}
	}
	if use := t.useIn(i, "options"); use >= 0 {
		if key, ok := t.chainKey(use); ok {
			return key, use, ""
		}
	}
	if behind := t.behind(i); behind != "" {
		return nil, -1, "it stands behind the parenthesis of " + behind + "(…), so that the index is made without it"
	}
	return nil, -1, "the key of its index is not read"
}

// chainKey returns the key that a builder gets beside its options, as in
// IndexModel::builder().keys(…).options(…).
func (t *tree) chainKey(open int) (key policy.D, ok bool) {
	from, to := t.start(open), t.pair[open]
	for to > 0 && t.is(to+1, ".", "?") && t.work < maxWork { // the end of the chain of calls
		t.work++
		if to++; t.kind(to) == 'n' || t.is(to+1, "(") {
			to = max(t.pair[to+1], to+1)
		}
	}
	for k := from; k < to && !ok; k++ {
		if t.work++; t.is(k, "keys", "key") && t.is(k+1, "(") && t.pair[k+1] > 0 {
			key, ok = t.keyOf([2]int{k + 2, t.pair[k+1]}, 0)
		}
	}
	return key, ok
}

// behind returns the name of the function that makes an index, if its call ends just
// before the options at i, as in index({createdAt: 1}), {expireAfterSeconds: 60}.
func (t *tree) behind(i int) string {
	open := t.up[i]
	if open < 2 || !t.is(open-1, ",") || !t.is(open-2, ")") || t.pair[open-2] < 0 {
		return ""
	}
	if name := t.callee(t.pair[open-2]); slices.Contains(indexCalls, plainName(name)) {
		return name
	}
	return ""
}

// isMember reports whether a part begins with one of these names, followed by a sign of
// assignment.
func (t *tree) isMember(m [2]int, names []string) bool {
	return m[1]-m[0] > 2 && t.is(m[0]+1, ":", "=", "=>") && slices.Contains(names, plainName(t.tokens[m[0]].text))
}

// isNamed reports whether a part gives a value to a name.
func (t *tree) isNamed(m [2]int) bool {
	return m[1]-m[0] > 2 && t.kind(m[0]) == 'n' && t.is(m[0]+1, ":", "=", "=>")
}

// callee returns the name before a bracket, "" if there is none. It skips a type between <
// and >.
func (t *tree) callee(open int) string {
	i := open - 1
	if t.is(i, ">") {
		for n := 0; n < 20 && i >= 0 && !t.is(i, "<"); n++ {
			i--
		}
		i--
	}
	if t.is(i, "!") {
		i-- // a macro of Rust
	}
	if t.kind(i) != 'n' || t.is(i, "return", "await", "yield", "in", "if", "and", "or", "not") {
		return ""
	}
	return t.tokens[i].text
}

// start returns the first token of the expression that ends with the call whose bracket
// is open: names, signs between them, and brackets.
func (t *tree) start(open int) int {
	i := open
	for i > 0 && t.work < maxWork {
		t.work++
		switch {
		case t.kind(i-1) == 'n' && (t.kind(i) != 'n'), t.is(i-1, ".", "->", "::", "@", ">", "<", "?"):
			i--
		case t.is(i-1, ")", "]") && t.pair[i-1] >= 0 && t.is(i, ".", "->", "::", "[", "(", "?"):
			i = t.pair[i-1]
		case t.kind(i-1) == 's' && t.is(i, "."):
			i--
		default:
			return i
		}
	}
	return i
}

// directions are the words for the order of a field in a key.
var directions = map[string]policy.Value{
	"1": policy.Int32Value(1), "asc": policy.Int32Value(1), "ascending": policy.Int32Value(1), "-1": policy.Int32Value(-1), "desc": policy.Int32Value(-1), "descending": policy.Int32Value(-1),
	"hashed": policy.StringValue("hashed"), "text": policy.StringValue("text"), "2dsphere": policy.StringValue("2dsphere"), "geo2dsphere": policy.StringValue("2dsphere"), "geosphere": policy.StringValue("2dsphere"), "2d": policy.StringValue("2d"),
}

// direction reads a direction at i: a number, a text, or a name, of which the last part
// counts.
func (t *tree) direction(i, end int) (v policy.Value, next int, ok bool) {
	if t.is(i, "-") && t.is(i+1, "1") && i+1 < end {
		return policy.Int32Value(-1), i + 2, true
	}
	for i+2 < end && t.kind(i) == 'n' && t.is(i+1, ".", "::") {
		i += 2
	}
	if i >= end {
		return v, i, false
	}
	if n, isNumber := numberOf(t.tokens[i].text); isNumber && t.kind(i) == '0' && n == 1 {
		return policy.Int32Value(1), i + 1, true
	}
	v, ok = directions[strings.ToLower(t.tokens[i].text)]
	return v, i + 1, ok
}

// keyOf reads the key of an index: a map of fields and directions, a list of pairs of a
// field and a direction, a builder of a driver, a field, or a list of fields.
func (t *tree) keyOf(r [2]int, depth int) (key policy.D, ok bool) {
	r = t.resolve(r)
	if t.work += r[1] - r[0] + 1; depth > 8 || t.work > maxWork || r[1] <= r[0] {
		return nil, false
	}
	if r[1]-r[0] == 1 && t.kind(r[0]) == 's' {
		return t.textKey(t.tokens[r[0]].text)
	}
	add := func(name string, v policy.Value) {
		if key.Field(name).IsMissing() {
			key = append(key, policy.E{Key: name, Value: v})
		}
	}
	onlyNames := true // texts between commas, as in ["a", "b"]
	for i := r[0]; i < r[1]; {
		k := t.tokens[i]
		isField, value := k.kind == 's' || k.kind == 'n' && (t.is(i+1, ":") && !t.is(i+2, ":") || t.is(i+1, "=>")), i+2
		if t.isLabelledPair(i) {
			k, isField, value = t.tokens[i+2], true, i+6
		}
		if isField && value < r[1] && t.is(i+1, ":", "=>", ",", "=") {
			if v, next, ok := t.direction(value, r[1]); ok && (next >= r[1] || t.is(next, ",", ")", "]", "}", ";")) {
				add(k.text, v)
				onlyNames = false
				i = next
				continue
			}
		}
		direction, isCall := directions[strings.ToLower(k.text)]
		switch {
		case k.kind == 'n' && isCall && t.is(i+1, "(") && t.pair[i+1] > 0:
			onlyNames = false
			for _, arg := range t.inside(i + 1) {
				field := t.fieldOf(arg)
				if field == "" {
					return nil, false
				}
				add(field, direction)
			}
			i = t.pair[i+1] + 1
			continue
		case k.kind == 's' && onlyNames && t.is(i-1, "[", "(", "{", ",") && (t.is(i+1, "]", ")", "}", ",") || i+1 == r[1]):
			add(k.text, policy.Int32Value(1))
		case k.kind == '0', k.kind == 's':
			return nil, false // this is not a field with a direction
		case k.kind == 'n' && t.is(i+1, ":") && !t.is(i+2, "{", "["):
			return nil, false // the value of the field is not a direction
		}
		i++
	}
	return key, len(key) > 0
}

// isLabelledPair reports whether a pair of Go's driver with the names of its fields begins
// at i: Key: "at", Value: 1.
func (t *tree) isLabelledPair(i int) bool {
	return t.is(i, "Key") && t.is(i+1, ":") && t.kind(i+2) == 's' && t.is(i+3, ",") && t.is(i+4, "Value") && t.is(i+5, ":")
}

// textKey reads a key within a text: {createdAt: 1} or createdAt.
func (t *tree) textKey(text string) (policy.D, bool) {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		inner := parseTree(text, scriptLexis)
		if len(inner.tokens) == 1 {
			return nil, false
		}
		return inner.keyOf([2]int{0, len(inner.tokens)}, 1)
	}
	direction := int32(1)
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		text, direction = rest, -1
	}
	isName := func(c rune) bool {
		return c == '_' || c == '.' || c == '-' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	}
	if text == "" || strings.ContainsFunc(text, func(c rune) bool { return !isName(c) }) {
		return nil, false
	}
	return policy.D{{Key: text, Value: policy.Int32Value(direction)}}, true
}

// fieldOf returns the field that a text, or a function such as x => x.CreatedAt, names.
func (t *tree) fieldOf(r [2]int) string {
	if r[1]-r[0] == 1 && t.kind(r[0]) == 's' {
		return t.tokens[r[0]].text
	}
	if r[1]-r[0] == 1 && t.kind(r[0]) == 'n' {
		to := t.resolve(r)
		if to != r {
			return t.fieldOf(to)
		}
	}
	if r[1]-r[0] == 4 && t.is(r[0], "nameof") && t.kind(r[0]+2) == 'n' {
		return t.elementName(t.tokens[r[0]+2].text)
	}
	for i := r[0]; i+1 < r[1]; i++ {
		if !t.is(i, "=>") {
			continue
		}
		var path []string
		for k := i + 2; k+1 < r[1] && t.is(k, "."); k += 2 {
			path = append(path, t.elementName(t.tokens[k+1].text))
		}
		return strings.Join(path, ".")
	}
	return ""
}

// elementName returns the name that [BsonElement("…")] gives a property, or else the
// property's own name.
func (t *tree) elementName(property string) string {
	for i := range t.tokens {
		if t.is(i, "BsonElement") && t.is(i+1, "(") && t.kind(i+2) == 's' {
			for k := i + 3; k < len(t.tokens) && !t.is(k, "{", ";", "="); k++ {
				if t.is(k, property) && t.is(k+1, "{", ";", "=") {
					return t.tokens[i+2].text
				}
			}
		}
	}
	return property
}

// optionNames are options of an index other than the seconds, by their names in drivers.
var optionNames = map[string]string{"name": "name", "unique": "unique", "sparse": "sparse", "background": "background", "hidden": "hidden"}

// optionsOf reads the options beside the seconds in a call. It notes an unread option
// that affects deletion.
func (t *tree) optionsOf(call int, d *definition) (options policy.D) {
	for i := call + 1; i < t.pair[call]; i++ {
		if t.kind(i) != 'n' && t.kind(i) != 's' {
			continue
		}
		name := plainName(t.tokens[i].text)
		r, ok := t.valueOf(i)
		if !ok || r[1] <= r[0] {
			continue
		}
		switch option := optionNames[name]; {
		case strings.HasPrefix(name, "partialfilter"):
			if v, ok := t.literal(r, 0); ok && v.Kind() == policy.Object {
				options = append(options, policy.E{Key: "partialFilterExpression", Value: v})
			} else {
				d.notes = append(d.notes, "The partial filter of an index is not evaluated here, so that the index is read as if it had none.")
			}
		case option == "name" && r[1]-r[0] == 1 && t.kind(r[0]) == 's':
			options = append(options, policy.E{Key: "name", Value: policy.StringValue(t.tokens[r[0]].text)})
		case option != "" && option != "name" && t.is(r[0], "true", "True"):
			options = append(options, policy.E{Key: option, Value: policy.BoolValue(true)})
		}
	}
	return options
}

// literal reads a literal value: a map, a list, a text, a number, a constant.
func (t *tree) literal(r [2]int, depth int) (v policy.Value, ok bool) {
	if depth > 20 || r[1] <= r[0] || t.work > maxWork {
		return v, false
	}
	t.work += r[1] - r[0]
	switch i := r[0]; {
	case t.is(i, "true", "True"):
		return policy.BoolValue(true), r[1] == i+1
	case t.is(i, "false", "False"):
		return policy.BoolValue(false), r[1] == i+1
	case t.is(i, "{", "[") && t.pair[i] == r[1]-1:
		return t.collection(i, depth)
	case t.is(i, "array") && t.is(i+1, "(") && t.pair[i+1] == r[1]-1:
		return t.collection(i+1, depth)
	}
	return t.valueIn(r, depth)
}

func (t *tree) collection(open, depth int) (v policy.Value, ok bool) {
	d, list := policy.D{}, policy.A{}
	for _, m := range t.inside(open) {
		from, name := m[0], ""
		if t.is(from, ":") { // a symbol of Ruby
			from++
		}
		if from+2 < m[1] && t.is(from+1, ":", "=>", "=") && (t.kind(from) == 'n' || t.kind(from) == 's') {
			name, m[0] = t.tokens[from].text, from+2
		}
		x, ok := t.literal(m, depth+1)
		if !ok {
			return v, false
		}
		if name == "" {
			list = append(list, x)
		} else {
			d = append(d, policy.E{Key: name, Value: x})
		}
	}
	switch {
	case len(list) > 0 && len(d) > 0:
		return v, false
	case len(d) > 0 || t.is(open, "{"):
		return policy.ObjectValue(d), true
	}
	return policy.ListValue(list), true
}
