package wirettl

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

func TestFind(t *testing.T) {
	c := database(t, "8.0.4").Collection("logs")
	_, err := c.InsertMany(t.Context(), []any{
		d(t, `{"_id":1,"a":5,"s":"x"}`), d(t, `{"_id":2,"a":[1,7],"e":{"f":1}}`), d(t, `{"_id":3}`),
	})
	must(t, err)
	for _, tt := range []struct {
		filter string
		want   []any
	}{
		{`{}`, []any{int32(1), int32(2), int32(3)}},
		{`{"_id":2}`, []any{int32(2)}},
		{`{"_id":2.0}`, []any{int32(2)}},
		{`{"_id":4}`, nil},
		{`{"_id":{"$in":[1,3]}}`, []any{int32(1), int32(3)}},
		{`{"a":{"$gt":5}}`, []any{int32(2)}},
		{`{"a":5.0}`, []any{int32(1)}},
		{`{"e.f":1}`, []any{int32(2)}},
		{`{"a":{"$exists":true},"s":"x"}`, []any{int32(1)}},
		{`{"a":null}`, []any{int32(3)}},
	} {
		if got := ids(t, c, tt.filter); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("find(%s) = %v, want %v", tt.filter, got, tt.want)
		}
		if n := run(t, c.Database(), `{"count":"logs","query":`+tt.filter+`}`).Lookup("n").AsInt64(); int(n) != len(tt.want) {
			t.Errorf("count(%s) = %d, want %d", tt.filter, n, len(tt.want))
		}
	}
}

// TestUpdate: an update replaces a document or changes fields of it, and what is not
// understood in full is refused.
func TestUpdate(t *testing.T) {
	c := database(t, "8.0.4").Collection("logs")
	_, err := c.InsertOne(t.Context(), d(t, `{"_id":1,"a":1,"b":{"c":2}}`))
	must(t, err)
	for _, tt := range []struct{ statement, want string }{
		{`{"q":{"_id":1},"u":{"$set":{"a":7,"x":[1]},"$unset":{"b":""}}}`, `{"_id":1,"a":7,"x":[1]}`},
		{`{"q":{"_id":1},"u":{"$set":{"b":2}},"multi":false,"upsert":false}`, `{"_id":1,"a":7,"x":[1],"b":2}`},
		{`{"q":{"_id":1},"u":{"z":1}}`, `{"_id":1,"z":1}`},
		{`{"q":{"_id":1},"u":{"_id":1,"y":1},"upsert":true}`, `{"_id":1,"y":1}`},
		{`{"q":{"_id":2},"u":{"_id":2,"y":1}}`, ``},
		{`{"q":{"_id":2},"u":{"$set":{"y":1}}}`, ``},
		{`{"q":{"_id":2},"u":{"y":1},"upsert":true}`, `{"_id":2,"y":1}`},
		{`{"q":{"_id":1},"u":{"_id":2}}`, "66"},
		{`{"q":{"_id":1},"u":{"$set":{"_id":2}}}`, "238"},
		{`{"q":{"_id":1},"u":{"$set":{"a.b":2}}}`, "238"},
		{`{"q":{"_id":1},"u":{"$inc":{"a":2}}}`, "238"},
		{`{"q":{"_id":1},"u":{"$set":{"a":2}},"upsert":true}`, "238"},
		{`{"q":{"_id":1},"u":[{"$set":{"a":2}}]}`, "238"},
		{`{"q":{"_id":1},"u":{"a":2},"multi":true}`, "238"},
		{`{"q":{"_id":1},"u":{"a":2},"collation":{"locale":"en"}}`, "238"},
		{`{"q":{"a":1},"u":{"a":2}}`, "238"},
	} {
		raw, err := c.Database().RunCommand(t.Context(), d(t, `{"update":"logs","updates":[`+tt.statement+`]}`)).Raw()
		got := ""
		var failed driver.WriteException
		switch {
		case errors.As(err, &failed):
			got = strconv.Itoa(failed.WriteErrors[0].Code)
		case err != nil:
			t.Fatalf("%s: %v", tt.statement, err)
		default:
			var statement struct{ Q bson.D }
			must(t, bson.UnmarshalExtJSON([]byte(tt.statement), false, &statement))
			found, err := c.FindOne(t.Context(), statement.Q).Raw()
			if err == nil {
				relaxed, err := bson.MarshalExtJSON(found, false, false)
				must(t, err)
				got = string(relaxed)
			}
			if n := raw.Lookup("n").AsInt64(); (n == 1) != (err == nil) {
				t.Errorf("%s changes %d documents", tt.statement, n)
			}
		}
		if got != tt.want {
			t.Errorf("after %s there is %s, want %s", tt.statement, got, tt.want)
		}
	}
}

