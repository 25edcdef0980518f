package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump/dumptest"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A split is a random collection in files, with the flags of their forecast.
type split struct {
	dir    string
	names  []string // of the files, in their order
	flags  []string
	counts map[string]int64
	ties   bool // many documents share a deadline
	exit   cli.ExitCode

	formats []string
}

// drawDocument draws a document, and counts it by its expected state.
func (s *split) drawDocument(t *rapid.T, id int64, at time.Time) policy.D {
	d := policy.D{{Key: "_id", Value: policy.Int64Value(id)}}
	s.counts["documents"]++
	if tenant := rapid.IntRange(0, 4).Draw(t, "tenant"); tenant > 0 {
		d = append(d, policy.E{Key: "tenant", Value: policy.StringValue(fmt.Sprint("t<\u202e", tenant))})
	}
	away := time.Duration(rapid.Int64Range(-1e9, 1e9).Draw(t, "away")) * rapid.SampledFrom([]time.Duration{time.Microsecond, time.Millisecond, time.Second}).Draw(t, "unit")
	if s.ties {
		away = rapid.SampledFrom([]time.Duration{-3 * time.Hour, 5 * time.Hour}).Draw(t, "same")
	}
	switch created := at.Add(away).Truncate(time.Millisecond); rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		s.counts["never"]++
	case 1:
		s.counts["never"]++
		d = append(d, policy.E{Key: "at", Value: policy.StringValue("2026")})
	default:
		d = append(d, policy.E{Key: "at", Value: policy.DateValue(policy.InstantOf(created))})
		if !created.Add(time.Hour).After(at) {
			s.counts["expired"]++
		} else {
			s.counts["pending"]++
		}
	}
	return d
}

// drawFile draws a file of BSON or of lines, with a damaged line now and then.
func (s *split) drawFile(t *rapid.T, name string, at time.Time, next *int64) (text []byte) {
	for range rapid.IntRange(0, 12).Draw(t, "documents") {
		*next++
		doc := policy.ObjectValue(s.drawDocument(t, *next, at))
		if strings.HasSuffix(name, ".bson") {
			text, _ = policy.AppendBSON(text, doc)
			continue
		}
		text = append(policy.AppendExtJSON(text, doc), '\n')
		if rapid.IntRange(0, 20).Draw(t, "damage") == 0 {
			s.counts["bad"]++
			text = append(text, "{\"_id\":}\n"...)
		}
	}
	return text
}

// drawSplit draws files below a folder.
func drawSplit(t *rapid.T, dir string) *split {
	at := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	s := &split{dir: dir, formats: []string{"text", "json", "prometheus", "html"}, counts: map[string]int64{"bad": 0}, flags: []string{"--now", sampleAt, "--index", `{"at":1}`, "--expire-after", "1h", "--skip-bad"}}
	s.ties = rapid.Bool().Draw(t, "ties")
	end, next := rapid.SampledFrom([]string{".bson", ".jsonl"}).Draw(t, "end"), int64(0)
	for i := range rapid.IntRange(1, 7).Draw(t, "files") {
		name := fmt.Sprint(string(rune('a'+i)), end)
		if i%3 == 2 {
			name = "a/" + name // before a.bson
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, s.drawFile(t, name, at, &next), 0o600); err != nil {
			t.Fatal(err)
		}
		s.names = append(s.names, path)
	}
	slices.SortFunc(s.names, func(a, b string) int {
		return slices.Compare(strings.Split(filepath.ToSlash(a), "/"), strings.Split(filepath.ToSlash(b), "/"))
	})
	optional := [][]string{{"--by", "tenant"}, {"--bucket", "1d"}, {"--bucket", "1mo"}, {"--no-ids"}, {"--namespace", "shop.logs"}, {"--check"}}
	for _, flags := range optional {
		isCheck := flags[0] == "--check" && end != ".bson"
		if rapid.IntRange(0, 2).Draw(t, flags[0]) == 0 && !isCheck && !slices.Contains(s.flags, flags[0]) {
			s.flags = append(s.flags, flags...)
		}
	}
	if s.counts["bad"] > 0 {
		s.exit = cli.ExitIncomplete
	}
	return s
}

