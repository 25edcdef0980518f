package command_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/ttlpolicy/ttlpolicy/internal/fixture"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// shown returns the outcome of a command as text: the reply, or the code and the reason.
func shown(reply policy.D, err error) string {
	var refused *mongo.SpecError
	if errors.As(err, &refused) {
		return fmt.Sprintf("%d %s", refused.Code, refused.Reason)
	}
	if err != nil {
		return err.Error()
	}
	return policy.ObjectValue(reply).String()
}

// TestCollectionCommands: the replies, the stored definitions and the decisions of commands
// that follow one another.
func TestCollectionCommands(t *testing.T) {
	const now = policy.Instant(1_700_000_000_000)
	doc := policy.Map{"t": policy.Instant(now - 100_000)}
	indexes := func(texts ...string) func(*mongo.Collection) (*mongo.Collection, policy.D, error) {
		return func(c *mongo.Collection) (*mongo.Collection, policy.D, error) {
			var all []policy.D
			for _, text := range texts {
				all = append(all, document(text))
			}
			return command.CreateIndexes(c, all, now)
		}
	}
	collMod := func(text string) func(*mongo.Collection) (*mongo.Collection, policy.D, error) {
		return func(c *mongo.Collection) (*mongo.Collection, policy.D, error) {
			return command.CollMod(c, document(text), now)
		}
	}
	drop := func(text string) func(*mongo.Collection) (*mongo.Collection, policy.D, error) {
		return func(c *mongo.Collection) (*mongo.Collection, policy.D, error) {
			return command.DropIndexes(c, policy.ObjectValue(document(text)).Field("index"))
		}
	}
	c, err := command.Create("d.c", nil, fixture.Profile(t, "8.0.4"), now)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		do    func(*mongo.Collection) (*mongo.Collection, policy.D, error)
		want  string
		names []string
		state policy.State
	}{
		{indexes(`{"key":{"t":1},"name":"t_1","expireAfterSeconds":3600.9}`), `{"numIndexesBefore":{"$numberInt":"1"},"numIndexesAfter":{"$numberInt":"2"}}`, []string{"t_1"}, policy.Pending},
		{indexes(`{"key":{"t":1},"name":"t_1","expireAfterSeconds":3600}`),
			`{"numIndexesBefore":{"$numberInt":"2"},"numIndexesAfter":{"$numberInt":"2"},"note":"all indexes already exist"}`, []string{"t_1"}, policy.Pending},
		{indexes(`{"key":{"x":1},"name":"x_1"}`, `{"key":{"t":1,"u":1},"name":"t_u","expireAfterSeconds":0}`),
			`67 TTL indexes are single-field indexes, compound indexes do not support TTL. Index spec: `, []string{"t_1"}, policy.Pending},
		{indexes(`{"key":{"x":1},"name":"x_1"}`, `{"key":{"y":-1},"name":"y_-1"}`), `{"numIndexesBefore":{"$numberInt":"2"},"numIndexesAfter":{"$numberInt":"4"}}`, []string{"t_1", "x_1", "y_-1"}, policy.Pending},
		{collMod(`{"index":{"name":"t_1","expireAfterSeconds":{"$numberLong":"60"}}}`),
			`{"expireAfterSeconds_old":{"$numberLong":"3600"},"expireAfterSeconds_new":{"$numberLong":"60"}}`, []string{"t_1", "x_1", "y_-1"}, policy.Expired},
		{collMod(`{"index":{"name":"none","expireAfterSeconds":60}}`), `27 cannot find index "none"`, []string{"t_1", "x_1", "y_-1"}, policy.Expired},
		{drop(`{"index":"none"}`), `27 index not found with name [none]`, []string{"t_1", "x_1", "y_-1"}, policy.Expired},
		{drop(`{"index":{"t":-1}}`), `27 can't find index with key: {"t":{"$numberInt":"-1"}}`, []string{"t_1", "x_1", "y_-1"}, policy.Expired},
		{drop(`{"index":"_id_"}`), `72 cannot drop _id index`, []string{"t_1", "x_1", "y_-1"}, policy.Expired},
		{drop(`{"index":{"_id":1}}`), `72 cannot drop _id index`, []string{"t_1", "x_1", "y_-1"}, policy.Expired},
		{drop(`{"index":["x_1","none"]}`), `27 index not found with name [none]`, []string{"t_1", "x_1", "y_-1"}, policy.Expired},
		{drop(`{"index":["x_1",1]}`), `14 dropIndexes d.c failed to drop multiple indexes ["x_1",{"$numberInt":"1"}]: index name must be a string`, []string{"t_1", "x_1", "y_-1"}, policy.Expired},
		{drop(`{"index":5}`), `14 BSON field 'dropIndexes.index' is the wrong type 'int', expected types '[string, object]'`, []string{"t_1", "x_1", "y_-1"}, policy.Expired},
		{drop(`{}`), `40414 BSON field 'dropIndexes.index' is missing but a required field`, []string{"t_1", "x_1", "y_-1"}, policy.Expired},
		{drop(`{"index":["y_-1"]}`), `{"nIndexesWas":{"$numberInt":"4"}}`, []string{"t_1", "x_1"}, policy.Expired},
		{drop(`{"index":{"t":1.0}}`), `{"nIndexesWas":{"$numberInt":"3"}}`, []string{"x_1"}, policy.Never},
		{drop(`{"index":"*"}`), `{"nIndexesWas":{"$numberInt":"2"},"msg":"non-_id indexes dropped for collection"}`, nil, policy.Never},
		{indexes(`{"key":{"t":1},"name":"t_1","expireAfterSeconds":0}`), `{"numIndexesBefore":{"$numberInt":"1"},"numIndexesAfter":{"$numberInt":"2"}}`, []string{"t_1"}, policy.Expired},
	} {
		before, fingerprint := c.Spec(), c.Fingerprint()
		next, reply, err := step.do(c)
		got := shown(reply, err)
		if len(step.want) < len(got) && err != nil {
			got = got[:len(step.want)] // a specification follows
		}
		var names []string
		for _, x := range next.Spec().Indexes {
			names = append(names, x.Name)
		}
		if got != step.want || !slices.Equal(names, step.names) || next.Decide(doc, now).State != step.state {
			t.Errorf("got %s, %q, %s; want %s, %q, %s", got, names, next.Decide(doc, now).State, step.want, step.names, step.state)
		}
		if c.Fingerprint() != fingerprint || len(c.Spec().Indexes) != len(before.Indexes) || err != nil && next != c {
			t.Errorf("the command that replies %s changes the collection before it", got)
		}
		c = next
	}
}

