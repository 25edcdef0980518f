package dump

import (
	"errors"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/namespace"
)

// found returns collections of these names, each in an input of its own.
func found(titles ...string) *Found {
	var f Found
	for _, title := range titles {
		database, name, _ := strings.Cut(title, ".")
		in := &Input{File: File{Path: title + ".bson"}}
		in.Collections = []*Collection{newCollection(in, database, name)}
		f.Inputs = append(f.Inputs, in)
	}
	return &f
}

func TestSelection(t *testing.T) {
	f := found("shop.logs", "blog.logs", "shop.sessions")
	f.Inputs = append(f.Inputs, &Input{Err: errors.New("damaged")})
	if err := f.Select(namespace.Selection{Include: []string{"shop.*"}, Exclude: []string{"*.sessions"}}); err != nil {
		t.Fatal(err)
	}
	if c := f.Collections(); len(c) != 1 || c[0].Title() != "shop.logs" || len(f.Inputs) != 2 {
		t.Errorf("%d collections in %d inputs, the first %s; want shop.logs, and the input that cannot be read", len(c), len(f.Inputs), c[0].Title())
	}
	if err := f.Select(namespace.Selection{Include: []string{"blog.*"}}); err == nil {
		t.Error("a pattern that matches nothing is accepted")
	}
}
