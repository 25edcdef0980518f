package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Hostile names of fields, indexes and collections, and of files, which need not be
// UTF-8.
const (
	hostile     = "=cmd()|\x1b[2J\a\r\n\u009b\u202e\u200b'`\"$(id)</script><script>alert(1)</script>\n::error::x ::warning::x ##vso[task.x]##[error]##teamcity[x]"
	hostileFile = "=cmd()|\x1b[2J\a\r\n\u009b\u202e\u200b'`\"$(id)\x9b<script>alert(1) ::error::x ##vso[task.x]##[error]##teamcity[x]"
)

// hostileDump writes a dump in which everything that has a name has a hostile one, and
// returns its folder and its file.
func hostileDump(t *testing.T) (folder, file string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), hostileFile)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Skip(err) // not every system allows such names
	}
	name := quotedJSON(t, hostile)
	file = filepath.Join(folder, hostileFile+".bson")
	writeFile(t, filepath.Join(folder, hostileFile+".metadata.json"), []byte(`{"indexes":[
		{"v":2,"key":{"_id":1},"name":"_id_"},
		{"v":2,"key":{`+name+`:1},"name":`+name+`,"expireAfterSeconds":3600},
		{"v":2,"key":{"b":1},"name":"second`+name[1:]+`,"expireAfterSeconds":-1,"partialFilterExpression":{`+name+`:`+name+`}},
		{"v":2,"key":{"c":1},"name":"third`+name[1:]+`,"expireAfterSecond":60}],"collectionName":`+name+`}`))
	var docs []byte
	for _, v := range []policy.Value{policy.StringValue(hostile), policy.DateValue(1), policy.DateValue(1 << 41), policy.NullValue()} {
		doc := policy.ObjectValue(policy.D{{Key: "_id", Value: policy.StringValue(hostile + v.String())}, {Key: hostile, Value: v}, {Key: "b", Value: v}})
		b, err := policy.AppendBSON(nil, doc)
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, b...)
	}
	writeFile(t, file, docs)
	return folder, file
}

func quotedJSON(t *testing.T, s string) string {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// hostileResults returns a file of results with hostile texts: the name of the program,
// and the states in its answers.
func hostileResults(t *testing.T, suite string) string {
	t.Helper()
	path := resultsOfOne(t, suite)
	text := string(readFile(t, path))
	for _, member := range []string{"name", "version", "runner", "mode"} {
		text = regexp.MustCompile(`("`+member+`": ?)"[^"]*"`).ReplaceAllLiteralString(text, `"`+member+`": `+quotedJSON(t, hostile))
	}
	text = strings.ReplaceAll(text, `"state":"expired"`, `"state":`+quotedJSON(t, hostile))
	writeFile(t, path, []byte(text))
	return path
}

// serviceCommand is a command to a CI service that reads the output.
var serviceCommand = regexp.MustCompile(`(?m)^\s*::|(?i)##(vso|teamcity)?\[`)

// isRaw reports whether text holds a command to a CI service, or a character,
// other than a line end, that no output may hold.
func isRaw(text string) bool {
	return serviceCommand.MatchString(text) || strings.ToValidUTF8(text, "\x00") != text || strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) })
}

// TestHostileNames: no output of any command in any format holds a control character,
// a formula or markup from a name.
func TestHostileNames(t *testing.T) {
	folder, file := hostileDump(t)
	suite := smallSuite(t, thresholds)
	results := hostileResults(t, suite)
	t.Parallel()
	damaged := filepath.Join(t.TempDir(), hostileFile+".bson")
	writeFile(t, damaged, []byte("\x05\x00\x00\x00"))
	container := written(t, "container.json", `{"id":`+quotedJSON(t, hostile)+`,"defaultTTL":60,"resource":{"id":`+quotedJSON(t, hostile)+`}}`)
	key := `{` + quotedJSON(t, hostile) + `:1}`
	doc := `{"_id":` + quotedJSON(t, hostile) + `,` + quotedJSON(t, hostile) + `:{"$date":"2026-11-01T00:00:00Z"}}`
	metadata := strings.TrimSuffix(file, ".bson") + ".metadata.json"
	now := []string{"--now", sampleAt}
	tried := map[string]bool{}
	for _, tt := range [][]string{
		append(now, "audit", folder), append(now, "audit", container),
		append(now, "explain", "--metadata", metadata, doc),
		append(now, "explain", "--index", key, "--expire-after", "30d", doc),
		append(now, "explain", "--index", key, "--expire-after", hostile, doc),
		append(now, "forecast", folder), append(now, "forecast", "--skip-bad", file), append(now, "forecast", "--index", `{"b":1}`, "--expire-after", "1h", file),
		append(now, "forecast", "--index", `{"b":1}`, "--expire-after", "1h", "--list", file),
		append(now, "forecast", "--index", key, "--expire-after", "1h", damaged),
		append(now, "forecast", folder+hostileFile),
		append(now, "migrate", "--to", "cosmos-nosql", file), append(now, "migrate", "--to", "cosmos-mongo", "--index", key, "--expire-after", "1h"),
		append(now, "migrate", "--to", "mongodb", "--container", `{"defaultTtl":1}`, "--field", hostile),
		{"", "", "conform", "rejudge", "--suite", suite, results}, {"", "", "conform", "explain", hostile}, {"", "", "conform", "run", hostileFile},
		{"", "", "conform", "list", "--suite", folder}, {"", "", "conform", "diff", "--op", hostile, "--", "self", "--", "self"},
		{"", "", "plan", "init", folder}, append(now, "plan", examplePolicy, folder),
		{"", "", "rules", hostile}, {"", "", hostile}, {"", "", "conform", "new", "--rule", hostile, hostile},
	} {
		args := tt[2:]
		cmd, _, err := newRootCommand().Find(args)
		if err != nil {
			cmd = newRootCommand()
		}
		if tt[0] != "" {
			args = append(args[:1:1], append(now, args[1:]...)...)
		}
		for _, format := range formatsOf(cmd) {
			words := len(strings.Fields(strings.TrimPrefix(cmd.CommandPath(), "ttl")))
			whole := append(append(append([]string{}, args[:words]...), format...), args[words:]...)
			r := ttl(t, "", whole...)
			checkHarmless(t, whole, format, r)
			tried[strings.Join(format, " ")] = true
		}
	}
	if len(tried) < 10 {
		t.Errorf("%d formats were tried, want more: %v", len(tried), tried)
	}
}