// TestCollModKeptBesideRefusal: up to 2.6 a refused collMod may have changed the index, and
// the returned collection says so.
func TestCollModKeptBesideRefusal(t *testing.T) {
	c, err := command.Create("d.c", nil, fixture.Profile(t, "2.6.12"), 0)
	if err != nil {
		t.Fatal(err)
	}
	c, _, err = command.CreateIndexes(c, []policy.D{document(`{"key":{"t":1},"name":"t_1","expireAfterSeconds":3600}`)}, 0)
	if err != nil {
		t.Fatal(err)
	}
	next, reply, err := command.CollMod(c, document(`{"index":{"keyPattern":{"t":1},"expireAfterSeconds":60},"unknown":1}`), 0)
	if err == nil || reply != nil || next == c || next.Spec().Indexes[0].ExpireAfterSeconds.Equal(c.Spec().Indexes[0].ExpireAfterSeconds) {
		t.Errorf("CollMod = %v, %v, %v, want a changed index beside an error", next.Spec().Indexes, reply, err)
	}
}

// TestDropIndexesAmbiguous: two indexes with one key pattern are dropped by their names.
func TestDropIndexesAmbiguous(t *testing.T) {
	c, err := command.Create("d.c", nil, fixture.Profile(t, "8.0.4"), 0)
	if err != nil {
		t.Fatal(err)
	}
	c, _, err = command.CreateIndexes(c, []policy.D{document(`{"key":{"t":1},"name":"a"}`), document(`{"key":{"t":1},"name":"b","collation":{"locale":"de"}}`)}, 0)
	if err != nil {
		t.Fatal(err)
	}
	same, _, err := command.DropIndexes(c, policy.ObjectValue(document(`{"t":1}`)))
	if got := shown(nil, err); same != c || got != "181 2 indexes found for key: {\"t\":{\"$numberInt\":\"1\"}}, identify by name instead. Conflicting indexes: a, b" {
		t.Errorf("DropIndexes({t: 1}) = %s", got)
	}
}

