package conformance

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ttlpolicy/ttlpolicy/internal/questions"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// inputOf reads a question. In it, $n stands for a date of n milliseconds.
func inputOf(op, in string) (Input, error) {
	for n := range 10 {
		in = strings.ReplaceAll(in, fmt.Sprintf("$%d", n), fmt.Sprintf(`{"$date":{"$numberLong":"%d"}}`, n))
	}
	return Question{Op: op, In: json.RawMessage("{" + in + "}")}.Input()
}

// whole returns a whole number as an int64.
func whole(v policy.Value) int64 {
	n, _ := questions.WholeNumber(v)
	return n
}

// TestInput reads a question of each operation and checks every field.
func TestInput(t *testing.T) {
	const (
		index      = `{"key":{"a.t":-1,"b":"hashed"},"name":"n","expireAfterSeconds":{"$numberDouble":"10.7"},"partialFilterExpression":{"D":1},"sparse":true}`
		collection = `"collection":{"timeseries":{"timeField":"t"},"ns":"d.c"}`
	)
	isIndex := func(x policy.D) bool {
		f, _ := x.Field("expireAfterSeconds").AsDouble()
		return len(x) == 5 && x[0].Key == "key" && x[4].Key == "sparse" && f == 10.7 && whole(x.Field("partialFilterExpression").Field("D")) == 1
	}
	isSeries := func(c policy.D) bool {
		ns, _ := c.Field("ns").AsString()
		return ns == "d.c" && c.Field("timeseries").Field("timeField").String() == `"t"` && c.Field("capped").IsMissing()
	}
	for _, tt := range []struct {
		op, in string
		isRead func(Input) bool
	}{
		{"mongodb.decide", `"now":$5,"indexes":[` + index + `],"document":{"t":$1},` + collection, func(in Input) bool {
			return in.Now == 5 && len(in.Indexes) == 1 && isIndex(in.Indexes[0]) && isSeries(in.Collection) && in.Document.Field("t").Kind() == policy.Date
		}},
		{"mongodb.decide", `"now":$5,"indexes":[],"document":{}`, func(in Input) bool { return in.Collection == nil && len(in.Indexes) == 0 }},
		{"mongodb.createIndexes", `"now":$5,"index":` + index + `,"existing":[{"key":{"u":1}}],` + collection, func(in Input) bool {
			return in.Now == 5 && isIndex(in.Index) && len(in.Existing) == 1 && len(in.Existing[0]) == 1 && isSeries(in.Collection)
		}},
		{"mongodb.createIndexes", `"now":$5,"index":{"key":5,"name":6}`, func(in Input) bool {
			return len(in.Index) == 2 && whole(in.Index.Field("name")) == 6 && in.Existing == nil
		}},
		{"mongodb.collMod", `"now":$5,"command":{"expireAfterSeconds":7},"existing":[` + index + `]`, func(in Input) bool {
			return in.Now == 5 && whole(in.Command.Field("expireAfterSeconds")) == 7 && isIndex(in.Existing[0])
		}},
		{"mongodb.history", `"now":$5,"steps":[{"look":true},{"tick":$6}]`, func(in Input) bool {
			return in.Now == 5 && len(in.Steps) == 2 && in.Steps[1][0].Key == "tick"
		}},
		{"cosmos.history", `"now":$5,"steps":[{"write":{"id":"a","ttl":7}}]`, func(in Input) bool {
			return in.Now == 5 && whole(in.Steps[0].Field("write").Field("ttl")) == 7
		}},
		{"mongodb.create", `"now":$5,"command":{"capped":true}`, func(in Input) bool { return in.Now == 5 && len(in.Command) == 1 }},
		{"cosmos.decide", `"now":$5,"container":{"defaultTtl":7},"item":{"_ts":8}`, func(in Input) bool {
			return in.Now == 5 && whole(in.Container.Field("defaultTtl")) == 7 && whole(in.Item.Field("_ts")) == 8
		}},
		{"cosmos.validateContainer", `"container":{"defaultTtl":7},"previous":{"defaultTtl":9}`, func(in Input) bool {
			return whole(in.Container.Field("defaultTtl")) == 7 && in.Previous != nil && whole(in.Previous.Field("defaultTtl")) == 9
		}},
		{"cosmos.validateContainer", `"container":{}`, func(in Input) bool { return in.Previous == nil && in.Now == 0 }},
		{"cosmos.validateItem", `"container":{"defaultTtl":7},"item":{"ttl":8}`, func(in Input) bool {
			return whole(in.Container.Field("defaultTtl")) == 7 && whole(in.Item.Field("ttl")) == 8
		}},
		{"cosmosmongo.decide", `"now":$5,"indexes":[` + index + `],"document":{"t":1},"_ts":9`, func(in Input) bool {
			return in.Now == 5 && in.TS != nil && *in.TS == 9 && isIndex(in.Indexes[0]) && whole(in.Document.Field("t")) == 1
		}},
		{"cosmosmongo.decide", `"now":$5,"indexes":[],"document":{}`, func(in Input) bool { return in.TS == nil }},
		{"cosmosmongo.createIndexes", `"index":` + index + `,"existing":[` + index + `]`, func(in Input) bool {
			return isIndex(in.Index) && isIndex(in.Existing[0])
		}},
		{"self.echo", `"value":[1]`, func(in Input) bool { return in.Value.Kind() == policy.List }},
	} {
		if in, err := inputOf(tt.op, tt.in); err != nil || !tt.isRead(in) {
			t.Errorf("the input {%s} of %s is read as %+v, %v", tt.in, tt.op, in, err)
		}
	}
}

