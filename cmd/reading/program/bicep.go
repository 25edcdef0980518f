package program

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// bicepLexis describes comments and texts of Bicep. No maintained parser of Bicep
// exists for Go.
var bicepLexis = lexis{lineComments: []string{"//"}, hasBlocks: true, hasTriple: true}

// maxValues bounds the values computed from one file of Bicep, because values can refer to
// each other.
const maxValues = 100_000

// maxTurns bounds the resources that one loop makes.
const maxTurns = 1_000

// A bicepReader reads the resources of one file.
type bicepReader struct {
	*Builder
	*tree
	named  map[string][2]int // variables, and parameters with a default
	values int
}

// readBicep reads the containers and collections that a file of Bicep declares. It
// evaluates variables, parameters with a default, and loops over literal lists.
func (b *Builder) readBicep() {
	t := &bicepReader{Builder: b, tree: parseTree(b.Text, bicepLexis), named: map[string][2]int{}}
	t.collect()
	for i := range t.tokens {
		if t.is(i, "resource") && t.tree.kind(i+1) == 'n' && t.tree.kind(i+2) == 's' {
			t.readResource(i)
		}
	}
	for i, k := range t.tokens {
		isOption := k.kind == 'n' && slices.Contains(Settings, k.text) && t.is(i+1, ":") && !t.is(i+2, typeNames...)
		if isOption && !b.IsRead(k.at) {
			b.Refuse(k.at, k.text, "it stands in no resource of a container or a collection", k.text != secondsOption)
		}
	}
}

// collect finds variables, and parameters with a default.
func (t *bicepReader) collect() {
	for i := range t.tokens {
		if t.up[i] >= 0 || !t.is(i, "var", "param") || t.tree.kind(i+1) != 'n' {
			continue
		}
		for k := i + 2; k < len(t.tokens) && t.sameLine(i, k); k++ {
			if t.is(k, "=") {
				t.named[t.tokens[i+1].text] = [2]int{k + 1, t.valueEnd(k + 1)}
				break
			}
		}
	}
}

// readResource reads the resource that is declared at i, once for each iteration of its
// loop.
func (t *bicepReader) readResource(i int) {
	kind, _, _ := strings.Cut(strings.ToLower(t.tokens[i+2].text), "@")
	isContainer := kind == "containers" || strings.HasSuffix(kind, "/sqldatabases/containers") || strings.HasSuffix(kind, "/apis/databases/containers")
	if !isContainer && kind != "collections" && !strings.HasSuffix(kind, "/mongodbdatabases/collections") {
		return
	}
	k := i + 3
	for k < len(t.tokens) && !t.is(k, "{", "[") {
		if t.is(k, "existing") {
			return
		}
		k = t.next(k)
	}
	if k >= len(t.tokens) || t.pair[k] < 0 {
		return
	}
	end := t.pair[k] + 1
	at := -1
	for n := k; n < end; n++ {
		if t.tree.kind(n) == 'n' && slices.Contains(Settings, t.tokens[n].text) && t.is(n+1, ":") && at < 0 {
			at = n
		}
	}
	if at < 0 {
		return
	}
	var bodies []policy.Value
	if t.is(k, "[") {
		list, why := t.loop(k, nil)
		if why != "" {
			t.Refuse(t.tokens[at].at, t.tokens[at].text, why, isContainer)
			t.Mark(t.tokens[i].at, t.end(end))
			return
		}
		bodies = list
	} else {
		bodies = []policy.Value{t.value([2]int{k, end}, nil, 0)}
	}
	for n, body := range bodies {
		if why := t.define(body, t.tokens[at].at, isContainer, t.tokens[i+1].text, n); why != "" {
			t.Refuse(t.tokens[at].at, t.tokens[at].text, why, isContainer)
			break
		}
	}
	t.Mark(t.tokens[i].at, t.end(end))
}

// define adds the policy in the body of a resource, or returns the reason why it cannot.
func (t *bicepReader) define(body policy.Value, at int, isContainer bool, symbol string, n int) (why string) {
	resource := body.Field("properties").Field("resource")
	if resource.Kind() != policy.Object {
		return "its properties.resource is not read"
	}
	name := ""
	for _, v := range []policy.Value{resource.Field("id"), body.Field("name")} {
		if text, _ := v.AsString(); v.Kind() == policy.String && name == "" && !strings.Contains(text, "$") {
			name = text[strings.LastIndexByte(text, '/')+1:]
		}
	}
	d := definition{at: at, end: at + 1, owner: symbol + "[" + strconv.Itoa(n) + "]", name: name}
	if isContainer {
		var settings policy.D
		for _, e := range policy.DOf(resource) {
			switch e.Key {
			case "defaultTtl", "analyticalStorageTtl":
				if !e.Value.Kind().IsNumber() && e.Value.Kind() != policy.Null {
					return e.Key + " is not a value that is evaluated here"
				}
				settings = append(settings, e)
			case "indexingPolicy":
				if mode := e.Value.Field("indexingMode"); mode.Kind() == policy.String {
					settings = append(settings, policy.E{Key: e.Key, Value: policy.ObjectValue(policy.D{{Key: "indexingMode", Value: mode}})})
				}
			}
		}
		t.defineContainer(d, settings)
		return ""
	}
	for _, x := range MongoIndexes(resource) {
		if x.Field(secondsOption).Kind() == policy.Code {
			return "expireAfterSeconds is not a value that is evaluated here"
		}
		d.index, d.notes = x, []string{CosmosMongo}
		t.Builder.define(d)
	}
	return ""
}

