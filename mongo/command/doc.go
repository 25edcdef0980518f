// Package command validates the commands that define TTL policies as a release of MongoDB
// does. It returns what the release stores, or the code and the text with which it
// refuses. A store answers createIndexes and collMod so:
//
//	var collection mongo.CollectionSpec // with the indexes that exist
//	body, err := policy.ParseExtJSON([]byte(`{"indexes": [{"key": {"createdAt": 1}, "expireAfterSeconds": 3600}]}`))
//	for _, index := range policy.AOf(body.Field("indexes")) {
//		named := command.WithDefaultName(policy.DOf(index)) // as drivers do before they send it
//		made, err := command.ValidateCreateIndexes(collection, named, profile, now)
//		var refused *mongo.SpecError
//		if errors.As(err, &refused) {
//			log.Fatal(int32(refused.Code), profile.CodeName(refused.Code), refused.Reason) // for the client
//		}
//		if made.Created {
//			collection.Indexes = append(collection.Indexes, made.Index) // and store it
//		}
//	}
//	body, err = policy.ParseExtJSON([]byte(`{"index": {"name": "createdAt_1", "expireAfterSeconds": 60}}`))
//	result, err := command.ValidateCollMod(collection, policy.DOf(body), profile, now)
//	collection = result.Collection // as the catalog holds it afterwards
//
// In this package the body of a command is its document without the first field,
// which names the command and the collection.
//
// # Commands
//
// The three commands treat the same expireAfterSeconds differently:
// [ValidateCreateIndexes] refuses NaN, and [ValidateCollMod] and [ValidateCreate] read
// NaN as 0; only ValidateCollMod cuts 2147483648 to 2147483647.
package command

// The files. None uses a file that is listed after it, as a test of internal/gates checks:
//
//	refuse numbers keys collation          what all commands need
//	arguments fields                       how a command is read strictly
//	indexes*                               createIndexes: specification, collection, what exists
//	collmod*                               collMod: the index, the number that is stored, the reply
//	create*                                create
