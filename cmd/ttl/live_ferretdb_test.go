package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/base/rawbson"
)

// ferretDB starts the server that .ci/ferretdb builds, and returns its address. Without
// the variable FERRETDB the test is skipped.
func ferretDB(t testing.TB) (address string, client *driver.Client) {
	t.Helper()
	program := os.Getenv("FERRETDB")
	if program == "" {
		t.Skip("FERRETDB names no server; .ci/ferretdb builds one")
	}
	line, err := bufio.NewReader(startServer(t, exec.Command(program, t.TempDir()))).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address = strings.TrimSuffix(strings.TrimSpace(line), "/")
	client, err = driver.Connect(options.Client().ApplyURI(address))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Disconnect(t.Context()) })
	return address, client
}

// startServer starts a program that serves until its standard input ends, and returns
// its standard output.
func startServer(t testing.TB, cmd *exec.Cmd) io.Reader {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		_ = cmd.Wait()
	})
	return stdout
}

// store puts a file of mongodump and its metadata into a server, except what the server
// does not accept.
func store(t testing.TB, client *driver.Client, database, collection, file string) {
	t.Helper()
	var documents []any
	for _, raw := range rawbson.Split(readFile(t, file)) {
		documents = append(documents, bson.Raw(raw))
	}
	if _, err := client.Database(database).Collection(collection).InsertMany(t.Context(), documents, options.InsertMany().SetOrdered(false)); err != nil {
		t.Logf("insert: %.200v", err)
	}
	text := readFile(t, strings.TrimSuffix(file, ".bson")+".metadata.json")
	var metadata struct{ Indexes bson.A }
	if err := bson.UnmarshalExtJSON(text, true, &metadata); err != nil {
		t.Fatal(err)
	}
	for _, x := range metadata.Indexes {
		command := bson.D{{Key: "createIndexes", Value: collection}, {Key: "indexes", Value: bson.A{x}}}
		if err := client.Database(database).RunCommand(t.Context(), command).Err(); err != nil {
			t.Logf("createIndexes: %v", err)
		}
	}
}

// dumped writes a collection of a server in the format of mongodump, using the driver
// alone.
func dumped(t testing.TB, client *driver.Client, dir, database, collection string) {
	t.Helper()
	cursor, err := client.Database(database).Collection(collection).Find(t.Context(), bson.D{})
	if err != nil {
		t.Fatal(err)
	}
	var documents []byte
	for cursor.Next(t.Context()) {
		documents = append(documents, cursor.Current...)
	}
	indexes, err := client.Database(database).Collection(collection).Indexes().List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var list []bson.D
	if err := indexes.All(t.Context(), &list); err != nil {
		t.Fatal(err)
	}
	metadata, err := bson.MarshalExtJSON(bson.D{{Key: "indexes", Value: list}, {Key: "collectionName", Value: collection}}, true, false)
	if err != nil {
		t.Fatal(err)
	}
	base := filepath.Join(dir, database, collection)
	if err := os.MkdirAll(filepath.Dir(base), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, base+".bson", documents)
	writeFile(t, base+".metadata.json", metadata)
	t.Logf("%s.%s: %d bytes, %s", database, collection, len(documents), metadata)
}

// withoutPlaces removes the places of documents from a report.
func withoutPlaces(t testing.TB, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, name := range []string{"file", "files", "offset", "notes"} {
				delete(v, name)
			}
			for _, inner := range v {
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		}
	}
	walk(v)
	return v
}

// TestFerretDBForecast: the forecast of a server's collection equals that of its dump.
func TestFerretDBForecast(t *testing.T) {
	t.Parallel()
	address, client := ferretDB(t)
	store(t, client, "shop", "logs", samples+"shop/logs.bson")
	store(t, client, "shop", "sessions", samples+"shop/sessions.bson")
	dir := t.TempDir()
	dumped(t, client, dir, "shop", "logs")
	dumped(t, client, dir, "shop", "sessions")
	flags := []string{"forecast", "--format", "json", "--now", sampleAt, "--server", "7.0.14"}
	for _, policy := range [][]string{nil, {"--index", `{"createdAt":1}`, "--expire-after", "30d"}} {
		want := ttl(t, "", append(append(flags, policy...), dir+"/shop")...)
		got := ttl(t, "", append(append(flags, policy...), address+"/shop")...)
		if want.code != cli.ExitOK || got.code != cli.ExitOK {
			t.Fatalf("exit %d and %d: %s%s", want.code, got.code, want.err, got.err)
		}
		if a, b := withoutPlaces(t, want.out), withoutPlaces(t, got.out); !reflect.DeepEqual(a, b) {
			t.Errorf("of the dump %s, of the server %s", want.out, got.out)
		}
	}
	var first struct {
		ID bson.ObjectID `bson:"_id"`
	}
	if err := client.Database("shop").Collection("logs").FindOne(t.Context(), bson.D{}).Decode(&first); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{first.ID.Hex(), "ObjectId('" + first.ID.Hex() + "')"} {
		r := ttl(t, "", "explain", "--server", "7.0.14", "--index", `{"createdAt":1}`, "--expire-after", "30d", "--id", id, address+"/shop.logs")
		if r.code != cli.ExitOK || !strings.Contains(r.out, "/shop.logs") {
			t.Errorf("explain --id %s: exit %d, %s%s", id, r.code, r.out, r.err)
		}
	}
}
