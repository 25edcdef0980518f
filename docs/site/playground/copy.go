package playground

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/mongosh"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/plainjson"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Copy is the question in another form, for use elsewhere.
type Copy struct {
	Name string `json:"name"` // "Vector", "Go test", "mongosh", "curl", "ttl"
	Text string `json:"text"`
}

// copies returns the forms for copying that a system has, without forms that cannot express
// the definition.
func (d stored) copies(s State, e reasons.Explanation, doc policy.Value) []Copy {
	list := []Copy{{"Vector", d.vector(s, e, doc)}, {"Go test", d.goTest(s, e, doc)}}
	if s.System == definition.CosmosNoSQL {
		list = append(list, Copy{"curl", d.curl(doc)})
	} else if text, ok := d.shell(s, doc); ok {
		list = append(list, Copy{"mongosh", text})
	}
	return append(list, Copy{"ttl", d.command(s, e, doc)})
}

func extended(v policy.Value) string { return string(policy.AppendExtJSON(nil, v)) }

// vector writes a vector of the suite. It leaves the expected answer out: a person has to
// write it from a source, and never from an answer of this library.
func (d stored) vector(s State, e reasons.Explanation, doc policy.Value) string {
	op := map[string]string{definition.MongoDB: "mongodb.decide", definition.CosmosNoSQL: "cosmos.decide", definition.CosmosMongo: "cosmosmongo.decide"}[s.System]
	if strings.HasPrefix(s.Release, definition.DocumentDB+"@") {
		op = "documentdb.decide"
	}
	return fmt.Sprintf(`{
 "id": "", "rev": 1,
 "title": "",
 "rules": [%s], "op": %q,
 "flags": ["Basic"],
 "in": {
  %s
 },
 "want": [
  {%s, "level": "must", "evidence": "",
   "out": {"state": "", "deadline": null, "rule": %q},
   "cites": []}
 ]
}
`, rulesOf(e), op, strings.Join(d.question(s, e, doc), ",\n  "), s.target(), e.Decision.Rule.String())
}

// question returns the members of a vector that hold the question.
func (d stored) question(s State, e reasons.Explanation, doc policy.Value) []string {
	in := []string{`"now": ` + extended(policy.DateValue(e.Now))}
	if s.System == definition.CosmosNoSQL {
		return append(in, `"container": `+d.container.JSON, `"item": `+strings.TrimSpace(s.Document))
	}
	if d.Options.Kind() == policy.Object {
		in = append(in, `"collection": `+extended(d.Options))
	}
	in = append(in, `"indexes": `+extended(policy.ListValue(d.Indexes)))
	if ts, ok := doc.Field("_ts").AsInt64(); ok && s.System == definition.CosmosMongo { // the suite keeps _ts apart from the document
		return append(in, `"document": `+extended(policy.ObjectValue(pasted.Without(doc, "_ts"))), fmt.Sprintf(`"_ts": %d`, ts))
	}
	return append(in, `"document": `+extended(doc))
}

// target returns the members of a row of a vector that name the system and release for
// which the row holds.
func (s State) target() string {
	system, release := s.System, s.Release
	if number, ok := strings.CutPrefix(release, definition.DocumentDB+"@"); ok {
		system, release = definition.DocumentDB, number
	}
	members := []string{`"system": ` + strconv.Quote(system)}
	if release != "" {
		members = append(members, `"versions": `+strconv.Quote(">="+release))
	}
	for _, p := range s.parameters() {
		members = append(members, fmt.Sprintf(`"parameters": {%q: %v}`, p.Key, p.Value))
	}
	if s.System != definition.MongoDB {
		members = append(members, `"asOf": ""`) // date of the page on which the answer is based
	}
	if s.CustomPath && s.System == definition.CosmosMongo {
		members = append(members, `"capabilities": ["EnableTtlOnCustomPath"]`)
	}
	return strings.Join(members, ", ")
}

// rulesOf lists the rules that a vector tests: the deciding rule, and the rules that affect
// its decision.
func rulesOf(e reasons.Explanation) string {
	list := strconv.Quote(e.Decision.Rule.String())
	for _, r := range e.Ladder {
		if e.Applies(r) && r != e.Decision.Rule {
			list += ", " + strconv.Quote(r.ID)
		}
	}
	return list
}

