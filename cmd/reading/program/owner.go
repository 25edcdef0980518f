package program

import (
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/policytext"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// annotation returns the index of the @ of the annotation or decorator whose brackets hold
// i, -1 if there is none.
func (t *tree) annotation(i int) int {
	for open := t.up[i]; open >= 0; open = t.up[open] {
		if t.work++; !t.is(open, "(") {
			continue
		}
		k := open - 1
		for k > 0 && (t.kind(k) == 'n' && !t.is(k+1, "[") || t.is(k, ".", ":", "\\")) {
			k--
		}
		if t.is(k, "@") || t.is(k, "[") && t.is(k-1, "#") {
			return k
		}
	}
	return -1
}

// annotated returns the name of the field that an annotation is on: the name in the
// field's @Field if it has one, else its own name.
func (t *tree) annotated(at int) (field string) {
	renamed := ""
	rename := func(open int) {
		if t.is(open, "(") && t.callee(open) == "Field" && t.pair[open] > 0 {
			for k := open + 1; k < t.pair[open]; k++ {
				if t.kind(k) == 's' {
					renamed = t.tokens[k].text
					return
				}
			}
		}
	}
	for i := at; i > 1 && (t.is(i-1, ")") && t.pair[i-1] > 0 || t.is(i-2, "@")); {
		if t.is(i-2, "@") {
			i -= 2
			continue
		}
		open := t.pair[i-1]
		if i = t.start(open); !t.is(i, "@") {
			break
		}
		rename(open)
	}
	i := at
	for t.is(i, "@") {
		for i++; t.kind(i) == 'n' || t.is(i, ".", ":", "\\"); i++ {
			if t.kind(i) == 'n' && t.kind(i+1) == 'n' {
				i++
				break
			}
		}
		if t.is(i, "(") {
			rename(i)
			i = t.next(i)
		}
	}
	depth := 0
	for ; i < len(t.tokens) && !t.is(i, "}") && t.work < maxWork; i = t.next(i) {
		t.work++
		switch {
		case t.is(i, "<"):
			depth++
		case t.is(i, ">"):
			depth--
		case depth > 0, t.is(i, "?") && (t.kind(i+1) == 'n' || t.is(i+1, "\\")): // a type of PHP
		case t.is(i, ";", "=", ",", ")", ":", "!", "?", "{", "("):
			if renamed != "" {
				return renamed
			}
			return strings.TrimPrefix(field, "$")
		case t.kind(i) == 'n':
			field = t.tokens[i].text
		}
	}
	return ""
}

// variableOf returns the name of the variable that holds the option at i, as in v =
// {option: 60} and v.option = 60; "" if there is none.
func (t *tree) variableOf(i int) (name string) {
	if t.is(i-1, ".", "->") && t.kind(i-2) == 'n' {
		return t.tokens[i-2].text
	}
	t.work += len(t.assigned)
	shortest := len(t.tokens) + 1
	for n, r := range t.assigned {
		if r[0] <= i && i < r[1] && (r[1]-r[0] < shortest || r[1]-r[0] == shortest && n < name) {
			name, shortest = n, r[1]-r[0]
		}
	}
	return name
}

// useOf returns the bracket of the call that makes an index with the variable that holds
// the option at i; -1 if there is none.
func (t *tree) useOf(i int) int { return t.useIn(i, indexCalls...) }

// useIn returns the bracket of a call of one of these functions (names as of [plainName])
// whose argument is the variable that holds the value at i; -1 if there is none.
func (t *tree) useIn(i int, calls ...string) int {
	name := t.variableOf(i)
	if t.work += len(t.tokens); name == "" || t.work > maxWork {
		return -1
	}
	for k := range t.tokens {
		if t.is(k, name) && !t.is(k-1, ".") && (t.is(k+1, ")", ",", "}") || t.is(k+1, "]")) {
			for open := t.up[k]; open >= 0; open = t.up[open] {
				if t.is(open, "(") && slices.Contains(calls, plainName(t.callee(open))) {
					return open
				}
			}
		}
	}
	return -1
}

// Functions whose argument names a collection or a database.
var (
	collectionCalls = []string{"collection", "getcollection", "selectcollection", "mongocollection", "getmongocollection"}
	databaseCalls   = []string{"db", "getdatabase", "database", "selectdatabase", "getsiblingdb", "getdb"}
)

// ownerOf returns the owner of the index whose option is at i: the text before the call,
// and the names in it.
func (t *tree) ownerOf(i, call int) (owner, database, name string) {
	if name, ok := t.blueprint(i); ok && name != "" {
		return "", "", name
	}
	for range 4 {
		if call < 0 {
			break
		}
		start := t.start(call)
		isModel := t.is(call-1, "options", "with_options") // a call on the builder of an index model
		if !isModel && start < call-1 && !t.is(start, "new", "@") && (t.is(call-2, ".", "->") || t.is(call-2, "<") || t.kind(call-2) != 'n') {
			owner = t.text[t.tokens[start].at:t.end(max(call-2, start+1))]
			database, name = t.names([2]int{start, call}, 0)
			if owner != "" {
				return owner, database, name
			}
		}
		outer := -1
		for open := t.up[call]; open >= 0; open = t.up[open] {
			if t.is(open, "(") && slices.Contains(indexCalls, plainName(t.callee(open))) {
				outer = open
				break
			}
		}
		if outer < 0 {
			outer = t.useOf(call)
		}
		if outer == call {
			break
		}
		call = outer
	}
	return t.class(i)
}

// names finds the names of a collection and its database in the expression on which
// a call is made.
func (t *tree) names(r [2]int, depth int) (database, name string) {
	if t.work += r[1] - r[0]; depth > 3 || t.work > maxWork {
		return "", ""
	}
	for k := r[0]; k < r[1]; k++ {
		if t.kind(k) != 'n' && !t.is(k, "[") {
			continue
		}
		open := t.behindType(k + 1)
		word := plainName(t.tokens[k].text)
		switch {
		case t.is(open, "(") && t.kind(open+1) == 's' && slices.Contains(collectionCalls, word):
			name = t.tokens[open+1].text
			if t.is(open+2, ",") && t.kind(open+3) == 's' { // PHP: selectCollection("shop", "logs")
				database, name = name, t.tokens[open+3].text
			}
		case t.is(open, "(") && t.kind(open+1) == 's' && slices.Contains(databaseCalls, word):
			database = t.tokens[open+1].text
		case t.is(k, "[") && t.kind(k+1) == 's' && t.is(k+2, "]"):
			database, name = name, t.tokens[k+1].text
		case t.is(k, "[") && t.is(k+1, ":") && t.kind(k+2) == 'n' && t.is(k+3, "]"): // Ruby: client[:logs]
			database, name = name, t.tokens[k+2].text
		case (word == "db" || word == "database") && t.is(k+1, ".", "->") && t.kind(k+2) == 'n' && t.is(k+3, ".", "->"):
			if plainName(t.tokens[k+2].text) != "indexes" && !t.is(k+2, "collection") {
				name = t.tokens[k+2].text
			}
		}
	}
	last := r[1] - 1
	if depth == 0 {
		last -= 2 // before the method
	}
	if isPath := last-4 >= r[0] && t.is(last-1, "->") && t.is(last-3, "->"); isPath && t.isClient(r[0], last-3) { // $client->shop->logs
		return t.tokens[last-2].text, t.tokens[last].text
	}
	if name != "" {
		return database, name
	}
	for k := r[0]; k < r[1] && k < r[0]+6; k++ { // a variable, or a field of this
		if to := t.assigned[t.tokens[k].text]; t.kind(k) == 'n' && to[1] > to[0] && (to[0] > r[1] || to[1] <= r[0]) {
			if database, name = t.names(to, depth+1); name != "" {
				return database, name
			}
		}
	}
	return database, name
}

// behindType returns the index after a type between < and > at i, or i if there
// is none.
func (t *tree) behindType(i int) int {
	k := i
	if t.is(k, "::") {
		k++
	}
	if !t.is(k, "<") {
		return i
	}
	for n := k; n < k+15 && n < len(t.tokens); n++ {
		if t.is(n, ">") && t.is(n+1, "(") {
			return n + 1
		}
	}
	return i
}

// isClient reports whether the tokens from i to end are a client of PHP's driver: $client, or
// (new Client).
func (t *tree) isClient(i, end int) bool {
	if end-i == 1 {
		return t.kind(i) == 'n' && t.tokens[i].text != "$this" && !t.is(i, "$db", "$database")
	}
	isMade := t.is(i, "(") && t.is(i+1, "new") && t.pair[i] == end-1
	for k := i; isMade && k < end; k++ {
		if t.is(k, "Client", "Manager") {
			return true
		}
	}
	return false
}

// classAnnotations are annotations that name the collection or the container of
// a class.
var classAnnotations = []string{"Document", "Schema", "Entity", "MongoEntity", "MappedEntity", "Container", "modelOptions", "store_in"}

// annotatedName returns the name that an annotation at k gives a collection or a container,
// "" if it gives none.
func (t *tree) annotatedName(k int) string {
	end := k + 8
	if t.is(k+1, "(") && t.pair[k+1] > 0 {
		end = t.pair[k+1]
	}
	for n := k + 1; n < min(end, len(t.tokens)); n++ {
		t.work++
		isNamed := t.is(n-1, "=", ":", "=>") && t.is(n-2, "collection", "value", "containerName", "container", "collectionName")
		if t.kind(n) == 's' && (isNamed || t.is(n-1, "(") && n == k+2) {
			return t.tokens[n].text
		}
	}
	return ""
}

// class returns the class around i, and the name of the collection that it is stored in.
func (t *tree) class(i int) (owner, database, name string) {
	t.work += i
	if t.work > maxWork {
		return "", "", ""
	}
	for k := i; k > 0; k-- {
		word := t.tokens[k].text
		switch {
		case t.kind(k) != 'n':
		case owner == "" && word == "class" && t.kind(k+1) == 'n':
			owner = "class " + t.tokens[k+1].text
		case slices.Contains(classAnnotations, word) && (t.kind(k+1) != 'n' || word == "store_in") && (t.is(k+1, "(") || word == "store_in"):
			if name = t.annotatedName(k); name != "" || owner != "" {
				return owner, "", name
			}
		case owner != "" && word == "class":
			return owner, "", ""
		}
	}
	return owner, "", ""
}

// readFluent reads new Index().on("createdAt", ASC).expire(3600) of Spring, and
// $collection->expire('created_at', 3600) of Laravel.
func (b *Builder) readFluent(t *tree, i int) {
	open := i + 1
	if !t.is(i-1, ".", "->") || !t.is(open, "(") {
		return
	}
	if name, ok := t.blueprint(i); ok {
		b.readBlueprint(t, i, name)
		return
	}
	start := t.start(open)
	var key policy.D
	isIndex := false
	for k := start; k < i; k++ {
		if t.is(k, "on", "Index") && t.is(k+1, "(") && t.pair[k+1] > 0 && t.pair[k+1] < i {
			args := t.inside(k + 1)
			isIndex = isIndex || t.is(k, "Index")
			if len(args) == 0 || t.fieldOf(args[0]) == "" {
				continue
			}
			direction := policy.Int32Value(1)
			if len(args) > 1 {
				direction, _, _ = t.direction(args[1][0], args[1][1])
			}
			key = append(key, policy.E{Key: t.fieldOf(args[0]), Value: direction})
		}
	}
	if len(key) == 0 {
		if isIndex {
			b.Refuse(t.tokens[i].at, t.tokens[i].text, "the key of its index is not read", false)
		}
		return
	}
	d := definition{at: t.tokens[start].at, end: t.end(t.next(open))}
	seconds, why := b.secondsOf(t, i)
	if why != "" {
		b.Refuse(t.tokens[i].at, t.tokens[i].text, why, false)
		return
	}
	d.index = Index(key, seconds)
	for outer := t.up[i]; outer >= 0; outer = t.up[outer] {
		if t.is(outer, "(") && t.callee(outer) != "" {
			for k := t.start(outer); k < outer; k++ {
				if t.is(k, "indexOps") && t.is(k+1, "(") && t.kind(k+2) == 's' {
					d.name = t.tokens[k+2].text
				}
			}
		}
	}
	b.define(d)
}

// blueprint reports whether the token at i is in a function that describes a collection
// to Laravel, as in Schema::create('logs', function ($collection) { … }), and returns the
// collection's name.
func (t *tree) blueprint(i int) (name string, ok bool) {
	for open := t.up[i]; open >= 0; open = t.up[open] {
		if t.work++; t.is(open, "(") && t.is(open-1, "create", "table", "collection") && t.is(open-2, "::", "->") {
			if t.kind(open+1) == 's' {
				name = t.tokens[open+1].text
			}
			return name, true
		}
	}
	return "", false
}

// readBlueprint reads $collection->expire('seen', 60).
func (b *Builder) readBlueprint(t *tree, i int, name string) {
	args := t.inside(i + 1)
	if len(args) != 2 || t.fieldOf(args[0]) == "" {
		b.Refuse(t.tokens[i].at, t.tokens[i].text, "its field and its seconds are not read", false)
		return
	}
	seconds, ok := t.valueIn(args[1], 0)
	if !ok {
		b.Refuse(t.tokens[i].at, t.tokens[i].text, t.notEvaluated(args[1]), false)
		return
	}
	key := policy.D{{Key: t.fieldOf(args[0]), Value: policy.Int32Value(1)}}
	b.define(definition{
		at: t.tokens[i].at, end: t.end(t.next(i + 1)), owner: t.text[t.tokens[t.start(i+1)].at:t.tokens[i].at], name: name,
		index: Index(key, seconds),
	})
}

// readExpires reads expires of a decorator such as @Prop of NestJS and typegoose, and
// refuses expires within a schema of mongoose that was not read. Elsewhere the word has
// other meanings.
func (b *Builder) readExpires(t *tree, i int) {
	if !t.is(i+1, ":", "=", "=>") {
		return
	}
	at := t.annotation(i)
	if at < 0 || !t.is(at+1, "Prop", "prop") {
		isOption := t.up[i] >= 0 && slices.ContainsFunc(t.inside(t.up[i]), func(m [2]int) bool { return t.isMember(m, []string{"type"}) })
		for open := t.up[i]; open >= 0 && isOption; open = t.up[open] {
			if t.is(open, "(") && t.is(open-1, "Schema") {
				b.Refuse(t.tokens[i].at, "expires", "this schema is not read", false)
			}
		}
		return
	}
	field := t.annotated(at)
	r, _ := t.valueOf(i)
	v, ok := t.valueIn(r, 0)
	if !ok || field == "" {
		b.Refuse(t.tokens[i].at, "expires", t.notEvaluated(r), false)
		return
	}
	schema := policy.ObjectValue(policy.D{{Key: field, Value: policy.ObjectValue(policy.D{{Key: "type", Value: policy.StringValue("Date")}, {Key: "expires", Value: v}})}})
	read, err := policytext.CollectionOf(schema)
	if err != nil || len(read.Indexes) == 0 {
		b.Refuse(t.tokens[i].at, "expires", t.notEvaluated(r), false)
		return
	}
	d := definition{at: t.tokens[at].at, end: t.tokens[i].at + 1, index: read.Indexes[0]}
	for _, n := range read.Notes {
		d.notes = append(d.notes, n.Text)
	}
	d.owner, d.database, d.name = t.class(i)
	b.define(d)
}

// readSetting reads a container of Azure Cosmos DB that has the setting at i, or says why it
// cannot.
func (b *Builder) readSetting(t *tree, i int, setting string) (why string) {
	d := definition{at: t.tokens[i].at, end: t.tokens[i].at + 1}
	resource := policy.D{}
	read := func(k int, setting string) string {
		r, ok := t.valueOf(k)
		if !ok {
			return "no value is given to it here"
		}
		q, ok := t.evaluate(r, 0)
		v, isFinite := q.seconds()
		if !ok || !isFinite {
			return t.notEvaluated(r)
		}
		if q.byThousand {
			b.thousands[int64(q.n)] = true
		}
		resource = append(resource, policy.E{Key: setting, Value: v})
		return ""
	}
	if why := read(i, setting); why != "" {
		return why
	}
	open := t.up[i]
	if open >= 0 {
		for _, m := range t.inside(open) {
			if !t.isNamedOrText(m) || m[0] == i {
				continue
			}
			name := plainName(t.tokens[m[0]].text)
			other := options[name].setting
			switch {
			case other != "" && resource.Field(other).IsMissing():
				if why := read(m[0], other); why == "" {
					d.end = max(d.end, t.tokens[m[0]].at+1)
					d.at = min(d.at, t.tokens[m[0]].at)
				}
			case (name == "id" || name == "containername" || name == "containerid") && t.kind(m[0]+2) == 's' && m[1] == m[0]+3:
				d.name = t.tokens[m[0]+2].text
			}
		}
	}
	if d.name == "" {
		d.name = t.containerName(i)
	}
	if d.name == "" {
		d.name = t.toContainer(i)
	}
	b.defineContainer(d, resource)
	return ""
}

// toContainer returns the name that ToContainer of Entity Framework gives near i: in the same
// block, or in the calls before and after it.
func (t *tree) toContainer(i int) string {
	from, to := t.start(i), len(t.tokens)
	if open := t.up[i]; open >= 0 && t.is(open, "{") {
		from, to = open+1, t.pair[open]
	}
	for k := from; k < to; k++ {
		if t.work++; t.is(k, ";") && !t.is(t.up[i], "{") || t.work > maxWork {
			return ""
		}
		if t.is(k, "ToContainer") && t.is(k+1, "(") {
			switch {
			case t.kind(k+2) == 's':
				return t.tokens[k+2].text
			case t.is(k+2, "nameof") && t.kind(k+4) == 'n':
				return t.tokens[k+4].text
			}
		}
	}
	return ""
}

func (t *tree) isNamedOrText(m [2]int) bool {
	return m[1]-m[0] > 2 && (t.kind(m[0]) == 'n' || t.kind(m[0]) == 's') && t.is(m[0]+1, ":", "=", "=>") || m[1]-m[0] > 3 && t.is(m[0]+1, "(")
}

// containerName returns the name of the container whose setting is at i: the first argument
// of its constructor.
func (t *tree) containerName(i int) string {
	first := func(open int) string {
		if !t.is(open, "(") || t.pair[open] < 0 {
			return ""
		}
		args := t.inside(open)
		for _, arg := range args {
			if t.isMember(arg, []string{"id"}) && t.kind(arg[0]+2) == 's' {
				return t.tokens[arg[0]+2].text
			}
		}
		if len(args) > 0 && args[0][1]-args[0][0] == 1 {
			if r := t.resolve(args[0]); r[1]-r[0] == 1 && t.kind(r[0]) == 's' {
				return t.tokens[r[0]].text
			}
		}
		return ""
	}
	if open := t.up[i]; open > 0 && t.is(open-1, ")") && t.pair[open-1] >= 0 { // new X("name", …) { … }
		if name := first(t.pair[open-1]); name != "" {
			return name
		}
	}
	if t.is(i-1, ".") && t.is(i-2, ")") && t.pair[i-2] >= 0 { // new X("name", …).set…(…)
		return first(t.pair[i-2])
	}
	if open := t.up[i]; open >= 0 && !t.is(i-1, ".") {
		if name := first(open); name != "" {
			return name
		}
	}
	if variable := t.variableOf(i); variable != "" {
		if r := t.assigned[variable]; r[1] > r[0] {
			for k := r[0]; k < r[1]; k++ {
				if t.is(k, "(") {
					return first(k)
				}
			}
		}
	}
	return ""
}
