package gates

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/conformance/conformtest"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
)

// The examples of docs/api.md: each shows the body of one function here.

func Example_storedIndex() {
	var options, indexes policy.Value = stored(`{}`), stored(`[{"v": 2, "key": {"createdAt": 1}, "name": "createdAt_1", "expireAfterSeconds": 3600}]`)
	document := bsonOf(`{"_id": 1, "createdAt": {"$date": "2026-11-20T11:00:00Z"}}`)

	profile, err := mongo.ProfileOf(mongo.Version{Major: 8, Minor: 0, Patch: 4})
	if err != nil {
		log.Fatal(err)
	}
	spec, err := mongo.ParseListedCollection(options, indexes) // as listCollections and listIndexes show them
	if err != nil {
		log.Fatal(err)
	}
	sessions, err := mongo.CompileCollection(spec, profile)
	if err != nil {
		log.Fatal(err)
	}
	d := sessions.DecideBSON(document, noon)
	fmt.Println(d)
	// Output: expired at 2026-11-20T12:00:00.000Z by mongo.date
}

func Example_ownDocument() {
	sessions := collectionOf(`{"key": {"createdAt": 1}, "expireAfterSeconds": 3600}`)

	doc := &Doc{{"createdAt", "2026-11-20T11:00:00Z"}} // a string is no date
	d := sessions.Decide(doc, noon)
	fmt.Println(d.State, d.Rule)
	// Output: never mongo.field-not-date
}

func Example_decision() {
	sessions := collectionOf(`{"key": {"createdAt": 1}, "expireAfterSeconds": 3600}`)
	d := sessions.DecideBSON(bsonOf(`{"createdAt": {"$date": "2026-11-20T11:30:00Z"}}`), noon)

	fmt.Println(d)
	deadline, expires := d.Deadline()                  // false if it never expires
	fmt.Println(expires, d.At(deadline).State, "then") // at another instant, without the document
	text, err := json.Marshal(d)                       // for a store, and back by Unmarshal
	fmt.Println(string(text), err)
	// Output:
	// pending at 2026-11-20T12:30:00.000Z by mongo.date
	// true expired then
	// {"state":"pending","deadline":1795177800000,"rule":"mongo.date"} <nil>
}

func Example_dateIndex() {
	sessions := collectionOf(`{"key": {"createdAt": 1}, "expireAfterSeconds": 3600}`)

	from, to := sessions.Bounds(0, noon) // of the first TTL source: scan your index between these dates
	fmt.Println("dates up to", to, "are expired:", from < to)
	// Output: dates up to 2026-11-20T11:00:00.000Z are expired: true
}

func Example_container() {
	settings := []byte(`{"id": "carts", "defaultTtl": 3600}`)
	item := []byte(`{"id": "a", "ttl": 60, "_ts": 1795176000}`)

	spec, err := cosmos.ParseContainerSpec(settings)
	if err != nil {
		log.Fatal(err)
	}
	carts, err := cosmos.CompileContainer(spec)
	if err != nil {
		log.Fatal(err)
	}
	d := carts.DecideJSON(item, noon)
	fmt.Println(d)

	var decoded map[string]any
	decoder := json.NewDecoder(bytes.NewReader(item))
	decoder.UseNumber() // without it 10 may have been 10.0, and the item is kept
	if err := decoder.Decode(&decoded); err != nil {
		log.Fatal(err)
	}
	fmt.Println(carts.Decide(policy.Map(decoded), noon) == d)
	// Output:
	// pending at 2026-11-20T12:01:00.000Z by cosmos.item
	// true
}

func Example_command() {
	profile := profile8()
	index := policy.DOf(stored(`{"key": {"createdAt": 1}, "name": "createdAt_1", "expireAfterSeconds": 3600.5}`))
	body := policy.DOf(stored(`{"index": {"name": "createdAt_1", "expireAfterSeconds": -60}}`))

	sessions, err := command.Create("shop.sessions", nil, profile, noon) // a *mongo.Collection
	if err != nil {
		log.Fatal(err)
	}
	sessions, reply, err := command.CreateIndexes(sessions, []policy.D{index}, noon)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Field("numIndexesAfter"), sessions.Spec().Indexes[0].ExpireAfterSeconds)
	sessions, _, err = command.CollMod(sessions, body, noon)
	var refused *mongo.SpecError
	if errors.As(err, &refused) {
		fmt.Println(refused.Code, refused.Rule)
	}
	if errors.Is(err, policy.ErrUnspecified) {
		fmt.Println("unspecified: refuse it")
	}
	_, reply, err = command.DropIndexes(sessions, policy.StringValue("*"))
	fmt.Println(reply.Field("nIndexesWas"), err)
	// Output:
	// {"$numberInt":"2"} {"$numberInt":"3600"}
	// 72 mongo.collmod-negative
	// {"$numberInt":"2"} <nil>
}