// shell writes the definition and the document for mongosh. Parameters are in a comment,
// because they are set when the server starts.
func (d stored) shell(s State, doc policy.Value) (string, bool) {
	var b strings.Builder
	ok := true
	literal := func(v policy.Value) string {
		text, written := mongosh.Literal(v)
		ok = ok && written
		return text
	}
	for _, p := range s.parameters() {
		fmt.Fprintf(&b, "// mongod --setParameter %s=%v\n", p.Key, p.Value)
	}
	b.WriteString("db.ttl.drop();\n")
	if d.Options.Kind() == policy.Object {
		b.WriteString(`db.createCollection("ttl", ` + literal(d.Options) + ");\n")
	}
	for _, index := range d.Indexes {
		options := policy.ObjectValue(pasted.Without(index, "key", "v", "ns"))
		b.WriteString("db.ttl.createIndex(" + literal(index.Field("key")) + ", " + literal(options) + ");\n")
	}
	b.WriteString("db.ttl.insertOne(" + literal(doc) + ");\n")
	return b.String(), ok
}

// curl writes the requests of the REST API that make the container and the
// item. The service sets _ts by itself.
func (d stored) curl(item policy.Value) string {
	container := policy.D{
		{Key: "id", Value: policy.StringValue("ttl")},
		{Key: "partitionKey", Value: policy.ObjectValue(policy.D{{Key: "paths", Value: policy.ListValue(policy.A{policy.StringValue("/id")})}, {Key: "kind", Value: policy.StringValue("Hash")}, {Key: "version", Value: policy.Int32Value(2)}})},
	}
	container = append(container, pasted.Without(d.container.Value, "id", "partitionKey")...)
	body := pasted.Without(item, "_ts", "id")
	id := item.Field("id")
	if id.Kind() != policy.String {
		id = policy.StringValue("1")
	}
	body = append(policy.D{{Key: "id", Value: id}}, body...)
	const request = `curl -X POST "https://$ACCOUNT.documents.azure.com/dbs/$DATABASE/%s" \
  -H "authorization: $TOKEN" -H "x-ms-date: $DATE" -H "x-ms-version: 2018-12-31" \
  -H 'content-type: application/json'%s \
  -d %s
`
	return fmt.Sprintf(request, "colls", "", quoteShell(plainJSON(policy.ObjectValue(container)))) + "\n" +
		fmt.Sprintf(request, "colls/ttl/docs", " \\\n  -H "+quoteShell("x-ms-documentdb-partitionkey: ["+plainJSON(id)+"]"), quoteShell(plainJSON(policy.ObjectValue(body))))
}

func plainJSON(v policy.Value) string { return string(plainjson.Append(nil, v)) }

// command writes the command line that explains the same question.
func (d stored) command(s State, e reasons.Explanation, doc policy.Value) string {
	parts := []string{"ttl explain"}
	switch {
	case s.System == definition.CosmosNoSQL:
		parts = append(parts, "--container "+quoteShell(d.container.JSON))
	case d.Options.Kind() == policy.Object:
		metadata := policy.ObjectValue(policy.D{{Key: "options", Value: d.Options}, {Key: "indexes", Value: policy.ListValue(d.Indexes)}})
		parts = append(parts, "--metadata <(echo "+quoteShell(extended(metadata))+")")
	default:
		for _, index := range d.Indexes {
			parts = append(parts, "--index "+quoteShell(extended(index)))
		}
	}
	if s.System == definition.CosmosMongo {
		parts = append(parts, "--cosmos-mongo")
		if s.CustomPath {
			parts = append(parts, "--capability EnableTtlOnCustomPath")
		}
	}
	if s.Release != "" {
		parts = append(parts, "--server "+s.Release)
	}
	for _, p := range s.parameters() {
		parts = append(parts, fmt.Sprintf("--server-parameter %s=%v", p.Key, p.Value))
	}
	parts = append(parts, "--now "+e.Now.String())
	text := extended(doc)
	if s.System == definition.CosmosNoSQL {
		text = strings.TrimSpace(s.Document)
	}
	return strings.Join(parts, " \\\n  ") + " \\\n  " + quoteShell(text) + "\n"
}

