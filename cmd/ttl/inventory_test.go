package main

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

// metadataOf returns metadata as mongodump writes it, with a TTL index on at.
func metadataOf(name string) string {
	return fmt.Sprintf(`{"options":{},"indexes":[{"v":2,"key":{"_id":1},"name":"_id_"},{"v":2,"key":{"at":1},"name":"at_1","expireAfterSeconds":{"$numberInt":"60"}}],"collectionName":%q,"type":"collection"}`, name)
}

// lossyDump returns a folder of mongodump in which shop.logs has its documents, shop.carts
// has lost them, and a view and the server's own collections have none.
func lossyDump(t *testing.T) string {
	t.Helper()
	bson, err := os.ReadFile(samples + "shop/logs.bson")
	if err != nil {
		t.Fatal(err)
	}
	return fixture.Files(t, map[string]string{
		"shop/logs.bson": string(bson), "shop/logs.metadata.json": metadataOf("logs"),
		"shop/carts.metadata.json": metadataOf("carts"), "shop/empty.bson": "", "shop/empty.metadata.json": metadataOf("empty"),
		"shop/seen.metadata.json":         `{"options":{"viewOn":"logs","pipeline":[]},"indexes":[],"collectionName":"seen","type":"view"}`,
		"shop/old.metadata.json":          `{"options":{"viewOn":"logs","pipeline":[]},"indexes":[]}`,
		"shop/system.views.metadata.json": `{"options":{},"indexes":[]}`,
	})
}

// tarred returns the path of a tar file with the files below a folder.
func tarred(t *testing.T, dir string) string {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	if err := w.AddFS(os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "dump.tar")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestLostDocuments: each command names a collection of which a dump has only the metadata,
// and ends with the exit code of an incomplete result. A view is no loss.
func TestLostDocuments(t *testing.T) {
	dir := lossyDump(t)
	plan := filepath.Join(fixture.Files(t, map[string]string{"p.yaml": "version: 1\nrules:\n  - namespace: \"*\"\n    expireAfterSeconds: none\n"}), "p.yaml")
	for _, at := range []string{dir, tarred(t, dir)} {
		for _, args := range [][]string{
			{"forecast", at}, {"forecast", "--format", "html", at}, {"forecast", "--format", "json", at}, {"forecast", "--list", at},
			{"forecast", "--index", `{"a":1}`, "--expire-after", "1d", at}, {"forecast", "--what-if", "1d", at}, {"forecast", "--format", "part", at}, {"forecast", "--fail-if", "expired>1e9", at},
			{"forecast", "--ns", "shop.carts", at}, {"migrate", "--to", "cosmos-nosql", at}, {"migrate", "--to", "cosmos-nosql", "--ns", "shop.carts", at},
			{"audit", "--fail-on", "never", at}, {"plan", plan, at},
		} {
			got := ttl(t, "", append(args, "--now", sampleAt)...)
			if said := strings.Join(strings.Fields(got.out+got.err), " "); got.code != cli.ExitIncomplete || !strings.Contains(said, "carts.bson") || strings.Contains(said, "of shop.seen") || strings.Contains(said, "of shop.old") || strings.Contains(said, "of shop.empty") {
				t.Errorf("%q ends with %d\n%s\n%s\nwant 3 and the name of carts.bson", args, got.code, got.out, got.err)
			}
		}
		if got := ttl(t, "", "forecast", "--format", "prometheus", at); !strings.Contains(got.out, "ttl_forecast_complete 0\n") {
			t.Errorf("the metrics of %s are\n%s", at, got.out)
		}
		if got := ttl(t, "", "forecast", "--ns", "shop.logs", at); got.code != cli.ExitOK {
			t.Errorf("--ns shop.logs ends with %d, %s", got.code, got.err)
		}
		if got := ttl(t, "", "explain", "--id", "5", at); got.code == cli.ExitOK || !strings.Contains(got.err, "carts.bson") {
			t.Errorf("explain --id ends with %d, %s", got.code, got.err)
		}
	}
}

// TestPoliciesAlone: a folder with metadata alone is a listing of policies for the audit, and
// nothing is lost from it.
func TestPoliciesAlone(t *testing.T) {
	dir := fixture.Files(t, map[string]string{"shop/carts.metadata.json": metadataOf("carts")})
	if got := ttl(t, "", "audit", dir); got.code != cli.ExitOK {
		t.Errorf("audit ends with %d, %s%s", got.code, got.out, got.err)
	}
	if got := ttl(t, "", "forecast", dir); got.code != cli.ExitIncomplete || !strings.Contains(got.err, "no documents of shop.carts") {
		t.Errorf("forecast ends with %d, %s%s", got.code, got.out, got.err)
	}
}

// TestUnlistedDocuments: each command names a collection whose metadata are not in the dump.
func TestUnlistedDocuments(t *testing.T) {
	dir := fixture.Files(t, map[string]string{"shop/carts.bson": "", "shop/logs.bson": "", "shop/logs.metadata.json": metadataOf("logs"), "shop/system.users.bson": ""})
	for _, args := range [][]string{{"forecast", dir}, {"migrate", "--to", "cosmos-nosql", dir}, {"audit", dir}, {"audit", "--metadata-only", dir}} {
		got := ttl(t, "", args...)
		if said := strings.Join(strings.Fields(got.out+got.err), " "); got.code != cli.ExitIncomplete || !strings.Contains(said, "carts.bson") || strings.Contains(said, "system.users") {
			t.Errorf("%q ends with %d\n%s\n%s", args, got.code, got.out, got.err)
		}
	}
}
