package behaviour

import "strings"

// A namespaceKind is the kind of a namespace, as the monitor or its delete command
// distinguishes namespaces before it deletes anything there.
type namespaceKind uint8

const (
	OrdinaryName     namespaceKind = iota // none of the following
	SystemName                            // system.*, except the following
	InsideName                            // .system. within the name, except the following
	ClientLikeName                        // a name that only begins like system.js or system.users
	SessionsInside                        // .system.sessions within the name
	ReshardingInside                      // in config: .system.resharding. within the name
	DollarName                            // a dollar sign within the name
	SystemDatabase                        // any collection of the database "system"
	DollarDatabase                        // a database with a dollar sign in its name
	ClientName                            // system.js, system.users
	ViewsName                             // system.views
	IndexesName                           // system.indexes
	BucketsName                           // system.buckets.*, of time-series collections
	ReshardedBuckets                      // system.buckets.resharding.*, of time-series collections being resharded
	StatisticsName                        // system.statistics.*
	AdminName                             // in admin: system.version, system.roles, system.backup_users
	NewUsersName                          // in admin: system.new_users
	KeysName                              // in admin: system.keys
	SessionsName                          // in config: system.sessions
	IndexBuildsName                       // in config: system.indexBuilds
	ImagesName                            // in config: system.preimages, system.change_collection
	CoordinatorName                       // in config: system.sharding_ddl_coordinators
	ChunksName                            // in config: cache.chunks.* of a system collection
	SessionChunks                         // in config: cache.chunks.* of system.sessions
	ReplsetName                           // in local: system.replset
	HealthlogName                         // in local: system.healthlog
	OplogName                             // in local: oplog.rs
	NamespaceKinds
)

// A processing says whether a release deletes anything in namespaces of a kind.
type processing uint8

const (
	ProcessingUnspecified processing = iota // unspecified
	Processed                               // as in an ordinary namespace
	neverProcessed
)

// namedKinds are the system collections that are distinguished by their names.
var namedKinds = map[string]namespaceKind{
	"system.js": ClientName, "system.users": ClientName, "system.views": ViewsName, "system.indexes": IndexesName,
}

// databaseKinds maps a database and the name of a collection in it to the kind of the
// namespace.
var databaseKinds = map[string]map[string]namespaceKind{
	"admin": {
		"system.version": AdminName, "system.roles": AdminName, "system.backup_users": AdminName,
		"system.new_users": NewUsersName, "system.keys": KeysName,
	},
	"config": {
		"system.sessions": SessionsName, "system.indexBuilds": IndexBuildsName,
		"system.preimages": ImagesName, "system.change_collection": ImagesName, "system.sharding_ddl_coordinators": CoordinatorName,
	},
	"local": {"system.replset": ReplsetName, "system.healthlog": HealthlogName, "oplog.rs": OplogName},
}

// BucketsPrefix begins the name of the collection of buckets behind a time-series
// collection, in releases in which the buckets have their own collection.
const BucketsPrefix = "system.buckets."

func kindOfDatabase(database string) namespaceKind {
	switch {
	case database == "system":
		return SystemDatabase
	case strings.Contains(database, "$"):
		return DollarDatabase
	}
	return OrdinaryName
}

// kindOf returns the kind of a name in a database.
func kindOf(database, name string) namespaceKind {
	switch {
	case strings.Contains(name, "$"):
		return DollarName
	case databaseKinds[database][name] != 0:
		return databaseKinds[database][name]
	case namedKinds[name] != 0:
		return namedKinds[name]
	case strings.HasPrefix(name, BucketsPrefix+"resharding."):
		return ReshardedBuckets
	case strings.HasPrefix(name, BucketsPrefix):
		return BucketsName
	case strings.HasPrefix(name, "system.statistics."):
		return StatisticsName
	case database == "config" && strings.HasPrefix(name, "cache.chunks.") && strings.Contains(name, ".system.sessions"):
		return SessionChunks
	case database == "config" && strings.HasPrefix(name, "cache.chunks.") && strings.Contains(name, ".system."):
		return ChunksName
	case database == "config" && strings.Contains(name, ".system.resharding."):
		return ReshardingInside
	}
	return kindOfSystem("." + name)
}

// kindOfSystem returns the kind of a name by the place of ".system." in it. The caller
// puts a dot before the name.
func kindOfSystem(name string) namespaceKind {
	switch i := strings.Index(name, ".system."); {
	case i < 0:
		return OrdinaryName
	case strings.Contains(name, ".system.users"), strings.Contains(name, ".system.js"):
		return ClientLikeName
	case i == 0:
		return SystemName
	case strings.Contains(name, ".system.sessions"):
		return SessionsInside
	}
	return InsideName
}
