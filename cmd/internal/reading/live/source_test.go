package live

import (
	"math"
	"slices"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live/wiretest"
)

// TestFind: the server's own databases and collections, and views, are skipped unless
// they are named.
func TestFind(t *testing.T) {
	document, err := bson.Marshal(bson.D{{Key: "_id", Value: 1}})
	if err != nil {
		t.Fatal(err)
	}
	var list []wiretest.Collection
	for _, name := range []string{"logs", "system.views", "recent", "a.b"} {
		c := wiretest.Collection{Database: "shop", Name: name, Kind: "collection", Documents: []bson.Raw{document, document}}
		if name == "recent" {
			c.Kind = "view"
		}
		list = append(list, c)
	}
	list = append(list, wiretest.Collection{Database: "config", Name: "system.sessions", Kind: "collection", Documents: []bson.Raw{document}})
	for _, tc := range []struct {
		path string
		want []string
		n    int64
	}{
		{"", []string{"shop.a.b", "shop.logs"}, 4},
		{"/shop", []string{"shop.a.b", "shop.logs"}, 4},
		{"/shop.a.b", []string{"shop.a.b"}, 2},
		{"/config", nil, 0},
		{"/config.system.sessions", []string{"config.system.sessions"}, 1},
		{"/shop.recent", nil, 0},
	} {
		s := wiretest.StartStore(t, &wiretest.Store{Collections: list})
		a, err := ParseAddress("mongodb://" + s.Host() + tc.path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Open(t.Context(), a, Options{})
		if err != nil {
			t.Fatal(err)
		}
		in, err := m.Find(t.Context())
		var got []string
		n := int64(0)
		if err == nil {
			for _, c := range in.Collections {
				got = append(got, c.Title())
			}
			n = in.Count()
		}
		if !slices.Equal(got, tc.want) || n != tc.n || (err != nil) != (tc.want == nil) {
			t.Errorf("Find(%s) = %q, %d documents, %v, want %q, %d", tc.path, got, n, err, tc.want, tc.n)
		}
		m.Close()
	}
}

// TestFindOfOddServer: of a server that lists more than was requested, only the
// requested collections are read. A negative number of documents counts as unknown.
func TestFindOfOddServer(t *testing.T) {
	store := []wiretest.Collection{{Database: "shop", Name: "a", Kind: "collection"}, {Database: "shop", Name: "b", Kind: "collection"}}
	s := wiretest.StartStore(t, &wiretest.Store{Collections: store})
	inner := s.Answer
	s.Answer = func(c wiretest.Command) bson.D {
		switch c.Name {
		case "listCollections":
			body, err := bson.Marshal(bson.D{{Key: "listCollections", Value: 1}, {Key: "$db", Value: c.Text("$db")}})
			if err != nil {
				t.Error(err)
			}
			c.Body = body
		case "count":
			return bson.D{{Key: "n", Value: -5}, {Key: "ok", Value: 1}}
		}
		return inner(c)
	}
	a, err := ParseAddress("mongodb://" + s.Host() + "/shop.a")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Open(t.Context(), a, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	in, err := m.Find(t.Context())
	if err != nil || len(in.Collections) != 1 || in.Collections[0].Title() != "shop.a" {
		t.Fatalf("Find(/shop.a) = %d collections, %v, want shop.a alone", len(in.Collections), err)
	}
	if n, of := in.Count(), m.Estimate(in.Collections[0]); n != -1 || of != -1 {
		t.Errorf("of -5 documents, %d are counted and %d estimated, want -1 and -1", n, of)
	}
}

func TestSizeIn(t *testing.T) {
	for sent, want := range map[int32]int32{1000: 1000, 5: 5, 4: 0, 0: 0, -1: 0, math.MinInt32: 0} {
		raw, err := bson.Marshal(bson.D{{Key: sizeField, Value: sent}})
		if err != nil {
			t.Fatal(err)
		}
		if want == 0 {
			want = int32(len(raw))
		}
		if got := sizeIn(raw); got != want {
			t.Errorf("the size %d is read as %d, want %d", sent, got, want)
		}
	}
}