// parts forecasts the files in random groups, and merges some of the parts into others.
func (s *split) parts(t *testing.T, r *rand.Rand) (paths []string) {
	t.Helper()
	left := slices.Clone(s.names)
	r.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
	write := func(part result) {
		if part.code != cli.ExitOK && part.code != cli.ExitIncomplete {
			t.Fatalf("a part: exit %d, %s", part.code, part.err)
		}
		path := filepath.Join(s.dir, fmt.Sprint("part", len(paths)+r.IntN(1e9), ".json"))
		writeFile(t, path, []byte(part.out))
		paths = append(paths, path)
	}
	for len(left) > 0 {
		n := 1 + r.IntN(min(len(left), 3))
		write(ttl(t, "", slices.Concat([]string{"forecast", "--format", "part"}, s.flags, left[:n])...))
		left = left[n:]
	}
	for len(paths) > 1 && r.IntN(3) > 0 {
		some := slices.Clone(paths[:2])
		paths = paths[2:]
		write(ttl(t, "", slices.Concat([]string{"forecast", "merge", "--format", "part"}, some)...))
		r.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	}
	return paths
}

// TestMergedPartsAreOneRun: in any order and grouping, the sum of parts gives the same
// output as one run over all files, byte for byte, and agrees with the counts of the
// drawn documents.
func TestMergedPartsAreOneRun(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			rt.Fatal(err)
		}
		s := drawSplit(rt, dir)
		parts := s.parts(t, rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1)))
		for _, format := range s.formats {
			flags := slices.Clone(s.flags)
			if i := slices.Index(flags, "--by"); i >= 0 && format == "prometheus" {
				flags = slices.Delete(flags, i, i+2)
			}
			if i := slices.Index(flags, "--bucket"); i >= 0 && format == "prometheus" {
				flags = slices.Delete(flags, i, i+2)
			}
			one := ttl(t, "", slices.Concat([]string{"forecast", "--format", format}, flags, s.names)...)
			merged := ttl(t, "", slices.Concat([]string{"forecast", "merge", "--format", format}, parts)...)
			if merged.out != one.out || merged.code != s.exit {
				rt.Fatalf("%s of %d parts of %d files, with %q: exit %d %s\n%s\nwant exit %d, as one run:\n%s", format, len(parts), len(s.names), s.flags, merged.code, merged.err, merged.out, s.exit, one.out)
			}
			if f := forecastJSON(s.counted()); format == "json" && !isCounted(forecastOf(t, merged), f) {
				rt.Fatalf("the sum is %s\nwant %v", merged.out, s.counts)
			}
		}
	})
}

func (s *split) counted() (f forecastJSON) {
	f.Documents, f.Expired, f.Pending, f.Never, f.Bad = s.counts["documents"], s.counts["expired"], s.counts["pending"], s.counts["never"], s.counts["bad"]
	return f
}

func isCounted(got, want forecastJSON) bool {
	return got.Documents == want.Documents && got.Expired == want.Expired && got.Pending == want.Pending && got.Never == want.Never && got.Bad == want.Bad
}

// partOf returns the part of an input, in a file.
func partOf(t *testing.T, args ...string) string {
	t.Helper()
	if !slices.Contains(args, "--now") {
		args = append([]string{"--now", sampleAt}, args...)
	}
	r := ttl(t, "", append([]string{"forecast", "--format", "part"}, args...)...)
	if r.out == "" {
		t.Fatalf("no part of %q: exit %d, %s", args, r.code, r.err)
	}
	return written(t, "part.json", r.out)
}