// loop computes [for x in list: body], once for each element.
func (t *bicepReader) loop(open int, names map[string]policy.Value) (list []policy.Value, why string) {
	k := open + 1
	if !t.is(k, "for") {
		return nil, "this is no loop"
	}
	variable := ""
	if t.is(k+1, "(") && t.pair[k+1] > 0 {
		variable, k = t.tokens[k+2].text, t.pair[k+1]+1
	} else if k+1 < len(t.tokens) {
		variable, k = t.tokens[k+1].text, k+2
	}
	colon := k
	for colon < t.pair[open] && !t.is(colon, ":") {
		colon = t.tree.next(colon)
	}
	if !t.is(k, "in") || colon >= t.pair[open] {
		return nil, "this loop is not read"
	}
	over := t.value([2]int{k + 1, colon}, names, 0)
	if over.Kind() != policy.List {
		return nil, "the list of its loop is " + t.text(k+1, colon) + ", which is not evaluated here"
	}
	for e := over.Elements(); e.Next() && len(list) < maxTurns; {
		inner := map[string]policy.Value{variable: e.Value()}
		for n, v := range names {
			if n != variable {
				inner[n] = v
			}
		}
		from := colon + 1
		if t.is(from, "if") && t.is(from+1, "(") { // the loop has a condition, which is assumed to hold
			from = t.tree.next(from + 1)
		}
		list = append(list, t.value([2]int{from, t.pair[open]}, inner, 0))
	}
	return list, ""
}

// text returns the text of the tokens from i to end in one line.
func (t *bicepReader) text(i, end int) string {
	text := strings.Join(strings.Fields(t.Builder.Text[t.tokens[i].at:t.end(end)]), " ")
	return text[:min(len(text), 60)]
}

// value computes a value. An expression that is not evaluated is of kind Code.
func (t *bicepReader) value(r [2]int, names map[string]policy.Value, depth int) policy.Value {
	if t.values++; depth > maxDepth || t.values > maxValues || r[1] <= r[0] {
		return policy.CodeValue("…")
	}
	i := r[0]
	isOne := t.tree.next(i) == r[1]
	switch {
	case isOne && t.is(i, "{"):
		return t.object(i, names, depth)
	case isOne && t.is(i, "[") && t.is(i+1, "for"):
		list, why := t.loop(i, names)
		if why == "" {
			return policy.ListValue(policy.A(list))
		}
	case isOne && t.is(i, "["):
		var a policy.A
		for k := i + 1; k < t.pair[i]; {
			end := max(t.valueEnd(k), k+1)
			a = append(a, t.value([2]int{k, min(end, t.pair[i])}, names, depth+1))
			if k = end; t.is(k, ",") {
				k++
			}
		}
		return policy.ListValue(a)
	case isOne && t.is(i, "true", "false"):
		return policy.BoolValue(t.is(i, "true"))
	case isOne && t.is(i, "null"):
		return policy.NullValue()
	case isOne && t.tree.kind(i) == 's':
		return policy.StringValue(t.tokens[i].text)
	case isOne && t.tree.kind(i) == '0', t.is(i, "-") && t.tree.next(i+1) == r[1]:
		if v, ok := t.valueIn(r, 0); ok {
			return v
		}
	case t.tree.kind(i) == 'n':
		v, known := names[t.tokens[i].text]
		if to, ok := t.named[t.tokens[i].text]; !known && ok {
			v, known = t.value(to, nil, depth+1), true
		}
		k := i + 1
		for known && k+1 < r[1] && t.is(k, ".") {
			v = v.Field(t.tokens[k+1].text)
			k += 2
		}
		if known && k == r[1] && !v.IsMissing() {
			return v
		}
	}
	return policy.CodeValue(t.text(r[0], r[1]))
}

// object computes the members of an object. Each member begins on a new line or after a
// comma.
func (t *bicepReader) object(open int, names map[string]policy.Value, depth int) policy.Value {
	var d policy.D
	for k := open + 1; k < t.pair[open]; {
		if t.tree.kind(k) != '.' && t.is(k+1, ":") {
			end := max(t.valueEnd(k+2), k+2)
			d = append(d, policy.E{Key: t.tokens[k].text, Value: t.value([2]int{k + 2, min(end, t.pair[open])}, names, depth+1)})
			k = end
			continue
		}
		k = t.tree.next(k)
	}
	return policy.ObjectValue(d)
}
