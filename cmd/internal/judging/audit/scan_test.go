package audit

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump/dumptest"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// datedBSON returns n documents with a date in the field of oneIndex.
func datedBSON(t *testing.T, n int) (docs []byte) {
	t.Helper()
	for range n {
		var err error
		if docs, err = policy.AppendBSON(docs, policy.ObjectValue(policy.D{{Key: "t", Value: policy.DateValue(now)}})); err != nil {
			t.Fatal(err)
		}
	}
	return docs
}

// TestAuditSeveral: one pass audits the interleaved collections of an archive, and an
// error in one collection does not end the audit of another.
func TestAuditSeveral(t *testing.T) {
	list := func(second []byte) []dumptest.Collection {
		const metadata = `{"options":{},"indexes":[` + oneIndex + `]}`
		return []dumptest.Collection{
			{Name: "a", Metadata: metadata, Blocks: [][]byte{datedBSON(t, 3), datedBSON(t, 4)}},
			{Name: "b", Metadata: metadata, Blocks: [][]byte{datedBSON(t, 5), second, datedBSON(t, 6)}},
			{Name: "c", Metadata: metadata, Blocks: [][]byte{datedBSON(t, 1), datedBSON(t, 1), datedBSON(t, 1), datedBSON(t, 1)}},
			{Name: "none", Blocks: [][]byte{datedBSON(t, 1)}},
		}
	}
	damaged := datedBSON(t, 1)
	damaged[4] = 0x1c // not a BSON type
	whole, bad := dumptest.Archive("8.0.4", list(datedBSON(t, 2))...), dumptest.Archive("8.0.4", list(damaged)...)
	for _, tt := range []struct {
		name    string
		archive []byte
		skip    bool
		want    string // the number of documents, the number skipped, and whether the audit failed
	}{
		{"whole", whole, false, "7 0 false, 13 0 false, 4 0 false, 0 0 true"},
		{"damaged", bad, false, "7 0 false, 5 0 true, 4 0 false, 0 0 true"},
		{"skipped", bad, true, "7 0 false, 11 1 false, 4 0 false, 0 0 true"},
		{"cut", whole[:len(whole)-300], false, "7 0 false, 11 0 true, 2 0 true, 0 0 true"},
		{"wrong sum", bytes.Replace(whole, datedBSON(t, 4), append(datedBSON(t, 3), datedOther(t)...), 1), false, "7 0 false, 13 0 true, 4 0 false, 0 0 true"},
	} {
		read, got := 0, ""
		for i, r := range Audit(t.Context(), inArchive(t, tt.archive), Options{Options: catalog.Options{Now: now, SkipBad: tt.skip, Read: func(n int) { read += n }}}) {
			if i > 0 {
				got += ", "
			}
			got += fmt.Sprint(r.Documents, r.Bad, r.Failed != nil)
		}
		if got != tt.want || read != len(tt.archive) {
			t.Errorf("%s: %s, %d bytes read, want %s and %d", tt.name, got, read, tt.want, len(tt.archive))
		}
	}
}

// datedOther returns a document of the length of one by datedBSON, but with another
// value.
func datedOther(t *testing.T) []byte {
	t.Helper()
	doc := datedBSON(t, 1)
	doc[len(doc)-2]++
	return doc
}

// TestScanTells: the error about a damaged document names the file and the offset.
func TestScanTells(t *testing.T) {
	target := with(t, described(t, `{}`, oneIndex), dated+"{\n"+dated)
	_, err := auditOne(t, target, Options{Options: catalog.Options{Now: now}})
	var bad *dump.Error
	if !errors.As(err, &bad) || bad.Offset != int64(len(dated)) || !strings.HasSuffix(bad.Name, "documents.jsonl") {
		t.Errorf("Audit of a damaged dump = %v, want its place", err)
	}
	r := audited(t, target, Options{Options: catalog.Options{SkipBad: true}})
	if r.Bad != 1 || r.Documents != 2 {
		t.Errorf("skipping: %d bad, %d documents, want 1 and 2", r.Bad, r.Documents)
	}
	target.Documents = dump.NewInput(dump.File{Path: filepath.Join(t.TempDir(), "nowhere")}).Collections
	if _, err := auditOne(t, target, Options{}); err == nil {
		t.Error("Audit of a dump that is not there = nil, want an error")
	}
}

// TestHugeNumbers: a number with a huge exponent takes no more time than other numbers.
func TestHugeNumbers(t *testing.T) {
	for _, text := range []string{`{"$numberDecimal":"1e1000000000"}`, `{"$numberDecimal":"9.9E+6144"}`, `1e308`, `{"$numberDecimal":"-1E-6176"}`} {
		target, err := catalog.Read("policies", strings.NewReader(`{"key":{"t":1},"name":"t_1","expireAfterSeconds":`+text+`}`))
		if err != nil {
			continue // an error is acceptable too
		}
		for _, release := range []string{"2.2.0", "4.4.0", "6.1.0", "8.0.0"} {
			audited(t, target[0], on(t, release, "8.2.0"))
		}
	}
}
