//go:build linux

package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump/dumptest"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

// bsonFilled returns a BSON document with a date, and with one element repeated up to a
// size.
func bsonFilled(element string, size int) []byte {
	doc := append(make([]byte, 4, size), "\x09t\x00\x00\x00\x00\x00\x00\x00\x00\x00"...)
	doc = append(doc, strings.Repeat(element, (size-len(doc)-1)/len(element))...)
	doc = append(doc, 0)
	binary.LittleEndian.PutUint32(doc, uint32(len(doc)))
	return doc
}

// fieldsFilled returns a line that takes four times as many bytes in canonical
// Extended JSON.
func fieldsFilled(size int) []byte {
	return []byte(`{"t":{"$date":"2026-01-01T00:00:00Z"}` + strings.Repeat(`,"":1`, size/7) + "}\n")
}

func lineFilled(element string, size int) []byte {
	return []byte(`{"t":{"$date":"2026-01-01T00:00:00Z"},"_ts":1,"a":[` + strings.Repeat(element+",", size/(len(element)+1)) + element + "]}\n")
}

// worst returns the inputs that need the most memory per byte, at the limits of a
// document.
func worst(part int) map[string][]byte {
	bson, text := dump.MaxBSON/part, (dump.MaxText-100)/part
	return map[string][]byte{
		"nulls.bson":    bytes.Repeat(bsonFilled("\x0a\x00", bson), 2),
		"controls.bson": bytes.Repeat(bsonFilled("\x02\x00\x04\x00\x00\x00\x01\x01\x01\x00", bson), 2),
		"empty.jsonl":   bytes.Repeat(lineFilled("{}", text), 2), "zeros.jsonl": bytes.Repeat(lineFilled("0", text), 2),
		"texts.json": bytes.Join([][]byte{[]byte("["), lineFilled(`""`, text), []byte(","), lineFilled(`""`, text), []byte("]")}, nil),
		"ints.jsonl": bytes.Repeat(fieldsFilled(bson-100), 2), "items.jsonl": bytes.Repeat(lineFilled("0", 4<<20/part-100), 4),
		"one.bson": bsonFilled("\x0a\x00", bson), "one.json": lineFilled("0", text),
	}
}

// manyCollections returns an archive of mongodump with n empty collections that have
// a TTL index.
func manyCollections(n int) []byte {
	list := make([]dumptest.Collection, n)
	for i := range list {
		list[i] = dumptest.Collection{Name: fmt.Sprint("c", i), Metadata: `{"indexes":[{"v":2,"key":{"at":1},"name":"at_1","expireAfterSeconds":10}]}`}
	}
	return dumptest.Archive("8.0.4", list...)
}

