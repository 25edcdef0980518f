package program

import (
	"errors"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestReadDocument: a document in the source of a program is read, with now as the
// program's clock.
func TestReadDocument(t *testing.T) {
	const clock, before = `{"$date":{"$numberLong":"1795132800000"}}`, `{"$date":{"$numberLong":"1795125600000"}}`
	for _, tt := range []struct{ text, want string }{
		{`bson.M{"createdAt": time.Now()}`, `{"createdAt":` + clock + `}`},
		{`bson.D{{"createdAt", time.Now().UTC().Add(-2 * time.Hour)}, {Key: "n", Value: int64(5)}}`, `{"createdAt":` + before + `,"n":5}`},
		{"doc := bson.D{\n\t{\"at\", bson.A{time.Now(), nil}},\n\t{\"in\", bson.M{\"a\": 1.5, \"b\": true}},\n}", `{"at":[` + clock + `,null],"in":{"a":1.5,"b":true}}`},
		{`_, err := c.InsertOne(ctx, bson.M{"at": time.Date(2026, time.November, 20, 0, 0, 0, 0, time.UTC)})`, `{"at":` + clock + `}`},
		{`bson.M{"at": primitive.NewDateTimeFromTime(time.Now()), "was": time.Now().Unix(), "will": primitive.DateTime(1795132800000)}`, `{"at":` + clock + `,"was":1795132800,"will":` + clock + `}`},
		{`map[string]interface{}{"at": time.UnixMilli(1795132800000), "tags": []string{"a", "b"}}`, `{"at":` + clock + `,"tags":["a","b"]}`},
		{`bson.M{}`, `{}`},
		{"change := bson.D{{\"a\", 1}}\nerr := db.RunCommand(ctx, change).Err()", `{"a":1}`},
		{`$db->command(['a' => 1]);`, `{"a":1}`},
		{`bson.D{{"_id", bson.NewObjectID()}, {"a", -1}}`, `{"_id":{"$oid":"000000000000000000000000"},"a":-1}`},
		{`sessions.insertOne(new Document("createdAt", new Date()).append("n", 5L));`, `{"createdAt":` + clock + `,"n":5}`},
		{`new Document("at", Date.from(Instant.parse("2026-11-20T00:00:00Z"))).append("x", Arrays.asList(1, 2))`, `{"at":` + clock + `,"x":[1,2]}`},
		{`new Document("at", Instant.now().minus(Duration.ofHours(2)))`, `{"at":` + before + `}`},
		{`new Document()`, `{}`},
		{`new BsonDocument { { "at", DateTime.UtcNow.AddHours(-2) }, { "s", "text" } }`, `{"at":` + before + `,"s":"text"}`},
		{`var d = new BsonDocument("at", DateTime.UtcNow);`, `{"at":` + clock + `}`},
		{`$c->insertOne(['at' => new MongoDB\BSON\UTCDateTime(), 'n' => ['a' => 1], 'l' => [1, 2]]);`, `{"at":` + clock + `,"n":{"a":1},"l":[1,2]}`},
		{`['at' => new UTCDateTime(1795132800 * 1000)]`, `{"at":` + clock + `}`},
	} {
		v, err := ReadDocument(tt.text, now)
		if got := relaxed(v); err != nil || got != relaxed(parsed(t, tt.want)) {
			t.Errorf("ReadDocument(%s) = %s, %v, want %s", tt.text, got, err, tt.want)
		}
	}
	for _, tt := range []struct {
		text   string
		offset int
	}{
		{`bson.M{"at": time.Now().Format(time.RFC3339)}`, 13},
		{`bson.M{"at": x.At}`, 13},
		{`bson.D{{"at", time.Now().AddDate(0, 0, 1)}}`, 14},
		{`bson.M{"a": 1, 5}`, 0},
		{`Session{CreatedAt: time.Now()}`, 8},
		{`new Document("at", Instant.now().plus(5))`, 19},
		{`new BsonDocument("at", DateTime.UtcNow.AddMonths(1))`, 23},
		{`['at' => time()]`, 9},
		{`bson.M{"at": time.Date(2026, 11, 20, 0, 0, 0, 0, time.Local)}`, 13},
		{`5`, 0},
	} {
		v, err := ReadDocument(tt.text, now)
		var wrong *DocumentError
		if !errors.As(err, &wrong) || wrong.Offset != tt.offset {
			t.Errorf("ReadDocument(%s) = %s, %#v, want an error at %d", tt.text, v, err, tt.offset)
		}
	}
}

func parsed(t *testing.T, text string) policy.Value {
	t.Helper()
	v, err := policy.ParseExtJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// FuzzReadDocument: no text makes ReadDocument panic, and the offset of an error is within
// the text.
func FuzzReadDocument(f *testing.F) {
	for _, seed := range []string{
		`bson.D{{"createdAt", time.Now().UTC().Add(-2 * time.Hour)}, {Key: "n", Value: int64(5)}}`, `bson.M{"at": time.Date(2026, time.November, 20, 0, 0, 0, 0, time.UTC)}`,
		`$c->insertOne(['at' => new MongoDB\BSON\UTCDateTime(), 'n' => ['a' => 1]]);`, `new Document("at", Instant.now().minus(Duration.ofHours(2))).append("x", Arrays.asList(1, 2))`,
		`new BsonDocument { { "at", DateTime.UtcNow.AddHours(-2) }, { "s", "text" } }`, `map[string]interface{}{"at": 1, "tags": []string{"a"}}`, `bson.M{"a": a}; a = a`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := ReadDocument(text, now)
		var wrong *DocumentError
		switch {
		case err == nil && v.Kind() != policy.Object:
			t.Fatalf("%s, want an object", v)
		case err != nil && (!errors.As(err, &wrong) || wrong.Offset < 0 || wrong.Offset > len(text)):
			t.Fatalf("%#v in %d bytes", err, len(text))
		}
	})
}
