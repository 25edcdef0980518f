package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
)

// Secrets that stand in identifiers, in values and in damaged bytes. The number is a ttl
// that no item may have, and that looks like a point in time.
const (
	secret       = "SECRET7f3a"
	secretNumber = "1795161600123"
)

// secretInputs returns documents, whole and damaged, that hold the secrets.
func secretInputs(t *testing.T) (inputs map[string]string) {
	bson := func(docs ...string) (all string) {
		for _, text := range docs {
			all += bsonText(t, text)
		}
		return all
	}
	doc := `{"_id":"` + secret + `","at":{"$date":"2026-11-01T00:00:00Z"},"` + secret + `":"` + secret + `"}`
	id := `{"_id":"` + secret + `"`
	good := bson(doc, `{"_id":{"u":"`+secret+`/"},"at":"`+secret+`"}`, `{"_id":"`+secret+`/","at":["`+secret+`"]}`, doc)
	twice := bson(`{"_id":1,"` + secret + `":1,"` + secret[:9] + `b":1}`)
	return map[string]string{
		"good.bson": good, "twice.bson": good + strings.Replace(twice, secret[:9]+"b", secret, 1),
		"cut.bson": good[:len(good)-20], "text.bson": good + secret, "begins.bson": secret + good, "inside.bson": strings.Replace(good, secret, "\xff"+secret[1:], 1),
		"length.bson": good + "\x05\x00\x00\x7f" + secret, "types.bson": strings.Replace(good, "\x02"+secret, "\x7f"+secret, 1), "dump.archive": archived("7.0.14", secretMetadata, []string{"logs"}, map[string]string{"logs": good + secret}),
		"good.json": doc + "\n" + doc + "\n", "open.json": id, "begins.json": secret + doc, "value.json": id + `,"at":}`, "array.json": "[" + doc, "between.json": "[" + doc + secret + "]",
		"element.json": "[" + secret + "]", "two.json": doc + id, "oid.json": `{"_id":{"$oid":"` + secret + `"}}`, "date.json": `{"_id":{"$date":"` + secret + `"}}`, "name.json": `{"_id":` + secret + `}`,
		"wrapper.json": `{"_id":{"$binary":{"` + secret + `":1}}}`, "zone.json": `{"_id":{"$date":"2026-11-01T00:00:00"},"a":"` + secret + `"}`,
		"shell.json": `{_id: '` + secret + `', at: ` + secret + `()}`, "path.json": `{"` + secret + `":{"$numberInt":1.5}}`, "raw.json": `{"_id":"` + secret + "\x01" + `"}`,
		"items.json": `{"id":"` + secret + `","ttl":"` + secret + `","_ts":1}` + "\n" + `{"id":"` + secret + `","ttl":` + secretNumber + `,"_ts":1}` + "\n" + `{"id":"a","ttl":{"` + secret + `":1},"_ts":1}` + "\n" +
			`{"id":"b","ttl":-` + secretNumber + `,"_ts":1}` + "\n" + `{"id":"c","ttl":` + secretNumber + `.5,"_ts":1}` + "\n" + `{"id":"d","TTL":` + secretNumber + `,"_ts":1}` + "\n" + `{"id":"e","ttl":1795161600,"_ts":1}` + "\n" +
			`{"id":"` + secret + `","expireAt":"` + secret + `","ttl":5,"_ts":1}` + "\n" + `{"id":"f","a":{"$date":"` + secret + `"},"_ts":1}` + "\n",
	}
}

const secretMetadata = `{"indexes":[{"v":2,"key":{"_id":1},"name":"_id_"},{"v":2,"key":{"at":1},"name":"at_1","expireAfterSeconds":3600}],"collectionName":"logs"}`

// bsonText returns a document of Extended JSON as BSON.
func bsonText(t *testing.T, text string) string {
	t.Helper()
	doc, err := valuefunc.F.ExtJSONToBSON(nil, []byte(text), dump.MaxBSON)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return string(doc.Bytes())
}

