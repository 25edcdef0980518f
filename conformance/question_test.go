package conformance

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

func questionTo(op, in string) Question {
	return Question{Op: op, Target: Target{System: SystemOf(op), Version: "8.0.4"}, In: json.RawMessage("{" + dates(in) + "}")}
}

// whole returns a whole number.
func whole(v policy.Value) int64 {
	n, _ := wholeNumber(v)
	return n
}

// TestQuestionsRead reads a question to each operation and looks at every field.
func TestQuestionsRead(t *testing.T) {
	const (
		index      = `{"key":{"a.t":-1,"b":"hashed"},"name":"n","expireAfterSeconds":{"$numberDouble":"10.7"},"partialFilterExpression":{"D":1},"sparse":true}`
		collection = `"collection":{"timeseries":{"timeField":"t"},"ns":"d.c"}`
	)
	check := func(what string, ok bool, got any, err error) {
		t.Helper()
		if !ok || err != nil {
			t.Errorf("%s = %+v, %v", what, got, err)
		}
	}
	isIndex := func(x Index) bool {
		f, _ := x.ExpireAfterSeconds.AsDouble()
		return len(x.Key) == 2 && x.Key[0].Key == "a.t" && x.Key[1].Value.String() == `"hashed"` && x.Name == "n" && f == 10.7 &&
			whole(x.PartialFilterExpression.Field("D")) == 1 && len(x.Definition) == 5 && x.Definition[4].Key == "sparse"
	}
	isSeries := func(c Collection) bool {
		ns, _ := c.Option("ns").AsString()
		return ns == "d.c" && c.Option("timeseries").Field("timeField").String() == `"t"` && c.Option("capped").IsMissing()
	}

	d, err := questionTo("mongodb.decide", `"now":$5,"indexes":[`+index+`],"document":{"t":$1},`+collection).MongoDecide()
	check("MongoDecide", d.Now == 5 && len(d.Indexes) == 1 && isIndex(d.Indexes[0]) && isSeries(d.Collection) && d.Document.Field("t").Kind() == policy.Date, d, err)
	d, err = questionTo("mongodb.decide", `"now":$5,"indexes":[],"document":{}`).MongoDecide()
	check("MongoDecide without a collection", d.Collection.Options == nil && len(d.Indexes) == 0, d, err)
	ci, err := questionTo("mongodb.createIndexes", `"now":$5,"index":`+index+`,"existing":[{"key":{"u":1}}],`+collection).MongoCreateIndexes()
	check("MongoCreateIndexes", ci.Now == 5 && isIndex(ci.Index) && len(ci.Existing) == 1 && ci.Existing[0].Name == "" && isSeries(ci.Collection), ci, err)
	ci, err = questionTo("mongodb.createIndexes", `"now":$5,"index":{"key":5,"name":6}`).MongoCreateIndexes()
	check("MongoCreateIndexes of what is no index", ci.Index.Key == nil && ci.Index.Name == "" && len(ci.Index.Definition) == 2 && ci.Existing == nil, ci, err)
	cm, err := questionTo("mongodb.collMod", `"now":$5,"command":{"expireAfterSeconds":7},"existing":[`+index+`]`).MongoCollMod()
	check("MongoCollMod", cm.Now == 5 && whole(cm.Command.Field("expireAfterSeconds")) == 7 && isIndex(cm.Existing[0]), cm, err)
	c, err := questionTo("mongodb.create", `"now":$5,"command":{"capped":true}`).MongoCreate()
	check("MongoCreate", c.Now == 5 && len(c.Command) == 1, c, err)
	cd, err := questionTo("cosmos.decide", `"now":$5,"container":{"defaultTtl":7},"item":{"_ts":8}`).CosmosDecide()
	check("CosmosDecide", cd.Now == 5 && whole(cd.Container.Field("defaultTtl")) == 7 && whole(cd.Item.Field("_ts")) == 8, cd, err)
	vc, err := questionTo("cosmos.validateContainer", `"container":{"defaultTtl":7},"previous":{"defaultTtl":9}`).CosmosValidateContainer()
	check("CosmosValidateContainer", whole(vc.Container.Field("defaultTtl")) == 7 && vc.Previous != nil && whole(vc.Previous.Field("defaultTtl")) == 9, vc, err)
	vc, err = questionTo("cosmos.validateContainer", `"container":{}`).CosmosValidateContainer()
	check("CosmosValidateContainer of a new one", vc.Previous == nil, vc, err)
	vi, err := questionTo("cosmos.validateItem", `"container":{"defaultTtl":7},"item":{"ttl":8}`).CosmosValidateItem()
	check("CosmosValidateItem", whole(vi.Container.Field("defaultTtl")) == 7 && whole(vi.Item.Field("ttl")) == 8, vi, err)
	md, err := questionTo("cosmosmongo.decide", `"now":$5,"indexes":[`+index+`],"document":{"t":1},"_ts":9`).CosmosMongoDecide()
	check("CosmosMongoDecide", md.Now == 5 && md.HasTS && md.TS == 9 && isIndex(md.Indexes[0]) && whole(md.Document.Field("t")) == 1, md, err)
	md, err = questionTo("cosmosmongo.decide", `"now":$5,"indexes":[],"document":{}`).CosmosMongoDecide()
	check("CosmosMongoDecide without _ts", !md.HasTS, md, err)
	mi, err := questionTo("cosmosmongo.createIndexes", `"index":`+index+`,"existing":[`+index+`]`).CosmosMongoCreateIndexes()
	check("CosmosMongoCreateIndexes", isIndex(mi.Index) && isIndex(mi.Existing[0]), mi, err)
	v, err := questionTo("self.echo", `"value":[1]`).Echo()
	check("Echo", v.Kind() == policy.List, v, err)
}

