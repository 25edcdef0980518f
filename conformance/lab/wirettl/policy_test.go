package wirettl

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// TestSweep: the next pass deletes exactly the expired documents. These are long overdue,
// and no other document is due soon.
func TestSweep(t *testing.T) {
	t.Parallel()
	db := database(t, "8.0.4")
	old, ahead := time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	run(t, db, `{"createIndexes":"a","indexes":[
		{"key":{"t":1},"name":"t_1","expireAfterSeconds":0},
		{"key":{"u":1},"name":"u_1","expireAfterSeconds":1800,"partialFilterExpression":{"go":true}}]}`)
	run(t, db, `{"create":"b","clusteredIndex":{"key":{"_id":1},"unique":true},"expireAfterSeconds":60}`)
	run(t, db, `{"create":"c","timeseries":{"timeField":"t"},"expireAfterSeconds":60}`)
	for collection, docs := range map[string][]any{
		"a": {
			bson.M{"_id": "due", "t": old}, bson.M{"_id": "ahead", "t": ahead}, bson.M{"_id": "text", "t": "2001-01-01"}, bson.M{"_id": "none"},
			bson.M{"_id": "earliest", "t": bson.A{ahead, old}}, bson.M{"_id": "inside", "u": old, "go": true}, bson.M{"_id": "outside", "u": old},
		},
		"b": {bson.M{"_id": old}, bson.M{"_id": ahead}, bson.M{"_id": "text"}},
		"c": {bson.M{"_id": "due", "t": old.Add(-2 * time.Hour)}, bson.M{"_id": "young", "t": old.Add(30 * time.Minute)}},
	} {
		_, err := db.Collection(collection).InsertMany(t.Context(), docs)
		must(t, err)
	}
	passed(t, db)
	for collection, want := range map[string]int{"a": 4, "b": 2, "c": 1} {
		if got := ids(t, db.Collection(collection), `{}`); len(got) != want {
			t.Errorf("%s holds %v, want %d documents", collection, got, want)
		}
	}
	if n := run(t, db, `{"serverStatus":1}`).Lookup("metrics", "ttl", "deletedDocuments").AsInt64(); n != 5 {
		t.Errorf("deletedDocuments = %d, want 5", n)
	}
}

// TestSweepOnTheMillisecond: the deadlines of the documents are a millisecond apart, and
// a pass reads the clock once. It deletes every document that was due before the pass,
// and keeps no document that is due earlier than a deleted one.
func TestSweepOnTheMillisecond(t *testing.T) {
	t.Parallel()
	db := database(t, "8.0.4")
	run(t, db, `{"createIndexes":"a","indexes":[{"key":{"t":1},"name":"t_1","expireAfterSeconds":1}]}`)
	first := time.Now().Add(-3 * time.Second).Truncate(time.Millisecond)
	var docs []any
	for i := range 5000 {
		docs = append(docs, bson.M{"_id": i, "t": first.Add(time.Duration(i) * time.Millisecond)})
	}
	_, err := db.Collection("a").InsertMany(t.Context(), docs)
	must(t, err)
	before := time.Now()
	passed(t, db)
	run(t, db, `{"setParameter":1,"ttlMonitorEnabled":false}`)
	left := ids(t, db.Collection("a"), `{}`, options.Find().SetBatchSize(5000))
	least := int32(5000)
	for _, id := range left {
		least = min(least, id.(int32))
	}
	if len(left) != 5000-int(least) {
		t.Errorf("%d documents are left, the earliest is %d", len(left), least)
	}
	earliest, latest := before.Add(-time.Second), time.Now().Add(-time.Second)
	if t0 := first.Add(time.Duration(least) * time.Millisecond); len(left) > 0 && (t0.Before(earliest.Truncate(time.Millisecond)) || t0.After(latest.Add(time.Millisecond))) {
		t.Errorf("the earliest that is left is of %v, want one of %v to %v", t0, earliest, latest)
	}
}

