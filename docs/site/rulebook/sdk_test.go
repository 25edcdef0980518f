package rulebook

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/catalogtest"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// run executes a command that a page prints: a call of the Python SDK, a request that sets one
// property of the item 1, or a command that the server knows.
func run(s *catalogtest.Server, command string, names map[string]string) (o catalogtest.Outcome, err error) {
	if m := pythonCall.FindStringSubmatch(command); m != nil {
		switch m[1] {
		case "query_items", "query_items_change_feed":
			return o, nil
		case "upsert_item":
			item, err := policy.ParseJSON([]byte(m[2]))
			if err != nil {
				return o, fmt.Errorf("%w: %w", catalogtest.ErrUnknown, err)
			}
			id, _ := item.Field("id").AsString()
			return catalogtest.Outcome{Changes: true}, writeItem(s, id, func(policy.Value) policy.Value { return item.Value() })
		}
	}
	if m := patched.FindStringSubmatch(command); m != nil {
		operation, err := policy.ParseJSON([]byte(m[1]))
		if err != nil {
			return o, fmt.Errorf("%w: %w", catalogtest.ErrUnknown, err)
		}
		path, _ := operation.Field("path").AsString()
		return catalogtest.Outcome{Changes: true}, writeItem(s, "1", func(item policy.Value) policy.Value {
			return pasted.WithField(item, strings.TrimPrefix(path, "/"), operation.Field("value"))
		})
	}
	return s.Run(command, names)
}

var (
	pythonCall = regexp.MustCompile(`^container\.(\w+)\((.*)\)$`)
	patched    = regexp.MustCompile(`(?s)^curl .*-X PATCH .* -d '\{"operations": \[(\{"op": "set".*\})\]\}'$`)
)

// writeItem changes an item of the server's only container, whose time to live begins again.
func writeItem(s *catalogtest.Server, name string, change func(policy.Value) policy.Value) error {
	for _, c := range s.Collections {
		for i, d := range c.Documents {
			if d.Name == name {
				stamped := pasted.WithField(change(policy.ObjectValue(d.Value)), "_ts", policy.Int64Value(int64(s.Now)/1000))
				c.Documents[i].Value = policy.DOf(stamped)
				return nil
			}
		}
	}
	return fmt.Errorf("%w: there is no item %s", catalogtest.ErrRefused, name)
}

// TestRunWrites: a write by the SDK or by a patch restarts the time to live of an item.
func TestRunWrites(t *testing.T) {
	const now = policy.Instant(1_795_176_000_000)
	for _, command := range []string{
		`container.upsert_item({"id": "1", "ttl": 60})`,
		`curl -X PATCH "https://x" -d '{"operations": [{"op": "set", "path": "/ttl", "value": 60}]}'`,
	} {
		s := &catalogtest.Server{System: definition.CosmosNoSQL, Now: now, Collections: map[string]*catalogtest.Collection{"c": {
			Container: cosmos.ContainerSpec{DefaultTTL: policy.Int32Value(3600)},
			Documents: []catalogtest.Document{{Name: "1", Value: policy.D{{Key: "_ts", Value: policy.Int64Value(int64(now)/1000 - 600)}}}},
		}}}
		if o, err := run(s, command, nil); err != nil || !o.Changes {
			t.Errorf("%s: %v, %v, want a change", command, o, err)
		}
		for after, want := range map[policy.Instant]int{59_000: 0, 60_000: 1} {
			if gone, err := s.Gone(now + after); err != nil || len(gone) != want {
				t.Errorf("%s leaves %v gone %d ms later, %v, want %d", command, gone, after, err, want)
			}
		}
	}
}
