package wirettl

import (
	"context"
	"errors"
	"net"
	"os"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/ttlpolicy/ttlpolicy/cmd/loopback"
	"github.com/ttlpolicy/ttlpolicy/mongo"
)

func TestMain(m *testing.M) {
	loopback.Only()
	os.Exit(m.Run())
}

// start serves a new server. It returns a client, and a function that stops both.
func start(t *testing.T, o Options) (client *driver.Client, stop func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, l, o) }()
	client, err = driver.Connect(options.Client().ApplyURI("mongodb://" + l.Addr().String()).SetDialer(loopback.Dialer()).SetServerSelectionTimeout(10 * time.Second))
	must(t, err)
	return client, func() {
		must(t, client.Disconnect(context.Background()))
		cancel()
		must(t, <-served)
	}
}

// newTestServer returns a server that listens to nobody.
func newTestServer(tb testing.TB, o Options) *server {
	tb.Helper()
	s, err := newServer(o)
	must(tb, err)
	return s
}

// database returns a database of a new server that behaves as a release.
func database(t *testing.T, release string) *driver.Database {
	t.Helper()
	v, err := mongo.ParseVersion(release)
	must(t, err)
	client, stop := start(t, Options{Release: v, SleepSecs: 1, Second: 100 * time.Millisecond})
	t.Cleanup(stop)
	return client.Database("shop")
}

// passed waits for the end of a pass of the monitor that begins after this call.
func passed(t *testing.T, db *driver.Database) {
	t.Helper()
	passes := func() int64 {
		return run(t, db, `{"serverStatus":1}`).Lookup("metrics", "ttl", "passes").AsInt64()
	}
	for before := passes(); passes() < before+2; {
		time.Sleep(20 * time.Millisecond)
	}
}

// run runs a command of Extended JSON that succeeds, and returns the reply.
func run(t *testing.T, db *driver.Database, command string) bson.Raw {
	t.Helper()
	reply, err := db.RunCommand(t.Context(), d(t, command)).Raw()
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return reply
}

// refused runs a command of Extended JSON that fails.
func refused(t *testing.T, db *driver.Database, command string) (e driver.CommandError) {
	t.Helper()
	err := db.RunCommand(t.Context(), d(t, command)).Err()
	if !errors.As(err, &e) {
		t.Fatalf("%s: %v, want an error of the server", command, err)
	}
	return e
}

// d returns a document of Extended JSON.
func d(t *testing.T, text string) (d bson.D) {
	t.Helper()
	must(t, bson.UnmarshalExtJSON([]byte(text), false, &d))
	return d
}

// ids returns the _ids of the documents that a find returns.
func ids(t *testing.T, c *driver.Collection, filter string, o ...options.Lister[options.FindOptions]) (all []any) {
	t.Helper()
	cursor, err := c.Find(t.Context(), d(t, filter), o...)
	must(t, err)
	for cursor.Next(t.Context()) {
		var doc struct {
			ID any `bson:"_id"`
		}
		must(t, cursor.Decode(&doc))
		all = append(all, doc.ID)
	}
	must(t, cursor.Err())
	return all
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