func TestIndexLifeCycle(t *testing.T) {
	t.Parallel()
	c := database(t, "8.0.4").Collection("logs")
	name, err := c.Indexes().CreateOne(t.Context(), driver.IndexModel{Keys: bson.D{{Key: "t", Value: 1}}, Options: options.Index().SetExpireAfterSeconds(60)})
	must(t, err)
	run(t, c.Database(), `{"createIndexes":"logs","indexes":[{"key":{"a":1},"name":"a_1"},{"key":{"b":1},"name":"b_1"}]}`)
	names := func() (all []string) {
		specs, err := c.Indexes().ListSpecifications(t.Context())
		must(t, err)
		for _, x := range specs {
			all = append(all, x.Name)
		}
		return all
	}
	if got, want := names(), []string{"_id_", name, "a_1", "b_1"}; !reflect.DeepEqual(got, want) {
		t.Errorf("listIndexes = %v, want %v", got, want)
	}
	must(t, c.Indexes().DropWithKey(t.Context(), bson.D{{Key: "a", Value: int32(1)}}))
	must(t, c.Indexes().DropOne(t.Context(), "b_1"))
	if got, want := names(), []string{"_id_", "t_1"}; !reflect.DeepEqual(got, want) {
		t.Errorf("after dropIndexes %v, want %v", got, want)
	}
	must(t, c.Indexes().DropAll(t.Context()))
	if got, want := names(), []string{"_id_"}; !reflect.DeepEqual(got, want) {
		t.Errorf("after dropIndexes %v, want %v", got, want)
	}
	if e := refused(t, c.Database(), `{"dropIndexes":"logs","index":"none"}`); e.Code != 27 || e.Name != "IndexNotFound" {
		t.Errorf("dropIndexes = %v, want IndexNotFound", e)
	}
}

// TestReleases: each release replies and refuses in its own way, as the library says.
func TestReleases(t *testing.T) {
	t.Parallel()
	const (
		nan     = `{"createIndexes":"logs","indexes":[{"key":{"t":1},"name":"t_1","expireAfterSeconds":{"$numberDouble":"NaN"}}]}`
		plain   = `{"createIndexes":"logs","indexes":[{"key":{"t":1},"name":"t_1","expireAfterSeconds":60}]}`
		longest = `{"collMod":"logs","index":{"keyPattern":{"t":1},"expireAfterSeconds":{"$numberLong":"4294967296"}}}`
		unknown = `{"collMod":"logs","index":{"keyPattern":{"t":1},"expireAfterSeconds":60,"no":1}}`
	)
	for _, tt := range []struct{ release, now, want string }{
		{"2.2.0", plain, `{"numIndexesBefore":1,"numIndexesAfter":2,"createdCollectionAutomatically":true,"ok":1.0}`},
		{"2.2.0", `{"create":"x","capped":true,"size":4096,"maxTimeMS":1000}`, `{"ok":1.0}`},
		{"8.0.4", longest, `{"expireAfterSeconds_old":60,"expireAfterSeconds_new":2147483647,"ok":1.0}`},
		{"8.0.4", nan, `67 CannotCreateIndex`},
		{"6.0.16", unknown, `40415 Location40415`},
		{"8.0.4", unknown, `40415 IDLUnknownField`},
		{"8.0.4", `{"collMod":"none","index":{"keyPattern":{"t":1},"expireAfterSeconds":60}}`, `26 NamespaceNotFound`},
		{"8.0.4", `{"create":"logs"}`, `{"ok":1.0}`},
		{"8.0.4", `{"create":"logs","capped":true,"size":4096}`, `48 NamespaceExists`},
		{"6.0.24", `{"create":"logs"}`, `48 NamespaceExists`},
		{"4.4.29", `{"create":"x","clusteredIndex":{"key":{"_id":1},"unique":true}}`, `40415 Location40415`},
		{"8.0.4", `{"create":".a"}`, `73 InvalidNamespace`},
		{"8.0.4", `{"find":"logs","sort":{"a":1}}`, `238 NotImplemented`},
		{"8.0.4", `{"find":"logs","skip":1}`, `238 NotImplemented`},
		{"8.0.4", `{"find":"logs","filter":{"$where":"1"}}`, `238 NotImplemented`},
		{"8.0.4", `{"findAndModify":"logs"}`, `59 CommandNotFound`},
		{"8.0.4", `{"find":1}`, `73 InvalidNamespace`},
		{"8.0.4", `{"find":"logs","filter":5}`, `14 TypeMismatch`},
		{"8.0.4", `{"find":"logs","limit":-1}`, `2 BadValue`},
		{"8.0.4", `{"getMore":{"$numberLong":"5"},"collection":"logs"}`, `43 CursorNotFound`},
		{"8.0.4", `{"killCursors":"logs","cursors":[{"$numberLong":"5"}]}`, `{"cursorsKilled":[],"cursorsNotFound":[5],"cursorsAlive":[],"cursorsUnknown":[],"ok":1.0}`},
		{"8.0.4", `{"insert":"logs","documents":[5]}`, `14 TypeMismatch`},
		{"8.0.4", `{"listIndexes":"none"}`, `26 NamespaceNotFound`},
		{"8.0.4", `{"dropIndexes":"logs","index":"_id_"}`, `72 InvalidOptions`},
		{"8.0.4", `{"createIndexes":"logs", "indexes":[{"key":{"t":1},"name":"t_1","expireAfterSeconds":60}]}`, `{"numIndexesBefore":2,"numIndexesAfter":2,"note":"all indexes already exist","createdCollectionAutomatically":false,"ok":1.0}`},
		{"8.0.4", `{"getParameter":1,"featureCompatibilityVersion":1}`, `{"featureCompatibilityVersion":{"version":"8.0"},"ok":1.0}`},
		{"2.2.0", `{"getParameter":1,"featureCompatibilityVersion":1}`, `72 InvalidOptions`},
		{"8.0.4", `{"setParameter":1,"ttlMonitorSleepSecs":5,"maxTimeMS":1000}`, `{"was":1,"ok":1.0}`},
		{"8.0.4", `{"setParameter":1,"ttlMonitorSleepSecs":0}`, `2 BadValue`},
		{"8.0.4", `{"setParameter":1,"ttlMonitorEnabled":false,"ttlMonitorSleepSecs":5}`, `2 BadValue`},
		{"8.0.4", `{"setParameter":1,"ttlMonitorEnabled":false}`, `{"was":true,"ok":1.0}`},
		{"8.0.4", `{"getParameter":"*"}`, `{"ttlMonitorEnabled":true,"ttlMonitorSleepSecs":1,"featureCompatibilityVersion":{"version":"8.0"},"ok":1.0}`},
	} {
		db := database(t, tt.release)
		if tt.now != plain {
			run(t, db, plain)
		}
		reply, err := db.RunCommand(t.Context(), d(t, tt.now)).Raw()
		got := ""
		if e, ok := err.(driver.CommandError); ok {
			got = fmt.Sprint(e.Code, " ", e.Name)
		} else {
			text, err := bson.MarshalExtJSON(reply, false, false)
			must(t, err)
			got = string(text)
		}
		if got != tt.want {
			t.Errorf("%s: %s = %s, want %s", tt.release, tt.now, got, tt.want)
		}
	}
}

