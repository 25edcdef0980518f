package mongo

import "github.com/ttlpolicy/ttlpolicy/policy"

// What the monitor does by default, by the names of the server parameters
// (mongodb/mongo: src/mongo/db/ttl/ttl.idl). None of them changes which
// documents expire; they pace the deleting. The batches are of 6.1 and later.
const (
	// TTLMonitorSleepSecs is the pause between two passes, in seconds.
	TTLMonitorSleepSecs policy.Seconds = 60
	// TTLMonitorEnabled tells that the monitor runs.
	TTLMonitorEnabled = true
	// TTLMonitorBatchDeletes tells that deletes are made in batches, but in
	// collections with change stream images.
	TTLMonitorBatchDeletes = true
	// TTLIndexDeleteTargetDocs is how many documents are deleted by one index
	// before the next has its turn.
	TTLIndexDeleteTargetDocs = 50_000
	// TTLIndexDeleteTargetTimeMS is for how long, in milliseconds.
	TTLIndexDeleteTargetTimeMS = 1_000
	// TTLMonitorSubPassTargetSecs is for how long, in seconds, the indexes
	// take turns before the list of them is read anew.
	TTLMonitorSubPassTargetSecs policy.Seconds = 60
)

// A Role is what a mongod is within its deployment. The zero Role is unknown.
type Role uint8

// The roles.
const (
	RoleUnknown Role = iota
	RolePrimary
	RoleSecondary
	RoleStandalone
	// RoleDetached is a member of a replica set that was started on its own,
	// for maintenance.
	RoleDetached
)

// Deletes reports whether a server in this role deletes expired documents. A
// secondary waits for the primary's deletes to reach it, but in the database local,
// where it deletes itself up to 8.0; a member started on
// its own does not touch the set's data (mongodb/mongo:
// jstests/noPassthrough/ttl/ttl_repl_secondary_disabled.js and
// ttl_repl_maintenance.js).
func (r Role) Deletes() bool { return r == RolePrimary || r == RoleStandalone }

// IsVisible reports whether reads return a document about which d was decided:
// always. Until a pass has removed it, an expired document can be read and
// updated, and a later date saves it (MongoDB manual: TTL Indexes,
// https://www.mongodb.com/docs/manual/core/index-ttl/).
func IsVisible(d policy.Decision) bool { return true }

// IsRemovable reports whether the next pass may remove a document about which
// d was decided.
func IsRemovable(d policy.Decision) bool { return d.State == policy.Expired }
