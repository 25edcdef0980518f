package catalogtest

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// now is 2026-11-20T12:00:00Z.
const now = policy.Instant(1_795_176_000_000)

func one() policy.Value { return policy.Int32Value(1) }

// server returns a server with a TTL index of one hour on t. Its documents have a t of
// two hours ago (old) and of half an hour ago (new), a text, [], null, and no t.
func server() *Server {
	date := func(minutes int64) policy.Value { return policy.DateValue(now - policy.Instant(minutes*60_000)) }
	document := func(name string, v policy.Value) Document {
		d := policy.D{{Key: "_id", Value: policy.StringValue(name)}, {Key: "t", Value: v}}
		if v.IsMissing() {
			d = d[:1]
		}
		return Document{Name: name, Value: d}
	}
	return &Server{System: definition.MongoDB, Release: "8.0.4", Now: now, Collections: map[string]*Collection{"c": {
		Mongo: mongo.CollectionSpec{Indexes: []mongo.IndexSpec{{Name: "t_1", Key: policy.D{{Key: "t", Value: one()}}, ExpireAfterSeconds: policy.Int32Value(3600)}}},
		Documents: []Document{
			document("old", date(120)), document("new", date(30)), document("text", policy.StringValue("2026-11-20T09:00:00Z")),
			document("empty", policy.ListValue(policy.A{})), document("null", policy.NullValue()), document("none", policy.Value{}),
		},
	}}}
}

func names(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }

// TestRun: after each command, the documents that have gone are those worked out by hand.
func TestRun(t *testing.T) {
	for _, tt := range []struct {
		command string
		want    []string
	}{
		{`db.c.getIndexes()`, []string{"c/old"}},
		{`db.c.dropIndex("t_1")`, nil},
		{`db.runCommand({collMod: "c", index: {name: "t_1", expireAfterSeconds: 60}})`, []string{"c/new", "c/old"}},
		{`db.runCommand({collMod: "c", index: {name: "t_1", expireAfterSeconds: 2147483647}})`, nil},
		{`db.c.updateMany({t: null}, {$set: {t: new Date(0)}})`, []string{"c/none", "c/null", "c/old"}},
		{`db.c.updateMany({t: []}, [{$set: {t: {$add: ["$$NOW", -7200000]}}}])`, []string{"c/empty", "c/old"}},
		{`db.c.updateMany({t: {$exists: false}}, [{$set: {t: {$add: ["$$NOW", 604800000]}}}])`, []string{"c/old"}},
		{`db.c.updateMany({t: {$type: "string"}}, [{$set: {t: {$toDate: "$t"}}}])`, []string{"c/old", "c/text"}},
		{`db.c.updateMany({t: {$regex: "Z$"}, $expr: {$gte: [{$toDate: "$t"}, new Date(Date.now() - 3600e3)]}}, [{$set: {t: {$toDate: "$t"}}}])`, []string{"c/old"}},
		{`db.c.updateMany({t: {$type: "string"}}, [{$set: {t: {$dateFromString: {dateString: "2026-11-19 10:00:00", timezone: "-12:00", onError: "$t"}}}}])`, []string{"c/old", "c/text"}},
		{`db.c.updateMany({t: {$type: "string"}}, [{$set: {t: {$dateFromString: {dateString: "$t", timezone: "-12:00", onError: "$t"}}}}])`, []string{"c/old"}}, // the text names a zone
		{`db.c.updateMany({}, {$unset: {t: 1}})`, nil},
		{`db.c.deleteMany({t: {$not: {$type: "date"}}})`, []string{"c/empty", "c/none", "c/null", "c/old", "c/text"}},
		{`db.c.deleteMany({t: {$lt: new Date(Date.now() - 20 * 60000)}})`, []string{"c/new", "c/old"}},
		{`db.adminCommand({setParameter: 1, ttlMonitorEnabled: false})`, nil},
		{"db.c.aggregate([{$out: \"d\"}])\ndb.d.createIndex({t: 1}, {expireAfterSeconds: 60})", []string{"c/old", "d/new", "d/old"}},
	} {
		s := server()
		if _, err := s.Run(tt.command, nil); err != nil {
			t.Errorf("%s: %v", tt.command, err)
			continue
		}
		if gone, err := s.Gone(now); err != nil || !slices.Equal(names(gone), tt.want) {
			t.Errorf("%s leaves %q gone, %v, want %q", tt.command, names(gone), err, tt.want)
		}
	}
}