// checkMerged checks that in every format the sum of parts has the same output as one run
// with the arguments line, whose inputs are incomplete. It returns the outputs of these
// runs by format.
func checkMerged(t *testing.T, parts []string, line ...string) (outputs map[string]string) {
	t.Helper()
	outputs = map[string]string{}
	for _, format := range []string{"text", "json", "prometheus", "html"} {
		one := ttl(t, "", slices.Concat([]string{"forecast", "--now", sampleAt, "--format", format}, line)...)
		merged := ttl(t, "", slices.Concat([]string{"forecast", "merge", "--format", format}, parts)...)
		asOne := strings.Replace(one.err, "; --skip-bad counts documents that cannot be read, and goes on", "", 1) // this hint is for making parts
		if merged.out != one.out || merged.err != asOne || merged.code != cli.ExitIncomplete || one.code != cli.ExitIncomplete && one.code != cli.ExitInput {
			t.Errorf("%s: exit %d %s\n%s\nwant exit 3 %s\n%s", format, merged.code, merged.err, merged.out, one.err, one.out)
		}
		outputs[format] = one.out + one.err
	}
	return outputs
}

// TestMergedDumpIsOneRun merges collections with policies of their own, an archive, and
// files that are damaged or cannot be read.
func TestMergedDumpIsOneRun(t *testing.T) {
	damaged, lost := filepath.Join(t.TempDir(), "shop", "damaged.bson"), filepath.Join(t.TempDir(), "lost.archive")
	if err := os.Mkdir(filepath.Dir(damaged), 0o700); err != nil {
		t.Fatal(err)
	}
	logs := readFile(t, samples+"shop/logs.bson")
	writeFile(t, damaged, logs[:len(logs)-7])
	writeFile(t, filepath.Join(filepath.Dir(damaged), "damaged.metadata.json"), readFile(t, samples+"shop/logs.metadata.json"))
	writeFile(t, lost, []byte("\x6d\xe2\x99\x81nothing"))
	archive := filepath.Join(t.TempDir(), "x.archive")
	metadata := `{"indexes":[{"v":2,"key":{"createdAt":1},"name":"at_1","expireAfterSeconds":%d}]}`
	writeFile(t, archive, dumptest.Archive("8.0.4",
		dumptest.Collection{Name: "b", Metadata: fmt.Sprintf(metadata, 100), Blocks: [][]byte{logs[:int(logs[0])+256*int(logs[1])]}},
		dumptest.Collection{Name: "a", Metadata: fmt.Sprintf(metadata, 200), Blocks: [][]byte{logs[:int(logs[0])+256*int(logs[1])]}}))
	inputs := []string{samples + "shop/logs.bson", samples + "shop/sessions.bson", archive, damaged, lost}
	slices.SortFunc(inputs, func(a, b string) int { return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/")) })
	var parts []string
	for _, input := range inputs {
		parts = append([]string{partOf(t, input)}, parts...)
	}
	checkMerged(t, parts, inputs...)
}

// TestPartWithoutPolicy: a collection without a policy makes its part and the sum
// incomplete.
func TestPartWithoutPolicy(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "shop")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	logs := readFile(t, samples+"shop/logs.bson")
	writeFile(t, filepath.Join(dir, "bare.bson"), logs)
	writeFile(t, filepath.Join(dir, "logs.bson"), logs)
	writeFile(t, filepath.Join(dir, "logs.metadata.json"), readFile(t, samples+"shop/logs.metadata.json"))
	one := ttl(t, "", "forecast", "--format", "part", "--now", sampleAt, dir)
	merged := ttl(t, "", "forecast", "merge", written(t, "part.json", one.out))
	for of, r := range map[string]result{"part": one, "sum": merged} {
		if r.code != cli.ExitIncomplete || !strings.Contains(r.err, "bare.bson has no metadata.json beside it") {
			t.Errorf("%s: exit %d, %s, want 3 and what bare.bson lacks", of, r.code, r.err)
		}
	}
}

// TestMergedPoliciesAreOneRun merges collections with policies of their own, some of which are
// hard to encode.
func TestMergedPoliciesAreOneRun(t *testing.T) {
	t.Parallel()
	logs := readFile(t, samples+"shop/logs.bson")
	dir := filepath.Join(t.TempDir(), "shop")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, metadata := range map[string]string{
		"a":       `{"indexes":[{"v":2,"key":{"createdAt":1},"name":"a","expireAfterSeconds":{"$numberDouble":"100.0"},"partialFilterExpression":{"level":{"$type":"string"},"n":{"$exists":true}}}]}`,
		"b":       `{"indexes":[{"v":2,"key":{"createdAt":-1},"name":"b","expireAfterSeconds":604800}]}`,
		"damaged": `{"indexes":[{"v":2,"key":{"createdAt":1},"name":"c","expireAfterSeconds":5,"collation":{"locale":"fr"}}]}`,
		"none":    `{"indexes":[]}`,
		"own":     `{"indexes":[{"v":2,"key":{"createdAt":1},"name":"d","expireAfterSeconds":0}]}`,
		"weather": `{"options":{"timeseries":{"timeField":"createdAt"},"expireAfterSeconds":3600},"indexes":[],"type":"timeseries"}`,
	} {
		end := len(logs)
		if name == "damaged" {
			end -= 7
		}
		writeFile(t, filepath.Join(dir, name+".bson"), logs[:end])
		writeFile(t, filepath.Join(dir, name+".metadata.json"), []byte(metadata))
	}
	inputs, err := filepath.Glob(filepath.Join(dir, "*.bson"))
	if err != nil || len(inputs) != 6 {
		t.Fatal(inputs, err)
	}
	flags := []string{"--server", "9.0", "--server-parameter", "internalQueryLegacyDottedPathNullSemantics=true"}
	var parts []string
	for _, input := range inputs {
		parts = append([]string{partOf(t, append(flags, input)...)}, parts...)
	}
	for format, output := range checkMerged(t, parts, append(flags, inputs...)...) {
		if !strings.Contains(output, "damaged.bson") {
			t.Errorf("%s: the damaged file is not named:\n%s", format, output)
		}
	}
	names := written(t, "names.txt", strings.Join(append(inputs, "lost.bson"), "\n"))
	r := ttl(t, "", slices.Concat([]string{"forecast", "merge", "--expect", names}, parts[:5])...)
	for _, want := range []string{"lost.bson", inputs[0], "the input is in no part"} {
		if r.code != cli.ExitIncomplete || !strings.Contains(r.out, want) {
			t.Errorf("without two inputs: exit %d, no %s in\n%s%s", r.code, want, r.out, r.err)
		}
	}
}

// resealed returns a part with another text in the place of each old one, and with the right checksum.
func resealed(t *testing.T, text, old, new string) string {
	t.Helper()
	var whole struct {
		Version int    `json:"version"`
		SHA256  string `json:"sha256"`
		Part    string `json:"part"`
	}
	if err := json.Unmarshal([]byte(text), &whole); err != nil {
		t.Fatal(err)
	}
	whole.Part = strings.ReplaceAll(whole.Part, old, new)
	whole.SHA256 = fmt.Sprintf("%x", sha256.Sum256([]byte(whole.Part)))
	return string(cli.JSONText(whole))
}

// TestMergeRefuses: parts whose sum would be wrong are refused.
func TestMergeRefuses(t *testing.T) {
	lines := written(t, "x.jsonl", `{"_id":1,"at":{"$date":"2026-11-01T00:00:00Z"}}`+"\n")
	other := written(t, "y.jsonl", `{"_id":2,"at":{"$date":"2026-11-02T00:00:00Z"}}`+"\n")
	policy := []string{"--index", `{"at":1}`, "--expire-after", "1h"}
	with := func(flags ...string) string { return partOf(t, slices.Concat(policy, flags, []string{other})...) }
	a, b := partOf(t, append(policy, lines)...), with()
	text := contents(t, a)
	edited := func(old, new string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("the part has no %s:\n%s", old, text)
		}
		return written(t, "edited.json", strings.Replace(text, old, new, 1))
	}
	for _, tc := range []struct {
		name string
		args []string
		code cli.ExitCode
		says string
	}{
		{"twice", []string{a, a}, cli.ExitUsage, "x.jsonl is in the part"},
		{"twice in one file", []string{written(t, "two.json", text+text)}, cli.ExitUsage, "would be counted twice"},
		{"another delay", []string{a, partOf(t, "--index", `{"at":1}`, "--expire-after", "2h", other)}, cli.ExitUsage, "the policy is"},
		{"another filter", []string{a, with("--partial", `{"a":1}`)}, cli.ExitUsage, "the policy is"},
		{"another release", []string{a, with("--server", "8.0")}, cli.ExitUsage, "the policy is"},
		{"another instant", []string{a, with("--now", "2026-11-21")}, cli.ExitUsage, `--now is "2026-11-21T00:00:00.000Z" here and "2026-11-20T00:00:00.000Z" in the parts before`},
		{"another width", []string{a, with("--bucket", "1d")}, cli.ExitUsage, "--bucket is"},
		{"other groups", []string{a, with("--by", "tenant")}, cli.ExitUsage, "--by is"},
		{"another kind", []string{a, with("--input", "extjson")}, cli.ExitUsage, "--input is"},
		{"without identifiers", []string{a, with("--no-ids")}, cli.ExitUsage, "--no-ids is"},
		{"skipping", []string{a, with("--skip-bad")}, cli.ExitUsage, "--skip-bad is"},
		{"other rules", []string{b, written(t, "rules.json", resealed(t, text, `"rules":"mongo `, `"rules":"mongo 1`))}, cli.ExitUsage, "the rules is"},
		{"cut off", []string{written(t, "cut.json", text[:len(text)-9])}, cli.ExitInput, "is truncated"},
		{"empty", []string{written(t, "empty.json", "")}, cli.ExitInput, "the file is empty"},
		{"another version", []string{edited(`"version":5`, `"version":4`)}, cli.ExitInput, "version 4, but this ttl reads version 5"},
		{"no part", []string{written(t, "no.json", "{}")}, cli.ExitInput, "not a file written by ttl forecast"},
		{"a report", []string{written(t, "r.json", ttl(t, "", "forecast", "--format", "json", logs).out)}, cli.ExitInput, "not a file written by ttl forecast"},
		{"a number", []string{edited(`\"documents\":1`, `\"documents\":2`)}, cli.ExitInput, "its checksum is another"},
		{"not expected", []string{"--expect", written(t, "names", "z\n"), a}, cli.ExitUsage, "x.jsonl is in a part, but is not an expected input"},
		{"expected twice", []string{"--expect", written(t, "names", "z\n\nz\n"), a}, cli.ExitUsage, "line 3: z is on line 1 already"},
		{"nothing expected", []string{"--expect", written(t, "names", "\n"), a}, cli.ExitUsage, "the list holds no name"},
		{"no such part", []string{filepath.Join(t.TempDir(), "x")}, cli.ExitInput, "no such file"},
		{"a folder without parts", []string{t.TempDir()}, cli.ExitInput, "ends in .json"},
		{"nothing", nil, cli.ExitUsage, "merge what?"},
	} {
		r := ttl(t, "", append([]string{"forecast", "merge"}, tc.args...)...)
		if r.code != tc.code || !strings.Contains(r.err, tc.says) || r.out != "" {
			t.Errorf("%s: exit %d, %s%s; want %d and %q", tc.name, r.code, r.out, r.err, tc.code, tc.says)
		}
	}
}

