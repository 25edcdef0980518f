package pushdown

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A drawn is a container with items, and the instant of its queries.
type drawn struct {
	spec  string
	now   policy.Instant
	items []string
}

// The number of drawn containers, and the number of items in each.
const (
	containers   = 2200
	containerful = 30
)

var (
	ttls = []string{"", "", "", "", "", "", "-1", "-1", "1", "30", "60", "60", "59", "61", "2147483647", "2147483648", "-2147483649", "0", "-0", "-2", "0.5", "59.5", "-1.5", "1e300", "null", "true", "false", `""`, `"60"`, `"-1"`, "[]", "[60]", "{}", `{"a":1}`}
	// times are start times of items. Most are near 1000 s, which is instants[0].
	times    = []string{"939", "940", "941", "998", "999", "1000", "1001", "970", "969", "971", "0", "-5", "-2147482648", "4503599627370496", "-4503599627370496", "1000.5", "-0.5", "1e-9", "null", "true", `"940"`, "[940]", `{"b":940}`, "", ""}
	defaults = []string{"-1", "1", "30", "60", "2147483647"}
	off      = []string{"", "null", "0", "-2", "2147483648", "1.5", `"60"`} // settings by which nothing expires, for one container of ten
	paths    = []string{"", "", "", "/_ts", "/at", "/a/b", `/a b`, `/x"y/z\\`, "/é", "/order/value/c"}
	instants = []policy.Instant{1_000_000, 1_000_999, 999_999, -1, 0, 4503599627370496_000 / 1000, 9_000_000_000_000_000}
)

func one[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// draw draws a container and its items.
func draw(r *rand.Rand) drawn {
	d := drawn{now: one(r, instants)}
	var members []string
	value := one(r, defaults)
	if r.IntN(10) == 0 {
		value = one(r, off)
	}
	if value != "" {
		members = append(members, `"defaultTtl":`+value)
	}
	path := one(r, paths)
	if path != "" {
		members = append(members, `"ttlPropertyPath":"`+strings.ReplaceAll(path, `"`, `\"`)+`"`)
	}
	d.spec = "{" + strings.Join(members, ",") + "}"
	for i := range containerful {
		d.items = append(d.items, drawItem(r, i, path))
	}
	return d
}

// drawItem draws an item. Most items have an integer as start time.
func drawItem(r *rand.Rand, id int, path string) string {
	members := []string{fmt.Sprintf(`"id":"%d"`, id)}
	add := func(name, value string) {
		if value != "" {
			members = append(members, `"`+strings.ReplaceAll(name, `"`, `\"`)+`":`+value)
		}
	}
	add("ttl", one(r, ttls))
	add("_ts", one(r, times[:8+r.IntN(2)*(len(times)-8)]))
	if path != "" && path != "/_ts" {
		names := strings.Split(path[1:], "/")
		value := one(r, times)
		for _, name := range slices.Backward(names[1:]) {
			if value != "" && r.IntN(8) > 0 {
				value = `{"` + strings.ReplaceAll(name, `"`, `\"`) + `":` + value + "}"
			}
		}
		add(names[0], value)
	}
	return "{" + strings.Join(members, ",") + "}"
}

// decided returns the number of items of d for each rule and state that the library
// decides, and the identifiers of the expired items.
func (d drawn) decided(t *testing.T) (counts map[string]int, expired []string) {
	t.Helper()
	c, err := cosmos.CompileContainer(specOf(t, d.spec))
	if err != nil {
		t.Fatalf("CompileQueries(%s): %v", d.spec, err)
	}
	counts = map[string]int{}
	for i, item := range d.items {
		decision := c.DecideJSON([]byte(item), d.now)
		counts[decision.Rule.ID()+" "+decision.State.String()]++
		if decision.State == policy.Expired {
			expired = append(expired, strconv.Itoa(i))
		}
	}
	return counts, expired
}

// ask returns the emulator's answers to the queries, for each container.
func ask(t *testing.T, list []drawn, queries func(drawn) []string) (answers [][]json.RawMessage) {
	t.Helper()
	var in bytes.Buffer
	for _, d := range list {
		line, _ := json.Marshal(map[string]any{"items": d.items, "queries": queries(d)})
		in.Write(append(line, '\n'))
	}
	cmd := exec.Command("node", "count.mjs", os.Getenv("COSMOSDB_SERVER"))
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node count.mjs: %v", err)
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		var answer []json.RawMessage
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatalf("%s, of %s: %v", list[i].spec, line, err)
		}
		answers = append(answers, answer)
	}
	if len(answers) != len(list) {
		t.Fatalf("%d answers about %d containers", len(answers), len(list))
	}
	return answers
}

func numberOf(t *testing.T, answer json.RawMessage) int {
	t.Helper()
	var list []int
	if err := json.Unmarshal(answer, &list); err != nil || len(list) != 1 {
		t.Fatalf("the answer to a count is %s, %v", answer, err)
	}
	return list[0]
}

