// Package mongo decides which documents MongoDB's TTL feature expires, exactly
// when, and by which rule, for every server release from 2.2 to [Latest].
//
//	profile, err := mongo.ProfileOf(mongo.Version{Major: 8, Minor: 0, Patch: 4}) // the release that you run
//	sessions, err := mongo.CompileCollection(mongo.CollectionSpec{
//		Indexes: []mongo.IndexSpec{mongo.TTLIndex("createdAt", 3600)},
//	}, profile)
//	d := sessions.Decide(policy.Map{"createdAt": created}, policy.InstantOf(time.Now()))
//	if d.State == policy.Expired {
//		// delete it
//	}
//
// In a file that also imports package mongo of MongoDB's driver, import this package as
// ttlmongo.
//
// # Deciding
//
// [ProfileOf] returns the behaviour of a release. [CompileCollection] compiles a
// collection with its indexes for that release, once. [Collection.Decide] then decides
// about any number of documents.
//
// [ParseCollectionSpec] strictly reads a definition that somebody wrote, and
// [ParseListedCollection] reads a collection as a server lists it.
// [Collection.DecideBSON] decides about raw bytes. [Collection.Bounds] returns the scan
// that a storage engine makes over sorted keys, and [Collection.Key] the date by which one
// index decides.
//
// A document is expired when one of its index keys is a Date that lies
// expireAfterSeconds or more in the past. The keys decide, not the query
// language: an array gives one key for each element, so that its earliest Date
// counts; an array within an array is itself a key and not a Date; a document
// outside a partial filter has no keys.
//
// An expired document stays readable until the monitor's next pass, every 60 seconds by
// default, and is kept if its date is moved into the future before that pass. A decision
// therefore says whether a document may be deleted; [policy.Decision.Deadline] is the
// first instant at which it may.
//
// A collection may have several sources of expiry: its TTL indexes and, if it is
// a time-series or clustered collection, an expireAfterSeconds of its own. The
// earliest deadline wins, and [Collection.SourceOf] returns the source that set
// it. A measurement of a time-series collection expires with its bucket, when
// the bucket's whole span is old enough; a decision about a measurement assumes
// that it opened the bucket, and that nothing has been deleted from it.
//
// Every definition that a catalog can hold compiles, whether or not it can be created
// today, such as a compound or special index, or an expireAfterSeconds that is a string,
// negative or NaN. The rule of the decision says how the release treats the definition.
// If that is unspecified, a rule whose identifier ends in "-unspecified" keeps the
// document; mongo.timeseries-rounding-unspecified keeps it until the later of two
// deadlines. [Rules] is the catalogue of all rules with their sources.
//
// # Cost
//
// Deciding takes time in proportion to the document. A partial filter adds time for each
// predicate, in proportion to the size of the top-level field of the predicate's path. An
// $in also adds, for each value in this field, time in proportion to the logarithm of the
// number of its operands. Deciding allocates nothing. Twice the input takes at most 2.2
// times the instructions; docs/api.md has the bounds one by one.
//
// # Commands and moves
//
// Package mongo/command returns what a release stores for createIndexes, collMod and
// create, or the code and the text with which it refuses them, and the effect of moving an
// index to another release.
//
// Fixes were backported between release lines. ProfileOf turns a [Version] into
// behaviours, and nothing else in this package compares releases.
package mongo

// The files. None uses a file that is listed after it, as a test of internal/gates checks:
//
//	version errors rules profile    releases, refusals, rules, what a release does
//	private profile_*               functions for internal/mongofunc, and what listIndexes shows
//	catalog_*                       names of options, specifications
//	decide_*                        delay, checks, keys, index, document, series, collection
//	reads                           what an evaluator reads, its sources, its identity
//
// The packages in internal/mongo lie below this package.
