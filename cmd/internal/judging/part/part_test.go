package part

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
)

var byCreatedAt = policyflags.Flags{Index: []string{`{"createdAt":1}`}, ExpireAfter: "1d"}

// now is 2026-11-20T00:00:00Z.
const now = 1_795_132_800_000

// made returns the part made from the named files of a folder.
func made(t testing.TB, o forecast.Options, dir string, names ...string) *Part {
	t.Helper()
	key, err := KeyOf(&byCreatedAt, o)
	if err != nil {
		t.Fatal(err)
	}
	return madeWith(t, key, o, dir, names...)
}

// madeWith returns the part made from the named files of a folder, with this key.
func madeWith(t testing.TB, key Key, o forecast.Options, dir string, names ...string) *Part {
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
	p, err := Make(t.Context(), key, found, groups, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// encoded returns the encoded form of p.
func encoded(t testing.TB, p *Part) string {
	t.Helper()
	var out bytes.Buffer
	if err := Encode(&out, p); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// again returns p after writing and reading.
func again(t testing.TB, p *Part) *Part {
	t.Helper()
	q, err := NewDecoder("x.json", strings.NewReader(encoded(t, p))).Next()
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// TestMergedErrors: the choice among several errors does not depend on the order
// of merging.
func TestMergedErrors(t *testing.T) {
	dir := fixture.Files(t, map[string]string{"c.jsonl": "{}\n{]\n", "b.jsonl": "{}\n{)\n", "a.jsonl": "{}\n"})
	var parts []*Part
	for _, name := range []string{"c.jsonl", "b.jsonl", "a.jsonl"} {
		parts = append(parts, made(t, forecast.Options{Now: now}, dir, name))
	}
	for _, order := range [][]int{{0, 1, 2}, {2, 0, 1}, {2, 1, 0}, {1, 2, 0}} {
		sum := new(Part)
		for _, i := range order {
			if err := sum.Merge(again(t, parts[i])); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := sum.Report(); err == nil || !strings.Contains(err.Error(), "b.jsonl") {
			t.Errorf("in order %d: %v, want the error of b.jsonl, the first file that has one", order, err)
		}
	}
}

// TestMergeOverflow: merging returns an error for each sum that overflows 64 bits.
func TestMergeOverflow(t *testing.T) {
	const most = 9223372036854775807
	counted := func(input string, sum forecast.Sum, joined bool) *Part {
		tally := forecast.NewTally(1, forecast.Options{Now: now})
		tally.Never = sum
		p := &Part{Inputs: []string{input}}
		if err := p.Add(Collection{Origins: []Origin{{Input: input, File: input, Title: input}}, Joined: joined, Tally: tally}); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, joined := range []bool{false, true} {
		for _, tc := range []struct {
			a, b forecast.Sum
			want error
		}{
			{forecast.Sum{Documents: most - 1, Bytes: most - 1}, forecast.Sum{Documents: 1, Bytes: 1}, nil},
			{forecast.Sum{Documents: most}, forecast.Sum{Documents: 1}, forecast.ErrTooLarge},
			{forecast.Sum{Documents: 1, Bytes: most - 1}, forecast.Sum{Documents: 1, Bytes: 2}, forecast.ErrTooLarge},
		} {
			sum := new(Part)
			if err := errors.Join(sum.Merge(counted("a", tc.a, joined)), sum.Merge(counted("b", tc.b, joined))); !errors.Is(err, tc.want) {
				t.Errorf("joined %v: Merge of %v and %v = %v, want %v", joined, tc.a, tc.b, err, tc.want)
			}
		}
	}
}

// TestGroupsBeyondTheLimit: parts count more values than a report shows, so that the
// groups of the report do not depend on the division into parts. A forecast with more
// values than a part may hold cannot be encoded.
func TestGroupsBeyondTheLimit(t *testing.T) {
	tenants := func(from, to int) string {
		var text strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&text, "{\"_id\":%d,\"tenant\":%d}\n", i, i)
		}
		return text.String()
	}
	dir := fixture.Files(t, map[string]string{"a.jsonl": tenants(1000, 2200), "b.jsonl": tenants(0, 1400)})
	o := forecast.Options{Now: now, By: "tenant", Groups: MaxGroups}
	sum := new(Part)
	for _, name := range []string{"b.jsonl", "a.jsonl"} {
		if err := sum.Merge(again(t, made(t, o, dir, name))); err != nil {
			t.Fatal(err)
		}
	}
	one := made(t, forecast.Options{Now: now, By: "tenant"}, dir, "a.jsonl", "b.jsonl")
	sum.Sort()
	got, _ := sum.Report()
	want, _ := one.Report()
	if diff := cmp.Diff(cli.JSONText(want.JSON()), cli.JSONText(got.JSON())); diff != "" {
		t.Errorf("the sum is not one run (-one +sum)\n%s", diff)
	}
	o.Groups = 1100
	if err := Encode(io.Discard, made(t, o, dir, "a.jsonl")); !errors.Is(err, ErrGroups) {
		t.Errorf("a part of 1200 values with room for 1100: %v, want %v", err, ErrGroups)
	}
}

// TestDigestOf: a change of each part of a policy's definition changes the digest.
func TestDigestOf(t *testing.T) {
	seen := map[string]string{}
	for _, f := range []policyflags.Flags{
		byCreatedAt,
		{Index: []string{`{"createdAt":-1}`}, ExpireAfter: "1d"}, {Index: []string{`{"createdAt":1}`}, ExpireAfter: "2d"},
		{Index: []string{`{"createdAt":1}`}, ExpireAfter: "1d", Partial: `{"a":1}`}, {Index: []string{`{"createdAt":1}`}, ExpireAfter: "1d", Partial: `{"a":2}`},
		{Index: []string{`{"createdAt":1}`}, ExpireAfter: "1d", Server: "8.0"}, {Index: []string{`{"createdAt":1}`}, ExpireAfter: "1d", Namespace: "a.system.b"},
		{Index: []string{`{"createdAt":1}`}, ExpireAfter: "1d", Parameter: []string{"internalQueryLegacyDottedPathNullSemantics=true"}},
		{Index: []string{`{"_ts":1}`}, ExpireAfter: "1d", CosmosMongo: true}, {Index: []string{`{"_ts":1}`}, ExpireAfter: "2d", CosmosMongo: true},
		{Container: `{"defaultTtl":1}`}, {Container: `{"defaultTtl":2}`}, {Container: `{}`},
	} {
		p, err := f.Compile()
		if err != nil {
			t.Fatalf("%+v: %v", f, err)
		}
		if before, ok := seen[digestOf(p)]; ok {
			t.Errorf("%+v has the digest of %s", f, before)
		}
		seen[digestOf(p)] = fmt.Sprintf("%+v", f)
	}
}

// TestNull: a part distinguishes documents whose _id or value is null from documents that have none.
func TestNull(t *testing.T) {
	const dated = `"createdAt":{"$date":"2026-11-01T00:00:00Z"}`
	dir := fixture.Files(t, map[string]string{"a.jsonl": "{" + dated + "}\n" + `{"_id":null,"tenant":null,` + dated + "}\n"})
	o := forecast.Options{Now: now, By: "tenant", Groups: MaxGroups}
	key, err := KeyOf(&byCreatedAt, o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewDecoder("x", strings.NewReader(encoded(t, madeWith(t, key, o, dir, "a.jsonl")))).Next()
	if err != nil {
		t.Fatal(err)
	}
	tally := p.Collections[0].Tally
	if list := tally.Groups.List; len(list) != 2 || list[0].Value != "" || list[1].Value != "null" {
		t.Errorf("the groups are %+v, want one without a value, and one with null", list)
	}
	if samples := tally.Findings[0].Samples; len(samples) != 2 || samples[0].ID != "" || samples[1].ID != "null" {
		t.Errorf("the samples are %+v, want one without an identifier, and one with null", samples)
	}
}
