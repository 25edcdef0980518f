package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

// TestStagedPlanAtScale plans from 30 d to 7 d in steps for a dump, and forecasts at the
// end of each step's day: the counts equal those of the plan, and no day deletes more than
// allowed. With -every the dump has 2,000,000 documents, and 100,000 may be deleted on a
// day.
func TestStagedPlanAtScale(t *testing.T) {
	t.Parallel()
	const day, month, now = 86_400, 30 * 86_400, 1_795_132_800 // 2026-11-20, in seconds
	documents, most := 20_000, int64(1000)
	if *every {
		documents, most = 2_000_000, 100_000
	}
	dir := t.TempDir()
	logs := filepath.Join(dir, "logs.bson")
	file, err := os.Create(logs)
	if err != nil {
		t.Fatal(err)
	}
	out, random := bufio.NewWriter(file), rand.New(rand.NewPCG(1, 2))
	one := []byte("\x19\x00\x00\x00\x10_id\x00....\x09t\x00........\x00")
	gone := int64(0) // the documents that are deleted before now, as the test calculates
	for i := range documents {
		at := int64(now)*1000 - random.Int64N(302*day*100) // 30.2 days
		if at < (now-month)*1000 {
			gone++
		}
		binary.LittleEndian.PutUint32(one[9:], uint32(i))
		binary.LittleEndian.PutUint64(one[16:], uint64(at))
		if _, err := out.Write(one); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	file.Close()
	writeFile(t, filepath.Join(dir, "logs.metadata.json"), []byte(`{"options":{},"indexes":[{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":2592000}]}`))
	rules := written(t, "policy.yaml", "version: 1\nserver: 8.0.4\nrules: [{namespace: '*', key: t, expireAfterSeconds: 7d}]\n")

	r := ttl(t, "", "plan", "--quiet", "--format", "json", "--now", sampleAt, "--max-deletes-per-day", fmt.Sprint(most), rules, logs)
	var plan struct {
		Collections []struct {
			Items []struct {
				Steps []struct {
					Command string
					At      struct{ MS int64 }
					Deletes int64
					Expired *int64
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(r.out), &plan); err != nil || r.code != cli.ExitDifferences || len(plan.Collections) != 1 {
		t.Fatalf("exit %d, %s, %v, want a plan with differences\n%.500s", r.code, r.err, err, r.out)
	}
	steps := plan.Collections[0].Items[0].Steps
	if first := steps[0].Expired; first == nil || *first != gone {
		t.Errorf("the first step says that %v have expired, want %d", first, gone)
	}
	if len(steps) < 10 {
		t.Errorf("%d steps, want one a day for %d documents", len(steps), documents)
	}
	before := gone // the documents that have gone up to the day
	for d, s := range steps {
		var seconds int64
		if _, command, _ := strings.Cut(s.Command, "expireAfterSeconds: "); command == "" {
			t.Fatalf("%s sets no time to live", s.Command)
		} else if _, err := fmt.Sscan(strings.TrimSuffix(command, "}})"), &seconds); err != nil {
			t.Fatalf("%s: %v", s.Command, err)
		}
		if want := int64(now+d*day) * 1000; s.At.MS != want {
			t.Fatalf("step %d is at %d, want a day after the one before it: %d", d, s.At.MS, want)
		}
		end := fmt.Sprintf("%dms", s.At.MS+day*1000-1)
		f := forecastOf(t, ttl(t, "", "forecast", "--quiet", "--format", "json", "--now", end, "--index", `{"t":1}`, "--expire-after", fmt.Sprint(seconds), logs))
		n := f.Expired - before
		t.Logf("day %2d: %7d s: %6d documents go, %7d in all by the forecast", d+1, seconds, n, f.Expired)
		total := n
		if d == 0 {
			total += gone
		}
		if n != s.Deletes || total > most {
			t.Errorf("day %d: %d documents go by the forecast, %d by the plan, of at most %d", d+1, n, s.Deletes, most)
		}
		before = f.Expired
	}
}