// TestNoSecrets: with --no-ids no output of any command in any form, and no error, holds
// an identifier or a value of a document, even of a damaged one.
func TestNoSecrets(t *testing.T) {
	t.Parallel()
	inputs := secretInputs(t)
	dir := t.TempDir()
	policyFile := filepath.Join(dir, "policy.yaml")
	writeFile(t, policyFile, []byte("version: 1\nrules:\n  - {namespace: '*', key: at, expireAfterSeconds: 30d}\n"))
	writeFile(t, filepath.Join(dir, "container.json"), []byte(`{"id":"c","defaultTtl":-1}`))
	writeFile(t, filepath.Join(dir, "off.json"), []byte(`{"id":"c"}`))
	index := []string{"--index", `{"at":1}`, "--expire-after", "1h"}
	root := newRootCommand()
	shown := map[string]bool{} // the commands that show a secret without the flag
	for name, text := range inputs {
		path := filepath.Join(dir, "shop", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		writeFile(t, path, []byte(text))
		writeFile(t, filepath.Join(dir, "shop", strings.TrimSuffix(name, ".bson")+".metadata.json"), []byte(secretMetadata))
		container := []string{"--container", `{"defaultTtl":-1}`}
		for _, line := range [][]string{
			slices.Concat([]string{"forecast", path}, index), {"forecast", path},
			slices.Concat([]string{"forecast", "--skip-bad", path}, index), slices.Concat([]string{"forecast", "--list", path}, index),
			slices.Concat([]string{"forecast", path}, container), slices.Concat([]string{"forecast", "--what-if", "7d", path}, index),
			{"audit", path}, {"audit", "--documents", path, filepath.Join(dir, "container.json")}, {"audit", "--skip-bad", "--documents", path, filepath.Join(dir, "container.json")},
			{"audit", "--documents", path, filepath.Join(dir, "off.json")},
			{"plan", policyFile, path}, {"plan", policyFile, "--documents", path, filepath.Join(dir, "shop", "good.metadata.json")},
			slices.Concat([]string{"migrate", "--to", "cosmos-nosql", path}, index), slices.Concat([]string{"migrate", "--to", "cosmos-nosql", "--id-from", "at", path}, index),
			slices.Concat([]string{"migrate", "--to", "cosmos-mongo", path}, index), slices.Concat([]string{"migrate", "--to", "mongodb", path}, container),
			slices.Concat([]string{"explain", path}, index), slices.Concat([]string{"explain", "--id", secret, path}, index), slices.Concat([]string{"explain", path}, container),
			slices.Concat([]string{"explain", "--id", secret + "0", path}, index),
		} {
			forms := everyFormat(t, root, line)
			if name != "good.bson" && name != "items.json" { // all formats write errors alike
				forms = forms[:min(len(forms), 2)]
			}
			if testing.Short() {
				forms = forms[:1]
			}
			for _, args := range forms {
				r := ttl(t, text, append(args, "--no-ids", "--now", sampleAt)...)
				if out := strings.ReplaceAll(r.out+r.err, dir, ""); strings.Contains(out, secret) || strings.Contains(out, secretNumber) || strings.Contains(out, secret[:4]) {
					t.Errorf("%s: ttl %q --no-ids: exit %d, a secret in\n%s", name, args, r.code, clipped(out))
				}
				if strings.Contains(r.err, "no effect") || strings.Contains(r.err, "--help") {
					t.Fatalf("ttl %q: %s", args, r.err)
				}
				if !shown[line[0]] {
					r := ttl(t, text, append(args, "--now", sampleAt)...)
					shown[line[0]] = strings.Contains(r.out+r.err, secret)
				}
			}
		}
	}
	for _, command := range []string{"forecast", "audit", "plan", "migrate", "explain"} {
		if !shown[command] {
			t.Errorf("ttl %s shows no secret without --no-ids either: the test shows nothing", command)
		}
	}
}

// everyFormat returns a command line of root with each format.
func everyFormat(t *testing.T, root *cobra.Command, line []string) (lines [][]string) {
	cmd, _, err := root.Find(line)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(line, "--list") { // --list is a form of its own
		return [][]string{line}
	}
	for _, format := range formatsOf(cmd) {
		if !slices.Contains(line, "--what-if") || len(format) == 0 || format[1] == "text" || format[1] == "json" {
			lines = append(lines, slices.Concat(line, format))
		}
	}
	return lines
}