// TestMergeNamesWhatIsMissing: an input that is in no part makes the sum incomplete.
func TestMergeNamesWhatIsMissing(t *testing.T) {
	var names, parts []string
	for i := range 3 {
		path := written(t, fmt.Sprint(i, ".jsonl"), `{"_id":1,"at":{"$date":"2026-11-01T00:00:00Z"}}`+"\n")
		names = append(names, filepath.ToSlash(path))
		parts = append(parts, contents(t, partOf(t, "--index", `{"at":1}`, "--expire-after", "1h", path)))
	}
	expect := written(t, "names.txt", strings.Join(names, "\r\n"))
	whole := ttl(t, strings.Join(parts, ""), "forecast", "merge", "--expect", expect, "--format", "json", "-")
	if f := forecastOf(t, whole); whole.code != cli.ExitOK || !f.Complete || f.Documents != 3 {
		t.Errorf("all parts: exit %d, %+v, want 3 documents and complete", whole.code, f)
	}
	r := ttl(t, parts[2]+parts[0], "forecast", "merge", "--expect", expect, "--format", "json", "-")
	var lost struct {
		Unread []struct{ Name, Reason string }
	}
	if err := json.Unmarshal([]byte(r.out), &lost); err != nil {
		t.Fatal(err)
	}
	if f := forecastOf(t, r); r.code != cli.ExitIncomplete || f.Complete || f.Documents != 2 || len(lost.Unread) != 1 || lost.Unread[0].Name != names[1] || !strings.Contains(r.err, names[1]) {
		t.Errorf("a part is missing: exit %d, %s%s; want 3, two documents and the name %s", r.code, r.err, r.out, names[1])
	}
	if r := ttl(t, parts[0], "forecast", "merge", "--expect", expect, "-"); !strings.Contains(r.out, "INCOMPLETE: 2 inputs are in no part: "+names[1]+", "+names[2]) {
		t.Errorf("the text does not name what is missing:\n%s", r.out)
	}
}

