package gates

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	ttlmongo "github.com/ttlpolicy/ttlpolicy/mongo" // the driver has a package mongo too
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// README.md: begin
type minimongo struct {
	profile ttlmongo.Profile
	spec    ttlmongo.CollectionSpec
	ttl     ttlmongo.Collection // the zero Collection keeps every document
	docs    map[string]map[string]any
}

func (s *minimongo) createIndex(index policy.D, now policy.Instant) error {
	made, err := command.ValidateCreateIndexes(s.spec, command.WithDefaultName(index), s.profile, now)
	if err != nil || !made.Created {
		return err // often a *ttlmongo.SpecError: send its Code and its Reason
	}
	next := s.spec
	next.Indexes = append(slices.Clone(next.Indexes), made.Index)
	ttl, err := ttlmongo.CompileCollection(next, s.profile)
	if err != nil {
		return err
	}
	s.spec, s.ttl = next, *ttl
	return nil
}

func (s *minimongo) sweep(now policy.Instant) {
	maps.DeleteFunc(s.docs, func(_ string, doc map[string]any) bool {
		return s.ttl.Decide(policy.Map(doc), now).State == policy.Expired
	})
}

// README.md: end

// README.md: begin
type minicosmos struct {
	spec  cosmos.ContainerSpec
	ttl   *cosmos.Container
	items map[string]map[string]any
}

// write stores an item whose JSON was decoded with UseNumber.
func (s *minicosmos) write(id string, item map[string]any, now policy.Instant) error {
	item["_ts"], _ = cosmos.TimestampAt(now).Seconds() // at each write, whatever the client sent
	err := cosmos.ValidateItem(s.spec, policy.Map(item))
	if err != nil && !errors.Is(err, policy.ErrUnspecified) { // what is unspecified is kept
		return err
	}
	s.items[id] = item
	return nil
}

func (s *minicosmos) read(id string, now policy.Instant) map[string]any {
	if s.ttl.Decide(policy.Map(s.items[id]), now).State == policy.Expired {
		return nil // hidden at once, and purged later
	}
	return s.items[id]
}

// README.md: end

// TestReadmeMinimongo: the store of README.md refuses what a server refuses, and deletes what
// a server deletes.
func TestReadmeMinimongo(t *testing.T) {
	old := noon.Time().Add(-time.Hour)
	s := &minimongo{profile: fixture.Profile(t, fixture.Latest), docs: map[string]map[string]any{
		"old": {"at": old}, "array": {"at": []any{"x", old}}, "new": {"at": noon.Time()}, "text": {"at": "2020"}, "outside": {"at": old, "kept": true},
	}}
	if s.sweep(noon); len(s.docs) != 5 {
		t.Errorf("a sweep without an index left %d documents, want 5", len(s.docs))
	}
	for _, index := range []string{`{"key": {"a": 1, "b": 1}, "expireAfterSeconds": 3600}`, `{"key": {"at": 1}, "expireAfterSeconds": -1}`} {
		var refused *ttlmongo.SpecError
		if err := s.createIndex(policy.DOf(stored(index)), noon); !errors.As(err, &refused) || refused.Code == 0 {
			t.Errorf("createIndex(%s) = %v, want an error with a code", index, err)
		}
	}
	const partial = `{"key": {"at": 1}, "expireAfterSeconds": 3600, "partialFilterExpression": {"kept": {"$exists": false}}}`
	if err := s.createIndex(policy.DOf(stored(partial)), noon); err == nil {
		t.Errorf("createIndex(%s) is accepted; a server refuses this filter", partial)
	}
	if err := s.createIndex(policy.DOf(stored(strings.Replace(partial, `{"$exists": false}`, "null", 1))), noon); err != nil {
		t.Fatal(err)
	}
	s.sweep(noon)
	if got := slices.Sorted(maps.Keys(s.docs)); !slices.Equal(got, []string{"new", "outside", "text"}) {
		t.Errorf("the sweep left %q, want new, outside and text", got)
	}
}

