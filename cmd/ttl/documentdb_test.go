package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestServerOfDocumentDB: each command that takes a server judges by a release of DocumentDB,
// and names that product.
func TestServerOfDocumentDB(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	script, documents := filepath.Join(folder, "indexes.js"), filepath.Join(folder, "documents.jsonl")
	for name, text := range map[string]string{
		script:    "db.c.createIndex({u: 'hashed'}, {expireAfterSeconds: 60})\n",
		documents: `{"_id": 1, "t": {"$date": "2026-11-28T00:00:00Z"}}` + "\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	index := []string{"--server", "documentdb@0.112", "--index", `{"key":{"t":1},"name":"t_1","expireAfterSeconds":60}`, "--now", "2026-11-28T00:01:00Z"}
	for want, args := range map[string][]string{
		"expires at 2026-11-28T00:01:00.001Z":                 append([]string{"explain", documents}, index...),
		"Deleted at once if the policy is switched on now: 0": append([]string{"forecast", documents}, index...),
		"DocumentDB 0.112.0 refuses to create":                {"audit", script, "--server", "documentdb@0.112"},
		"documentdb@0.113.0 is not from 0.102 to 0.112":       {"audit", script, "--server", "documentdb@0.113"},
	} {
		r := ttl(t, "", args...)
		if out := strings.Join(strings.Fields(r.out+r.err), " "); !strings.Contains(out, want) {
			t.Errorf("ttl %s prints %s, want %q", strings.Join(args, " "), out, want)
		}
	}
}