// TestEmulatorCountsAsTheLibrary: the counts of the emulator @zeit/cosmosdb-query equal
// those of the library's decisions about single items.
func TestEmulatorCountsAsTheLibrary(t *testing.T) {
	needEmulator(t)
	n, least := containers, 100
	if testing.Short() {
		n, least = containers/5, 20
	}
	r := rand.New(rand.NewPCG(1, 1))
	list := make([]drawn, n)
	for i := range list {
		list[i] = draw(r)
	}
	queries := func(d drawn) []string {
		q := compile(t, d.spec, d.now)
		texts := []string{q.All}
		for _, c := range q.Counts {
			texts = append(texts, c.SQL)
		}
		if q.Find != "" {
			texts = append(texts, q.Unclear, q.Find)
		}
		return texts
	}
	seen := map[string]int{}
	for i, answer := range ask(t, list, queries) {
		compareCounts(t, list[i], answer, seen)
	}
	t.Logf("%d containers, %d items: %v", n, n*containerful, seen)
	for _, want := range []string{
		"cosmos.off never", "cosmos.container-unspecified never", "cosmos.no-default never", "cosmos.item-never never", "cosmos.item-unspecified never", "cosmos.path-unspecified never",
		"cosmos.no-timestamp never", "cosmos.default expired", "cosmos.default pending", "cosmos.item expired", "cosmos.item pending", "cosmos.path expired", "cosmos.path pending",
	} {
		if seen[want] < least {
			t.Errorf("%s of %d items, want %d at least: the generator is lopsided", want, seen[want], least)
		}
	}
}

// compareCounts compares the emulator's counts for a container with the library's
// decisions.
func compareCounts(t *testing.T, d drawn, answer []json.RawMessage, seen map[string]int) {
	t.Helper()
	q := compile(t, d.spec, d.now)
	want, expired := d.decided(t)
	if n := numberOf(t, answer[0]); n != len(d.items) {
		t.Errorf("%s: %d items in all, want %d", d.spec, n, len(d.items))
	}
	for i, c := range q.Counts {
		key := c.Rule.ID() + " " + c.State.String()
		seen[key] += want[key]
		if got := numberOf(t, answer[i+1]); got != want[key] {
			t.Errorf("%s at %d: %s = %d, want %d\n%s\n%s", d.spec, d.now, key, got, want[key], c.SQL, strings.Join(d.items, "\n"))
		}
		delete(want, key)
	}
	if len(want) > 0 {
		t.Errorf("%s at %d: the library also decides %v", d.spec, d.now, want)
	}
	if q.Find == "" {
		return
	}
	if n := numberOf(t, answer[len(answer)-2]); n != 0 {
		t.Errorf("%s: %d items are unclear, want none", d.spec, n)
	}
	if diff := cmp.Diff(expired, idsOf(t, answer[len(answer)-1])); diff != "" {
		t.Errorf("%s at %d: Find selects other items than expire (-want +got):\n%s", d.spec, d.now, diff)
	}
}

// idsOf returns the identifiers of the items that a query selects, in numerical order.
func idsOf(t *testing.T, answer json.RawMessage) (ids []string) {
	t.Helper()
	var found []struct{ ID string }
	if err := json.Unmarshal(answer, &found); err != nil {
		t.Fatalf("the answer to Find is %.300s, %v", answer, err)
	}
	for _, item := range found {
		ids = append(ids, item.ID)
	}
	slices.SortFunc(ids, func(a, b string) int { return numberIn(a) - numberIn(b) })
	return ids
}

func numberIn(text string) int {
	n, _ := strconv.Atoi(text) // identifiers by drawItem are numbers
	return n
}

// TestEmulatorSeesDoubles: Unclear counts the items that queries cannot judge. For other
// numbers that doubles change, the counts are as the documentation of the package says.
func TestEmulatorSeesDoubles(t *testing.T) {
	needEmulator(t)
	cases := []struct {
		name, item string
		count      string // the rule and state under which the queries count the item
		unclear    int
	}{
		{"beyond 2^52", `{"_ts":4503599627370497}`, "", 1},
		{"far beyond", `{"_ts":1e300}`, "", 1},
		{"far before 1970", `{"_ts":-4503599627370497}`, "", 1},
		{"the last that is clear", `{"_ts":4503599627370496}`, "cosmos.default pending", 0},
		{"a fraction of zero", `{"_ts":0,"ttl":20.0}`, "cosmos.item expired", 0},
		{"a text that is no integer", `{"_ts":0,"ttl":2e1}`, "cosmos.item expired", 0},
		{"a fraction that doubles have not", `{"_ts":940.00000000000000001}`, "cosmos.default expired", 0},
	}
	var list []drawn
	for _, c := range cases {
		list = append(list, drawn{`{"defaultTtl":60}`, 1_000_000, []string{c.item}})
	}
	q := compile(t, list[0].spec, list[0].now)
	texts := []string{q.Unclear}
	for _, c := range q.Counts {
		texts = append(texts, c.SQL)
	}
	for i, answer := range ask(t, list, func(drawn) []string { return texts }) {
		c := cases[i]
		if got := numberOf(t, answer[0]); got != c.unclear {
			t.Errorf("%s: %d unclear items in %s, want %d", c.name, got, c.item, c.unclear)
		}
		for j, n := range q.Counts {
			want := 0
			if c.count == n.Rule.ID()+" "+n.State.String() {
				want = 1
			}
			if got := numberOf(t, answer[j+1]); c.unclear == 0 && got != want {
				t.Errorf("%s: %s %s counts %d of %s, want %d", c.name, n.Rule, n.State, got, c.item, want)
			}
		}
		wants, _ := list[i].decided(t)
		if c.unclear == 0 && (wants[c.count] == 1) != (c.name == "the last that is clear") {
			t.Errorf("%s: the library decides %v", c.name, wants)
		}
	}
}

func needEmulator(t *testing.T) {
	t.Helper()
	if os.Getenv("COSMOSDB_SERVER") == "" {
		t.Skip("COSMOSDB_SERVER names no folder with @zeit/cosmosdb-server, which @zeit/cosmosdb-query comes with")
	}
}