func newContainer(settings string) (*minicosmos, error) {
	spec, err := cosmos.ParseContainerSpec([]byte(settings))
	if err != nil {
		return nil, err
	}
	made, err := cosmos.ValidateContainer(spec, nil)
	if err != nil {
		return nil, err
	}
	ttl, err := cosmos.CompileContainer(made.Container)
	return &minicosmos{made.Container, ttl, map[string]map[string]any{}}, err
}

// TestReadmeMinicosmos: the store of README.md writes _ts itself, refuses what the service
// refuses, and hides what has expired.
func TestReadmeMinicosmos(t *testing.T) {
	for _, settings := range []string{`{"id": "c", "defaultTtl": 0}`, `{"id": "c", "defaultTTL": 60}`} {
		if _, err := newContainer(settings); err == nil {
			t.Errorf("newContainer(%s) = nil, want an error", settings)
		}
	}
	s, err := newContainer(`{"id": "c", "defaultTtl": 60}`)
	if err != nil {
		t.Fatal(err)
	}
	itemOf := func(text string) (item map[string]any) {
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&item); err != nil {
			t.Fatal(err)
		}
		return item
	}
	if err := s.write("refused", itemOf(`{"id": "refused", "ttl": 0}`), noon); err == nil {
		t.Error("an item with ttl 0 is accepted")
	}
	for _, item := range []string{`{"id": "default", "_ts": 1}`, `{"id": "own", "ttl": 120}`, `{"id": "never", "ttl": -1}`} {
		if err := s.write(itemOf(item)["id"].(string), itemOf(item), noon); err != nil {
			t.Errorf("write(%s) = %v", item, err)
		}
	}
	for id, want := range map[string][3]bool{"default": {true, false, false}, "own": {true, true, false}, "never": {true, true, true}, "none": {}} {
		for i, seconds := range []policy.Seconds{59, 60, 120} {
			at, _ := noon.Add(seconds)
			if got := s.read(id, at) != nil; got != want[i] {
				t.Errorf("%s is read after %d seconds: %v, want %v", id, seconds, got, want[i])
			}
		}
	}
}

// TestReadmeMinicosmosKeeps: the store of README.md keeps an item whose ttl is 10.0, in each
// form in which Go programs hold JSON.
func TestReadmeMinicosmosKeeps(t *testing.T) {
	const text, whole = `{"_ts": 1700000000, "ttl": 10.0}`, `{"_ts": 1700000000, "ttl": 10}`
	s, err := newContainer(`{"id": "c", "defaultTtl": 60}`)
	if err != nil {
		t.Fatal(err)
	}
	later := noon + 1e12
	for name, decode := range map[string]func(text string, item *map[string]any) error{
		"json.Number": func(text string, item *map[string]any) error {
			decoder := json.NewDecoder(strings.NewReader(text))
			decoder.UseNumber()
			return decoder.Decode(item)
		},
		"float64": func(text string, item *map[string]any) error { return json.Unmarshal([]byte(text), item) },
	} {
		var item, integer map[string]any
		if err := errors.Join(decode(text, &item), decode(whole, &integer)); err != nil {
			t.Fatal(err)
		}
		if d := s.ttl.Decide(policy.Map(item), later); d.State != policy.Never || d.Rule.ID != "cosmos.item-unspecified" {
			t.Errorf("%s: %v, want never by cosmos.item-unspecified", name, d)
		}
		if err := errors.Join(s.write("a", item, noon), s.write("b", integer, noon)); err != nil {
			t.Fatal(err)
		}
		if s.read("a", later) == nil {
			t.Errorf("%s: the item with ttl 10.0 is gone", name)
		}
		if gone := s.read("b", later) == nil; gone != (name == "json.Number") {
			t.Errorf("%s: the item with ttl 10 is gone: %v", name, gone)
		}
	}
	if d := s.ttl.DecideJSON([]byte(text), later); d.State != policy.Never || d.Rule.ID != "cosmos.item-unspecified" {
		t.Errorf("text: %v, want never by cosmos.item-unspecified", d)
	}
}
