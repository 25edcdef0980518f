package plan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/change"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/catalog"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

const (
	now = policy.Instant(1_795_132_800_000) // 2026-11-20
	day = 86_400_000
)

// aged are the documents of the collections. Each has a date in the field t or u, or a
// deadline in the field e, and a kind in the field k. A name such as t40k2 means a date
// in t of 40 days ago and the kind 2; without k2 the kind is 1.
var aged = []struct {
	name string
	doc  policy.D
}{
	{"t1", documentOf("t", 1, 1)}, {"t10", documentOf("t", 10, 1)}, {"t40", documentOf("t", 40, 1)}, {"t40k2", documentOf("t", 40, 2)},
	{"u10", documentOf("u", 10, 1)}, {"u40", documentOf("u", 40, 1)}, {"e1", documentOf("e", 1, 1)},
}

func documentOf(field string, days int64, k int32) policy.D {
	date := policy.DateValue(now - policy.Instant(days*day))
	return policy.D{{Key: "_id", Value: date}, {Key: field, Value: date}, {Key: "k", Value: policy.Int32Value(k)}}
}

// TestOrder: the documents that have expired before the first command and after each
// command are those worked out by hand. A document that has expired in neither the first
// nor the last state must not have expired in between.
func TestOrder(t *testing.T) {
	const (
		t30   = `,{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":2592000}`
		t7    = `,{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":604800}`
		u30   = `,{"v":2,"key":{"u":1},"name":"u_1","expireAfterSeconds":2592000}`
		plain = `,{"v":2,"key":{"t":1},"name":"t_1"}`
		kind1 = `,{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":604800,"partialFilterExpression":{"k":1}}`
		kinds = `,{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":604800,"partialFilterExpression":{"k":{"$gt":0}}}`
		nan   = `,{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":{"$numberDouble":"NaN"}}`
	)
	for _, tt := range []struct {
		why, release, rule, stands string
		want                       []string
	}{
		{"the delay gets shorter", "8.0.4", "key: t, expireAfterSeconds: 7d", reply(t30), []string{"t40 t40k2", "t10 t40 t40k2"}},
		{"longer", "8.0.4", "key: t, expireAfterSeconds: 30d", reply(t7), []string{"t10 t40 t40k2", "t40 t40k2"}},
		{"one longer and one shorter: that one last", "8.0.4", "indexes: [{key: u, expireAfterSeconds: 7d}, {key: t, expireAfterSeconds: 30d}]", reply(u30 + t7),
			[]string{"t10 t40 t40k2 u40", "t40 t40k2 u40", "t40 t40k2 u10 u40"}},
		{"the filter gets narrower", "8.0.4", "key: t, expireAfterSeconds: 7d, partialFilterExpression: {k: 1}", reply(kinds), []string{"t10 t40 t40k2", "", "t10 t40"}},
		{"wider", "8.0.4", "key: t, expireAfterSeconds: 7d, partialFilterExpression: {k: {$gt: 0}}", reply(kind1), []string{"t10 t40", "", "t10 t40 t40k2"}},
		{"a filter is added", "8.0.4", "key: t, expireAfterSeconds: 7d, partialFilterExpression: {k: 1}", reply(t7), []string{"t10 t40 t40k2", "", "t10 t40"}},
		{"a filter is taken away", "4.4.0", "key: t, expireAfterSeconds: 7d", reply(kind1), []string{"t10 t40", "", "t10 t40 t40k2"}},
		{"narrower and longer", "5.0.14", "key: t, expireAfterSeconds: 30d, partialFilterExpression: {k: 2}", reply(t7), []string{"t10 t40 t40k2", "", "t40k2"}},
		{"another field", "8.0.4", "key: u, expireAfterSeconds: 7d", reply(t30), []string{"t40 t40k2", "", "", "u10 u40"}},
		{"another field, whose index is there", "6.0.1", "key: u, expireAfterSeconds: 7d", reply(t30 + `,{"v":2,"key":{"u":1},"name":"u_1"}`), []string{"t40 t40k2", "", "", "u10 u40"}},
		{"the same before collMod could", "4.4.0", "key: u, expireAfterSeconds: 7d", reply(t30 + `,{"v":2,"key":{"u":1},"name":"u_1"}`), []string{"t40 t40k2", "", "", "", "u10 u40"}},
		{"off", "8.0.4", "expireAfterSeconds: none", reply(t30 + u30), []string{"t40 t40k2 u40", "u40", "u40", "", ""}},
		{"on", "8.0.4", "key: t, expireAfterSeconds: 7d", reply(plain), []string{"", "t10 t40 t40k2"}},
		{"on, where the index is dropped and created", "5.0.9", "key: t, expireAfterSeconds: 7d", reply(plain), []string{"", "", "t10 t40 t40k2"}},
		{"on with a deadline of the document's own", "8.0.4", "key: e, expireAfterSeconds: 0", reply(""), []string{"", "e1"}},
		{"NaN that deletes everything", "5.0.9", "key: t, expireAfterSeconds: 30d", reply(nan), []string{"t1 t10 t40 t40k2", "t40 t40k2"}},
		{"NaN that deletes nothing", "8.0.4", "key: t, expireAfterSeconds: 30d", reply(nan), []string{"", "t40 t40k2"}},
		{"two indexes for one field, the longer wanted", "8.0.4", "key: t, expireAfterSeconds: 30d", reply(t30 + `,{"v":2,"key":{"t":-1},"name":"short","expireAfterSeconds":604800}`), []string{"t10 t40 t40k2", "t40 t40k2", "t40 t40k2"}},
		{"clustered: the option off, an index instead", "8.0.4", "key: u, expireAfterSeconds: 7d", `{"collectionName":"shop.logs","options":{"clusteredIndex":true,"expireAfterSeconds":2592000},"indexes":[]}`,
			[]string{"t40 t40k2 u40", "", "u10 u40"}},
		{"clustered: the option gets longer before an index deletes", "8.0.4", "indexes: [{key: u, expireAfterSeconds: 7d}, {expireAfterSeconds: 30d}]", `{"collectionName":"shop.logs","options":{"clusteredIndex":true,"expireAfterSeconds":604800},"indexes":[]}`,
			[]string{"t10 t40 t40k2 u10 u40", "t40 t40k2 u40", "t40 t40k2 u10 u40"}},
		{"clustered: shorter", "8.0.4", "expireAfterSeconds: 7d", `{"collectionName":"shop.logs","options":{"clusteredIndex":true,"expireAfterSeconds":2592000},"indexes":[]}`,
			[]string{"t40 t40k2 u40", "t10 t40 t40k2 u10 u40"}},
	} {
		if diff := cmp.Diff(tt.want, expiredAfterEach(t, "server: "+tt.release+"\nrules:\n- {namespace: shop.logs, "+tt.rule+"}\n", tt.stands)); diff != "" {
			t.Errorf("%s: what has expired differs (-want +got):\n%s", tt.why, diff)
		}
	}
}