// TestMemory: every command stays below maxPeak on the worst inputs. With -every they
// have their whole size, and each command reads each of them.
func TestMemory(t *testing.T) {
	if underRace {
		t.Skip("the race detector needs memory of its own")
	}
	if testing.Short() {
		t.Skip("starts a process for each command and input")
	}
	part, limit := 4, maxPeak*4/5
	if *every {
		part, limit = 1, maxPeak
	}
	dir := t.TempDir()
	for name, content := range worst(part) {
		writeFile(t, filepath.Join(dir, name), content)
	}
	writeFile(t, filepath.Join(dir, "many.archive"), manyCollections(5000/part))
	writeFile(t, filepath.Join(dir, "m.metadata.json"), []byte(`{"options":{},"indexes":[{"v":2,"key":{"t":1},"name":"t","expireAfterSeconds":10}],"collectionName":"m"}`))
	index := []string{"--index", `{"t":1}`, "--expire-after", "10"}
	var runs [][]string
	for i, name := range []string{"zeros.jsonl", "nulls.bson", "ints.jsonl", "controls.bson", "texts.json", "empty.jsonl"} {
		path := filepath.Join(dir, name)
		uses := [][]string{append([]string{"forecast", path}, index...), append([]string{"migrate", "--to", "cosmos-nosql", path}, index...),
			append([]string{"migrate", "--to", "cosmos-mongo", path}, index...), {"audit", "--documents", path, filepath.Join(dir, "m.metadata.json")}}
		if !*every {
			uses = uses[i%len(uses):][:1]
		}
		runs = append(runs, uses...)
	}
	runs = append(runs, []string{"forecast", filepath.Join(dir, "many.archive")}, []string{"audit", filepath.Join(dir, "many.archive")})
	items := filepath.Join(dir, "zeros.jsonl")
	runs = append(runs, append([]string{"explain", filepath.Join(dir, "one.bson")}, index...), append([]string{"explain", filepath.Join(dir, "one.json")}, index...),
		[]string{"forecast", "--container", `{"defaultTtl":5}`, items}, []string{"migrate", "--to", "mongodb", "--container", `{"defaultTtl":5}`, items},
		[]string{"migrate", "--to", "mongodb", "--container", `{"defaultTtl":5}`, filepath.Join(dir, "items.jsonl")},
		[]string{"forecast", "--metadata", "/dev/zero", items}, []string{"forecast", "--container", "/dev/zero", items}, []string{"audit", "/dev/zero"},
		append([]string{"explain", "/dev/zero"}, index...), append([]string{"forecast", "/dev/zero"}, index...),
		[]string{"plan", "/dev/zero"}, []string{"conform", "rejudge", "/dev/zero"}, []string{"conform", "run", "--known", "/dev/zero", "--", "true"})
	for name, filter := range largeFilters() {
		path := filepath.Join(dir, name+".metadata.json")
		writeFile(t, path, []byte(`{"options":{},"indexes":[{"v":2,"key":{"t":1},"name":"t","expireAfterSeconds":10,"partialFilterExpression":`+filter+`}],"collectionName":"m"}`))
		runs = append(runs, []string{"audit", path}, []string{"explain", "--metadata", path, "{}"})
	}
	for _, args := range runs {
		peak, errs, code := peakOf(t, nil, args...)
		t.Logf("%4d MB  ttl %.100s", peak/1e6, strings.Join(args, " "))
		if peak > limit || code < 0 || code == 2 {
			t.Errorf("ttl %.120s: %d MB, exit %d, want below %d MB\n%s", strings.Join(args, " "), peak/1e6, code, limit/1e6, errs)
		}
	}
	for _, args := range [][]string{{"adapter"}, append([]string{"forecast", "-"}, index...), append([]string{"explain"}, index...), {"audit"}} {
		if peak, errs, _ := peakOf(t, io.LimitReader(letters{}, 256<<20/int64(part)), args...); peak > limit {
			t.Errorf("ttl %v of a line without end: %d MB, want below %d MB\n%s", args, peak/1e6, limit/1e6, errs)
		}
	}
}

// TestFoldersWithPipesAndLinks: pipes in a folder do not make a command wait for ever, and
// links do not make it read and quote files elsewhere.
func TestFoldersWithPipesAndLinks(t *testing.T) {
	t.Parallel()
	outside := written(t, "secret", "db.c.createIndex({a: 1}, {expireAfterSeconds: hunter2})\n")
	sets := [][]string{{"z.metadata.json"}, {"prelude.json"}, {"z.bson"}, {"app.js"}, {"main.tf"}, {"t.json"}}
	if testing.Short() { // one folder with all of them, and one with only the file that audit does not name
		sets = [][]string{slices.Concat(sets...), {"z.bson"}}
	}
	logs, metadata := contents(t, samples+"shop/logs.bson"), contents(t, samples+"shop/logs.metadata.json")
	for name, put := range map[string]func(path string) error{
		"a link out": func(path string) error { return os.Symlink(outside, path) },
		"a pipe":     func(path string) error { return syscall.Mkfifo(path, 0o600) },
	} {
		for _, names := range sets {
			dir := fixture.Files(t, map[string]string{"shop/logs.bson": logs, "shop/logs.metadata.json": metadata, "shop/other.js": "db.c.createIndex({a: 1}, {expireAfterSeconds: 5})"})
			for _, file := range names {
				if err := put(filepath.Join(dir, "shop", file)); err != nil {
					t.Skip(err)
				}
			}
			for _, args := range [][]string{{"forecast", "--now", sampleAt, dir}, {"audit", "--now", sampleAt, dir}, {"plan", "init", dir}, {"forecast", "--now", sampleAt, filepath.Join(dir, "shop/logs.bson")}} {
				cmd := exec.Command(os.Args[0], args...)
				var out bytes.Buffer
				cmd.Stdout, cmd.Stderr = &out, &out
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				late := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
				cmd.Wait()
				if !late.Stop() {
					t.Errorf("%s as %q: ttl %v does not end", name, names, args)
				}
				if strings.Contains(out.String(), "hunter2") {
					t.Errorf("%s as %q: ttl %v quotes it:\n%s", name, names, args, out.String())
				}
				if isAsked := args[0] == "audit" && names[0] != "z.bson"; isAsked && !strings.Contains(words(out.String()), "name it directly") {
					t.Errorf("%s as %q: ttl %v does not say that it is not read:\n%s", name, names, args, out.String())
				}
			}
		}
	}
}

