package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

// TestWhatIf: the numbers equal those of TestPlanForms, which were computed without this
// tool.
func TestWhatIf(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{logs}, {samples + "shop", "--ns", "shop.logs"}} {
		r := ttl(t, "", append([]string{"forecast", "--now", sampleAt, "--what-if", "7d"}, args...)...)
		for _, want := range []string{"shop.logs  " + logs + "\n", "stands: 30 d after createdAt\n", "wanted: 7 d after createdAt\n", "at once             +1,086   241.2 kB             0\n",
			`runCommand({collMod: "logs", index: {name: "createdAt_1", expireAfterSeconds: 604800}})`} {
			if r.code != cli.ExitOK || r.err != "" || !strings.Contains(r.out, want) {
				t.Errorf("--what-if 7d %q: exit %d, %s; no %q in\n%s", args, r.code, r.err, want, r.out)
			}
		}
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--what-if", "soon", logs}, "--what-if: cannot read"},
		{[]string{"--what-if", "7d,", logs}, "--what-if: cannot read"},
		{[]string{"--what-if", "100y", logs}, "is not from 0 to 2147483647"},
		{[]string{"--what-if", "7d", "--what-if", "604800", logs}, "--what-if: 604800 s is given twice"},
		{[]string{"--what-if", "1,2,3,4,5,6,7,8,9", logs}, "--what-if: at most 8 times to live"},
		{[]string{"--what-if", "7d", "--list", logs}, "--list has no effect beside --what-if"},
		{[]string{"--what-if", "7d", "--format", "part", logs}, "--what-if has no effect with --format part"},
		{[]string{"--what-if", "7d", "--all", samples + "shop"}, "--all has no effect beside --what-if"},
		{[]string{"--what-if", "7d", "--cosmos-mongo", "--index", `{"_ts":1}`, "--expire-after", "1d", logs}, "--what-if is for MongoDB and for containers"},
	} {
		if r := ttl(t, "", append([]string{"forecast"}, tt.args...)...); r.code != cli.ExitUsage || !strings.Contains(r.err, tt.want) || r.out != "" {
			t.Errorf("forecast %q: exit %d, %q; want %d and %q", tt.args, r.code, r.err, cli.ExitUsage, tt.want)
		}
	}
}

// TestWhatIfOfWhatCannotBeRead: an input that cannot be read is an error, and is not skipped.
func TestWhatIfOfWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	lost := written(t, "lost.archive", "\x6d\xe2\x99\x81nothing")
	r := ttl(t, "", "forecast", "--what-if", "7d", "--now", sampleAt, lost, logs)
	if r.code != cli.ExitIncomplete || !strings.Contains(r.err, lost) || !strings.HasPrefix(r.out, "INCOMPLETE: "+lost) || !strings.Contains(r.out, "+1,086") {
		t.Errorf("exit %d, %q, %q; want %d and %s", r.code, r.out, r.err, cli.ExitIncomplete, lost)
	}
}

// fiveAges writes documents that are 40, 20, 10 and 3 days old, and one without a date.
// With 30 days to live, the first has expired, and the others expire within 30 days. With 7
// days, three have expired, and the last expires within 7 days. With 60 days, none has
// expired, and the first expires within 30 days.
func fiveAges(t *testing.T) string {
	t.Helper()
	var lines strings.Builder
	for i, d := range []struct{ at, tenant string }{{"2026-10-11", "x"}, {"2026-10-31", "x"}, {"2026-11-10", "y"}, {"2026-11-17", "y"}} {
		fmt.Fprintf(&lines, "{\"_id\":%d,\"at\":{\"$date\":\"%sT00:00:00Z\"},\"tenant\":%q}\n", i, d.at, d.tenant)
	}
	return written(t, "ages.jsonl", lines.String()+"{\"_id\":9,\"tenant\":\"y\"}\n")
}

var agesPolicy = []string{"--now", sampleAt, "--index", `{"at":1}`, "--expire-after", "30d", "--namespace", "shop.ages"}

// ages runs a forecast of fiveAges that compares 7 and 60 days.
func ages(t *testing.T, flags ...string) result {
	t.Helper()
	args := append([]string{"forecast", "--what-if", "7d,60d"}, agesPolicy...)
	return ttl(t, "", append(append(args, flags...), fiveAges(t))...)
}