// TestQuestionsRefuse: an error names the member, and no value stands beside it.
func TestQuestionsRefuse(t *testing.T) {
	for _, tt := range []struct {
		in   string
		read func(Question) error
		want string
	}{
		{`"indexes":[],"document":{}`, func(q Question) error { _, err := q.MongoDecide(); return err }, "in.now: missing"},
		{`"now":$5,"indexes":[5],"document":{}`, func(q Question) error { _, err := q.MongoDecide(); return err }, "in.indexes: element 0: want a document"},
		{`"now":$5,"indexes":[],"document":{},"collection":7`, func(q Question) error { _, err := q.MongoDecide(); return err }, "in.collection: want a document"},
		{`"index":[]`, func(q Question) error { _, err := q.MongoCreateIndexes(); return err }, "in.index: want a document"},
		{`"command":{},"existing":{}`, func(q Question) error { _, err := q.MongoCollMod(); return err }, "in.existing: want an array"},
		{`"now":5,"command":{}`, func(q Question) error { _, err := q.MongoCreate(); return err }, "in.now: want a date"},
		{`"now":$5,"container":{},"item":5`, func(q Question) error { _, err := q.CosmosDecide(); return err }, "in.item: want an object"},
		{`"container":{},"previous":[]`, func(q Question) error { _, err := q.CosmosValidateContainer(); return err }, "in.previous: want an object"},
		{`"item":{}`, func(q Question) error { _, err := q.CosmosValidateItem(); return err }, "in.container: missing"},
		{`"now":$5,"indexes":[],"document":{},"_ts":1.5`, func(q Question) error { _, err := q.CosmosMongoDecide(); return err }, "in._ts: want a whole number"},
		{`"existing":[]`, func(q Question) error { _, err := q.CosmosMongoCreateIndexes(); return err }, "in.index: missing"},
		{``, func(q Question) error { _, err := q.Echo(); return err }, "in.value: missing"},
	} {
		if err := tt.read(questionTo("", tt.in)); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("reading {%s} fails with %v, want %s…", tt.in, err, tt.want)
		}
	}
}
