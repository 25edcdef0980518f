package live

import (
	"context"
	"errors"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// maxAnswer is the largest answer of one aggregate, in bytes.
const maxAnswer = 1 << 20

// Aggregate runs an aggregate command without a time limit, and calls the function each
// with every document of the answer. If the function returns an error, Aggregate stops.
func (m *Mongo) Aggregate(ctx context.Context, database string, command policy.D, each func(policy.Document) error) error {
	raw, err := policy.AppendBSON(nil, policy.ObjectValue(command))
	if err != nil {
		return err
	}
	cursor, err := m.client.Database(database).RunCommandCursor(ctx, bson.Raw(raw), options.RunCmd().SetReadPreference(m.reading))
	if err != nil {
		return m.failed(err)
	}
	defer closeCursor(cursor)
	for size := 0; cursor.Next(ctx); {
		if size += len(cursor.Current); size > maxAnswer {
			return fmt.Errorf("%s: the answer to an aggregate is longer than %d KiB", m.Address.Name, maxAnswer>>10)
		}
		doc, err := policy.ParseBSON(cursor.Current)
		if err == nil {
			err = each(&doc)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", m.Address.Name, err)
		}
	}
	return m.failed(cursor.Err())
}

// maxPlan is the depth to which a plan is searched for stages.
const maxPlan = 64

// ReadsIndexAlone reports whether a server answers a find command from an index with one
// key for each document, without reading documents. It asks the server to explain the
// command.
func (m *Mongo) ReadsIndexAlone(ctx context.Context, database string, find policy.D) (bool, error) {
	raw, err := policy.AppendBSON(nil, policy.ObjectValue(find))
	if err != nil {
		return false, err
	}
	reply, err := m.Run(ctx, database, bson.D{{Key: "explain", Value: bson.Raw(raw)}, {Key: "verbosity", Value: "queryPlanner"}})
	if err != nil {
		return false, err
	}
	planner, ok := reply.Lookup("queryPlanner").DocumentOK()
	if !ok {
		return false, errors.New("the server's reply to explain has no queryPlanner")
	}
	if winner, ok := planner.Lookup("winningPlan").DocumentOK(); ok {
		planner = winner
	}
	var p plan
	p.read(planner, maxPlan)
	return p.scans > 0 && p.others == 0, nil
}

// A plan is the part of a server's explanation that says what the server reads.
type plan struct {
	scans  int // scans of an index with one key for each document
	others int // stages of any other kind that read
}

// read reads the stages of a plan at any depth, because releases and shards nest them
// differently.
func (p *plan) read(d bson.Raw, depth int) {
	switch textAt(d, "stage") {
	case "IXSCAN":
		if multikey, ok := d.Lookup("isMultiKey").BooleanOK(); ok && !multikey {
			p.scans++
		} else {
			p.others++
		}
	case "FETCH", "COLLSCAN", "CLUSTERED_IXSCAN", "TEXT_MATCH":
		p.others++
	}
	elements, err := d.Elements()
	if err != nil || depth == 0 {
		p.others++
		return
	}
	for _, e := range elements {
		if inner, ok := e.Value().DocumentOK(); ok && e.Key() != "rejectedPlans" {
			p.read(inner, depth-1)
		} else if list, ok := e.Value().ArrayOK(); ok && e.Key() != "rejectedPlans" {
			p.read(bson.Raw(list), depth-1)
		}
	}
}