// TestCountByType: an aggregation counts the types of a field, or the documents of a filter, and
// any other aggregation is refused.
func TestCountByType(t *testing.T) {
	c := database(t, "8.0.4").Collection("logs")
	_, err := c.InsertMany(t.Context(), []any{d(t, `{"_id":1,"a":"x"}`), d(t, `{"_id":2,"a":{"$date":"2026-11-20T12:00:00Z"}}`), d(t, `{"_id":3,"a":"y"}`), d(t, `{"_id":4}`)})
	must(t, err)
	for _, tt := range []struct{ pipeline, want string }{
		{`[{"$group":{"_id":{"$type":"$a"},"n":{"$sum":1}}}]`, `[{"_id":"date","n":1},{"_id":"missing","n":1},{"_id":"string","n":2}]`},
		{`[{"$group":{"_id":{"$type":"$_id"},"n":{"$sum":1}}}]`, `[{"_id":"int","n":4}]`},
		{`[{"$match":{"a":{"$type":"string"}}},{"$group":{"_id":1,"n":{"$sum":1}}}]`, `[{"_id":1,"n":2}]`},
		{`[{"$match":{"a":5}},{"$group":{"_id":1,"n":{"$sum":1}}}]`, `[]`},
		{`[{"$group":{"_id":2,"n":{"$sum":1}}}]`, "NotImplemented"},
		{`[{"$sort":{"a":5}},{"$group":{"_id":1,"n":{"$sum":1}}}]`, "NotImplemented"},
		{`[{"$group":{"_id":{"$type":"$a.b"},"n":{"$sum":1}}}]`, "NotImplemented"},
		{`[{"$group":{"_id":{"$type":"a"},"n":{"$sum":1}}}]`, "NotImplemented"},
		{`[{"$group":{"_id":{"$type":"$a"},"n":{"$sum":2}}}]`, "NotImplemented"},
		{`[{"$group":{"_id":{"$type":"$a"},"n":{"$sum":1}}},{"$limit":1}]`, "NotImplemented"},
		{`[]`, "NotImplemented"},
	} {
		raw, err := c.Database().RunCommand(t.Context(), d(t, `{"aggregate":"logs","cursor":{},"pipeline":`+tt.pipeline+`}`)).Raw()
		got := ""
		if e, ok := err.(driver.CommandError); ok {
			got = e.Name
		} else {
			got = raw.Lookup("cursor", "firstBatch").String()
		}
		if strings.ReplaceAll(regexp.MustCompile(`\{"\$numberInt":"(\d)"\}`).ReplaceAllString(got, "$1"), " ", "") != tt.want {
			t.Errorf("aggregate %s = %s, want %s", tt.pipeline, got, tt.want)
		}
	}
}

func TestProjection(t *testing.T) {
	c := database(t, "8.0.4").Collection("logs")
	_, err := c.InsertOne(t.Context(), d(t, `{"_id":1,"a":{"b":1},"x":7}`))
	must(t, err)
	for _, tt := range []struct{ projection, want string }{
		{`{}`, `{"_id":1,"a":{"b":1},"x":7}`},
		{`{"_id":1}`, `{"_id":1}`},
		{`{"_id":0}`, `NotImplemented`},
		{`{"x":1}`, `{"_id":1,"x":7}`},
		{`{"_id":0,"x":true}`, `{"x":7}`},
		{`{"x":1,"_id":0}`, `{"x":7}`},
		{`{"x":0,"_id":1}`, `NotImplemented`},
		{`{"x":0,"a":1}`, `NotImplemented`},
		{`{"a.b":1}`, `NotImplemented`},
		{`{"x":"$a"}`, `NotImplemented`},
		{`{"_id":1,"n":{"$bsonSize":"$$ROOT"}}`, `{"_id":1,"n":36}`},
	} {
		raw, err := c.FindOne(t.Context(), bson.D{}, options.FindOne().SetProjection(d(t, tt.projection))).Raw()
		got := ""
		if e, ok := err.(driver.CommandError); ok {
			got = e.Name
		} else {
			text, err := bson.MarshalExtJSON(raw, false, false)
			must(t, err)
			got = string(text)
		}
		if got != tt.want {
			t.Errorf("projection %s = %s, want %s", tt.projection, got, tt.want)
		}
	}
}

// TestBatches: a cursor resumes after its last batch, and ends.
func TestBatches(t *testing.T) {
	c := database(t, "8.0.4").Collection("logs")
	var docs []any
	for i := range 250 {
		docs = append(docs, bson.D{{Key: "_id", Value: i}, {Key: "even", Value: i%2 == 0}})
	}
	_, err := c.InsertMany(t.Context(), docs)
	must(t, err)
	for _, tt := range []struct {
		o    *options.FindOptionsBuilder
		want int
	}{
		{options.Find(), 125},
		{options.Find().SetBatchSize(2), 125},
		{options.Find().SetBatchSize(10).SetLimit(25), 25},
		{options.Find().SetLimit(7), 7},
	} {
		if got := ids(t, c, `{"even":true}`, tt.o); len(got) != tt.want {
			t.Errorf("find returns %d documents, want %d", len(got), tt.want)
		}
	}
	if n, err := c.EstimatedDocumentCount(t.Context()); err != nil || n != 250 {
		t.Errorf("estimatedDocumentCount = %d, %v, want 250", n, err)
	}
}

