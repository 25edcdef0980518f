package cosmossql

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/pushdown"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/policies"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// A counter answers queries in partitions a and b. It looks up the answer by the end of
// the query. A query costs 1.5 request units.
type counter struct {
	answers map[string]int64 // the answers in each partition, by the end of the query
	failing string           // a query with this text fails
	asked   int
}

func (c *counter) Partitions(context.Context) ([]string, error) { return []string{"a", "b"}, nil }
func (c *counter) Charged() float64                             { return 1.5 * float64(c.asked) }

func (c *counter) Count(_ context.Context, partition, query string) (int64, error) {
	c.asked++
	if c.failing != "" && strings.Contains(query, c.failing) {
		return 0, errors.New("it failed")
	}
	for text, n := range c.answers {
		if strings.HasSuffix(query, text) {
			return n, nil
		}
	}
	return 0, nil
}

func TestRun(t *testing.T) {
	good := map[string]int64{"FROM c": 10, "c._ts <= 40": 4, "c._ts > 40": 5, "c.ttl = -1": 1}
	with := func(text string, n int64) map[string]int64 {
		m := map[string]int64{text: n}
		for k, v := range good {
			if k != text {
				m[k] = v
			}
		}
		return m
	}
	for _, c := range []struct {
		name    string
		on      *counter
		options RunOptions
		want    Answers
		err     string
		code    cli.ExitCode
	}{
		{"all", &counter{answers: good}, RunOptions{MaxRU: 27}, Answers{Items: 20, Expired: 8, Pending: 10, Never: 2, Partitions: 2, Charged: 27}, "", cli.ExitOK},
		{"too dear", &counter{answers: good}, RunOptions{MaxRU: 26}, Answers{Items: 10, Expired: 4, Pending: 5, Never: 1, Partitions: 1, Charged: 13.5}, "one of 2 partitions cost 14 request units, so all would cost about 27", cli.ExitIncomplete},
		{"written meanwhile", &counter{answers: with("FROM c", 11)}, RunOptions{}, Answers{Items: 22, Expired: 8, Pending: 10, Never: 2, Partitions: 2, Charged: 27}, "there are 22 items, but the counts add up to 20", cli.ExitIncomplete},
		{"not clear", &counter{answers: with("c._ts < -4503599627370496)", 3)}, RunOptions{}, Answers{}, "3 items count from a time that is too far from 1970", cli.ExitInput},
		{"failing", &counter{answers: good, failing: "c.ttl = -1"}, RunOptions{}, Answers{Items: 10, Expired: 4, Pending: 5}, "it failed", cli.ExitInput},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := compile(t, `{"defaultTtl":60}`, 100_000).Run(t.Context(), c.on, c.options)
			if cli.ExitCodeOf(err) != c.code || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v with exit code %d, want %q with %d", err, cli.ExitCodeOf(err), c.err, c.code)
			}
			if len(got.Counts) != 7 {
				t.Errorf("%d counts, want 7", len(got.Counts))
			}
			got.Counts = nil
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("answers (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnswersText(t *testing.T) {
	a := Answers{Items: 1200, Expired: 1, Pending: 1199, Counts: []Counted{{"cosmos.default", "expired", 1}, {"cosmos.default", "pending", 1199}}, Partitions: 1, Charged: 2.5}
	var out strings.Builder
	if err := a.Text(cli.NewPrinter(&out)); err != nil {
		t.Fatal(err)
	}
	const want = `1,200 items in 1 partition: 1 expired, 1,199 pending, 0 never

              1  expired   cosmos.default
          1,199  pending   cosmos.default

2.50 request units
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

// container returns the policy of a container with these settings.
func container(t *testing.T, settings string) *reasons.Policy {
	t.Helper()
	p, err := reasons.Compile(policies.OfContainer(specOf(t, settings)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPlanOf(t *testing.T) {
	p := container(t, `{"defaultTtl":60}`)
	day, err := PlanOf(p, pushdown.Options{})
	if err != nil || len(day.Statements) != 11 || !strings.Contains(day.Statements[10].Script, "/ 86400") {
		t.Errorf("PlanOf = %d statements, %v, want 11, the last by days", len(day.Statements), err)
	}
	if got, want := string(day.Statements[0].Command), `{"parameters":[],"query":"SELECT VALUE COUNT(1) FROM c"}`; got != want {
		t.Errorf("the first command is %s, want %s", got, want)
	}
	find, err := FindPlanOf(p, pushdown.Options{})
	if err != nil || len(find.Statements) != 2 || !strings.HasPrefix(find.Statements[1].Script, "SELECT * FROM c WHERE ") {
		t.Errorf("FindPlanOf = %v, %v, want what is not clear and what has expired", find.Statements, err)
	}
}

func TestPlanRefuses(t *testing.T) {
	months, err := forecast.ParseWidth("1mo")
	if err != nil {
		t.Fatal(err)
	}
	ofMongo, err := reasons.Compile(policies.OfMongoDB(mongo.CollectionSpec{}, mongo.Latest, nil))
	if err != nil {
		t.Fatal(err)
	}
	ofAPI, err := reasons.Compile(policies.OfCosmosMongo(cosmos.CollectionSpec{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		policy  *reasons.Policy
		options pushdown.Options
		find    bool
		want    string
	}{
		{"MongoDB", ofMongo, pushdown.Options{}, false, "--pushdown mongo counts by an index"},
		{"the API for MongoDB", ofAPI, pushdown.Options{}, true, "no query of that API can read"},
		{"months", container(t, `{"defaultTtl":60}`), pushdown.Options{Bucket: months}, false, "months differ in length"},
		{"what never expires", container(t, `{}`), pushdown.Options{}, true, "nothing ever expires"},
	} {
		plan := PlanOf
		if c.find {
			plan = FindPlanOf
		}
		_, err := plan(c.policy, c.options)
		var refused *pushdown.Refusal
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want a refusal with %q", c.name, err, c.want)
		}
	}
}