// quoteShell writes text as one word of a POSIX shell.
func quoteShell(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// goStates are the expressions of the states in Go.
var goStates = map[policy.State]string{policy.Never: "policy.Never", policy.Pending: "policy.Pending", policy.Expired: "policy.Expired"}

// goTest writes a test that asks the library the same question and expects its
// present answer. Users have to read it, and correct it where it is wrong.
func (d stored) goTest(s State, e reasons.Explanation, doc policy.Value) string {
	pkg, passed := "cosmos", "document"
	var code goCode
	switch s.System {
	case definition.CosmosNoSQL:
		passed = "&document" // the text of the item shows a repeated ttl
		code.try("spec, err := cosmos.ParseListedContainer(%s)", goBytes(d.container.JSON))
		code.try("evaluator, err := cosmos.CompileContainer(spec)")
		code.try("document, err := policy.ParseJSON(%s)", goBytes(strings.TrimSpace(s.Document)))
	case definition.CosmosMongo:
		code.compileCosmosMongo(d, s)
		code.parse("document", doc)
	default:
		pkg = "mongo"
		code.compileMongo(d, s)
		code.parse("document", doc)
	}
	wrong := "d.State != " + goStates[e.Decision.State]
	if deadline, ok := e.Decision.Deadline(); ok {
		wrong = fmt.Sprintf("deadline, _ := d.Deadline(); %s || deadline != %d", wrong, deadline)
	}
	return fmt.Sprintf(`package ttl_test

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/%s"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestTTL(t *testing.T) {
%s	const now policy.Instant = %d // %s
	d := evaluator.Decide(%s, now)
	if %s || d.Rule.String() != %q {
		t.Errorf("%%v", d)
	}
}
`, pkg, code.String(), e.Now, e.Now, passed, wrong, e.Decision.Rule.String())
}

// A goCode collects the statements of a test in Go.
type goCode struct{ strings.Builder }

// try writes a statement that sets err, and a check that ends the test on an
// error.
func (c *goCode) try(statement string, args ...any) {
	fmt.Fprintf(c, "\t"+statement+"\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n", args...)
}

// parse writes statements that set a variable to v.
func (c *goCode) parse(name string, v policy.Value) {
	c.try("%s, err := policy.ParseExtJSON(%s)", name, goBytes(extended(v)))
}

func (c *goCode) compileMongo(d stored, s State) {
	options := "policy.Value{}"
	c.parse("indexes", policy.ListValue(d.Indexes))
	if d.Options.Kind() == policy.Object {
		options = "options"
		c.parse(options, d.Options)
	}
	c.try("spec, err := mongo.ParseListedCollection(%s, indexes)", options)
	number, isDocumentDB := strings.CutPrefix(s.Release, definition.DocumentDB+"@")
	product := ""
	if isDocumentDB {
		product = fmt.Sprintf("Product: %q, ", definition.DocumentDB)
	}
	parts := strings.Split(number+".0", ".")
	c.try("profile, err := mongo.ProfileOf(mongo.Version{%sMajor: %s, Minor: %s, Patch: %s})", product, parts[0], parts[1], parts[2])
	for _, p := range s.parameters() {
		c.try("profile, err = profile.WithParameter(%q, policy.BoolValue(%v))", p.Key, p.Value)
	}
	c.try("evaluator, err := mongo.CompileCollection(spec, profile)")
}

func (c *goCode) compileCosmosMongo(d stored, s State) {
	capabilities := ""
	if s.CustomPath {
		capabilities = ", Capabilities: []string{cosmos.CustomPathCapability}"
	}
	fmt.Fprintf(c, "\tspec := cosmos.CollectionSpec{ServerVersion: %q%s}\n\tfor _, text := range []string{\n", s.Release, capabilities)
	for _, index := range d.Indexes {
		fmt.Fprintf(c, "\t\t%s,\n", quoteGo(extended(index)))
	}
	c.WriteString(`	} {
		v, err := policy.ParseExtJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		index, err := cosmos.ParseListedIndex(v)
		if err != nil {
			t.Fatal(err)
		}
		spec.Indexes = append(spec.Indexes, index)
	}
`)
	c.try("evaluator, err := cosmos.CompileCollection(spec)")
}

// goBytes returns a Go expression for text as a slice of bytes.
func goBytes(text string) string { return "[]byte(" + quoteGo(text) + ")" }

// quoteGo returns a Go string literal for text, a raw one if possible.
func quoteGo(text string) string {
	if strconv.CanBackquote(text) && !strings.ContainsAny(text, "\n") {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}