func checkHarmless(t *testing.T, args, format []string, r result) {
	t.Helper()
	if isRaw(r.out) || isRaw(r.err) || strings.Count(r.err, "\n") > 1+strings.Count(r.err, "ttl: note: ") {
		t.Errorf("ttl %q wrote raw characters, or errors of several lines:\n%q\n%q", args, clipped(r.out), clipped(r.err))
	}
	switch strings.Join(format, " ") {
	case "--format json":
		if r.out != "" && !json.Valid([]byte(r.out)) {
			t.Errorf("ttl %q wrote no JSON: %q", args, clipped(r.out))
		}
	case "--format html":
		checkPage(t, args, r.out)
	case "--format svg", "--format junit":
		if strings.Contains(r.out, "<script") || strings.Contains(r.out, "</script") {
			t.Errorf("ttl %q wrote an element of somebody's: %q", args, clipped(r.out))
		}
	}
}

// checkPage: a page has no script, and only styles that its Content-Security-Policy
// allows.
func checkPage(t *testing.T, args []string, page string) {
	t.Helper()
	if page == "" {
		return // refused
	}
	for _, foreign := range []string{"<script", "</script", ` style="`, ` onload`, "javascript:"} {
		if strings.Contains(page, foreign) {
			t.Errorf("ttl %q wrote a page with %s", args, foreign)
		}
	}
	allowed := html.UnescapeString(page)
	for _, style := range regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindAllStringSubmatch(page, -1) {
		sum := sha256.Sum256([]byte(style[1]))
		if !strings.Contains(allowed, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
			t.Errorf("ttl %q wrote a page whose policy does not allow its style %.60q", args, style[1])
		}
	}
	if !strings.Contains(allowed, `content="default-src 'none'; `) {
		t.Errorf("ttl %q wrote a page without a policy", args)
	}
}

func clipped(s string) string { return s[:min(len(s), 2000)] }

// TestHostileShell: a shell reads the intended name in a printed command.
func TestHostileShell(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	container := written(t, "container.json", `{"id":`+quotedJSON(t, hostile)+`,"defaultTTL":60}`)
	var r struct {
		Audited []struct {
			Findings []struct{ Repairs []struct{ Commands []string } }
		}
	}
	out := ttl(t, "", "audit", "--format", "json", container).out
	if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Audited) != 1 || len(r.Audited[0].Findings) == 0 || len(r.Audited[0].Findings[0].Repairs) == 0 {
		t.Fatalf("no repair: %v, %s", err, out)
	}
	for _, command := range r.Audited[0].Findings[0].Repairs[0].Commands {
		words, err := exec.Command(bash, "-c", `az() { printf '%s\0' "$@"; }; `+command).Output()
		if err != nil || isRaw(command) || !strings.Contains("\x00"+string(words), "\x00--name\x00"+hostile+"\x00") {
			t.Errorf("%s\nis read as %q, %v", command, words, err)
		}
	}
}

// TestHostileIndex: the shell of MongoDB creates the index on the intended field.
func TestHostileIndex(t *testing.T) {
	t.Parallel()
	for field, want := range map[string]string{
		"__proto__": `{["__proto__"]: 1}`, "due": `{due: 1}`, "\x1b\"": `{"\u{1b}\"": 1}`, "a b": `{"a b": 1}`,
	} {
		r := ttl(t, "", "migrate", "--to", "mongodb", "--container", `{"defaultTtl":1}`, "--field", field)
		if line := "    db.getCollection(\"COLLECTION\").createIndex(" + want + ", {expireAfterSeconds: 0})\n"; !strings.Contains(r.out, line) {
			t.Errorf("--field %q: want %s in\n%s%s", field, line, r.out, r.err)
		}
	}
}