// TestPartInterrupted: an interrupted forecast writes no part.
func TestPartInterrupted(t *testing.T) {
	t.Parallel()
	if r := interrupted(t, "forecast", "--format", "part", "--now", "2026-11-20", logs); r.code != cli.ExitInterrupted || r.out != "" {
		t.Errorf("exit %d, %q, %q; want 130 and no part", r.code, r.out, r.err)
	}
}

// TestPartRefuses: flags that no part can hold are refused, and so are inputs
// without the name that parts need.
func TestPartRefuses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ line, says string }{
		{"forecast --format part LOGS", "--format part needs --now with an instant"},
		{"forecast --format part --now now LOGS", "--format part needs --now with an instant"},
		{"forecast --format part --now +1d LOGS", "--format part needs --now with an instant"},
		{"forecast --format part --now 2026-11-20 --list LOGS", "has no effect"},
		{"forecast --format part --now 2026-11-20 --save-expired x LOGS", "--save-expired has no effect with --format part"},
		{"forecast --format part --now 2026-11-20 --fail-if expired>0 LOGS", "--fail-if has no effect with --format part"},
		{"forecast --format part --now 2026-11-20 --all LOGS", "--all has no effect with --format part"},
		{"forecast --format part --now 2026-11-20 --delete-rate 5 LOGS", "--delete-rate has no effect with --format part"},
		{"forecast --format part --now 2026-11-20 --sample 5 mongodb://127.0.0.1:1/", "--sample has no effect with --format part"},
		{"forecast --format part --now 2026-11-20 --metadata META -", "--format part needs --name for standard input"},
	} {
		line := strings.NewReplacer("LOGS", logs, "META", samples+"shop/logs.metadata.json").Replace(tc.line)
		if r := ttl(t, "", strings.Fields(line)...); r.code != cli.ExitUsage || r.out != "" || !strings.Contains(r.err, tc.says) {
			t.Errorf("ttl %s: exit %d, %s%s; want 2 and %q", line, r.code, r.out, r.err, tc.says)
		}
	}
}