func TestListIndexes(t *testing.T) {
	for _, tt := range []struct{ release, options, index, want string }{
		{"8.0.4", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":60}`,
			`[{"v":{"$numberInt":"2"},"key":{"_id":{"$numberInt":"1"}},"name":"_id_"},{"v":{"$numberInt":"2"},"key":{"t":{"$numberInt":"1"}},"name":"t_1","expireAfterSeconds":{"$numberInt":"60"}}]`},
		{"3.2.0", `{}`, `{"key":{"t":1},"name":"t_1","expireAfterSeconds":60}`,
			`[{"v":{"$numberInt":"1"},"key":{"_id":{"$numberInt":"1"}},"name":"_id_"},{"v":{"$numberInt":"1"},"key":{"t":{"$numberInt":"1"}},"name":"t_1","expireAfterSeconds":{"$numberInt":"60"}}]`},
		{"9.0.0", `{}`, ``, `[{"v":{"$numberInt":"2"},"key":{"_id":{"$numberInt":"1"}},"name":"_id_","collation":{"locale":"simple"}}]`},
		{"7.0.0", `{"clusteredIndex":{"key":{"_id":1},"unique":true},"expireAfterSeconds":60}`, ``,
			`[{"v":{"$numberInt":"2"},"key":{"_id":{"$numberInt":"1"}},"name":"_id_","expireAfterSeconds":{"$numberLong":"60"},"unique":true,"clustered":true}]`},
		{"7.0.0", `{"timeseries":{"timeField":"t"}}`, ``, `[]`},
		{"7.0.0", `{"viewOn":"a","pipeline":[]}`, ``, `166 Namespace d.c is a view, not a collection`},
	} {
		c, err := command.Create("d.c", document(tt.options), fixture.Profile(t, tt.release), 1_700_000_000_000)
		if err != nil {
			t.Fatal(err)
		}
		if tt.index != "" {
			if c, _, err = command.CreateIndexes(c, []policy.D{document(tt.index)}, 0); err != nil {
				t.Fatal(err)
			}
		}
		list, err := command.ListIndexes(c)
		got := policy.ListValue(list).String()
		if err != nil {
			got = shown(nil, err)
		}
		if got != tt.want {
			t.Errorf("ListIndexes of %s on %s = %s, want %s", tt.options, tt.release, got, tt.want)
		}
	}
}

// TestNoBody: a command without a body changes nothing in silence, and so does a body that
// cannot list its fields.
func TestNoBody(t *testing.T) {
	p, err := mongo.ProfileOf(mongo.Latest())
	if err != nil {
		t.Fatal(err)
	}
	c, err := command.Create("d.c", nil, p, 0)
	if err != nil {
		t.Fatal(err)
	}
	body := policy.Map{"index": policy.Map{"name": "t_1", "expireAfterSeconds": 86400}}
	if same, _, err := command.CollMod(c, policy.DOf(policy.ObjectValue(body)), 0); same != c || err == nil {
		t.Errorf("collMod of a Map = %v, %v, want the collection and an error", same, err)
	}
	var refused *mongo.SpecError
	if same, _, err := command.CreateIndexes(c, nil, 0); same != c || !errors.As(err, &refused) || refused.Code != 2 {
		t.Errorf("createIndexes of nothing = %v, %v, want the collection and BadValue", same, err)
	}
	if _, reply, err := command.CollMod(c, policy.D{}, 0); err != nil || len(reply) != 0 {
		t.Errorf("collMod that asks for nothing = %v, %v", reply, err)
	}
}

