package playground

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/mongosh"
	"github.com/ttlpolicy/ttlpolicy/internal/policytext"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A definition is what the policy editor holds, before a release reads it.
type definition struct {
	policytext.Collection
	container policytext.Container // of Cosmos DB for NoSQL
}

// readDefinition reads the policy editor.
func readDefinition(s State, now policy.Instant) (d definition, err error) {
	if s.System == reasons.CosmosNoSQL {
		d.container, err = policytext.ReadContainer(s.Policy)
		d.Notes = d.container.Notes
		return d, err
	}
	d.Collection, err = policytext.ReadCollection(s.Policy, now)
	if err == nil && !d.Key.IsMissing() {
		err = policytext.ErrNothing // nothing says how long
	}
	return d, err
}

// compile returns the policy of a definition in one release.
func (d definition) compile(s State) (*reasons.Policy, error) {
	switch s.System {
	case reasons.CosmosNoSQL:
		return reasons.CompileContainer(d.container.Spec)
	case reasons.CosmosMongo:
		spec, err := d.cosmosMongo(s)
		if err != nil {
			return nil, err
		}
		return reasons.CompileCosmosMongo(spec)
	}
	release, err := mongo.ParseVersion(s.Release)
	if err != nil {
		return nil, err
	}
	spec, err := mongo.ParseCollectionSpec(d.Options, policy.ListValue(d.Indexes))
	if err != nil {
		return nil, err
	}
	return reasons.CompileMongoWith(spec, release, s.parameters())
}

func (d definition) cosmosMongo(s State) (spec cosmos.CollectionSpec, err error) {
	spec.ServerVersion = s.Release
	if s.CustomPath {
		spec.Capabilities = []string{cosmos.CustomPathCapability}
	}
	for i, v := range d.Indexes {
		x, err := cosmos.ParseIndexSpec(v)
		if err != nil {
			return spec, &mongosh.SyntaxError{Offset: d.Places[i], Err: err}
		}
		if named, err := mongo.ParseIndexSpec(v); err == nil {
			x.Name = named.Name // the one that shells and drivers give
		}
		spec.Indexes = append(spec.Indexes, x)
	}
	return spec, nil
}

// A document is what the document editor holds.
type document struct {
	policy.Document              // to be judged
	value           policy.Value // to be shown
	notes           []mongosh.Note
}

// readDocument reads the document editor: a document, or insertOne(…).
func readDocument(s State, now policy.Instant) (document, error) {
	if s.System == reasons.CosmosNoSQL {
		if len(s.Document) > mongosh.MaxText {
			return document{}, mongosh.ErrTooLong
		}
		item, err := policy.ParseJSON([]byte(s.Document))
		return document{Document: &item, value: item.Value()}, err
	}
	v, notes, at, err := documentOf(s.Document, now)
	if err == nil && v.Kind() != policy.Object {
		err = &mongosh.SyntaxError{Offset: at, Err: fmt.Errorf("want a document, not %s", v.Kind())}
	}
	return document{v, v, notes}, err
}

func documentOf(text string, now policy.Instant) (v policy.Value, notes []mongosh.Note, at int, err error) {
	script, err := mongosh.Parse(text, now)
	if err != nil || len(script.Calls) != 1 || script.Calls[0].Method == "" {
		v, notes, err = mongosh.ParseValue(text, now)
		return v, notes, 0, err
	}
	c := script.Calls[0]
	if c.Method != "insertOne" && c.Method != "insert" || len(c.Args) != 1 {
		return v, nil, c.At, &mongosh.SyntaxError{Offset: c.At, Err: errors.New("want a document, or insertOne(document)")}
	}
	return c.Args[0], script.Notes, c.At, nil
}

// readNow reads the clock, in UTC unless it has a zone.
func readNow(text string) (policy.Instant, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Clock, nil
	}
	at, ok := policytext.ParseInstant(text, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04")
	if !ok {
		return 0, errors.New("want an instant such as 2026-11-20T12:00:00Z, 2026-11-20 or @1795176000")
	}
	return at, nil
}
