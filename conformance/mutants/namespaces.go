package mutants

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// namespaces holds misreadings of where nothing is deleted.
var namespaces = []entry{
	{"namespace-ignored", "mongo.namespace-excluded", "A TTL index deletes wherever it is.", "every implementation that is asked about an index alone",
		asks(decide, func(q query) query { return q.with(policy.Value{}, "collection", "ns") })},
	{"namespace-resharding-alone", "mongo.namespace-excluded", "Only temporary collections of resharding are left alone.", "",
		asNamed(func(_, name string) bool { return !strings.Contains(name, "resharding") }, "logs")},
	{"namespace-without-resharding", "mongo.namespace-excluded", "A temporary collection of resharding is like any other.", "",
		asNamed(func(_, name string) bool { return strings.HasPrefix(name, "system.resharding.") }, "logs")},
	{"namespace-resharding-without-buckets", "mongo.namespace-excluded", "The buckets of a time-series collection that is being resharded are like any other.", "",
		only(decide, since("8.0.0"), asNamed(func(_, name string) bool { return strings.HasPrefix(name, "system.buckets.resharding.") }, "system.buckets.weather"))},
	{"namespace-without-drops", "mongo.namespace-excluded", "A collection that is being dropped is like any other.", "",
		asNamed(func(_, name string) bool { return strings.HasPrefix(name, "system.drop.") }, "logs")},
	{"namespace-without-profile", "mongo.namespace-excluded", "system.profile is like any other.", "",
		asNamed(func(_, name string) bool { return name == "system.profile" }, "logs")},
	{"namespace-by-beginning", "mongo.namespace-excluded", "A system collection is one whose name begins with system.", "",
		asNamed(func(_, name string) bool { return !strings.HasPrefix(name, "system.") }, "logs")},
	{"namespace-without-dot", "mongo.namespace-excluded", "A system collection is one whose name begins with system, whatever follows.", "",
		keepsNames(func(_, name string) bool {
			return strings.HasPrefix(name, "system") && !strings.HasPrefix(name, "system.")
		})},
	{"namespace-by-end", "mongo.namespace-excluded", "A name that ends with .system is one of the system.", "",
		keepsNames(func(_, name string) bool { return strings.HasSuffix(name, ".system") })},
	{"namespace-without-exceptions", "mongo.namespace-excluded", "Nothing is deleted from any system collection.", "",
		keepsNames(func(_, name string) bool { return strings.Contains("."+name, ".system.") })},
	{"namespace-tmp", "mongo.namespace-excluded", "Nothing is deleted from temporary collections.", "",
		keepsNames(func(_, name string) bool { return strings.HasPrefix(name, "tmp") })},
	{"namespace-admin", "mongo.namespace-excluded", "Nothing is deleted in the database admin.", "",
		keepsNames(func(database, _ string) bool { return database == "admin" })},
	{"namespace-config", "mongo.namespace-excluded", "Nothing is deleted in the database config.", "",
		keepsNames(func(database, _ string) bool { return database == "config" })},
	{"namespace-local", "mongo.namespace-excluded", "Nothing is deleted in the database local.", "",
		keepsNames(func(database, _ string) bool { return database == "local" })},
	{"namespace-system-database", "mongo.namespace-excluded", "A database called system is like any other.", "",
		asNamed(func(database, _ string) bool { return database == "system" }, "logs")},
	{"namespace-any-database", "mongo.namespace-excluded", "What one database may hold any may.", "",
		only(decide, not(until("3.6.0")), asNamed(func(_, name string) bool { return name == "system.keys" }, "logs"))},
	{"namespace-exceptions-of-today", "mongo.namespace-excluded", "The exceptions of today hold in every release.", "",
		atRelease(decide, "9.0.2", test(isNamed).and(since("3.2.0")))},
	{"namespace-exceptions-of-4.2", "mongo.namespace-excluded", "The exceptions of 4.2 hold in every release.", "",
		atRelease(decide, "4.2.25", test(isNamed).and(since("3.2.0")).and(not(has("collection", option))))},
	{"namespace-oplog", "mongo.namespace-excluded", "The oplog is like any other.", "",
		asNamed(func(_, name string) bool { return strings.HasPrefix(name, "oplog.") }, "logs")},
	{"namespace-with-dollar", "mongo.namespace-excluded", "A name with a dollar sign is like any other.", "",
		only(decide, until("4.4.0"), asNamed(func(_, name string) bool { return strings.Contains(name, "$") }, "logs"))},
	{"namespace-of-indexes", "mongo.namespace-excluded", "The namespace decides about TTL indexes alone, not about a collection's own option.", "",
		only(decide, has("collection", option), asks(decide, func(q query) query { return q.with(policy.Value{}, "collection", "ns") }))},
	{"namespace-of-timeseries", "mongo.namespace-excluded", "A time-series collection stores its buckets in a system collection, from which nothing is deleted.", "",
		only(decide, has("collection", "timeseries"), keepsNames(func(_, _ string) bool { return true }))},
}

// namespace returns the database and the name of the collection, if the
// question tells.
func (q query) namespace() (database, name string, ok bool) {
	ns, _ := q.get("collection", "ns").AsString()
	return strings.Cut(ns, ".")
}

func isNamed(q query) bool {
	_, _, ok := q.namespace()
	return ok
}

// asNamed takes collections with such a namespace for one of another name.
func asNamed(such func(database, name string) bool, to string) misreading {
	return asks(decide, func(q query) query {
		if database, name, ok := q.namespace(); ok && such(database, name) {
			return q.with(policy.StringValue("shop."+to), "collection", "ns")
		}
		return q
	})
}

// keepsNames keeps documents of collections with such a namespace.
func keepsNames(such func(database, name string) bool) misreading {
	return keeps(decide, func(q query) bool {
		database, name, ok := q.namespace()
		return ok && such(database, name)
	})
}