// TestNamedStandardInput: piped input is read as the file with its name.
func TestNamedStandardInput(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"shop/logs.bson", "shop/more.bson.gz", "shop/lines.jsonl"} {
		if err := os.MkdirAll("shop", 0o700); err != nil {
			t.Fatal(err)
		}
		bson, _ := policy.AppendBSON(nil, policy.ObjectValue(policy.D{{Key: "_id", Value: policy.Int32Value(1)}}))
		text := map[string]string{"shop/logs.bson": string(bson), "shop/more.bson.gz": gzipped(t, string(bson)), "shop/lines.jsonl": "{}\n"}[name]
		writeFile(t, filepath.FromSlash(name), []byte(text))
		flags := []string{"forecast", "--format", "part", "--now", sampleAt, "--index", `{"at":1}`, "--expire-after", "1h"}
		want := ttl(t, "", append(flags, name)...)
		cmd := exec.Command(os.Args[0], append(flags, "--name", name, "-")...)
		cmd.Stdin = strings.NewReader(text)
		got, err := cmd.Output()
		if err != nil || string(got) != want.out || want.code != cli.ExitOK {
			t.Errorf("%s: %v\n%s\nwant\n%s%s", name, err, got, want.out, want.err)
		}
	}
}

// TestNamespaceJoins: --namespace joins the files of a run into one collection.
func TestNamespaceJoins(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{{"--namespace", "shop.logs"}, nil} {
		args := append([]string{"forecast", "--format", "json", "--now", sampleAt, "--metadata", samples + "shop/logs.metadata.json"}, flags...)
		f := forecastOf(t, ttl(t, "", append(args, samples+"shop/logs.bson", samples+"shop/sessions.bson")...))
		if want := 2 - len(flags)/2; len(f.Collections) != want || f.Documents != 4000 || flags != nil && f.Collections[0].Name != "shop.logs" {
			t.Errorf("%q: %d collections, %d documents, %q; want %d and 4000", flags, len(f.Collections), f.Documents, f.Collections[0].Name, want)
		}
	}
}