func TestWritesFailOneByOne(t *testing.T) {
	c := database(t, "8.0.4").Collection("logs")
	docs := []any{d(t, `{"_id":1}`), d(t, `{"_id":1.0}`), d(t, `{"_id":[1]}`), d(t, `{"_id":2}`)}
	_, err := c.InsertMany(t.Context(), docs)
	if !driver.IsDuplicateKeyError(err) {
		t.Errorf("insertMany = %v, want a duplicate key", err)
	}
	if got, want := ids(t, c, `{}`), []any{int32(1)}; !reflect.DeepEqual(got, want) {
		t.Errorf("in order stored %v, want %v", got, want)
	}
	_, err = c.InsertMany(t.Context(), docs, options.InsertMany().SetOrdered(false))
	if failed, ok := err.(driver.BulkWriteException); !ok || len(failed.WriteErrors) != 3 {
		t.Errorf("insertMany = %v, want three errors", err)
	}
	if got, want := ids(t, c, `{}`), []any{int32(1), int32(2)}; !reflect.DeepEqual(got, want) {
		t.Errorf("in any order stored %v, want %v", got, want)
	}
}

func TestDelete(t *testing.T) {
	c := database(t, "8.0.4").Collection("logs")
	_, err := c.InsertMany(t.Context(), []any{d(t, `{"_id":1,"a":1}`), d(t, `{"_id":2,"a":1}`), d(t, `{"_id":3,"a":2}`)})
	must(t, err)
	one, err := c.DeleteOne(t.Context(), d(t, `{"a":1}`))
	must(t, err)
	many, err := c.DeleteMany(t.Context(), d(t, `{"a":{"$lt":2}}`))
	must(t, err)
	if got, want := fmt.Sprint(one.DeletedCount, many.DeletedCount, ids(t, c, `{}`)), "1 1 [3]"; got != want {
		t.Errorf("delete leaves %s, want %s", got, want)
	}
}

// TestDeleteRefuses: a statement that the server does not understand in full deletes
// nothing.
func TestDeleteRefuses(t *testing.T) {
	c := database(t, "8.0.4").Collection("logs")
	_, err := c.InsertMany(t.Context(), []any{d(t, `{"_id":1,"a":"x"}`), d(t, `{"_id":2,"a":"X"}`)})
	must(t, err)
	for _, tt := range []struct {
		statement string
		code      int
	}{
		{`{"q":{"a":"x"},"limit":0,"collation":{"locale":"en","strength":1}}`, 238},
		{`{"q":{"a":"x"},"limit":"1"}`, 2},
		{`{"q":{"a":"x"},"limit":2}`, 2},
		{`{"q":{"a":"x"}}`, 2},
	} {
		err := c.Database().RunCommand(t.Context(), d(t, `{"delete":"logs","deletes":[`+tt.statement+`]}`)).Err()
		if e, ok := err.(driver.WriteException); !ok || e.WriteErrors[0].Code != tt.code {
			t.Errorf("delete %s = %v, want the code %d", tt.statement, err, tt.code)
		}
	}
	if got := ids(t, c, `{}`); len(got) != 2 {
		t.Errorf("%v are left, want both", got)
	}
}

// TestRefusedDocuments: a document with an ambiguous path of a TTL index is refused, and the
// other documents of the command are stored. A document that a partial filter leaves out needs
// no keys.
func TestRefusedDocuments(t *testing.T) {
	for _, tt := range []struct {
		document string
		code     int32 // 0 for a document that is taken
	}{
		{`{"in":1,"a":[{"0":1}]}`, 16746},
		{`{"in":1,"a":[1]}`, 0},
		{`{"a":[{"0":1}]}`, 0},
	} {
		db := database(t, "4.2.0")
		run(t, db, `{"createIndexes":"c","indexes":[{"key":{"a.0":1},"name":"x","expireAfterSeconds":60,"partialFilterExpression":{"in":1}}]}`)
		err := db.RunCommand(t.Context(), d(t, `{"insert":"c","documents":[`+tt.document+`,{"_id":"last"}],"ordered":false}`)).Err()
		code, left := int32(0), 2
		if e, ok := err.(driver.WriteException); ok {
			code, left = int32(e.WriteErrors[0].Code), 1
		} else {
			must(t, err)
		}
		if code != tt.code || len(ids(t, db.Collection("c"), `{}`)) != left {
			t.Errorf("%s: %d, want %d, and %d documents", tt.document, code, tt.code, left)
		}
	}
}

// TestDuplicateField: a command that has a field twice is refused, as MongoDB's IDL
// parsers refuse it.
func TestDuplicateField(t *testing.T) {
	if e := refused(t, database(t, "4.2.0"), `{"create":"c","comment":1,"comment":2}`); e.Code != 40413 {
		t.Errorf("a field twice: %d, want 40413", e.Code)
	}
}