// largeFilters returns partial filters near the library's limit of 32,768 fields,
// elements and parts of paths, and one filter far beyond it.
func largeFilters() map[string]string {
	many := func(n int, text string) string { return strings.TrimSuffix(strings.Repeat(text+",", n), ",") }
	return map[string]string{
		"predicates": `{"a":{` + many(32_000, `"$gt":1`) + `}}`,
		"clauses":    `{"$or":[` + many(16_000, `{"a":1}`) + `]}`,
		"objects":    `{"a":{"$in":[` + many(16_000, `{"x":1}`) + `]}}`,
		"paths":      `{` + many(128, `"`+strings.Repeat("a.", 250)+`":1`) + `}`,
		"too-many":   `{"a":{"$in":[` + many(900_000, `{"x":1}`) + `]}}`,
	}
}

// letters is a reader that yields one text for ever.
type letters struct{}

func (letters) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '{'
	}
	return len(b), nil
}

// TestInterrupted: at any point of a command, the first Ctrl-C ends it soon, with
// code 130.
func TestInterrupted(t *testing.T) {
	t.Parallel() // it waits for processes of its own
	dir := t.TempDir()
	fifo, large, out := filepath.Join(dir, "fifo"), filepath.Join(dir, "large.bson"), filepath.Join(dir, "out", "x")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Dir(out), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, large, bytes.Repeat(bsonFilled("\x0a\x00", dump.MaxBSON/4), 2))
	metadata := written(t, "m.metadata.json", `{"options":{},"indexes":[{"v":2,"key":{"t":1},"name":"t","expireAfterSeconds":10}],"collectionName":"m"}`)
	index := []string{"--index", `{"t":1}`, "--expire-after", "10"}
	tests := []struct {
		why  string
		args []string
	}{
		{"forecast waits for documents", append([]string{"forecast", "-"}, index...)},
		{"forecast waits for metadata", []string{"forecast", "--metadata", fifo, large}},
		{"forecast waits for a container", []string{"forecast", "--container", fifo, large}},
		{"explain waits for a document", append([]string{"explain", "-"}, index...)},
		{"explain waits for metadata", []string{"explain", "--metadata", fifo, "{}"}},
		{"audit waits for policies", []string{"audit", "-"}},
		{"audit waits for documents", []string{"audit", "--documents", fifo, metadata}},
		{"migrate waits for documents", append([]string{"migrate", "--to", "cosmos-nosql", "--out", out, "-"}, index...)},
		{"migrate waits for metadata", []string{"migrate", "--to", "cosmos-nosql", "--metadata", fifo, "--out", out, large}},
		{"the adapter waits for questions", []string{"adapter"}},
		{"conform run waits for hello", []string{"conform", "run", "--", "sleep", "60"}},
		{"conform diff waits for hello", []string{"conform", "diff", "--", "sleep", "60", "--", "self"}},
		{"conform waits for results", []string{"conform", "rejudge", fifo}},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			if code, took := interrupt(t, tt.args); code != int(cli.ExitInterrupted) || took > 10*time.Second {
				t.Errorf("ttl %v: exit %d after %s, want %d at once", tt.args, code, took, cli.ExitInterrupted)
			}
		})
	}
	t.Cleanup(func() {
		if left, err := os.ReadDir(filepath.Dir(out)); err == nil && len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
}

// interrupt runs the tool, with a silent standard input, and sends it a signal. On
// a busy machine the signal may come before the tool listens. Then interrupt runs
// the tool again, and waits longer.
func interrupt(t *testing.T, args []string) (code int, took time.Duration) {
	for wait := 300 * time.Millisecond; ; wait *= 3 {
		cmd := exec.Command(os.Args[0], args...)
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(wait)
		start := time.Now()
		cmd.Process.Signal(syscall.SIGINT)
		kill := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
		cmd.Wait()
		kill.Stop()
		stdin.Close()
		if code = cmd.ProcessState.ExitCode(); code >= 0 || wait > 5*time.Second {
			return code, time.Since(start)
		}
	}
}