func Example_sweep() {
	store := newStore()

	sweeper := sweep.Sweeper[string]{Update: store.update} // one transaction; see package sweep
	result, err := sweeper.Sweep(context.Background(), noon)
	fmt.Println(result.Deleted, result.Corrected, err)
	// Output: 1 1 <nil>
}

// TestSuite shows how an implementation is tested: see docs/api.md.
func TestSuite(t *testing.T) {
	if testing.Short() {
		t.Skip("the package conformance asks the same")
	}
	system := conformtest.Reference()

	conformtest.Test(t, system)
}

// noon is the instant of the examples.
const noon policy.Instant = 1_795_176_000_000 // 2026-11-20T12:00:00Z

func stored(extJSON string) policy.Value {
	v, err := policy.ParseExtJSON([]byte(extJSON))
	if err != nil {
		log.Fatal(err)
	}
	return v
}

func bsonOf(extJSON string) []byte {
	b, err := policy.AppendBSON(nil, stored(extJSON))
	if err != nil {
		log.Fatal(err)
	}
	return b
}

func profile8() mongo.Profile {
	profile, err := mongo.ProfileOf(mongo.Version{Major: 8, Minor: 0, Patch: 4})
	if err != nil {
		log.Fatal(err)
	}
	return profile
}

func indexOf(extJSON string) mongo.IndexSpec {
	index, err := mongo.ParseIndexSpec(stored(extJSON))
	if err != nil {
		log.Fatal(err)
	}
	return index
}

func collectionOf(index string) *mongo.Collection {
	c, err := mongo.CompileCollection(mongo.CollectionSpec{Indexes: []mongo.IndexSpec{indexOf(index)}}, profile8())
	if err != nil {
		log.Fatal(err)
	}
	return c
}

// A dueStore reports two documents as due. One of them has been written since, and is not
// expired.
type dueStore struct {
	ttl  *mongo.Collection
	docs map[string]policy.Map
}

func newStore() *dueStore {
	return &dueStore{collectionOf(`{"key": {"createdAt": 1}, "expireAfterSeconds": 3600}`),
		map[string]policy.Map{"a": {"createdAt": time.UnixMilli(0)}, "b": {"createdAt": noon.Time()}}}
}

func (s *dueStore) update(_ context.Context, run func(sweep.Batch[string]) error) error {
	return run(s)
}

func (s *dueStore) Due(policy.Instant, int) ([]string, error) {
	return slices.Collect(maps.Keys(s.docs)), nil
}

func (s *dueStore) Read(key string) (func(policy.Instant) policy.Decision, error) {
	return func(now policy.Instant) policy.Decision { return s.ttl.Decide(s.docs[key], now) }, nil
}

func (s *dueStore) Delete(key string, _ policy.Decision) error { delete(s.docs, key); return nil }

func (s *dueStore) Correct(key string, _ policy.Decision) error { delete(s.docs, key); return nil }

// update makes tests write files: docs/api.md and docs/api.txt, the table of
// docs/fuzzing.md, the range of releases on pages, the releases of rules.
var update = flag.Bool("update", false, "write the files that must agree with the code")

// TestAPIPageShowsTheExamples: docs/api.md shows the examples above, in their order, each
// from its first empty line on, and no other code. -update writes them to the page.
func TestAPIPageShowsTheExamples(t *testing.T) {
	const page = "docs/api.md"
	var want []string
	for _, f := range regexp.MustCompile(`(?ms)^func (?:Example_|TestSuite).*?^}`).FindAllString(readFile(t, folder+"api_test.go"), -1) {
		_, body, _ := strings.Cut(f, "\n\n")
		want = append(want, strings.TrimSpace(unindented(strings.TrimSuffix(body, "\n}"), 1)))
	}
	block := regexp.MustCompile("(?s)```go\n(.*?)\n```")
	if *update {
		i := -1
		text := block.ReplaceAllStringFunc(readFile(t, page), func(old string) string {
			if i++; i >= len(want) {
				return old
			}
			return "```go\n" + want[i] + "\n```"
		})
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, match := range block.FindAllStringSubmatch(readFile(t, page), -1) {
		got = append(got, match[1])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s shows (-want +got), go test ./internal/gates -run APIPage -update renews it:\n%s", page, diff)
	}
}
