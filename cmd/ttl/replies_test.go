package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestRepliesAreRefused: no command counts a reply as a document that never expires, alone, on
// a line, in an array or as BSON, even after an ordinary document and with --skip-bad.
func TestRepliesAreRefused(t *testing.T) {
	t.Parallel()
	reply := `{"cursor":{"firstBatch":[{"_id":1,"at":{"$date":"2022-01-01T00:00:00Z"}}],"id":0,"ns":"shop.c"},"ok":1}`
	page := `{"_rid":"x","Documents":[{"id":"a","_ts":1654258886}],"_count":1}`
	event := `{"current":{"id":"a","_ts":1654258886},"metadata":{"operationType":"create","lsn":1}}`
	bson, err := policy.AppendBSON(nil, fixture.Value(t, reply))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := policy.AppendBSON(nil, fixture.Value(t, `{"_id":1}`))
	if err != nil {
		t.Fatal(err)
	}
	dir := fixture.Files(t, map[string]string{
		"one.json": reply, "lines.jsonl": `{"_id":5}` + "\n" + reply + "\n", "array.json": "[" + reply + "]", "one.bson": string(bson), "two.bson": string(plain) + string(bson),
		"page.json": page, "pages.jsonl": page + "\n" + page + "\n", "pages.json": `[{"id":"x","ttl":-1},` + page + `]`, "events.jsonl": event + "\n" + event + "\n",
	})
	index, container := []string{"--index", `{"at":1}`, "--expire-after", "60"}, []string{"--container", `{"id":"c","defaultTtl":3600}`}
	for name, flags := range map[string][]string{
		"one.json": index, "lines.jsonl": index, "array.json": index, "one.bson": index, "two.bson": index,
		"page.json": container, "pages.jsonl": container, "pages.json": container, "events.jsonl": container,
	} {
		path, off := filepath.Join(dir, name), []string{"--container", `{"id":"c"}`}
		commands := [][]string{append([]string{"forecast", path}, flags...), append([]string{"forecast", "--skip-bad", path}, flags...), append([]string{"forecast", path}, off...), append([]string{"explain", "--id", "none", path}, flags...)}
		if flags[0] == "--index" {
			commands = append(commands, append([]string{"migrate", "--to", "cosmos-nosql", path}, flags...), []string{"audit", `{"indexes":[{"key":{"at":1},"name":"at_1","expireAfterSeconds":60}]}`, "--documents", path})
		} else {
			commands = append(commands, append([]string{"migrate", "--to", "mongodb", path}, flags...), []string{"audit", `{"id":"c","defaultTtl":60}`, "--documents", path})
		}
		for _, args := range commands {
			if strings.HasSuffix(name, ".bson") && args[len(args)-1] == off[1] {
				continue // a container has no BSON
			}
			got := ttl(t, "", args...)
			if got.code == cli.ExitOK || got.code == cli.ExitUsage || !strings.Contains(got.out+got.err, "not a stored document: what is stored is in") {
				t.Errorf("%q ends with %d\n%s\n%s", args, got.code, got.out, got.err)
			}
		}
	}
	for _, doc := range []string{reply, page, event} {
		if got := ttl(t, "", append([]string{"explain", doc}, index...)...); got.code != cli.ExitInput || !strings.Contains(got.err, "not a stored document") {
			t.Errorf("explain %s ends with %d, %s%s", doc, got.code, got.out, got.err)
		}
	}
}