func TestListings(t *testing.T) {
	t.Parallel()
	db := database(t, "8.0.4")
	run(t, db, `{"create":"v","viewOn":"logs","pipeline":[]}`)
	run(t, db, `{"create":"b","clusteredIndex":{"key":{"_id":1},"unique":true},"expireAfterSeconds":60}`)
	run(t, db, `{"create":"s","timeseries":{"timeField":"t"},"expireAfterSeconds":60}`)
	run(t, db.Client().Database("other"), `{"create":"o"}`)
	specs, err := db.ListCollectionSpecifications(t.Context(), bson.D{})
	must(t, err)
	got := ""
	for _, s := range specs {
		got += fmt.Sprintf("%s %s %v\n", s.Name, s.Type, s.Options)
	}
	const want = `b collection {"clusteredIndex": {"v": {"$numberInt":"2"},"key": {"_id": {"$numberInt":"1"}},"name": "_id_","unique": true},"expireAfterSeconds": {"$numberLong":"60"}}
s timeseries {"timeseries": {"timeField": "t","granularity": "seconds","bucketMaxSpanSeconds": {"$numberInt":"3600"}},"expireAfterSeconds": {"$numberLong":"60"}}
v view {"viewOn": ""}
`
	if got != want {
		t.Errorf("listCollections =\n%swant\n%s", got, want)
	}
	if _, err := db.Collection("v").InsertOne(t.Context(), bson.D{}); err == nil || !strings.Contains(err.Error(), "view") {
		t.Errorf("insert into a view = %v, want a refusal", err)
	}
	names, err := db.Client().ListDatabaseNames(t.Context(), bson.D{})
	if want := []string{"other", "shop"}; err != nil || !reflect.DeepEqual(names, want) {
		t.Errorf("listDatabases = %v, %v, want %v", names, err, want)
	}
	must(t, db.Drop(t.Context()))
	names, err = db.Client().ListDatabaseNames(t.Context(), bson.D{})
	if want := []string{"other"}; err != nil || !reflect.DeepEqual(names, want) {
		t.Errorf("after dropDatabase %v, %v, want %v", names, err, want)
	}
}
