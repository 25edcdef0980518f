package part

import (
	"bytes"
	"io"
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/policyflags"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/fuzzing"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// inMemory returns an input with this name and text.
func inMemory(name string, text []byte) *dump.Input {
	return dump.Named(name, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil })
}

// madeOf returns the part made from the inputs.
func madeOf(t testing.TB, key Key, o forecast.Options, by *reasons.Policy, drawn ...*dump.Input) *Part {
	t.Helper()
	found := dump.Found{Inputs: slices.Clone(drawn)}
	InOrder(found.Inputs)
	var groups []policyflags.Group // the groups of [policyflags.Flags.Groups], which would compile the policy each time
	for _, c := range found.Collections() {
		if !c.IsBSON() && len(groups) == 1 {
			groups[0].Collections, groups[0].Titles = append(groups[0].Collections, c), append(groups[0].Titles, c.Title())
			continue
		}
		groups = append(groups, policyflags.Group{Collections: []*dump.Collection{c}, Titles: []string{c.Title()}, Policy: by, Joined: !c.IsBSON()})
	}
	p, err := Make(t.Context(), key, found, groups, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// FuzzMerge: parts of single inputs are written, read, and merged in any order. The
// result equals the part of one run over all inputs.
func FuzzMerge(f *testing.F) {
	options := []forecast.Options{{}, {By: "tenant"}, {SkipBad: true, NoIDs: true}}
	keys := make([]Key, len(options))
	for i := range options {
		options[i].Workers, options[i].Groups = 1, MaxGroups
		var err error
		if keys[i], err = KeyOf(&byCreatedAt, options[i]); err != nil {
			f.Fatal(err)
		}
	}
	by, err := byCreatedAt.Compile()
	if err != nil {
		f.Fatal(err)
	}
	fuzzing.Run(f, func(t testing.TB, r fuzzing.Random) {
		i := r.IntN(len(options))
		o, key := options[i], keys[i]
		o.Now = policy.Instant(r.Instant())
		key.Now = o.Now
		end := fuzzing.Pick(r, ".bson", ".jsonl")
		var drawn []*dump.Input
		var texts [][]byte
		for n := range 1 + r.IntN(3) {
			text := drawnDocuments(r, end == ".bson", o.SkipBad)
			drawn, texts = append(drawn, inMemory(string(rune('c'-n))+end, text)), append(texts, text)
		}
		var want, got bytes.Buffer
		if err := Encode(&want, madeOf(t, key, o, by, drawn...)); err != nil {
			t.Fatal(err)
		}
		sum := new(Part)
		for _, n := range r.Perm(len(drawn)) {
			var one bytes.Buffer
			err := Encode(&one, madeOf(t, key, o, by, drawn[n]))
			if err != nil {
				t.Fatal(err)
			}
			read, err := NewDecoder("x", &one).Next()
			if err == nil {
				err = sum.Merge(read)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := Encode(&got, sum); err != nil || got.String() != want.String() {
			t.Fatalf("%s %q: merged, %v\n%s\nwant\n%s", end, texts, err, got.Bytes(), want.Bytes())
		}
	})
}

// drawnDocuments draws a few documents. If unreadable documents are skipped, it sometimes
// draws one of these too.
func drawnDocuments(r fuzzing.Random, isBSON, skipBad bool) (text []byte) {
	for range r.IntN(5) {
		doc := r.Document(1, "createdAt", "tenant", "_id")
		switch {
		case isBSON:
			text = append(text, doc...)
		case skipBad && r.Percent(20):
			text = append(text, "{]\n"...)
		default:
			parsed, err := policy.ParseBSON(doc)
			if err != nil {
				panic(err)
			}
			text = append(policy.AppendExtJSON(text, parsed.Value()), '\n')
		}
	}
	return text
}