// TestMergeMemory: 5,000 parts are added up in 256 MiB, whether they are about one
// collection or about 5,000 collections. The report names only a few files of a
// collection.
func TestMergeMemory(t *testing.T) {
	if underRace {
		t.Skip("the race detector needs memory of its own")
	}
	if testing.Short() {
		t.Skip("writes hundreds of parts")
	}
	n := 5000
	if !*every {
		n = 250
	}
	t.Setenv("GOMEMLIMIT", "224MiB") // the limit leaves out the memory that the system counts for the program itself
	for _, flags := range [][]string{{"--namespace", "shop.logs"}, nil} {
		dir := t.TempDir()
		part := contents(t, partOf(t, append([]string{"--metadata", samples + "shop/logs.metadata.json", samples + "shop/logs.bson"}, flags...)...))
		for i := range n {
			writeFile(t, filepath.Join(dir, fmt.Sprint(i, ".json")), []byte(resealed(t, part, "shop/logs.bson", fmt.Sprint("shop/logs", i, ".bson"))))
		}
		peak, stderr, code := peakOf(t, nil, "forecast", "merge", "--format", "prometheus", dir)
		if code != 0 || peak > 256<<20 {
			t.Errorf("%q: exit %d %s, %d MiB for %d parts of %d bytes, want 256", flags, code, stderr, peak>>20, n, len(part))
		}
		t.Logf("%q: %d MiB for %d parts of %d bytes", flags, peak>>20, n, len(part))
		if flags == nil || *every {
			continue
		}
		r := ttl(t, "", "forecast", "merge", dir)
		if want := fmt.Sprintf("(%s files)", cli.Number(int64(n))); strings.Count(r.out, ".bson") != 2 || !strings.Contains(r.out, want) || !strings.Contains(r.out, cli.Number(int64(2000*n))) {
			t.Errorf("the text names other files than the first and the last of %q:\n%s", want, r.out)
		}
	}
}

// TestMergeOfNothing: if a folder has only empty or unreadable files, its report is the
// same as the report of the sum of its parts.
func TestMergeOfNothing(t *testing.T) {
	t.Parallel()
	metadata := contents(t, samples+"shop/logs.metadata.json")
	damaged := map[string]string{"shop/bad.bson": "\x01\x02", "shop/bad.metadata.json": metadata}
	both := map[string]string{"shop/bad.bson": "\x01\x02", "shop/bad.metadata.json": metadata, "shop/empty.bson": "", "shop/empty.metadata.json": metadata}
	for why, files := range map[string]map[string]string{"a damaged file": damaged, "a damaged and an empty file": both} {
		dir := fixture.Files(t, files)
		for format, output := range checkMerged(t, []string{partOf(t, dir)}, dir) {
			if said := strings.Contains(output, "shop.empty"); len(files) > 2 && !said {
				t.Errorf("%s, %s: the empty collection is not in\n%s", why, format, output)
			}
		}
	}
}
