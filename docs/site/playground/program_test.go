package playground

import (
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestPrograms: policies and documents are read from programs. The document was written
// an hour and a half before the clock, and lives for an hour. This build reads Go by its
// parser; the build for browsers has none, and a test of package browser pastes Go there.
func TestPrograms(t *testing.T) {
	const document = `{at: ISODate("2026-11-20T10:30:00Z")}`
	for _, tt := range []struct{ policy, document, name string }{
		{"model := mongo.IndexModel{\n\tKeys:    bson.D{{Key: \"at\", Value: 1}},\n\tOptions: options.Index().SetExpireAfterSeconds(3600),\n}", `bson.M{"at": time.Now().Add(-90 * time.Minute)}`, "Go, and bson.M"},
		{"_, err := c.Indexes().CreateOne(ctx, mongo.IndexModel{Keys: bson.M{\"at\": 1}, Options: options.Index().SetExpireAfterSeconds(int32((1 * time.Hour).Seconds()))})", `bson.D{{"at", time.Date(2026, 11, 20, 10, 30, 0, 0, time.UTC)}}`, "Go on one line, and bson.D"},
		{"@Document(\"logs\")\nclass Log {\n  @Indexed(expireAfter = \"1h\")\n  Instant at;\n}", document, "Spring"},
		{`logs.createIndex(Indexes.ascending("at"), new IndexOptions().expireAfter(1L, TimeUnit.HOURS));`, `new Document("at", Instant.now().minus(Duration.ofMinutes(90)))`, "Java"},
		{`collection.Indexes.CreateOne(new CreateIndexModel<Log>(Builders<Log>.IndexKeys.Ascending("at"), new CreateIndexOptions { ExpireAfter = TimeSpan.FromHours(1) }));`, `new BsonDocument { { "at", DateTime.UtcNow.AddMinutes(-90) } }`, "C#"},
		{`$logs->createIndex(['at' => 1], ['expireAfterSeconds' => 3600]);`, `['at' => new MongoDB\BSON\UTCDateTime(1795170600000)]`, "PHP"},
		{"@Schema()\nclass Log {\n  @Prop({ type: Date, expires: '1h' })\n  at: Date;\n}", document, "NestJS"},
		{"class Log(Document):\n    at = DateTimeField()\n    meta = {'indexes': [{'fields': ['at'], 'expireAfterSeconds': 3600}, 'name']}\n", document, "MongoEngine"},
		{"class Log\n  include Mongoid::Document\n  index({ at: 1 }, { expire_after_seconds: 3600 })\nend", document, "Mongoid"},
	} {
		a := Of(State{Policy: tt.policy, Document: tt.document}, View{})
		if len(a.Problems) > 0 || a.Verdict != policy.Expired || a.Deadline != "2026-11-20T11:30:00.000Z" {
			t.Errorf("%s: %s at %s, problems %+v, want expired at 11:30", tt.name, a.Verdict, a.Deadline, a.Problems)
		}
	}
}

// TestProgramNotices: a notice says which part of a program was read.
func TestProgramNotices(t *testing.T) {
	a := Of(State{
		Policy:   `$logs->createIndex(['at' => 1], ['expireAfterSeconds' => 3600]);`,
		Document: `new Document("at", new Date())`,
	}, View{})
	notices := strings.Join(a.Notices, "\n")
	for _, want := range []string{"Read as the index {key: {at: 1}, expireAfterSeconds: 3600}.", `Read as the document {at: ISODate("2026-11-20T12:00:00.000Z")}.`} {
		if !strings.Contains(notices, want) {
			t.Errorf("notices: %s\nwant %s", notices, want)
		}
	}
}

// TestUnreadPrograms: an expression that is not evaluated, and a text with too many policies,
// are errors with their place.
func TestUnreadPrograms(t *testing.T) {
	for _, tt := range []struct {
		policy, document string
		editor           string
		line, column     int
		message          string
	}{
		{"model := mongo.IndexModel{\n\tKeys: bson.D{{\"at\", 1}},\n\tOptions: options.Index().SetExpireAfterSeconds(ttl),\n}", "{}", "policy", 3, 27, "SetExpireAfterSeconds is not read: its value is ttl, which is not evaluated here"},
		{"$a->createIndex(['at' => 1], ['expireAfterSeconds' => 5]);\n$b->createIndex(['at' => 1], ['expireAfterSeconds' => 6]);", "{}", "policy", 2, 1, "2 collections are written here"},
		{"options := options.Index().SetUnique(true)", "{}", "policy", 1, 0, ""},
		{"createIndex({at: 1}, {expireAfterSeconds: 5})", `bson.M{"at": session.At}`, "document", 1, 14, `"session.At}" is not evaluated here`},
		{"createIndex({at: 1}, {expireAfterSeconds: 5})", `Session{At: time.Now()}`, "document", 1, 0, ""},
	} {
		a := Of(State{Policy: tt.policy, Document: tt.document}, View{})
		if len(a.Problems) != 1 {
			t.Errorf("%s, %s: problems %+v, want one", tt.policy, tt.document, a.Problems)
			continue
		}
		p := a.Problems[0]
		if p.Editor != tt.editor || p.Line != tt.line || tt.column > 0 && p.Column != tt.column || !strings.Contains(p.Message, tt.message) {
			t.Errorf("%s, %s: %+v, want line %d, column %d of %s: %s", tt.policy, tt.document, p, tt.line, tt.column, tt.editor, tt.message)
		}
	}
}