// TestInputRefuses: the error names the malformed member.
func TestInputRefuses(t *testing.T) {
	for _, tt := range []struct{ op, in, want string }{
		{"mongodb.decide", `"indexes":[],"document":{}`, "in.now: missing"},
		{"mongodb.decide", `"now":$5,"indexes":[5],"document":{}`, "in.indexes: element 0: want a document"},
		{"mongodb.decide", `"now":$5,"indexes":[],"document":{},"collection":7`, "in.collection: want a document"},
		{"mongodb.createIndexes", `"index":[]`, "in.index: want a document"},
		{"mongodb.collMod", `"command":{},"existing":{}`, "in.existing: want an array"},
		{"mongodb.create", `"now":5,"command":{}`, "in.now: want a date"},
		{"mongodb.create", `"now":{},"command":{}`, "in.now: want a date"},
		{"cosmos.decide", `"now":$5,"container":{},"item":5`, "in.item: want an object"},
		{"cosmos.validateContainer", `"container":{},"previous":[]`, "in.previous: want an object"},
		{"cosmos.validateItem", `"item":{}`, "in.container: missing"},
		{"cosmosmongo.decide", `"now":$5,"indexes":[],"document":{},"_ts":1.5`, "in._ts: want a whole number"},
		{"cosmosmongo.createIndexes", `"existing":[]`, "in.index: missing"},
		{"self.echo", ``, "in.value: missing"},
		{"mongodb.drop", ``, `unknown operation "mongodb.drop"; want one of cosmos.decide, `},
	} {
		if in, err := inputOf(tt.op, tt.in); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("the input {%s} of %s is read as %+v, %v, want the error %s…", tt.in, tt.op, in, err, tt.want)
		}
	}
}

// TestInputWithoutNow: for operations that do not decide, the machine's clock
// replaces a now that is absent or null.
func TestInputWithoutNow(t *testing.T) {
	before := policy.InstantOf(time.Now())
	for _, now := range []string{``, `"now":null,`} {
		if in, err := inputOf("mongodb.create", now+`"command":{}`); err != nil || in.Now < before {
			t.Errorf("with %q the time is %s, %v, want this machine's", now, in.Now, err)
		}
	}
}
