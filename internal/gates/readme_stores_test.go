package gates

import (
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
	sessions *ttlmongo.Collection // the definition and the policy; command.Create makes it
	docs     map[string]map[string]any
}

func (s *minimongo) createIndex(index policy.D, now policy.Instant) (err error) {
	s.sessions, _, err = command.CreateIndexes(s.sessions, []policy.D{command.WithDefaultName(index)}, now)
	return err // often a *ttlmongo.SpecError: send its Code and its Reason
}

func (s *minimongo) collMod(body policy.D, now policy.Instant) (reply policy.D, err error) {
	s.sessions, reply, err = command.CollMod(s.sessions, body, now)
	return reply, err
}

func (s *minimongo) dropIndexes(index policy.Value) (reply policy.D, err error) {
	s.sessions, reply, err = command.DropIndexes(s.sessions, index)
	return reply, err
}

func (s *minimongo) sweep(now policy.Instant) {
	maps.DeleteFunc(s.docs, func(_ string, doc map[string]any) bool {
		return s.sessions.Decide(policy.Map(doc), now).State == policy.Expired
	})
}

// README.md: end

// README.md: begin
type minicosmos struct {
	carts *cosmos.Container // the settings and the policy; nil before there are any
	items map[string][]byte
}

func (s *minicosmos) replaceSettings(container []byte) error {
	spec, err := cosmos.ParseContainerSpec(container) // a misspelt setting is an error
	if err == nil {
		s.carts, _, err = s.carts.Replace(spec)
	}
	return err
}

func (s *minicosmos) write(id string, item []byte, now policy.Instant) error {
	stamped, err := cosmos.Stamp(nil, item, now) // sets _ts, whatever the client sent
	if err != nil {
		return err
	}
	doc, err := policy.ParseJSON(stamped)
	if err == nil {
		err = cosmos.ValidateItem(s.carts.Spec(), &doc)
	}
	if err != nil && !errors.Is(err, policy.ErrUnspecified) { // what is unspecified is kept
		return err
	}
	s.items[id] = stamped
	return nil
}

func (s *minicosmos) read(id string, now policy.Instant) []byte {
	if s.carts.DecideJSON(s.items[id], now).State == policy.Expired {
		return nil // hidden at once, and purged later
	}
	return s.items[id]
}

// README.md: end

// TestReadmeMinimongo: the store of README.md refuses what a server refuses, and deletes what
// a server deletes.
func TestReadmeMinimongo(t *testing.T) {
	old := noon.Time().Add(-time.Hour)
	sessions, err := command.Create("shop.sessions", nil, fixture.Profile(t, fixture.Latest), noon)
	if err != nil {
		t.Fatal(err)
	}
	s := &minimongo{sessions, map[string]map[string]any{
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
	if reply, err := s.collMod(policy.DOf(stored(`{"index": {"name": "at_1", "expireAfterSeconds": 0}}`)), noon); err != nil || reply.Field("expireAfterSeconds_old").String() != `{"$numberLong":"3600"}` {
		t.Errorf("collMod = %v, %v", reply, err)
	}
	if _, err := s.dropIndexes(policy.StringValue("none")); err == nil {
		t.Error("an index that does not exist is dropped")
	}
	if _, err := s.dropIndexes(policy.StringValue("at_1")); err != nil {
		t.Error(err)
	}
	if s.sweep(policy.MaxInstant); len(s.docs) != 3 {
		t.Errorf("a dropped index deleted %d documents", 3-len(s.docs))
	}
}

// TestReadmeMinicosmos: the store of README.md writes _ts itself, refuses what the service
// refuses, hides what has expired, and follows its settings.
func TestReadmeMinicosmos(t *testing.T) {
	s := &minicosmos{items: map[string][]byte{}}
	if err := s.replaceSettings([]byte(`{"id": "c", "defaultTtl": 0}`)); err == nil || s.carts != nil {
		t.Errorf("a defaultTtl of 0 is accepted: %v", s.carts)
	}
	if err := s.replaceSettings([]byte(`{"id": "c", "defaultTtl": 60}`)); err != nil {
		t.Fatal(err)
	}
	for _, item := range []string{`{"id": "refused", "ttl": 0}`, `{"id": "refused", "_ts": 1, "_ts": 2}`, `{"id": "refused"`} {
		if err := s.write("refused", []byte(item), noon); err == nil {
			t.Errorf("write(%s) is accepted", item)
		}
	}
	for id, rest := range map[string]string{"default": `"_ts": 1`, "own": `"ttl": 120`, "never": `"ttl": -1`, "kept": `"ttl": 60.5`, "twice": `"ttl": 1, "ttl": 2`} {
		if err := s.write(id, []byte(`{"id": "`+id+`", `+rest+`}`), noon); err != nil {
			t.Errorf("write(%s) = %v", rest, err)
		}
	}
	read := func(id string) (found [3]bool) {
		for i, after := range []policy.Instant{59_000, 60_000, 120_000} {
			found[i] = s.read(id, noon+after) != nil
		}
		return found
	}
	always := [3]bool{true, true, true}
	for id, want := range map[string][3]bool{"default": {true, false, false}, "own": {true, true, false}, "never": always, "kept": always, "twice": always, "none": {}} {
		if got := read(id); got != want {
			t.Errorf("%s is read after 59, 60 and 120 seconds: %v, want %v", id, got, want)
		}
	}
	if err := s.replaceSettings([]byte(`{"id": "c"}`)); err != nil {
		t.Fatal(err)
	}
	if got := read("default"); got != always {
		t.Errorf("without a default it is read: %v, want %v", got, always)
	}
}