// expiredAfterEach makes a plan, and returns the names of the documents that have expired
// before the first command and after each command.
func expiredAfterEach(t *testing.T, rules, stands string) (states []string) {
	t.Helper()
	p := planned(t, rules, stands)
	targets, err := catalog.Read("input", strings.NewReader(stands))
	if err != nil {
		t.Fatal(err)
	}
	release, err := mongo.ParseVersion(strings.TrimPrefix(p.Changes[0].System, "MongoDB "))
	if err != nil {
		t.Fatal(err)
	}
	c, err := targets[0].Collection(catalog.Options{Now: now, Release: release})
	if err != nil {
		t.Fatal(err)
	}
	expired := func() string {
		by, err := mongo.CompileCollection(c.Spec, c.Profile)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, one := range aged {
			if by.Decide(one.doc, now).State == policy.Expired {
				names = append(names, one.name)
			}
		}
		return strings.Join(names, " ")
	}
	states = append(states, expired())
	for _, item := range p.Changes[0].Items {
		if item.Refused != "" {
			t.Fatalf("%s is refused: %s", item.Name, item.Refused)
		}
		for _, s := range item.Steps {
			if c.Spec, err = c.After(c.Spec, s.Run); err != nil {
				t.Fatalf("%s: %v", s.Command, err)
			}
			states = append(states, expired())
		}
	}
	return states
}

