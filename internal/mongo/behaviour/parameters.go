package behaviour

// The names of the two parameters that affect expiry; mongo.Profile.WithParameter describes them.
const (
	LegacyNullParameter = "internalQueryLegacyDottedPathNullSemantics"
	EngineParameter     = "storageEngine"
)

// TTLMonitorSleepSecs is the pause between two passes of the monitor, in seconds,
// by default (mongodb/mongo: src/mongo/db/ttl/ttl.idl). Like the other parameters
// of the monitor it affects the pace of deletes, not which documents expire.
const TTLMonitorSleepSecs int32 = 60
