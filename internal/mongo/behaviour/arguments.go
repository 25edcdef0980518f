package behaviour

import "strings"

// OpOnlyTime is a generic argument of commands between servers. A server refuses it to
// clients before it reads the command.
const OpOnlyTime = "maxTimeMSOpOnly"

// genericArguments maps the generic arguments to the first lists that have them.
var genericArguments = map[string]commandArguments{
	"maxTimeMS": ArgumentsTime,

	"$audit": ArgumentsDollar, "$client": ArgumentsDollar, "$configServerState": ArgumentsDollar, "$db": ArgumentsDollar, "$oplogQueryData": ArgumentsDollar,
	"$queryOptions": ArgumentsDollar, "$readPreference": ArgumentsDollar, "$replData": ArgumentsDollar, "$clusterTime": ArgumentsDollar,

	"allowImplicitCollectionCreation": ArgumentsListed, "readConcern": ArgumentsListed, "shardVersion": ArgumentsListed, "tracking_info": ArgumentsListed,
	"writeConcern": ArgumentsListed, "lsid": ArgumentsListed, "txnNumber": ArgumentsListed,

	"databaseVersion": ArgumentsOfTransactions, "autocommit": ArgumentsOfTransactions, "startTransaction": ArgumentsOfTransactions,

	"coordinator": ArgumentsOfCoordinators, "stmtId": ArgumentsOfCoordinators,

	"comment": ArgumentsCommented, "clientOperationKey": ArgumentsCommented, OpOnlyTime: ArgumentsCommented,

	"apiVersion": ArgumentsOfVersions, "apiStrict": ArgumentsOfVersions, "apiDeprecationErrors": ArgumentsOfVersions,
	"$configTime": ArgumentsOfVersions, "$topologyTime": ArgumentsOfVersions,

	"txnRetryCounter": ArgumentsOfTenants, "mayBypassWriteBlocking": ArgumentsOfTenants, "$tenant": ArgumentsOfTenants,

	"expectPrefix": ArgumentsOfPrefixes,
}

// IsGenericArgument reports whether every command of some release accepts a field of this
// name.
func IsGenericArgument(name string) bool {
	return strings.HasPrefix(name, "$") || genericArguments[name] != ArgumentsNone // 2.6 and 3.0 accept any name with a dollar sign
}

// OfName says whether every command accepts a field of this name.
func (a commandArguments) OfName(name string) acceptance {
	first := genericArguments[name]
	switch {
	case first != ArgumentsNone && first <= a, a == ArgumentsDollar && strings.HasPrefix(name, "$"):
		return Accepted
	case first == ArgumentsOfTenants && a == ArgumentsOfRetriesUnspecified && name != "$tenant", first == ArgumentsOfPrefixes && a == ArgumentsOfPrefixesUnspecified:
		return AcceptanceUnspecified
	}
	return Refused
}

// The names of the two parameters that affect expiry; mongo.Profile.WithParameter describes them.
const (
	LegacyNullParameter = "internalQueryLegacyDottedPathNullSemantics"
	EngineParameter     = "storageEngine"
)

// TTLMonitorSleepSecs is the pause between two passes of the monitor, in seconds,
// by default (mongodb/mongo: src/mongo/db/ttl/ttl.idl). Like the other parameters
// of the monitor it affects the pace of deletes, not which documents expire.
const TTLMonitorSleepSecs int32 = 60
