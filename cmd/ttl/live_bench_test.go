package main

import (
	"slices"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live/wiretest"
)

// BenchmarkLive compares a forecast of a collection with reading the same fields by the
// driver alone.
func BenchmarkLive(b *testing.B) {
	logs := stored(b, "shop", "logs")
	logs.Documents = slices.Repeat(logs.Documents, 64)
	s := wiretest.StartStore(b, &wiretest.Store{Release: "8.0.4", Collections: []wiretest.Collection{logs}})
	perDocument := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(logs.Documents)), "ns/document")
	}
	b.Run("driver", func(b *testing.B) {
		client, err := driver.Connect(options.Client().ApplyURI("mongodb://" + s.Host()))
		if err != nil {
			b.Fatal(err)
		}
		defer client.Disconnect(b.Context())
		projection := bson.D{{Key: "_id", Value: int32(1)}, {Key: "createdAt", Value: int32(1)}, {Key: "size", Value: bson.D{{Key: "$bsonSize", Value: "$$ROOT"}}}}
		for b.Loop() {
			cursor, err := client.Database("shop").Collection("logs").Find(b.Context(), bson.D{}, options.Find().SetProjection(projection).SetBatchSize(10_000))
			if err != nil {
				b.Fatal(err)
			}
			n, size := 0, 0
			for cursor.Next(b.Context()) {
				n, size = n+1, size+len(cursor.Current)
			}
			if n != len(logs.Documents) {
				b.Fatalf("%d documents, %v", n, cursor.Err())
			}
		}
		perDocument(b)
	})
	b.Run("forecast", func(b *testing.B) {
		for b.Loop() {
			if r := ttlUntil(b.Context(), "", "forecast", "--now", sampleAt, "mongodb://"+s.Host()+"/shop.logs"); r.code != cli.ExitOK {
				b.Fatal(r.err)
			}
		}
		perDocument(b)
	})
}
