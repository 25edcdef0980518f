package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"golang.org/x/sync/errgroup"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

// A Mongo is a server of MongoDB's protocol as a [Source].
type Mongo struct {
	*Client
	Server  Server
	options Options
	ctx     context.Context // the context of reading documents, which outlives Find
	cancel  context.CancelFunc
	feeds   sync.WaitGroup
	listed  map[*dump.Collection]*listed
	size    atomic.Int64 // the size of all listings, in bytes
	named   int          // the number of databases and collections in the listings
}

var _ Source = (*Mongo)(nil)

// Open connects to a server to read from it, until ctx ends.
func Open(ctx context.Context, a Address, o Options) (*Mongo, error) {
	c, err := Dial(ctx, a, Read)
	if err != nil {
		return nil, err
	}
	m := &Mongo{Client: c, options: o, listed: map[*dump.Collection]*listed{}}
	m.ctx, m.cancel = context.WithCancel(ctx)
	if m.Server, err = c.Server(ctx); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// Close ends reading and the connection.
func (m *Mongo) Close() {
	m.cancel()
	m.feeds.Wait()
	m.Client.Close()
}

// parallel is the number of collections that are listed or read at a time.
const parallel = 4

// internalDatabases are the databases of the server itself.
var internalDatabases = []string{"admin", "config", "local"}

func (m *Mongo) databases(ctx context.Context) (names []string, err error) {
	if m.Address.Database != "" {
		return []string{m.Address.Database}, nil
	}
	reply, err := m.Run(ctx, "admin", bson.D{{Key: "listDatabases", Value: 1}, {Key: "nameOnly", Value: true}})
	if err != nil {
		return nil, err
	}
	list, _ := reply.Lookup("databases").ArrayOK()
	values, err := list.Values()
	for _, v := range values {
		d, _ := v.DocumentOK()
		if name := textAt(d, "name"); name != "" && !slices.Contains(internalDatabases, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if m.named += len(names); m.named > maxNames && err == nil {
		err = m.failed(errManyNames)
	}
	return names, err
}

// listed is a collection as listCollections shows it.
type listed struct {
	database, name, kind string
	options              bson.Raw
	indexes              []bson.Raw
	err                  error // the reason why its indexes are unknown
}

// timeSeries is the kind of a time-series collection.
const timeSeries = "timeseries"

func (m *Mongo) collections(ctx context.Context, database string) (found []*listed, err error) {
	command := bson.D{{Key: "listCollections", Value: 1}}
	asked := m.Address.Collection
	if asked != "" {
		command = append(command, bson.E{Key: "filter", Value: bson.D{{Key: "name", Value: asked}}})
	}
	err = m.list(ctx, database, command, func(raw bson.Raw) error {
		if m.named++; m.named > maxNames {
			return errManyNames
		}
		l := &listed{database: database, name: textAt(raw, "name"), kind: textAt(raw, "type")}
		l.options, _ = raw.Lookup("options").DocumentOK()
		isOther := asked != "" && l.name != asked // not every server applies the filter
		isOfServer := strings.HasPrefix(l.name, "system.") && l.name != asked
		if l.kind != "view" && l.name != "" && !isOther && !isOfServer {
			found = append(found, l)
		}
		return nil
	})
	slices.SortFunc(found, func(a, b *listed) int { return strings.Compare(a.name, b.name) })
	return found, err
}

// list runs a command that answers with a cursor, and calls the function each with every
// document. If the function returns an error, list stops.
func (m *Mongo) list(ctx context.Context, database string, command bson.D, each func(bson.Raw) error) error {
	ctx, cancel := withinList(ctx)
	defer cancel()
	cursor, err := m.client.Database(database).RunCommandCursor(ctx, command, options.RunCmd().SetReadPreference(m.reading))
	if err != nil {
		return m.failed(causeOf(ctx, err))
	}
	defer closeCursor(cursor)
	for cursor.Next(ctx) {
		if m.size.Add(int64(len(cursor.Current))) > maxListed {
			return m.failed(errLongSize)
		}
		if err := each(slices.Clone(cursor.Current)); err != nil {
			return m.failed(err)
		}
	}
	return m.failed(causeOf(ctx, cursor.Err()))
}

// Find returns the collections that the address names, with their options and indexes.
func (m *Mongo) Find(ctx context.Context) (*dump.Input, error) {
	whole := ctx
	ctx, cancel := context.WithTimeoutCause(ctx, findTime, errLongFind)
	defer cancel()
	databases, err := m.databases(ctx)
	if err != nil {
		return nil, err
	}
	var found []*listed
	for _, database := range databases {
		some, err := m.collections(ctx, database)
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	if len(found) == 0 {
		what := "there is no such collection, or none"
		switch {
		case m.Address.Database == "":
			what = "there is no database with collections, or none"
		case m.Address.Collection == "":
			what = "this database has no collections, or none"
		}
		return nil, fmt.Errorf("%s: %s that this user may see", m.Address.Namespace(m.Address.Database, m.Address.Collection), what)
	}
	sideBySide(found, func(l *listed) {
		l.err = m.list(ctx, l.database, bson.D{{Key: "listIndexes", Value: l.name}}, func(x bson.Raw) error {
			l.indexes = append(l.indexes, x)
			return nil
		})
	})
	if err := whole.Err(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, m.failed(causeOf(ctx, err))
	}
	return m.input(found), nil
}

// sideBySide calls f with each element of list, as many as parallel at a time.
func sideBySide[T any](list []T, f func(T)) {
	var all errgroup.Group
	all.SetLimit(parallel)
	for _, one := range list {
		all.Go(func() error {
			f(one)
			return nil
		})
	}
	_ = all.Wait() // nothing has returned an error
}

func (m *Mongo) input(found []*listed) *dump.Input {
	in := dump.NewFeed(m.Address.Name, dump.BSON, m.feed)
	// From 8.3 on, servers store the buckets of a time-series collection under the collection's
	// own name (mongodb/mongo: src/mongo/db/timeseries/README.md).
	release, err := m.Server.Release()
	hasBuckets := err != nil || release.Compare(mongo.Version{Major: 8, Minor: 3}) < 0
	for _, l := range found {
		if isCode(l.err, namespaceNotFound) { // the collection was dropped in the meantime
			continue
		}
		d := dump.Described{Database: l.database, Name: l.name, Buckets: l.kind == timeSeries && hasBuckets, Place: m.Address.Namespace(l.database, l.name), Err: l.err}
		if m.Server.Product == MongoDB {
			d.Release = m.Server.Version
		}
		if d.Err == nil {
			d.Metadata, d.Err = l.metadata()
		}
		m.listed[in.Add(d)] = l
	}
	in.Count = func() int64 { return m.count(in.Collections) }
	return in
}

// metadata returns the options and indexes of l as mongodump writes them.
func (l *listed) metadata() ([]byte, error) {
	indexes := bson.A{}
	for _, x := range l.indexes {
		indexes = append(indexes, x)
	}
	d := bson.D{{Key: "indexes", Value: indexes}, {Key: "collectionName", Value: l.name}}
	if l.options != nil {
		d = append(d, bson.E{Key: "options", Value: l.options})
	}
	text, err := bson.MarshalExtJSON(d, true, false)
	if err == nil && len(text) > dump.MaxMetadata {
		err = errors.New("the list of indexes is larger than that of any real collection")
	}
	return text, err
}