// TestOrderOfContainers: a container changes by one command. Items were written 10 days
// ago. The ttl of an item overrides the default, and has no effect while the default is
// off.
func TestOrderOfContainers(t *testing.T) {
	const never, off = -1, -2
	items := []struct {
		name string
		ttl  int64 // 0 for an item without a ttl
	}{{"none", 0}, {"1d", 86_400}, {"30d", 30 * 86_400}, {"never", -1}}
	for _, tt := range []struct {
		why           string
		before        int64
		rule          string
		first, last   string // the items that have expired before and after the command
		action        change.Action
		command, says string // a part of the command, and a part of its warning
	}{
		{"on", off, "7d", "", "none 1d", change.ToCreate, "--ttl 604800", "This deletes every item that was last written more than its own ttl seconds ago, and every one without a ttl that was last written more than 7 d ago, as soon as it runs."},
		{"on without a default", off, "-1", "", "1d", change.ToCreate, "--ttl -1", "This deletes every item that was last written more than its own ttl seconds ago, as soon as it runs."},
		{"off", 604_800, "off", "none 1d", "", change.ToDrop, "PUT dbs/", ""},
		{"off, from no default", never, "off", "1d", "", change.ToDrop, "PUT dbs/", ""},
		{"shorter", 30 * 86_400, "7d", "1d", "none 1d", change.ToChange, "--ttl 604800", "without a ttl that was last written more than 7 d ago"},
		{"longer", 604_800, "30d", "none 1d", "1d", change.ToChange, "--ttl 2592000", ""},
		{"no limit but that of items", 604_800, "-1", "none 1d", "1d", change.ToChange, "--ttl -1", ""},
	} {
		spec := cosmos.ContainerSpec{}
		text := `{"id":"carts","partitionKey":{"paths":["/id"]}}`
		if tt.before != off {
			spec.DefaultTTL = policy.Int64Value(tt.before)
			text = strings.Replace(text, `}}`, `},"defaultTtl":`+policy.Int64Value(tt.before).String()+`}`, 1)
			text = strings.NewReplacer(`{"$numberLong":"`, "", `"}`, "").Replace(text)
		}
		p := planned(t, "rules: [{namespace: carts, defaultTtl: "+tt.rule+"}]\n", text)
		c := p.Changes[0]
		expired := func(by *reasons.Policy) string {
			var names []string
			for _, one := range items {
				doc := policy.D{{Key: "id", Value: policy.StringValue(one.name)}, {Key: "_ts", Value: policy.Int64Value((int64(now) - 10*day) / 1000)}}
				if one.ttl != 0 {
					doc = append(doc, policy.E{Key: "ttl", Value: policy.Int64Value(one.ttl)})
				}
				if by.Decide(doc, now).State == policy.Expired {
					names = append(names, one.name)
				}
			}
			return strings.Join(names, " ")
		}
		item := c.Items[0]
		if item.Action != tt.action || len(item.Steps) != 1 || !strings.Contains(item.Steps[0].Command, tt.command) || !strings.Contains(item.Steps[0].Warning, tt.says) || tt.says == "" && item.Steps[0].Warning != "" {
			t.Errorf("%s: %+v, want one command with %s and a warning with %q", tt.why, item, tt.command, tt.says)
		}
		if first, last := expired(c.Before), expired(c.After); first != tt.first || last != tt.last {
			t.Errorf("%s: %q has expired before and %q after, want %q and %q", tt.why, first, last, tt.first, tt.last)
		}
	}
}
