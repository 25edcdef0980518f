package catalog

import (
	"bytes"
	"slices"
	"testing"
)

// FuzzRead: each target read from a listing, a template or a typed policy has a title and
// a line number within the file. A stored collection has as many indexes as were listed.
// A stored container has the same name after it is written and read again.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		oneIndex, "[" + oneIndex + "," + oneIndex + "]", `{"cursor":{"id":0,"ns":"shop.$cmd.listCollections","firstBatch":[{"name":"c","type":"collection","options":{"expireAfterSeconds":5,"timeseries":{"timeField":"t"}}}]}}`,
		`{"options":{},"indexes":[{"v":2,"key":{"at":1},"name":"at_1","expireAfterSeconds":{"$numberDouble":"NaN"}}],"collectionName":"c"}`, `{"id":"c","defaultTtl":5,"_rid":"x"}`,
		`{"$schema":"https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#","variables":{"v":"[add(1,2)]"},"resources":[{"type":"Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers","name":"a/b/c","properties":{"resource":{"id":"c","defaultTtl":"[variables('v')]"}}}]}`,
		"[{v: 2, key: {at: 1}, name: 'at_1', expireAfterSeconds: 5}]", "key at\nexpireAfterSeconds 5", `{"ok":0,"errmsg":"x"}`, "\x13\x00\x00\x00\x03key\x00\x09\x00\x00\x00\x10a\x00\x01\x00\x00\x00\x00\x00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		targets, err := Read("policies", bytes.NewReader(text))
		if err != nil {
			if len(targets) > 0 {
				t.Fatalf("Read(%q) = %d targets and %v", text, len(targets), err)
			}
			return
		}
		lines := 1 + bytes.Count(text, []byte("\n"))
		for _, x := range targets {
			if x.Title() == "" || x.Line < 0 || x.Line > lines {
				t.Fatalf("Read(%q): a target %q in line %d of %d", text, x.Title(), x.Line, lines)
			}
			if x.IsContainer() {
				if c, err := x.Container(Options{}); err == nil && c.Name() != "CONTAINER" && slices.Contains(c.Placeholders(), "CONTAINER") {
					t.Fatalf("Read(%q): the container %s is named, and a placeholder too", text, c.Name())
				}
				continue
			}
			if c, err := x.Collection(Options{}); err == nil && len(c.ListedIndexes) != len(c.Spec.Indexes) {
				t.Fatalf("Read(%q): %d indexes are listed, and %d understood", text, len(c.ListedIndexes), len(c.Spec.Indexes))
			}
		}
	})
}
