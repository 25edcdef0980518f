package site

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"hash/fnv"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A query is a line of testdata/queries.tsv.
type query struct {
	from, text string
	pages      []string // one of these pages must be among the first three results
}

func readQueries(t *testing.T, name string) (all []query) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(columns) != 3 || columns[1] == "" {
			t.Fatalf("%s: %q has not three columns", name, line)
		}
		all = append(all, query{columns[0], columns[1], strings.Fields(columns[2])})
	}
	return all
}

// ranked returns the first results of the site's script for each text, three at most.
func ranked(t *testing.T, s Site, texts []string) (found [][]string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil && os.Getenv("TTL_NODE") != "required" {
		t.Skip("node, which runs the script of the search, is not installed")
	}
	folder := t.TempDir()
	for _, name := range []string{"search.js", "search-index.js"} {
		if err := os.WriteFile(filepath.Join(folder, name), s[name], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	input, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "testdata/rank.cjs", folder)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(output, &found); err != nil || len(found) != len(texts) {
		t.Fatalf("%d answers, %v; want %d", len(found), err, len(texts))
	}
	return found
}

// answers returns the first results for each query, three at most.
func answers(t *testing.T, queries []query) [][]string {
	t.Helper()
	texts := make([]string, len(queries))
	for i, q := range queries {
		texts[i] = q.text
	}
	return ranked(t, built, texts)
}

// TestQueries: for nearly all queries, the wanted page is among the first three results. It
// must find the page for 70 of the 73 queries of a reader, and for 57 queries of public
// threads.
func TestQueries(t *testing.T) {
	queries := readQueries(t, "testdata/queries.tsv")
	found, of := map[bool]int{}, map[bool]int{} // by whether the query comes from a thread
	for i, addresses := range answers(t, queries) {
		q := queries[i]
		thread := strings.HasPrefix(q.from, "https://")
		of[thread]++
		if q.finds(addresses) {
			found[thread]++
		} else {
			t.Logf("%q finds %q first, want one of %q", q.text, addresses, q.pages)
		}
	}
	t.Logf("found: %d of %d queries of the reader, %d of %d of threads", found[false], of[false], found[true], of[true])
	if of[false] != 73 || found[false] < 70 || found[true] < 57 {
		t.Error("fewer are found than 70 of 73, and 57 of those of threads")
	}
}

// finds reports whether a wanted page of q is among addresses.
func (q query) finds(addresses []string) bool {
	return slices.ContainsFunc(addresses, func(address string) bool {
		page, _, _ := strings.Cut(address, "#")
		return slices.ContainsFunc(q.pages, func(name string) bool { return placeOfFile(name) == page })
	})
}

// threads holds queries in two halves. The search is tuned on one half.
const threads = "testdata/threads.tsv"

// tuned returns the threads that the search is tuned on. These are the threads whose
// address is in queries.tsv, the threads with a query that is in queries.tsv, and the
// threads with a query whose hash puts it into the first half.
func tuned(t *testing.T, queries []query) map[string]bool {
	tuned := map[string]bool{}
	known := map[string]bool{}
	for _, q := range readQueries(t, "testdata/queries.tsv") {
		tuned[q.from], known[plainText(q.text)] = true, true
	}
	for _, q := range queries {
		h := fnv.New32a()
		h.Write([]byte(q.text))
		if h.Sum32()>>16&1 == 0 || known[plainText(q.text)] {
			tuned[q.from] = true
		}
	}
	return tuned
}

// plainText returns a text without the characters that the search ignores.
func plainText(text string) string {
	return strings.Join(term().FindAllString(strings.ToLower(text), -1), " ")
}

// TestThreads asks the search queries of public threads. The wanted page is among the
// first three results for 80 % of the queries that the search was tuned on, and for 70 %
// of the queries that were kept back. The test does not name the queries that were kept
// back, so that nobody tunes the search by them.
func TestThreads(t *testing.T) {
	queries := readQueries(t, threads)
	tuned := tuned(t, queries)
	found, best, of := map[bool]int{}, map[bool]int{}, map[bool]int{}
	for i, addresses := range answers(t, queries) {
		q := queries[i]
		back := !tuned[q.from]
		of[back]++
		if (query{pages: q.pages[:1]}).finds(addresses) {
			best[back]++
		}
		if q.finds(addresses) {
			found[back]++
		} else if !back {
			t.Logf("%q finds %q first, want one of %q", q.text, addresses, q.pages)
		}
	}
	t.Logf("found: %d of %d that the search is tuned on, %d of %d kept back; the best page itself: %d and %d", found[false], of[false], found[true], of[true], best[false], best[true])
	if found[false]*100 < of[false]*80 || found[true]*100 < of[true]*70 {
		t.Error("fewer are found than 80 % of those tuned on, and 70 % of those kept back")
	}
	if of[true] < 40 {
		t.Errorf("%d queries are kept back, want 40 at least", of[true])
	}
}

// fresh names two files of queries from threads, gathered in November 2026. Whole threads
// were divided between the files before anybody saw a result. The search is tuned on the
// first file. Nobody reads the second: its tests print no text of it, only line numbers.
var fresh = [2]string{"testdata/fresh-tuned.tsv", "testdata/fresh-held.tsv"}

// TestFresh: for each of the two files, the number of queries for which the wanted page
// is the first result, or among the first three, has not fallen.
func TestFresh(t *testing.T) {
	for i, floor := range [2]struct{ first, found, of int }{{54, 82, 86}, {34, 59, 87}} {
		queries := readQueries(t, fresh[i])
		first, found := 0, 0
		for j, addresses := range answers(t, queries) {
			q := queries[j]
			if len(addresses) > 0 && (query{pages: q.pages[:1]}).finds(addresses[:1]) {
				first++
			}
			if q.finds(addresses) {
				found++
			} else if i == 0 {
				t.Logf("%q finds %q first, want one of %q", q.text, addresses, q.pages)
			}
		}
		t.Logf("%s: of %d queries, %d find the best page first, and %d a page among the first three", fresh[i], len(queries), first, found)
		if len(queries) != floor.of || first < floor.first || found < floor.found {
			t.Errorf("%s: want %d queries, of which %d find the best page first, and %d a page among the first three", fresh[i], floor.of, floor.first, floor.found)
		}
	}
}

// TestKnownMessages: a query with a message or an id of a log finds the page about it first,
// whatever else is in the line that somebody pastes.
func TestKnownMessages(t *testing.T) {
	wants := map[string]string{
		"ttl indexes require the expireAfterSeconds field to be numeric but received a type of String, skipping ttl job":                       "log-messages.html",
		"2017-11-02T10:12:45.123+0000 E INDEX    [TTLMonitor] key for ttl index can only have 1 field, skipping ttl job for: { a: 1 }":         "log-messages.html",
		`{"t":{"$date":"2026-11-20T12:00:00.000+00:00"},"s":"W","c":"INDEX","id":22537,"ctx":"TTLMonitor","msg":"TTLMonitor was interrupted"}`: "log-messages.html",
		"5400703": "log-messages.html",
		"MongoServerError: TTL index 'expireAfterSeconds' option must be within an acceptable range, try a lower number. Index spec: { createdAt: 1 }": "problems/error-67.html",
		"TTL indexes are single-field indexes, compound indexes do not support TTL":                                                                    "problems/error-67.html",
		"MongoServerError[IndexOptionsConflict]: An equivalent index already exists with the same name but different options":                          "problems/error-85.html",
		"Index with name: createdAt_1 already exists with different options":                                                                           "problems/error-85.html",
		"BadValue: The 'expireAfterSeconds' option is supported on '_ts' field only":                                                                   "problems/cosmos-mongo-ts-only.html",
		"TTL indexes are not supported for capped collections.":                                                                                        "problems/capped-collection.html",
		"TTL indexes are not supported on time-series collections":                                                                                     "problems/time-series.html",
	}
	texts := slices.Sorted(maps.Keys(wants))
	for i, addresses := range ranked(t, built, texts) {
		if want := placeOfFile(wants[texts[i]]); len(addresses) == 0 || addresses[0] != want {
			t.Errorf("%q finds %q, want %s first", texts[i], addresses, want)
		}
	}
}

// TestMessagesNamePages: each line of messages.tsv names a page of the site and a message
// that is no part of a longer line's message on another page.
func TestMessagesNamePages(t *testing.T) {
	seen := map[string]string{}
	for line := range strings.Lines(knownMessages) {
		page, message, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || built[placeOfFile(page)] == nil || len(strings.Fields(message)) == 0 || seen[spaced(message)] != "" {
			t.Errorf("messages.tsv: %q names no page or no message, or repeats one", line)
		}
		seen[spaced(message)] = page
	}
	if len(seen) < 20 {
		t.Errorf("%d messages, want dozens", len(seen))
	}
}

// TestResultsPage: the search leads to a page of results, whose address has the query.
func TestResultsPage(t *testing.T) {
	if home := string(built["index.html"]); !strings.Contains(home, `role="search" action="search/index.html"`) || !strings.Contains(home, `name="q"`) {
		t.Error("the search of home does not lead to the page of results")
	}
	if page := string(built["search/index.html"]); !strings.Contains(page, `id="results"`) || !strings.Contains(page, "search.js") {
		t.Error("the page of results shows none")
	}
}

// sameThread returns an address that is the same for an issue and a pull request with the
// same number.
func sameThread(address string) string { return strings.Replace(address, "/pull/", "/issues/", 1) }

// TestHeldIsApart: no other file contains a thread or a text of the fresh queries, and
// the tuned file contains none of the held-back ones.
func TestHeldIsApart(t *testing.T) {
	seen := map[string]string{} // the file of a thread or a text
	for _, name := range []string{"testdata/queries.tsv", threads, fresh[0], fresh[1]} {
		here := map[string]bool{}
		for i, q := range readQueries(t, name) {
			for _, key := range []string{sameThread(q.from), plainText(q.text)} {
				if file := seen[key]; file != "" && name != threads {
					t.Errorf("%s: query %d has a thread or a text of %s", name, i+1, file)
				}
				here[key] = true
			}
		}
		for key := range here {
			seen[key] = name
		}
	}
}

// TestThreadsAreDisjoint: the two halves share no thread and no text.
func TestThreadsAreDisjoint(t *testing.T) {
	queries := readQueries(t, threads)
	tuned := tuned(t, queries)
	half := map[string]bool{} // by thread or text, whether the search is tuned on it
	for _, q := range readQueries(t, "testdata/queries.tsv") {
		half[q.from], half[plainText(q.text)] = true, true
	}
	for _, q := range queries {
		for _, key := range []string{q.from, plainText(q.text)} {
			is, seen := half[key]
			if seen && is != tuned[q.from] {
				t.Errorf("%q of %s stands in both halves", q.text, q.from)
			}
			half[key] = tuned[q.from]
		}
	}
}

// TestQueriesNamePages: the wanted pages of all queries exist.
func TestQueriesNamePages(t *testing.T) {
	for _, name := range []string{"testdata/queries.tsv", threads, fresh[0], fresh[1]} {
		for i, q := range readQueries(t, name) {
			for _, page := range q.pages {
				if built[placeOfFile(page)] == nil {
					t.Errorf("%s: query %d is to find %s, which does not exist", name, i+1, page)
				}
			}
			if len(q.pages) == 0 || q.from != "review" && q.from != "ours" && !strings.HasPrefix(q.from, "https://") && !strings.HasPrefix(q.from, "http://") {
				t.Errorf("%s: query %d is of no known kind, or finds no page", name, i+1)
			}
		}
	}
}

// TestRuleWords: each line of searched.tsv names a rule, once, and has words for it.
func TestRuleWords(t *testing.T) {
	for id, says := range ruleWords() {
		if built["rules/"+id+"/index.html"] == nil || says == "" {
			t.Errorf("searched.tsv: %q, which is a rule or not, has the words %q", id, says)
		}
	}
	if lines := strings.Count(searched, "\n"); lines != len(ruleWords()) {
		t.Errorf("searched.tsv has %d lines for %d rules", lines, len(ruleWords()))
	}
	if of := parseWords("a\tb, c\n"); of["a"] != "b, c" {
		t.Errorf("parseWords reads %q", of)
	}
}

// TestSearchForgives: the search finds a page by the beginning of a word, with a wrong
// letter, by a number, and in capital letters.
func TestSearchForgives(t *testing.T) {
	wants := map[string]string{
		"arays":               "problems/array.html",
		"COMPOUND":            "problems/compound-ttl-index.html",
		"68477":               "problems/nan-after-upgrade.html",
		"mongo.field-missing": "rules/mongo.field-missing.html",
		"nan-skip":            "rules/mongo.nan-skipped.html",
		"cannotcreate":        "problems/error-67.html",
		"the of a":            "",
		"xyzzyxyzzy":          "",
		"":                    "",
		"__proto__":           "",
	}
	var texts []string
	for text := range wants {
		texts = append(texts, text)
	}
	for i, addresses := range ranked(t, built, texts) {
		if want := wants[texts[i]]; want != "" && !slices.Contains(addresses, placeOfFile(want)) {
			t.Errorf("%q finds %q, want %s", texts[i], addresses, want)
		}
		if (texts[i] == "" || texts[i] == "xyzzyxyzzy") && len(addresses) > 0 {
			t.Errorf("%q finds %q, want nothing", texts[i], addresses)
		}
	}
}

// TestSearchIsSmall: the index is small, because a page loads it when somebody begins to
// type.
func TestSearchIsSmall(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(built["search-index.js"])
	if w.Close() != nil || len(built["search-index.js"]) > 350_000 || packed.Len() > 120_000 {
		t.Errorf("the index has %d bytes, %d packed", len(built["search-index.js"]), packed.Len())
	}
	if !strings.Contains(string(built["search.js"]), "/"+term().String()+"/g") {
		t.Errorf("search.js splits words otherwise than %s", term())
	}
	if strings.Contains(string(built["index.html"]), "search-index.js") {
		t.Error("a page loads the index before anybody searches")
	}
}

func TestTerms(t *testing.T) {
	all := []place{
		{Title: "mongo.date", Says: "A Date expires", body: "SERVER-68477 5.0.14"},
		{Title: "Other", Says: "of a date", body: "x"},
		{Title: "x", Says: "-1", body: "5.0.14"}, {Title: "x"}, {Title: "x"}, {Title: "x"}, {Title: "x"}, {Title: "x"}, {Title: "x"},
	}
	const want = "1 2D\n5.0.14 0B2B\n68477 0B\ndate 0I1D\nexpires 0D\nmongo 0I\nother 1I\nserver-68477 0B\nx 2I1I1I1I1I1I1I\n"
	if diff := cmp.Diff(want, terms(all)); diff != "" {
		t.Errorf("terms differ (-want +got):\n%s", diff)
	}
}

// TestBlindQueries holds the result of the queries that were graded once, before the search was
// changed for them: the page is among the first three for 54 of the 60 at least.
func TestBlindQueries(t *testing.T) {
	queries := readQueries(t, "testdata/blind.tsv")
	first, found := 0, 0
	for i, addresses := range answers(t, queries) {
		switch q := queries[i]; {
		case q.finds(addresses):
			if found++; q.finds(addresses[:1]) {
				first++
			}
		default:
			t.Logf("%q finds %q first, want one of %q", q.text, addresses, q.pages)
		}
	}
	t.Logf("among the first three: %d of %d, first: %d", found, len(queries), first)
	if len(queries) != 60 || found < 54 {
		t.Errorf("%d of %d are found, want 54 of 60", found, len(queries))
	}
}
