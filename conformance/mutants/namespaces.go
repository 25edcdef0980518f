package mutants

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// namespaces holds misreadings of where nothing is deleted.
var namespaces = map[string]misreading{
	"namespace-ignored":                    forgets(decide, always, "collection", "ns"),
	"namespace-resharding-alone":           asNamed(func(_, name string) bool { return !strings.Contains(name, "resharding") }, "logs"),
	"namespace-without-resharding":         asNamed(func(_, name string) bool { return strings.HasPrefix(name, "system.resharding.") }, "logs"),
	"namespace-resharding-without-buckets": only(decide, since("8.0.0"), asNamed(func(_, name string) bool { return strings.HasPrefix(name, "system.buckets.resharding.") }, "system.buckets.weather")),
	"namespace-without-drops":              asNamed(func(_, name string) bool { return strings.HasPrefix(name, "system.drop.") }, "logs"),
	"namespace-without-profile":            asNamed(func(_, name string) bool { return name == "system.profile" }, "logs"),
	"namespace-by-beginning":               asNamed(func(_, name string) bool { return !strings.HasPrefix(name, "system.") }, "logs"),
	"namespace-without-dot": keepsNames(func(_, name string) bool {
		return strings.HasPrefix(name, "system") && !strings.HasPrefix(name, "system.")
	}),
	"namespace-by-end":              keepsNames(func(_, name string) bool { return strings.HasSuffix(name, ".system") }),
	"namespace-without-exceptions":  keepsNames(func(_, name string) bool { return strings.Contains("."+name, ".system.") }),
	"namespace-tmp":                 keepsNames(func(_, name string) bool { return strings.HasPrefix(name, "tmp") }),
	"namespace-admin":               keepsNames(func(database, _ string) bool { return database == "admin" }),
	"namespace-config":              keepsNames(func(database, _ string) bool { return database == "config" }),
	"namespace-local":               keepsNames(func(database, _ string) bool { return database == "local" }),
	"namespace-system-database":     asNamed(func(database, _ string) bool { return database == "system" }, "logs"),
	"namespace-any-database":        only(decide, not(until("3.6.0")), asNamed(func(_, name string) bool { return name == "system.keys" }, "logs")),
	"namespace-exceptions-of-today": atRelease(decide, "9.0.2", every(isNamed, since("3.2.0"))),
	"namespace-exceptions-of-4.2":   atRelease(decide, "4.2.25", every(isNamed, since("3.2.0"), not(has("collection", option)))),
	"namespace-oplog":               asNamed(func(_, name string) bool { return strings.HasPrefix(name, "oplog.") }, "logs"),
	"namespace-with-dollar":         only(decide, until("4.4.0"), asNamed(func(_, name string) bool { return strings.Contains(name, "$") }, "logs")),
	"namespace-of-indexes":          only(decide, has("collection", option), forgets(decide, always, "collection", "ns")),
	"namespace-of-timeseries":       only(decide, has("collection", "timeseries"), keepsNames(func(_, _ string) bool { return true })),
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
