package dump

import (
	"errors"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cmd/reading/reply"
	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The forms of replies are those of: the REST reference of Azure Cosmos DB, Query documents;
// MongoDB's commands find, getMore and aggregate, up to 3.4 with result; the Data API of Atlas;
// the FeedResponse of @azure/cosmos; the change feed of Azure Cosmos DB in the mode of all
// versions and deletes; and change events of MongoDB.
var replies = map[string]string{
	"a page of REST":                `{"_rid":"x","Documents":[{"id":"a","_ts":1}],"_count":1}`,
	"a page of REST, other order":   `{"_count":1,"Documents":[{"id":"a","_ts":1}],"_rid":"x"}`,
	"an empty page":                 `{"_rid":"x","Documents":[],"_count":0}`,
	"the documents of a page":       `{"Documents":[{"id":"a","_ts":1}]}`,
	"a page of containers":          `{"_rid":"x","DocumentCollections":[{"id":"c"}],"_count":1}`,
	"find":                          `{"cursor":{"firstBatch":[{"_id":1}],"id":0,"ns":"a.b"},"ok":1}`,
	"getMore":                       `{"cursor":{"nextBatch":[{"_id":1}],"id":5,"ns":"a.b"},"ok":1,"operationTime":1}`,
	"a cursor alone":                `{"cursor":{"firstBatch":[]}}`,
	"aggregate, as it was":          `{"result":[{"_id":1}],"ok":1}`,
	"the Data API, find":            `{"documents":[{"_id":1}]}`,
	"the Data API, findOne":         `{"document":{"_id":1}}`,
	"the SDK for JavaScript":        `{"resources":[{"id":"a"}],"headers":{},"hasMoreResults":false}`,
	"a change, with its past":       `{"current":{"id":"a"},"previous":{"id":"a"},"metadata":{"lsn":1,"crts":2,"operationType":"replace"}}`,
	"a change, without":             `{"current":{"id":"a","_ts":1},"metadata":{"crts":2}}`,
	"a deletion":                    `{"previous":{"id":"a"},"metadata":{"operationType":"delete","timeToLiveExpired":true}}`,
	"an event of a change stream":   `{"_id":{"_data":"82"},"operationType":"insert","fullDocument":{"_id":1},"ns":{"db":"a","coll":"b"}}`,
	"an event without its document": `{"_id":{"_data":"82"},"operationType":"delete","documentKey":{"_id":1}}`,
}

var noReplies = map[string]string{
	"a document with documents":           `{"_id":1,"documents":[{"a":1}]}`,
	"an item with Documents":              `{"id":"a","Documents":[{"a":1}],"_count":1,"_rid":"x"}`,
	"a typed document with documents":     `{"documents":[{"a":1}],"createdAt":5}`,
	"documents of numbers":                `{"documents":[1,2]}`,
	"documents that are a number":         `{"documents":5}`,
	"a cursor without a batch":            `{"cursor":{"at":5},"ok":1}`,
	"a cursor of a stored document":       `{"_id":1,"cursor":{"firstBatch":[{"a":1}]}}`,
	"a result":                            `{"result":[{"a":1}]}`,
	"a stored result":                     `{"_id":1,"result":[{"a":1}],"ok":1}`,
	"a document among others":             `{"document":{"a":1},"at":5}`,
	"metadata of one's own":               `{"current":{"a":1},"metadata":{"author":"x"}}`,
	"metadata alone":                      `{"metadata":{"lsn":1}}`,
	"an event of one's own":               `{"_id":{"_data":"82"},"at":5}`,
	"an _id that is a document":           `{"_id":{"a":1},"documents":[{"a":1}]}`,
	"resources of one's own":              `{"resources":[{"a":1}],"at":5}`,
	"system properties":                   `{"_rid":"x","_ts":1,"_self":"s"}`,
	"nothing":                             `{}`,
	"an element of an array, as it would": `{"firstBatch":[{"_id":1}]}`,
}

// TestReplies: no reader takes a reply for a document, in any kind of input. The documents of
// databases, and what people type, are none.
func TestReplies(t *testing.T) {
	for list, want := range map[*map[string]string]bool{&replies: true, &noReplies: false} {
		for why, text := range *list {
			bson, err := policy.AppendBSON(nil, fixture.Value(t, text))
			if err != nil {
				t.Fatal(err)
			}
			for kind, raw := range map[Kind][]byte{JSON: []byte(text), ExtJSON: []byte(text), BSON: bson} {
				var d Decoder
				_, viewed := d.View(kind, raw)
				_, decoded := d.Decode(kind, raw)
				for _, err := range []error{viewed, decoded} {
					if got := errors.As(err, new(*reply.Error)); got != want || err != nil && !want {
						t.Errorf("%s, %v: %s is a reply: %v (%v), want %v", why, kind, text, got, err, want)
					}
				}
				if kind != ExtJSON && want && !MayBeReply(kind, raw) {
					t.Errorf("%s, %v: MayBeReply = false", why, kind)
				}
			}
		}
	}
	_, err := new(Decoder).Decode(JSON, []byte(replies["find"]))
	if err == nil || !strings.HasPrefix(err.Error(), "this is a reply of a server, not a stored document: what is stored is in cursor.firstBatch. ") {
		t.Errorf("the error is %v", err)
	}
}
