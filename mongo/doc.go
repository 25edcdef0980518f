// Package mongo decides which documents MongoDB's TTL feature expires, exactly
// when, and by which rule, for every server release from 2.2 to 8.2.
//
// A collection, with its indexes as they are stored, is compiled once for a
// release, and then judges documents:
//
//	profile, err := mongo.ProfileOf(mongo.Version{Major: 8, Minor: 0, Patch: 4})
//	collection, err := mongo.CompileCollection(spec, profile)
//	d := collection.Decide(doc, now)
//
// A document is expired when one of its index keys is a Date that lies
// expireAfterSeconds or more in the past. It is the keys that decide, not the
// query language: an array gives one key for each element, so that its earliest
// Date counts; an array within an array is a key itself and no Date; a document
// outside a partial filter has no keys. [CompileIndex] compiles one index alone;
// [Index.Bounds] gives the scan that a storage engine makes over such keys.
//
// An expired document stays readable until the monitor's next pass, every 60
// seconds by default, and is saved if its date moves into the future before.
// The decision therefore is about eligibility; [policy.Decision.Deadline] is
// its first instant.
//
// A collection may have several sources of expiry: its TTL indexes and, if it
// is a time-series or clustered collection, an expireAfterSeconds of its own.
// They are taken together: the earliest deadline wins, and [Collection.SourceOf]
// tells whose it is. A measurement of a time-series collection goes with its
// bucket, when the bucket's whole span is old enough; a decision about a
// measurement assumes that it opened the bucket, and that nothing has been
// deleted from it.
//
// Whatever a catalog can hold compiles, creatable today or not: compound and
// special indexes, strings, negative numbers and NaN for expireAfterSeconds.
// The rule of the decision says what the release makes of it. Where that is not
// established the document is kept by a rule whose identifier ends in
// "-unspecified". [Rules] is the catalogue of all statements with their sources.
//
// What a release takes at all, what it stores then, and with which code it
// refuses the rest, say [ValidateCreateIndexes], [ValidateCollMod] and
// [ValidateCreate]. The three commands treat one number in three ways: NaN is
// refused by the first and 0 for the others, and 2147483648 is cut to 2147483647
// by the second alone.
//
// [AssessMove] reports what becomes of an index on its way to another release, by
// which a NaN, or a partial filter that is read otherwise there, may cost
// documents that were safe before.
//
// Fixes were backported between release lines. [ProfileOf] turns a [Version]
// into named behaviours, and nothing else in this package knows releases.
package mongo
