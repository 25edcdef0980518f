package mongo

import "strings"

// A namespaceKind is what a namespace is to the check that the monitor, or its
// delete, makes before it deletes anything there.
type namespaceKind uint8

const (
	ordinaryName     namespaceKind = iota // none of the following
	systemName                            // system.*, except the following
	insideName                            // .system. within the name, except the following
	clientLikeName                        // a name that only begins like system.js or system.users
	sessionsInside                        // .system.sessions within the name
	dollarName                            // a dollar sign within the name
	systemDatabase                        // the database system, whatever the name in it
	dollarDatabase                        // a database with a dollar sign in its name
	clientName                            // system.js, system.users
	viewsName                             // system.views
	indexesName                           // system.indexes
	bucketsName                           // system.buckets.*, of time-series collections
	reshardedBuckets                      // system.buckets.resharding.*, of those being resharded
	statisticsName                        // system.statistics.*
	adminName                             // in admin: system.version, system.roles, system.backup_users
	newUsersName                          // in admin: system.new_users
	keysName                              // in admin: system.keys
	sessionsName                          // in config: system.sessions
	indexBuildsName                       // in config: system.indexBuilds
	coordinatorName                       // in config: system.preimages and what coordinators keep
	chunksName                            // in config: cache.chunks.* of a system collection
	sessionChunks                         // in config: that of system.sessions
	replsetName                           // in local: system.replset
	healthlogName                         // in local: system.healthlog
	oplogName                             // in local: oplog.rs
	namespaceKinds
)

// A processing is whether a release deletes anything in namespaces of a kind.
type processing uint8

const (
	processingUnspecified processing = iota // unspecified
	processed                               // as in any other
	neverProcessed
)

// namedKinds are the system collections that are told apart by their names.
var namedKinds = map[string]namespaceKind{
	"system.js": clientName, "system.users": clientName, "system.views": viewsName, "system.indexes": indexesName,
}

// databaseKinds are those of one database.
var databaseKinds = map[string]map[string]namespaceKind{
	"admin": {
		"system.version": adminName, "system.roles": adminName, "system.backup_users": adminName,
		"system.new_users": newUsersName, "system.keys": keysName,
	},
	"config": {
		"system.sessions": sessionsName, "system.indexBuilds": indexBuildsName,
		"system.preimages": coordinatorName, "system.change_collection": coordinatorName, "system.sharding_ddl_coordinators": coordinatorName,
	},
	"local": {"system.replset": replsetName, "system.healthlog": healthlogName, "oplog.rs": oplogName},
}

// bucketsPrefix begins the name of the collection behind a time-series
// collection, where it has one of its own.
const bucketsPrefix = "system.buckets."

// processingIn returns what a release does in a namespace: what it does in both its
// database and those of its name.
func (p Profile) processingIn(database, name string) processing {
	inDatabase, byName := p.namespaces[kindOfDatabase(database)], p.namespaces[kindOf(database, name)]
	if inDatabase == processed || byName == neverProcessed {
		return byName
	}
	return inDatabase
}

func kindOfDatabase(database string) namespaceKind {
	switch {
	case database == "system":
		return systemDatabase
	case strings.Contains(database, "$"):
		return dollarDatabase
	}
	return ordinaryName
}

// kindOf returns the kind of a name in a database.
func kindOf(database, name string) namespaceKind {
	switch {
	case strings.Contains(name, "$"):
		return dollarName
	case databaseKinds[database][name] != 0:
		return databaseKinds[database][name]
	case namedKinds[name] != 0:
		return namedKinds[name]
	case strings.HasPrefix(name, bucketsPrefix+"resharding."):
		return reshardedBuckets
	case strings.HasPrefix(name, bucketsPrefix):
		return bucketsName
	case strings.HasPrefix(name, "system.statistics."):
		return statisticsName
	case database == "config" && strings.HasPrefix(name, "cache.chunks.") && strings.Contains(name, ".system.sessions"):
		return sessionChunks
	case database == "config" && strings.HasPrefix(name, "cache.chunks.") && strings.Contains(name, ".system."):
		return chunksName
	}
	return kindOfSystem("." + name)
}

// kindOfSystem returns the kind of a name, with a dot before it, by where
// .system. stands in it.
func kindOfSystem(name string) namespaceKind {
	switch i := strings.Index(name, ".system."); {
	case i < 0:
		return ordinaryName
	case strings.Contains(name, ".system.users"), strings.Contains(name, ".system.js"):
		return clientLikeName
	case i == 0:
		return systemName
	case strings.Contains(name, ".system.sessions"):
		return sessionsInside
	}
	return insideName
}

// checkNamespaceName refuses what is not a namespace such as "shop.logs". None is one.
func checkNamespaceName(ns string) error {
	database, name, _ := strings.Cut(ns, ".")
	if ns == "" || database != "" && name != "" && name[0] != '.' && !strings.Contains(ns, "\x00") {
		return nil
	}
	return &SpecError{Code: InvalidNamespace, Field: "ns", Reason: "want a database and a collection, such as shop.logs"}
}
