package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

// encodings are the encodings of a text that Windows PowerShell 5.1 and editors write.
var encodings = map[string]func(text string) []byte{
	"UTF-8 with a mark":        func(text string) []byte { return []byte("\ufeff" + text) },
	"UTF-16":                   func(text string) []byte { return inUTF16(binary.LittleEndian, "\ufeff"+text) },
	"UTF-16, big":              func(text string) []byte { return inUTF16(binary.BigEndian, "\ufeff"+text) },
	"UTF-16 without a mark":    func(text string) []byte { return inUTF16(binary.LittleEndian, text) },
	"UTF-16, big, without one": func(text string) []byte { return inUTF16(binary.BigEndian, text) },
}

func inUTF16(order binary.AppendByteOrder, text string) (out []byte) {
	for _, unit := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, unit)
	}
	return out
}

// TestEncodings: a file in another encoding is read as the same file in UTF-8, by each
// reader: of documents, policies, programs, policy files, parts and lists of names.
func TestEncodings(t *testing.T) {
	t.Parallel()
	const index = `{"key":{"at":1},"name":"at_1","expireAfterSeconds":60}`
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	files := map[string]string{
		"d.jsonl": `{"_id":1,"at":{"$date":"2022-01-01T00:00:00Z"}}` + "\n" + `{"_id":"ü😀","at":{"$date":"2029-01-01T00:00:00Z"}}` + "\n",
		"d.json":  `[{"_id":1,"at":{"$date":"2022-01-01T00:00:00Z"}},{"_id":2,"at":5}]`, "one.json": `{"_id":1,"at":{"$date":"2022-01-01T00:00:00Z"}}`,
		"i.json": `{"ns":"shop.logs","indexes":[` + index + `]}`, "c.json": `{"id":"c","defaultTtl":60}`, "s.js": `db.getSiblingDB("shop").logs.createIndex({at: 1}, {expireAfterSeconds: 0})` + "\n",
		"u.ps1": "New-AzCosmosDBSqlContainer -Name c -TtlInSeconds 0 -DatabaseName d\n", "p.yaml": "version: 1\nrules:\n  - namespace: \"*\"\n    expireAfterSeconds: none\n",
		"dump/shop/logs.bson": "", "dump/shop/logs.metadata.json": metadataOf("logs"), "src/u.ps1": "New-AzCosmosDBSqlContainer -Name c -TtlInSeconds 0 -DatabaseName d\n",
	}
	write := func(encode func(string) []byte) {
		for name, text := range files {
			if err := os.MkdirAll(filepath.Dir(at(name)), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(at(name), encode(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(func(text string) []byte { return []byte(text) })
	files["part.json"] = ttl(t, "", "forecast", "--format", "part", "--now", sampleAt, "--index", index, at("d.jsonl")).out
	files["names"] = at("d.jsonl") + "\n"
	commands := [][]string{
		{"forecast", "--index", index, at("d.jsonl")}, {"forecast", "--index", index, at("d.json")}, {"forecast", "--index", index, "--list", at("d.jsonl")},
		{"forecast", at("dump")}, {"explain", "--index", index, at("one.json")}, {"explain", "--index", index, "--id", "ü😀", at("d.jsonl")}, {"explain", "--container", at("c.json"), `{"id":"1","_ts":5}`},
		{"audit", at("i.json")}, {"audit", at("c.json")}, {"audit", at("s.js")}, {"audit", at("u.ps1")}, {"audit", at("src")}, {"audit", at("i.json"), "--documents", at("d.jsonl")},
		{"plan", at("p.yaml"), at("i.json")}, {"plan", "init", at("s.js")}, {"migrate", "--to", "cosmos-nosql", "--index", index, at("d.jsonl")},
		{"forecast", "merge", at("part.json")}, {"forecast", "merge", "--expect", at("names"), at("part.json")},
	}
	run := func(args []string) result {
		if args[1] != "init" && args[1] != "merge" {
			args = append(args[:len(args):len(args)], "--now", sampleAt)
		}
		return ttl(t, "", args...)
	}
	write(func(text string) []byte { return []byte(text) })
	var want []result
	for _, args := range commands {
		want = append(want, run(args))
	}
	for name, encode := range encodings {
		write(encode)
		for i, args := range commands {
			got := run(args)
			got.out, want[i].out = withoutBytes(got.out), withoutBytes(want[i].out)
			if got != want[i] {
				t.Errorf("%s: %q is\n%d %s%s\nwant\n%d %s%s", name, args, got.code, got.out, got.err, want[i].code, want[i].out, want[i].err)
			}
		}
	}
}

// withoutBytes removes the offsets of documents, which a mark of three bytes moves.
func withoutBytes(text string) string {
	return regexp.MustCompile(`("offset": ?|at byte )\d+`).ReplaceAllString(text, "")
}

// TestNoText: a file with NULs, or in UTF-32, is named; it never counts as a file that mentions
// no time to live.
func TestNoText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	utf32 := []byte("\xff\xfe\x00\x00")
	for _, c := range "db.c.createIndex({at: 1}, {expireAfterSeconds: 5})" {
		utf32 = binary.LittleEndian.AppendUint32(utf32, uint32(c))
	}
	for name, text := range map[string][]byte{"nul.py": []byte("x = 1\x00\n"), "wide.js": utf32, "wide.json": utf32, "late.ps1": append(bytes.Repeat([]byte("# a\n"), 1000), 0)} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		got := ttl(t, "", "audit", path)
		if got.code == cli.ExitOK || !strings.Contains(got.err, "NUL") && !strings.Contains(got.err, "UTF-32") {
			t.Errorf("audit %s = %d, %s%s", name, got.code, got.out, got.err)
		}
	}
	if got := ttl(t, "", "audit", dir); got.code != cli.ExitIncomplete || !strings.Contains(got.out, "nul.py: byte 5 is NUL") || !strings.Contains(got.out, "late.ps1") || !strings.Contains(got.out, "UTF-32") {
		t.Errorf("audit of the folder = %d, %s%s", got.code, got.out, got.err)
	}
}
