package dump

import (
	"slices"
	"strings"
	"testing"
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
	all := []string{"shop.logs", "shop.logs.old", "shop.a*b", "blog.logs", `blog.a\b`}
	for _, tc := range []struct {
		include, exclude []string
		want             []string
		says             string // of the error
	}{
		{nil, nil, all, ""},
		{[]string{"shop.*"}, nil, all[:3], ""},
		{[]string{"*.logs"}, nil, []string{"shop.logs", "blog.logs"}, ""},
		{[]string{"shop.*", "blog.logs"}, []string{"*.old", "*a*"}, []string{"shop.logs", "blog.logs"}, ""},
		{[]string{`shop.a\*b`}, nil, []string{"shop.a*b"}, ""},
		{[]string{`blog.a\\b`}, nil, []string{`blog.a\b`}, ""},
		{[]string{"shop.log"}, nil, nil, "--ns shop.log matches no collection; there are shop.logs, "},
		{[]string{"shop"}, nil, nil, "matches no collection"},
		{[]string{"shop.log."}, nil, nil, "matches no collection"}, // a point is a point
		{nil, []string{"x.*"}, nil, "--exclude-ns x.* matches no collection"},
		{nil, []string{"*"}, nil, "leave no collection"},
	} {
		f := found(all...)
		err := Selection{tc.include, tc.exclude}.Apply(f)
		if tc.says != "" {
			if err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%q %q: %v, want %q", tc.include, tc.exclude, err, tc.says)
			}
			continue
		}
		var got []string
		for _, c := range f.Collections() {
			got = append(got, c.Title())
		}
		if err != nil || !slices.Equal(got, tc.want) {
			t.Errorf("%q %q: %q, %v, want %q", tc.include, tc.exclude, got, err, tc.want)
		}
	}
}
