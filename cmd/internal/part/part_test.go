package part

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/part/parttest"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/policyflags"
)

var byCreatedAt = policyflags.Flags{Index: []string{`{"createdAt":1}`}, ExpireAfter: "1d"}

// now is 2026-11-20T00:00:00Z.
const now = 1_795_132_800_000

// made returns the part of files of a folder.
func made(t testing.TB, o forecast.Options, dir string, names ...string) *Part {
	t.Helper()
	var inputs []*dump.Input
	for _, name := range names {
		inputs = append(inputs, dump.Named(name, func() (io.ReadCloser, error) { return os.Open(filepath.Join(dir, name)) }))
	}
	InOrder(inputs)
	found := dump.Found{Inputs: inputs}
	groups, err := byCreatedAt.Groups(found.Collections())
	if err != nil {
		t.Fatal(err)
	}
	key, err := KeyOf(&byCreatedAt, o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Make(t.Context(), key, found, groups, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// encoded returns p as files hold it.
func encoded(t testing.TB, p *Part) string {
	t.Helper()
	var out bytes.Buffer
	if err := Encode(&out, p); err != nil {
		t.Fatal(err)
	}
	parttest.Check(t, out.String())
	return out.String()
}

// again returns p written and read.
func again(t testing.TB, p *Part) *Part {
	t.Helper()
	q, err := NewDecoder("x.json", strings.NewReader(encoded(t, p))).Next()
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestMergeIsOneRun(t *testing.T) {
	dir := t.TempDir()
	var names []string
	for i := range 3 {
		name := fmt.Sprintf("%c.jsonl", 'a'+i)
		text := fmt.Sprintf(`{"_id":"<%d>","createdAt":{"$date":"2026-11-1%dT00:00:00Z"}}`+"\n", i, i+7)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	o := forecast.Options{Now: now}
	want := encoded(t, made(t, o, dir, names...))
	sum := new(Part)
	for i := range names {
		if err := sum.Merge(again(t, made(t, o, dir, names[len(names)-1-i]))); err != nil {
			t.Fatal(err)
		}
	}
	if got := encoded(t, sum); got != want {
		t.Errorf("merged\n%s\nwant\n%s", got, want)
	}
}