// TestNoCollection: commands about a zero or nil Collection change nothing.
func TestNoCollection(t *testing.T) {
	for _, c := range []*mongo.Collection{nil, {}} {
		for name, do := range map[string]func() (*mongo.Collection, policy.D, error){
			"CreateIndexes": func() (*mongo.Collection, policy.D, error) {
				return command.CreateIndexes(c, []policy.D{document(`{"key":{"t":1},"name":"t_1"}`)}, 0)
			},
			"CollMod": func() (*mongo.Collection, policy.D, error) {
				return command.CollMod(c, document(`{"index":{"name":"t_1"}}`), 0)
			},
			"DropIndexes": func() (*mongo.Collection, policy.D, error) { return command.DropIndexes(c, policy.StringValue("*")) },
		} {
			if same, _, err := do(); same != c || !errors.Is(err, mongo.ErrUnknownVersion) {
				t.Errorf("%s of %v = %v, %v, want mongo.ErrUnknownVersion", name, c, same, err)
			}
		}
		if list, err := command.ListIndexes(c); !errors.Is(err, mongo.ErrUnknownVersion) {
			t.Errorf("ListIndexes of %v = %v, %v", c, list, err)
		}
	}
}

// TestCommandsAgreeWithDefinition: after any commands a collection decides as one that is
// compiled from its definition, and earlier collections decide as before.
func TestCommandsAgreeWithDefinition(t *testing.T) {
	releases := []string{"2.4.14", "2.6.12", "3.2.22", "4.0.28", "4.4.29", "5.0.9", "6.0.0", "8.0.4", "9.0.0"}
	delays := []string{`60`, `0`, `{"$numberDouble":"1.5"}`, `{"$numberDouble":"NaN"}`, `{"$numberLong":"4294967296"}`, `-1`, `"60"`}
	rapid.Check(t, func(rt *rapid.T) {
		now := policy.Instant(1_700_000_000_000)
		draw := func(label string, from []string) string { return rapid.SampledFrom(from).Draw(rt, label) }
		p := fixture.Profile(t, draw("release", releases))
		c, err := command.Create("d.c", nil, p, now)
		if err != nil {
			rt.Fatal(err)
		}
		type version struct {
			c *mongo.Collection
			d policy.Decision
		}
		doc := policy.Map{"a": now.Time(), "b": policy.Instant(5)}
		versions := []version{{c, c.Decide(doc, now)}}
		for range rapid.IntRange(1, 8).Draw(rt, "commands") {
			field, name := draw("field", []string{"a", "b"}), draw("name", []string{"a_1", "b_1", "*", "_id_", "c"})
			switch draw("command", []string{"createIndexes", "collMod", "dropIndexes"}) {
			case "createIndexes":
				c, _, _ = command.CreateIndexes(c, []policy.D{command.WithDefaultName(document(`{"key":{"` + field + `":1},"expireAfterSeconds":` + draw("delay", delays) + `}`))}, now)
			case "collMod":
				c, _, _ = command.CollMod(c, document(`{"index":{"keyPattern":{"`+field+`":1},"expireAfterSeconds":`+draw("delay", delays)+`}}`), now)
			case "dropIndexes":
				c, _, _ = command.DropIndexes(c, policy.StringValue(name))
			}
			versions = append(versions, version{c, c.Decide(doc, now)})
		}
		for i, v := range versions {
			again, err := mongo.CompileCollection(v.c.Spec(), v.c.Profile())
			if err != nil || again.Fingerprint() != v.c.Fingerprint() || again.Decide(doc, now) != v.d || v.c.Decide(doc, now) != v.d {
				rt.Fatalf("after command %d: %v, compiled anew from %v: %v, %v", i, v.d, v.c.Spec(), again, err)
			}
		}
	})
}
