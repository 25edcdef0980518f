package live

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live/wiretest"
)

// openAt opens a server at a host and a path.
func openAt(t *testing.T, at string) *Mongo {
	t.Helper()
	a := parsed(t, "mongodb://"+at)
	m, err := Open(t.Context(), a, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

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
		m := openAt(t, s.Host()+tc.path)
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

// TestFindOfOddServer: if a server lists more than was requested, only the requested
// collections are read. A negative number of documents counts as unknown.
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
	m := openAt(t, s.Host()+"/shop.a")
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

// TestMongoLists: the lists of a server end, however many batches it sends.
func TestMongoLists(t *testing.T) {
	defer func(d time.Duration) { listTime = d }(listTime)
	batch := func(c wiretest.Command, id int64, list bson.A) bson.D {
		name := "firstBatch"
		if c.Name == "getMore" {
			name = "nextBatch"
		}
		return bson.D{{Key: "cursor", Value: bson.D{{Key: "id", Value: id}, {Key: "ns", Value: "shop.x"}, {Key: name, Value: list}}}, {Key: "ok", Value: 1}}
	}
	for _, tt := range []struct {
		name, path string
		time       time.Duration
		page       func(n int) bson.A // the collections on page n of a list
		databases  int
		want       string
	}{
		{"collections for ever", "/shop", 300 * time.Millisecond, func(n int) bson.A { return bson.A{bson.D{{Key: "name", Value: fmt.Sprint("c", n)}}} }, 1, "the list has not ended in 300ms"},
		{"empty batches for ever", "/shop", 300 * time.Millisecond, func(int) bson.A { return bson.A{} }, 1, "the list has not ended in 300ms"},
		{"large collections for ever", "/shop", time.Minute, func(int) bson.A {
			return bson.A{bson.D{{Key: "name", Value: "c"}, {Key: "x", Value: make([]byte, 1<<20)}}}
		}, 1, "longer than 64 MiB"},
		{"many collections", "/shop", time.Minute, func(n int) (list bson.A) {
			for i := range 30_000 {
				list = append(list, bson.D{{Key: "name", Value: fmt.Sprint("c", n, "-", i)}})
			}
			return list
		}, 1, "more than 100,000 databases and collections"},
		{"many databases", "/", time.Minute, nil, 200_000, "more than 100,000 databases and collections"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			listTime = tt.time
			n := 0
			s := wiretest.Start(t, func(c wiretest.Command) bson.D {
				switch c.Name {
				case "listDatabases":
					var list bson.A
					for i := range tt.databases {
						list = append(list, bson.D{{Key: "name", Value: fmt.Sprint("d", i)}})
					}
					return bson.D{{Key: "databases", Value: list}, {Key: "ok", Value: 1}}
				case "listCollections", "getMore":
					n++
					return batch(c, 7, tt.page(n))
				}
				return nil
			})
			m := openAt(t, s.Host()+tt.path)
			defer m.Close()
			if _, err := m.Find(t.Context()); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Find = %v, want %q", err, tt.want)
			}
		})
	}
}
