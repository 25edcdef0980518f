package liveconform

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// prefix begins the name of every database of a run.
const prefix = "ttlconform_"

// markerName is the name of the collection that marks the database of a run, and the _id
// of the only document in that collection.
const markerName = "ttlconform"

// isRun reports whether a name has the form of the name of a run's database.
func isRun(name string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	_, err := hex.DecodeString(rest)
	return ok && err == nil && len(rest) == 12
}

func newName() string {
	var b [6]byte
	rand.Read(b[:]) // which never fails
	return prefix + hex.EncodeToString(b[:])
}

// claim makes the database the run's own. It returns an error if the database holds a
// collection. The marker holds the earlier pause of the monitor, 0 if it is not changed.
func (s *System) claim(ctx context.Context) error {
	names, err := s.collections(ctx)
	if err != nil {
		return err
	}
	if len(names) > 0 {
		return fmt.Errorf("the database %s exists already; it is not touched", s.name)
	}
	return s.insert(ctx, markerName, bson.D{
		{Key: "_id", Value: markerName}, {Key: "run", Value: s.name}, {Key: "began", Value: time.Now()},
		{Key: "tool", Value: "ttl conform run"}, {Key: "ttlMonitorSleepSecs", Value: s.sleepBefore},
	})
}

// insert inserts documents. It returns the error of the command, or else the refusal of
// the first refused document.
func (s *System) insert(ctx context.Context, collection string, documents ...any) error {
	refused, err := s.insertEach(ctx, collection, documents)
	if err == nil && len(refused) > 0 {
		return refused[slices.Min(slices.Collect(maps.Keys(refused)))]
	}
	return err
}

// insertEach inserts documents, and returns the server's refusals of documents by position.
// A refusal of a document is not an error.
func (s *System) insertEach(ctx context.Context, collection string, documents []any) (refused map[int]writeError, err error) {
	_, err = s.run(ctx, bson.D{{Key: "insert", Value: collection}, {Key: "documents", Value: bson.A(documents)}, {Key: "ordered", Value: false}})
	return refusedWrites(err)
}

// refusedWrites returns the refusals of single writes that the error of a command holds, by
// position. Any other error it returns as it is.
func refusedWrites(err error) (refused map[int]writeError, other error) {
	var each driver.WriteException
	if !errors.As(err, &each) || each.WriteConcernError != nil {
		return nil, err
	}
	refused = map[int]writeError{}
	for _, e := range each.WriteErrors {
		refused[e.Index] = writeError{e.Code, e.Message}
	}
	return refused, nil
}

// A writeError is the server's refusal of one document.
type writeError struct {
	code int
	text string
}

func (e writeError) Error() string { return fmt.Sprintf("%s (%d)", e.text, e.code) }

// collections returns the names of the collections in the database.
func (s *System) collections(ctx context.Context) (names []string, err error) {
	list, err := s.list(ctx, bson.D{{Key: "listCollections", Value: 1}, {Key: "nameOnly", Value: true}, {Key: "cursor", Value: bson.D{{Key: "batchSize", Value: 10_000}}}})
	for _, c := range list {
		name, _ := c.Field("name").AsString()
		names = append(names, name)
	}
	return names, err
}

// drop drops a collection. A missing collection is no error.
func (s *System) drop(ctx context.Context, name string) error {
	_, err := s.run(ctx, bson.D{{Key: "drop", Value: name}})
	if r, ok := refusalOf(err); ok && r.Code == namespaceNotFound {
		return nil
	}
	return err
}

// tearDown drops all collections of the database, the marker last, and then the database.
// Some servers cannot drop a database that holds many collections.
func (s *System) tearDown(ctx context.Context) error {
	names, err := s.collections(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, name := range names {
		if name != markerName && !strings.HasPrefix(name, "system.") { // the server drops system collections itself
			failed = append(failed, s.drop(ctx, name))
		}
	}
	if err := errors.Join(failed...); err != nil {
		return err
	}
	if err := s.drop(ctx, markerName); err != nil {
		return err
	}
	_, err = s.run(ctx, bson.D{{Key: "dropDatabase", Value: 1}})
	return err
}

// Cleanup removes the database of a run that was killed, and restores the monitor's pause.
// It refuses a database without the marker of a run of that name.
func Cleanup(ctx context.Context, client *live.Client, name string) error {
	s := &System{name: name, client: client}
	if !isRun(name) {
		return fmt.Errorf("%q is not the name of a run, such as %s0123456789ab", name, prefix)
	}
	found, err := s.list(ctx, bson.D{{Key: "find", Value: markerName}, {Key: "filter", Value: bson.D{{Key: "_id", Value: markerName}}}, {Key: "limit", Value: 1}})
	if err != nil {
		return err
	}
	if len(found) != 1 || !found[0].Field("run").Equal(policy.StringValue(name)) {
		return fmt.Errorf("the database %s has no marker of a run; it is not touched", name)
	}
	s.sleepBefore, _ = found[0].Field("ttlMonitorSleepSecs").AsInt64()
	return errors.Join(s.restore(ctx), s.tearDown(ctx))
}
