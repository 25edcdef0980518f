// This program runs the recipe with MongoDB's driver for Go, in the version that module
// cmd requires. The functions create, change, check and stop are the recipe's code, which
// .ci/recipes/run writes beside this file.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

func main() {
	ctx := context.Background()
	client, err := mongo.Connect(options.Client().ApplyURI("mongodb://" + os.Args[1] + "/?directConnection=true"))
	if err != nil {
		log.Fatal(err)
	}
	sessions := client.Database("recipes_go").Collection("sessions")
	for _, section := range []struct {
		name string
		run  func(context.Context, *mongo.Collection) error
		want string // the TTL indexes after the section
	}{
		{"Create", create, "createdAt_1 {createdAt: 1} 3600\n"},
		{"Change", change, "createdAt_1 {createdAt: 1} 7200\n"},
		{"Check", check, "createdAt_1 {createdAt: 1} 7200\n"},
		{"Stop", stop, ""},
	} {
		if err := section.run(ctx, sessions); err != nil {
			log.Fatalf("%s: %v", section.name, err)
		}
		if got := listed(ctx, sessions); got != section.want {
			log.Fatalf("%s: the TTL indexes are %q, want %q", section.name, got, section.want)
		}
	}
	inserted, err := sessions.FindOne(ctx, bson.D{}).Raw()
	if err != nil || inserted.Lookup("createdAt").Type != bson.TypeDateTime {
		log.Fatalf("inserted %v, %v, want a Date", inserted, err)
	}
	fmt.Println("go.md: created, changed, checked and stopped")
}

// listed returns a line for each TTL index.
func listed(ctx context.Context, sessions *mongo.Collection) (lines string) {
	specs, err := sessions.Indexes().ListSpecifications(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range specs {
		var key bson.D
		if err := bson.Unmarshal(s.KeysDocument, &key); err != nil {
			log.Fatal(err)
		}
		if s.ExpireAfterSeconds != nil && len(key) == 1 {
			lines += fmt.Sprintf("%s {%s: %v} %d\n", s.Name, key[0].Key, key[0].Value, *s.ExpireAfterSeconds)
		}
	}
	return lines
}
