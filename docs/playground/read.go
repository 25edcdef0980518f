package playground

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/mongosh"
	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A definition is what the policy editor holds, before a release reads it.
type definition struct {
	options   policy.Value // of a collection; Missing for none
	indexes   policy.A
	places    []int        // where each index is written
	container policy.Value // of Cosmos DB for NoSQL
	spec      cosmos.ContainerSpec
	notes     []mongosh.Note
}

// readDefinition reads the policy editor.
func readDefinition(s State, now policy.Instant) (definition, error) {
	if s.System == reasons.CosmosNoSQL {
		return readContainer(s.Policy)
	}
	if v, err := policy.ParseExtJSON([]byte(s.Policy)); err == nil && len(s.Policy) <= mongosh.MaxText {
		return readCalls([]mongosh.Call{{Args: []policy.Value{v}}})
	}
	script, err := mongosh.Parse(s.Policy, now)
	if err != nil {
		return definition{}, err
	}
	d, err := readCalls(script.Calls)
	d.notes = script.Notes
	return d, err
}

func readContainer(text string) (d definition, err error) {
	if len(text) > mongosh.MaxText {
		return d, mongosh.ErrTooLong
	}
	c, err := policy.ParseJSON([]byte(text))
	if err != nil {
		return d, err
	}
	d.container = c.Value()
	d.spec, err = cosmos.ParseContainerSpec([]byte(text))
	return d, err
}

// readCalls collects what several statements define.
func readCalls(calls []mongosh.Call) (d definition, err error) {
	if len(calls) == 0 {
		return d, errors.New("write an index, such as {key: {createdAt: 1}, expireAfterSeconds: 3600}")
	}
	for _, c := range calls {
		if err := d.add(c); err != nil {
			return d, &mongosh.SyntaxError{Offset: c.At, Err: err}
		}
	}
	return d, nil
}

func (d *definition) add(c mongosh.Call) error {
	switch {
	case c.Method == "":
		return d.addValue(c.Args[0], c.At)
	case c.Method == "createIndex" && (len(c.Args) == 1 || len(c.Args) == 2):
		return d.addIndex(c)
	case c.Method == "createCollection" && len(c.Args) == 2 && c.Args[1].Kind() == policy.Object:
		d.options = c.Args[1]
		return nil
	}
	return fmt.Errorf("%s is not read here; createIndex(key, options) and createCollection(name, options) are", c.Method)
}

// addValue takes an index, an array of them, or what mongodump notes of a
// collection.
func (d *definition) addValue(v policy.Value, at int) error {
	switch {
	case v.Kind() == policy.List:
		for e := v.Elements(); e.Next(); {
			d.append(e.Value(), at)
		}
		return nil
	case v.Field("key").Kind() == policy.Object:
		d.append(v, at)
		return nil
	case v.Field("indexes").Kind() == policy.List, v.Field("options").Kind() == policy.Object:
		d.options = v.Field("options")
		if v.Field("indexes").Kind() == policy.List {
			return d.addValue(v.Field("indexes"), at)
		}
		return nil
	}
	return errors.New("want an index such as {key: {createdAt: 1}, expireAfterSeconds: 3600}, an array of them, or {options: {…}, indexes: […]}")
}

func (d *definition) append(index policy.Value, at int) {
	d.indexes = append(d.indexes, index)
	d.places = append(d.places, at)
}

// addIndex takes createIndex(key, options).
func (d *definition) addIndex(c mongosh.Call) error {
	index := policy.D{{Key: "key", Value: c.Args[0]}}
	if len(c.Args) == 2 {
		if c.Args[1].Kind() != policy.Object {
			return errors.New("the options of createIndex are a document")
		}
		for f := c.Args[1].Fields(); f.Next(); {
			index = append(index, policy.E{Key: f.Name(), Value: f.Value()})
		}
	}
	d.append(policy.ObjectValue(index), c.At)
	return nil
}

// compile returns the policy of a definition in one release.
func (d definition) compile(s State) (*reasons.Policy, error) {
	switch s.System {
	case reasons.CosmosNoSQL:
		return reasons.CompileContainer(d.spec)
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
	spec, err := mongo.ParseCollectionSpec(d.options, policy.ListValue(d.indexes))
	if err != nil {
		return nil, err
	}
	return reasons.CompileMongo(spec, release)
}

func (d definition) cosmosMongo(s State) (spec cosmos.CollectionSpec, err error) {
	spec.ServerVersion = s.Release
	if s.CustomPath {
		spec.Capabilities = []string{cosmos.CustomPathCapability}
	}
	for i, v := range d.indexes {
		x, err := cosmos.ParseIndexSpec(v)
		if err != nil {
			return spec, &mongosh.SyntaxError{Offset: d.places[i], Err: err}
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

// readNow reads the clock.
func readNow(text string) (policy.Instant, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Clock, nil
	}
	if sec, ok := strings.CutPrefix(text, "@"); ok {
		if n, err := strconv.ParseInt(sec, 10, 64); err == nil {
			if at, ok := policy.InstantOfUnix(n); ok {
				return at, nil
			}
		}
	}
	if ms, ok := strings.CutSuffix(text, "ms"); ok { // as an Instant is written beyond the year 9999
		if n, err := strconv.ParseInt(ms, 10, 64); err == nil {
			return policy.Instant(n), nil
		}
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return policy.InstantOf(t), nil
		}
	}
	return 0, errors.New("want an instant such as 2026-11-20T12:00:00Z, 2026-11-20 or @1795176000")
}
