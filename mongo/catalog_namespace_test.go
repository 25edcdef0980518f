package mongo

import (
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/drawn"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/rules"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// TestNamespaces: nothing is deleted in some namespaces. The cases are on both sides of
// each change of these namespaces (mongodb/mongo and its branches:
// src/mongo/db/ops/insert.cpp, src/mongo/db/ttl.cpp, src/mongo/db/namespace_string.cpp).
func TestNamespaces(t *testing.T) {
	var yes, no, unspecified = rules.Date.ID(), rules.NamespaceExcluded.ID(), rules.NamespaceUnspecified.ID()
	tests := []struct{ ns, version, want string }{
		{"shop.logs", "3.2.0", yes}, {"shop.logs", latest, yes}, {"shop.tmp.agg_out.1", "8.0.4", yes}, {"shop.tmp5", "4.4.29", yes},
		{"admin.sessions", "8.0.4", yes}, {"config.logs", "8.0.4", yes}, {"local.logs", "8.0.4", yes}, {"local.logs", "4.2.25", yes},
		{"shop.systemic", "8.0.4", yes}, {"shop.system", "8.0.4", yes}, {"shop.a.system", "8.0.4", yes}, {"systems.a", "8.0.4", yes}, {"shop.a.b.c", "3.2.0", yes},

		{"shop.system.profile", "3.2.0", no}, {"shop.system.profile", latest, no},
		{"shop.system.resharding.5f1a", "5.0.0", no}, {"shop.system.resharding.5f1a", latest, no}, {"shop.system.resharding.5f1a", "4.4.29", no},
		{"shop.system.buckets.resharding.5f1a", "4.4.29", no}, {"shop.system.buckets.resharding.5f1a", "7.3.4", unspecified}, {"shop.system.buckets.resharding.5f1a", "8.0.0", no},
		{"shop.system.drop.1i5t1.logs", "3.6.0", no}, {"shop.system.drop.1i5t1.logs", latest, no},
		{"shop.system.whatever", "3.2.0", no}, {"shop.system.whatever", latest, no}, {"admin.system.whatever", "8.0.4", no},
		{"shop.a.system.b", "3.2.0", no}, {"shop.a.system.b", latest, no},

		{"shop.system.js", "3.2.0", yes}, {"shop.system.js", latest, yes}, {"shop.system.users", "8.0.4", yes},
		{"shop.system.jsx", "3.2.0", no}, {"shop.system.users.old", "8.0.4", no}, {"shop.a.system.users", "8.0.4", no},
		{"shop.system.views", "3.2.22", no}, {"shop.system.views", "3.4.0", yes}, {"shop.system.views", "4.4.29", yes}, {"shop.system.views", "5.0.0", no},
		{"shop.system.indexes", "3.2.0", unspecified}, {"shop.system.indexes", "4.0.28", unspecified}, {"shop.system.indexes", "4.2.0", no},
		{"shop.system.buckets.weather", "4.4.29", no}, {"shop.system.buckets.weather", "5.0.0", yes}, {"shop.system.buckets.weather", latest, yes},
		{"shop.system.statistics.logs", "6.0.26", no}, {"shop.system.statistics.logs", "6.1.0", yes},
		{"admin.system.version", "3.2.0", yes}, {"admin.system.roles", "8.0.4", yes}, {"shop.system.roles", "8.0.4", no}, {"admin.system.backup_users", "3.2.0", yes},
		{"admin.system.new_users", "4.4.29", yes}, {"admin.system.new_users", "5.0.0", no}, {"admin.system.new_users", "5.0.23", no}, {"admin.system.new_users", "5.0.24", yes},
		{"admin.system.new_users", "5.3.2", unspecified}, {"admin.system.new_users", "6.0.12", unspecified}, {"admin.system.new_users", "6.0.13", yes}, {"admin.system.new_users", "7.0.4", unspecified},
		{"admin.system.new_users", "7.0.5", yes}, {"admin.system.new_users", "7.3.4", unspecified}, {"admin.system.new_users", "8.0.0", yes},
		{"admin.system.keys", "3.4.24", no}, {"admin.system.keys", "3.6.0", yes},
		{"config.system.sessions", "3.4.24", no}, {"config.system.sessions", "3.6.0", yes}, {"shop.system.sessions", "8.0.4", no},
		{"config.system.indexBuilds", "4.0.28", no}, {"config.system.indexBuilds", "4.2.0", yes},
		{"config.system.preimages", "4.4.29", no}, {"config.system.preimages", "5.0.0", no}, {"config.system.preimages", "5.3.2", unspecified}, {"config.system.preimages", "6.0.0", yes},
		{"config.system.sharding_ddl_coordinators", "4.4.29", no}, {"config.system.sharding_ddl_coordinators", "5.0.0", yes},
		{"config.localReshardingOplogBuffer.a.system.resharding.b", "4.4.29", no}, {"config.localReshardingOplogBuffer.a.system.resharding.b", "5.0.0", yes}, {"shop.a.system.resharding.b", "5.0.0", no},
		{"shop.system.buckets.resharding.5f1a", "5.0.0", yes}, {"shop.system.buckets.resharding.5f1a", "5.1.0", unspecified},
		{"config.cache.chunks.config.system.sessions", "3.4.24", no}, {"config.cache.chunks.config.system.sessions", "3.6.0", yes},
		{"config.cache.chunks.config.system.sessions", "4.4.0", yes}, {"config.cache.chunks.config.system.sessions", "5.0.0", yes},
		{"config.cache.chunks.shop.system.buckets.weather", "4.2.25", no}, {"config.cache.chunks.shop.system.buckets.weather", "4.4.0", no}, {"config.cache.chunks.shop.system.buckets.weather", "5.0.0", yes},
		{"config.cache.chunks.shop.logs", "3.6.0", yes},
		{"shop.a.system.sessions", "3.4.24", no}, {"shop.a.system.sessions", "4.2.25", yes}, {"shop.a.system.sessions", "4.4.29", yes}, {"shop.a.system.sessions", "5.0.0", no},
		{"local.system.replset", "3.2.0", yes}, {"local.system.replset", latest, yes}, {"shop.system.replset", "8.0.4", no},
		{"local.system.healthlog", "3.4.24", no}, {"local.system.healthlog", "3.6.0", yes}, {"local.system.healthlog", "4.4.0", yes}, {"local.system.healthlog", "5.0.0", yes},
		{"local.oplog.rs", "4.4.29", yes}, {"local.oplog.rs", "5.0.0", unspecified}, {"local.oplog.rs", latest, unspecified}, {"shop.oplog.rs", "8.0.4", yes}, {"local.oplog.$main", "4.2.25", no},
		{"shop.a$b", "4.4.29", no}, {"shop.a$b", "5.0.0", no}, {"shop.a$b", "5.1.0", unspecified},
		{"system.logs", "3.2.0", no}, {"system.logs", "4.2.25", no}, {"system.logs", "4.4.0", no}, {"system.logs", "5.0.0", yes}, {"system.system.users", "3.2.0", no},
		{"a$b.logs", "3.2.0", yes}, {"a$b.logs", "4.2.25", yes}, {"a$b.logs", "4.4.0", yes}, {"a$b.logs", "5.0.0", no}, {"a$b.logs", latest, no}, {"a$b.system.profile", "4.2.25", no}, {"a$b.system.profile", "8.0.4", no},
	}
	for _, tt := range tests {
		checkNamespaceVector(t, tt.ns, tt.version, `{}`, `[{"key":{"t":1},"expireAfterSeconds":1}]`, dates(`{"t":D(5)}`), tt.want)
	}
	var yes22 = rules.DateStrict.ID() // up to 3.0 the delete itself checks
	for _, tt := range []struct{ ns, version, want string }{
		{"shop.logs", "2.2.0", yes22}, {"shop.system.js", "2.2.0", yes22}, {"shop.system.users", "2.4.14", yes22}, {"local.system.replset", "2.2.0", yes22},
		{"local.oplog.rs", "2.2.0", yes22}, {"shop.system.profile", "2.2.0", no}, {"shop.system.whatever", "3.0.15", no}, {"shop.a$b", "3.0.15", no},
		{"admin.system.version", "2.2.7", no}, {"admin.system.version", "2.4.7", no}, {"admin.system.version", "2.4.8", yes22}, {"admin.system.version", "2.6.0", yes22},
		{"admin.system.new_users", "2.4.7", no}, {"admin.system.new_users", "2.4.8", yes22}, {"admin.system.new_users", "3.0.15", yes22},
		{"shop.a.system.b", "2.4.14", no}, {"shop.a.system.b", "2.6.0", yes22}, {"shop.a.system.b", "3.0.15", yes22},
		{"shop.a.system.sessions", "2.4.14", no}, {"shop.a.system.sessions", "2.6.0", yes22}, {"config.cache.chunks.a.system.b", "3.0.15", yes22},
		{"shop.system.jsx", "2.2.0", yes22}, {"shop.system.jsx", "3.0.15", yes22}, {"shop.system.usersX", "2.4.14", yes22}, {"shop.x.system.users", "2.2.0", yes22},
		{"system.logs", "2.2.0", yes22}, {"system.logs", "3.0.15", yes22}, {"system.system.logs", "3.0.15", no}, {"system.system.users", "3.0.15", yes22},
		{"shop.system.indexes", "3.0.15", no}, {"a$b.logs", "2.2.0", no}, {"a$b.logs", "3.0.15", no}, {"a$b.system.users", "3.0.15", no},
	} {
		checkNamespaceVector(t, tt.ns, tt.version, `{}`, `[{"key":{"t":1},"expireAfterSeconds":1}]`, dates(`{"t":D(5)}`), tt.want)
	}
}

// checkNamespaceVector decides about one document of a collection of this name
// by every method.
func checkNamespaceVector(t *testing.T, ns, version, options, indexes, document, want string) {
	t.Helper()
	spec, err := ParseCollectionSpec(drawn.Value(t, options), drawn.Value(t, indexes))
	if err != nil {
		t.Fatal(err)
	}
	spec.Namespace = ns
	c, err := CompileCollection(spec, vectorProfile(t, version))
	if err != nil {
		t.Fatalf("CompileCollection of %s on %s: %v", ns, version, err)
	}
	doc := drawn.Value(t, document)
	raw := drawn.BSONOf(t, doc).Bytes()
	d := c.Decide(doc, policy.MaxInstant)
	if d.Rule.ID() != want || (d.State == policy.Never) != strings.HasPrefix(want, "mongo.namespace-") {
		t.Errorf("%s on %s: %v by %s, want %s", ns, version, d.State, d.Rule, want)
	}
	if got := c.DecideBSON(raw, policy.MaxInstant); got != d {
		t.Errorf("%s on %s: DecideBSON = %v by %s, Decide %v by %s", ns, version, got.State, got.Rule, d.State, d.Rule)
	}
	if strings.HasPrefix(want, "mongo.namespace-") && !boundsOf(c, 0, policy.MaxInstant).isEmpty() {
		t.Errorf("%s on %s: there is something to scan", ns, version)
	}
	consulted := c.Consulted(d)
	if asked := slices.Contains(consulted, rules.NamespaceExcluded) || slices.Contains(consulted, rules.NamespaceUnspecified); asked != (ns != "") {
		t.Errorf("%s on %s: consulted %v", ns, version, consulted)
	}
}

// TestNamespacesOfOwnOptions: the same rules hold for collections with their own option;
// for a time-series collection the namespace of its buckets counts, even if Namespace has
// the collection's own name.
func TestNamespacesOfOwnOptions(t *testing.T) {
	var no, unspecified = rules.NamespaceExcluded.ID(), rules.NamespaceUnspecified.ID()
	const clustered, series = `{"clusteredIndex":true,"expireAfterSeconds":1}`, `{"timeseries":{"timeField":"t","metaField":"m"},"expireAfterSeconds":1}`
	const index = `[{"key":{"t":1},"expireAfterSeconds":1,"partialFilterExpression":{"m":1}}]`
	for _, tt := range []struct{ ns, version, options, indexes, want string }{
		{"", "8.0.4", clustered, `[]`, rules.Clustered.ID()},
		{"shop.logs", "8.0.4", clustered, `[]`, rules.Clustered.ID()},
		{"shop.system.resharding.5f1a", "8.0.4", clustered, `[]`, no},
		{"shop.a$b", "8.0.4", clustered, `[]`, unspecified},
		{"shop.system.resharding.5f1a", "8.0.4", `{}`, `[{"key":{"_id":1},"name":"_id_","clustered":true,"expireAfterSeconds":60}]`, no},
		{"shop.weather", "8.0.4", series, `[]`, rules.SeriesBucket.ID()},
		{"shop.system.buckets.weather", "8.0.4", series, `[]`, rules.SeriesBucket.ID()},
		{"shop.weather", latest, series, `[]`, rules.SeriesBucket.ID()},
		{"shop.system.buckets.resharding.5f1a", "8.0.4", series, `[]`, no},
		{"shop.resharding.5f1a", "8.0.4", series, `[]`, no},
		{"shop.resharding.5f1a", "7.0.5", series, `[]`, unspecified},
		{"shop.system.buckets.resharding.5f1a", "8.0.4", series, index, no},
		{"shop.weather", "8.0.4", series, index, rules.SeriesBucket.ID()},
	} {
		checkNamespaceVector(t, tt.ns, tt.version, tt.options, tt.indexes, dates(`{"_id":D(5),"t":D(1700000000000),"m":1}`), tt.want)
	}
}

func TestNamespacesRefused(t *testing.T) {
	for _, ns := range []string{"logs", ".", "shop.", ".logs", "shop..logs", "shop.lo\x00gs"} {
		spec := CollectionSpec{Namespace: ns}
		if c, err := CompileCollection(spec, vectorProfile(t, "8.0.4")); c != nil || !hasCode(err, codes.InvalidNamespace) {
			t.Errorf("CompileCollection of %q = %v, %v, want %v", ns, c, err, codes.InvalidNamespace)
		}
		if x, err := compileAlone(spec, IndexSpec{}, vectorProfile(t, "8.0.4")); x != nil || !hasCode(err, codes.InvalidNamespace) {
			t.Errorf("CompileCollection in %q = %v, %v, want %v", ns, x, err, codes.InvalidNamespace)
		}
	}
	x, err := compileAlone(CollectionSpec{Namespace: "shop.system.profile"}, TTLIndex("t", 1), vectorProfile(t, "8.0.4"))
	if err != nil {
		t.Fatal(err)
	}
	if d := x.DecideKey(5, policy.MaxInstant); d.State != policy.Never || d.Rule != rules.NamespaceExcluded {
		t.Errorf("DecideKey in system.profile: %v by %s, want never by %s", d.State, d.Rule, rules.NamespaceExcluded)
	}
}

func TestNamespaceStepsAreOfEveryKind(t *testing.T) {
	for kind, steps := range behaviour.NamespaceSteps {
		if len(steps) == 0 {
			t.Errorf("kind %d has no steps", kind)
		}
	}
}