// TestRunFinds: a query finds the expected documents, with names replaced in the query.
func TestRunFinds(t *testing.T) {
	for command, want := range map[string][]string{
		`db.c.countDocuments({x: null})`:                          {"c/none", "c/null"},
		`db.c.find({x: {$type: "string", $not: {$regex: "^1"}}})`: {"c/text"},
		`db.c.aggregate([{$match: {x: {$type: "date"}}}, {$match: {$expr: {$lt: ["$x", new Date(Date.now() - 3600e3)]}}}, {$count: "n"}])`: {"c/old"},
		`db.c.find({x: []})`:                                          {"c/empty"},
		`db.c.find({x: {$exists: false}})`:                            {"c/none"},
		`db.c.find({$or: [{x: {$type: "string"}}, {x: {$size: 0}}]})`: nil, // the package does not support $size
		`db.c.find({$or: [{x: {$type: "string"}}, {x: {$gt: new Date(Date.now() - 3600e3)}}]})`: {"c/new", "c/text"},
	} {
		o, err := server().Run(command, map[string]string{"x": "t"})
		if want == nil {
			if !errors.Is(err, ErrUnknown) {
				t.Errorf("%s: %v, want that it is not known", command, err)
			}
			continue
		}
		if err != nil || o.Changes || !slices.Equal(names(o.Found), want) {
			t.Errorf("%s finds %q, changes %v, %v, want %q", command, names(o.Found), o.Changes, err, want)
		}
	}
}

// TestRunRefuses: the error for a command that the server refuses differs from the error
// for a command that this package does not know.
func TestRunRefuses(t *testing.T) {
	for command, want := range map[string]error{
		`db.c.dropIndex("u_1")`:                                                   ErrRefused,
		`db.c.createIndex({t: 1, u: 1}, {expireAfterSeconds: 1})`:                 ErrRefused,
		`db.c.createIndex({t: 1}, {expireAfterSeconds: 60})`:                      ErrRefused,
		`db.c.updateMany({t: {$type: "string"}}, [{$set: {t: {$toLong: "$t"}}}])`: ErrRefused,
		`db.stats.createIndex({u: 1})`:                                            ErrRefused,
		`db._c.createIndex({u: 1})`:                                               ErrRefused,
		`db.getSiblingDB("shop").help.createIndex({u: 1})`:                        ErrRefused,
		`db.c.drop()`:                                      ErrUnknown,
		`db.nowhere.deleteMany({})`:                        ErrUnknown,
		`db.c.aggregate([{$merge: "d"}])`:                  ErrUnknown,
		`db.runCommand({dropDatabase: 1, comment: "all"})`: ErrUnknown,
		`rm -r dump`:                                       ErrUnknown,
		`az cosmosdb delete -n a`:                          ErrUnknown,
	} {
		if _, err := server().Run(command, nil); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", command, err, want)
		}
	}
}

// TestContainer: commands of the az tool change the settings.
func TestContainer(t *testing.T) {
	for command, want := range map[string][]string{
		`az cosmosdb sql container update -n items --ttl 60`:                    {"c/1"},
		`az cosmosdb sql container update -n items --ttl=-1`:                    nil,
		`az cosmosdb sql container update -n items --analytical-storage-ttl 60`: {"c/row of 1"},
	} {
		s := &Server{System: definition.CosmosNoSQL, Now: now, Collections: map[string]*Collection{"c": {
			Container: cosmos.ContainerSpec{DefaultTTL: policy.Int32Value(3600)},
			Documents: []Document{{Name: "1", Value: policy.D{{Key: "_ts", Value: policy.Int64Value(int64(now)/1000 - 600)}}}},
		}}}
		if _, err := s.Run(command, nil); err != nil {
			t.Errorf("%s: %v", command, err)
		}
		if gone, err := s.Gone(now); err != nil || !slices.Equal(names(gone), want) {
			t.Errorf("%s leaves %q gone, %v, want %q", command, names(gone), err, want)
		}
	}
}

// TestAPIForMongoDB: an index on _ts can be created only once, and a write restarts the
// time to live.
func TestAPIForMongoDB(t *testing.T) {
	s := &Server{System: definition.CosmosMongo, Release: "7.0", Now: now, Collections: map[string]*Collection{"c": {
		Documents: []Document{{Name: "1", Value: policy.D{{Key: "_id", Value: one()}, {Key: "_ts", Value: policy.Int64Value(int64(now)/1000 - 600)}}}},
	}}}
	for _, step := range []struct {
		command string
		gone    bool
		refused bool
	}{
		{`db.c.createIndex({_ts: 1}, {expireAfterSeconds: 60})`, true, false},
		{`db.c.createIndex({_ts: 1}, {expireAfterSeconds: 3600})`, true, true},
		{`db.c.dropIndex("_ts_1")`, false, false},
		{`db.c.createIndex({_ts: 1}, {expireAfterSeconds: 60})`, true, false},
		{`db.c.updateOne({_id: 1}, {$set: {ttl: NumberInt(90)}})`, false, false},
	} {
		_, err := s.Run(step.command, nil)
		gone, wrong := s.Gone(now)
		if errors.Is(err, ErrRefused) != step.refused || gone["c/1"] != step.gone || wrong != nil {
			t.Errorf("%s: %v, gone %v, %v, want refused %v, gone %v", step.command, err, gone["c/1"], wrong, step.refused, step.gone)
		}
	}
}
