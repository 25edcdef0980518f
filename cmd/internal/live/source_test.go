package live

import (
	"slices"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/live/wiretest"
)

// TestFind has the server's own databases and collections, and views, passed over unless
// they are asked for.
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
