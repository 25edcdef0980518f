package mongo

import "github.com/ttlpolicy/ttlpolicy/policy"

// TTLMonitorSleepSecs is the pause between two passes of the monitor, in seconds,
// by default (mongodb/mongo: src/mongo/db/ttl/ttl.idl). Like the other parameters
// of the monitor it paces the deleting, and changes nothing about which documents
// expire.
const TTLMonitorSleepSecs policy.Seconds = 60
