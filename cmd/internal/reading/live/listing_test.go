package live

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live/wiretest"
)

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
		page       func(n int) bson.A // of listCollections
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
			a, err := ParseAddress("mongodb://" + s.Host() + tt.path)
			if err != nil {
				t.Fatal(err)
			}
			m, err := Open(t.Context(), a, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			if _, err := m.Find(t.Context()); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Find = %v, want %q", err, tt.want)
			}
		})
	}
}