// TestSeveralWhatIf: every form shows two times to live beside the present policy, with
// the numbers counted by hand.
func TestSeveralWhatIf(t *testing.T) {
	t.Parallel()
	text := []string{
		"of 5 stands 7 d 60 d go more go fewer go more go fewer go at once 1 +2 0 0 -1 within 24 h 1 +2 0 0 -1 within 7 d 1 +3 0 0 -1 within 30 d 4 0 0 0 -3 ever 4 0 0 0 0",
		"What if 7 d? ~ at_1 stands: 30 d after at wanted: 7 d after at This deletes every document whose at is more than 7 d ago, as soon as it runs. " +
			`db.getSiblingDB("shop").runCommand({collMod: "ages", index: {name: "at_1", expireAfterSeconds: 604800}}) What if 60 d?`,
		`wanted: 60 d after at db.getSiblingDB("shop").runCommand({collMod: "ages", index: {name: "at_1", expireAfterSeconds: 5184000}})`,
	}
	for _, tc := range []struct {
		why   string
		flags []string
		want  []string
		code  cli.ExitCode
	}{
		{"text", nil, text, cli.ExitOK},
		{"by a field", []string{"--by", "tenant"}, []string{text[0], `stands By tenant documents expired pending never "x" 2 1 1 0 "y" 3 0 2 1 7 d By tenant documents expired pending never "x" 2 2 0 0 "y" 3 1 1 1 60 d`}, cli.ExitOK},
		{"for a period", []string{"--until", "+5d", "--bucket", "1d"}, []string{
			"stands Deadlines, UTC, 1 day a bar before … 1 ▶ 2026-11-20 0 2026-11-21 … 4 bars of 0 after … 3 ", "60 d Deadlines, UTC, 1 day a bar ▶ 2026-11-20 0 2026-11-21 … 4 bars of 0 after … 4 "}, cli.ExitOK},
		{"at a rate", []string{"--delete-rate", "0.5"}, []string{"Load of deleting, estimated stands backlog 1 document", "at 0.5/s done after 2 s; later nothing waits", "7 d backlog 3 documents", "at 0.5/s done after 6 s; later nothing waits", "60 d backlog 0 documents"}, cli.ExitOK},
		{"a condition that what stands meets", []string{"--fail-if", "expired<2 or 7d>0"}, []string{"--fail-if 7d>0 holds for shop.ages with 7 d to live: 1 of 5 documents"}, cli.ExitFindings},
		{"a condition that only the second meets", []string{"--fail-if", "pending>3"}, []string{"--fail-if pending>3 holds for shop.ages with 60 d to live: 4 of 5 documents"}, cli.ExitFindings},
		{"a condition that none meets", []string{"--fail-if", "never>1"}, text, cli.ExitOK},
		{"for Prometheus", []string{"--format", "prometheus"}, []string{
			`ttl_documents{collection="shop.ages",state="expired"} 1`, `ttl_documents{collection="shop.ages",what_if="604800",state="expired"} 3`, `ttl_documents{collection="shop.ages",what_if="5184000",state="expired"} 0`,
			`ttl_documents_due{collection="shop.ages",what_if="604800",within="7d"} 1`, `ttl_documents_due{collection="shop.ages",what_if="5184000",within="30d"} 1`}, cli.ExitOK},
		{"a page", []string{"--format", "html", "--by", "tenant"}, []string{
			`<th class="n">7 d: more go</th><th class="n">7 d: fewer go</th><th class="n">60 d: more go</th>`,
			`<tr><td>at once</td><td class="n">1</td><td class="n">&#43;2</td><td class="n">0</td><td class="n">0</td><td class="n">-1</td></tr>`,
			`<p class="note lost">This deletes every document whose at is more than 7 d ago, as soon as it runs.</p> <pre><code>db.getSiblingDB(&#34;shop&#34;).runCommand({collMod: &#34;ages&#34;`,
			"<h2>Load of deleting, estimated: 60 d</h2>"}, cli.ExitOK},
	} {
		r := ages(t, tc.flags...)
		for _, want := range tc.want {
			if got := words(r.out + r.err); r.code != tc.code || !strings.Contains(got, want) {
				t.Errorf("%s: exit %d, no %q in\n%s%s", tc.why, r.code, want, r.out, r.err)
			}
		}
	}
	repeated := ttl(t, "", append(append([]string{"forecast", "--what-if", "7d", "--what-if", "60d"}, agesPolicy...), fiveAges(t))...)
	if joined := ages(t); lastLines(repeated.out) != lastLines(joined.out) {
		t.Errorf("--what-if given twice shows\n%s\nwant\n%s", repeated.out, joined.out)
	}
}

