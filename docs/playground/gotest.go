package playground

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// goTest writes a test that asks the library the same and expects what it says
// now: to be read, and put right where it is wrong.
func (d definition) goTest(s State, e reasons.Explanation, doc policy.Value) string {
	var pkg, compile string
	document := "policy.ParseExtJSON([]byte(" + quoteGo(extended(doc)) + "))"
	switch s.System {
	case reasons.CosmosNoSQL:
		pkg = "cosmos"
		compile = "\tspec, err := cosmos.ParseContainerSpec([]byte(" + quoteGo(d.container.JSON) + "))\n" + check + "\tevaluator, err := cosmos.Compile(spec)\n" + check
		document = "policy.ParseJSON([]byte(" + quoteGo(strings.TrimSpace(s.Document)) + "))"
	case reasons.CosmosMongo:
		pkg, compile = "cosmos", d.goCosmosMongo(s)
	default:
		pkg, compile = "mongo", d.goMongo(s)
	}
	state := map[policy.State]string{policy.Never: "Never", policy.Pending: "Pending", policy.Expired: "Expired"}[e.Decision.State]
	deadline := ""
	if e.Decision.State != policy.Never {
		deadline = fmt.Sprintf(" || d.Deadline() != %d", e.Decision.Deadline())
	}
	passed := "document"
	if s.System == reasons.CosmosNoSQL {
		passed = "&document" // by its text, in which two ttl are seen
	}
	return fmt.Sprintf(`package ttl_test

import (
	"testing"

	"github.com/ttlpolicy/ttlpolicy/%s"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

func TestTTL(t *testing.T) {
%s	document, err := %s
%s	const now policy.Instant = %d // %s
	d := evaluator.Decide(%s, now)
	if d.State != policy.%s%s || d.Rule.String() != %q {
		t.Errorf("%%v at %%v by %%v", d.State, d.Deadline(), d.Rule)
	}
}
`, pkg, compile, document, check, e.Now, e.Now, passed, state, deadline, e.Decision.Rule.String())
}

const check = "\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n"

func (d definition) goMongo(s State) string {
	options := "policy.Value{}"
	text := "\tindexes, err := policy.ParseExtJSON([]byte(" + quoteGo(extended(policy.ListValue(d.Indexes))) + "))\n" + check
	if d.Options.Kind() == policy.Object {
		options = "options"
		text += "\toptions, err := policy.ParseExtJSON([]byte(" + quoteGo(extended(d.Options)) + "))\n" + check
	}
	text += "\tspec, err := mongo.ParseCollectionSpec(" + options + ", indexes)\n" + check
	parts := strings.Split(s.Release+".0", ".")
	text += fmt.Sprintf("\tprofile, err := mongo.ProfileOf(mongo.Version{Major: %s, Minor: %s, Patch: %s})\n", parts[0], parts[1], parts[2]) + check
	for _, p := range s.parameters() {
		text += fmt.Sprintf("\tprofile, err = profile.WithParameter(%q, policy.BoolValue(%v))\n", p.Key, p.Value) + check
	}
	return text + "\tevaluator, err := mongo.CompileCollection(spec, profile)\n" + check
}

func (d definition) goCosmosMongo(s State) string {
	text := "\tspec := cosmos.CollectionSpec{ServerVersion: " + strconv.Quote(s.Release)
	if s.CustomPath {
		text += ", Capabilities: []string{cosmos.CustomPathCapability}"
	}
	text += "}\n\tfor _, text := range []string{\n"
	for _, index := range d.Indexes {
		text += "\t\t" + quoteGo(extended(index)) + ",\n"
	}
	return text + "\t} {\n\t\tv, err := policy.ParseExtJSON([]byte(text))\n\t\tif err != nil {\n\t\t\tt.Fatal(err)\n\t\t}\n" +
		"\t\tindex, err := cosmos.ParseIndexSpec(v)\n\t\tif err != nil {\n\t\t\tt.Fatal(err)\n\t\t}\n\t\tspec.Indexes = append(spec.Indexes, index)\n\t}\n" +
		"\tevaluator, err := cosmos.CompileCollection(spec)\n" + check
}

// quoteGo writes text as a string of Go, raw if it can be.
func quoteGo(text string) string {
	if strconv.CanBackquote(text) && !strings.ContainsAny(text, "\n") {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}