// lastLines returns a report without its first line, which names the file.
func lastLines(text string) string {
	_, rest, _ := strings.Cut(text, "\n")
	return rest
}

// TestWhatIfTables: the counts of each time to live are those by hand.
func TestWhatIfTables(t *testing.T) {
	t.Parallel()
	var f struct {
		WhatIf []struct {
			ExpireAfterSeconds, Expired, Pending int64
			Load                                 struct{ Backlog struct{ Documents int64 } }
		}
		Collections []struct {
			WhatIf []struct {
				ExpireAfterSeconds int64
				Items              []struct{ Steps []struct{ Command string } }
				Changes            []struct {
					Within     string
					More, Less struct{ Documents int64 }
				}
				Forecast struct{ Expired, Pending, Never int64 }
			}
		}
	}
	if err := json.Unmarshal([]byte(ages(t, "--format", "json").out), &f); err != nil {
		t.Fatal(err)
	}
	if len(f.WhatIf) != 2 || len(f.Collections) != 1 || len(f.Collections[0].WhatIf) != 2 {
		t.Fatalf("--format json holds %+v, want two times to live of one collection", f)
	}
	for i, want := range []string{"604800 3 1 3 at once +2 -0 3 1 1", "5184000 0 4 0 at once +0 -1 0 4 1"} {
		top, c := f.WhatIf[i], f.Collections[0].WhatIf[i]
		got := fmt.Sprint(top.ExpireAfterSeconds, top.Expired, top.Pending, top.Load.Backlog.Documents, " ", c.Changes[0].Within, " +", c.Changes[0].More.Documents, " -", c.Changes[0].Less.Documents, " ", c.Forecast.Expired, c.Forecast.Pending, c.Forecast.Never)
		if command := fmt.Sprintf("expireAfterSeconds: %d}", c.ExpireAfterSeconds); got != want || !strings.Contains(c.Items[0].Steps[0].Command, command) {
			t.Errorf("--format json: %s by %s, want %s", got, c.Items[0].Steps[0].Command, want)
		}
	}
}

// TestWhatIfOfContainer: an item without a ttl expires by the default after its last
// write, and the command is for the az tool.
func TestWhatIfOfContainer(t *testing.T) {
	t.Parallel()
	const at = 1_795_132_800 // 2026-11-20
	var lines strings.Builder
	for i, days := range []int{40, 10, 3} {
		fmt.Fprintf(&lines, "{\"id\":\"%d\",\"_ts\":%d}\n", i, at-days*86_400)
	}
	fmt.Fprintf(&lines, "{\"id\":\"own\",\"_ts\":%d,\"ttl\":86400}\n", at-2*86_400)
	file := written(t, "items.jsonl", lines.String())
	of := `{"id":"carts","partitionKey":{"paths":["/id"]},"defaultTtl":2592000}`
	r := ttl(t, "", "forecast", "--now", sampleAt, "--container", of, "--what-if", "7d,60d", file)
	for _, want := range []string{
		"at once 2 +1 0 0 -1 ", "within 7 d 2 +2 0 0 -1 ", "within 30 d 4 0 0 0 -2 ",
		"What if 7 d? ~ defaultTtl stands: 30 d wanted: 7 d This deletes every item that was last written more than its own ttl seconds ago, and every one without a ttl that was last written more than 7 d ago, as soon as it runs." +
			" Put the names in the place of GROUP, ACCOUNT and DATABASE, which are not known here. az cosmosdb sql container update --resource-group GROUP --account-name ACCOUNT --database-name DATABASE --name carts --ttl 604800",
		"wanted: 60 d Put the names in the place of GROUP, ACCOUNT and DATABASE, which are not known here. az cosmosdb sql container update --resource-group GROUP --account-name ACCOUNT --database-name DATABASE --name carts --ttl 5184000",
	} {
		if got := words(r.out); r.code != cli.ExitOK || !strings.Contains(got, want) {
			t.Errorf("exit %d, %s; no %q in\n%s", r.code, r.err, want, r.out)
		}
	}
	if r := ttl(t, "", "forecast", "--now", sampleAt, "--container", of, "--what-if", "0", file); r.code != cli.ExitIncomplete || !strings.Contains(r.err, "no command makes the change of --what-if 0 s") {
		t.Errorf("--what-if 0 of a container: exit %d, %s; want a refusal of the service", r.code, r.err)
	}
}
