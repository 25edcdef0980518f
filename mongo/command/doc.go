// Package command carries out the commands that define TTL policies as a release of MongoDB
// does: [Create], [CreateIndexes], [CollMod], [DropIndexes] and [ListIndexes]. Each change
// returns the collection as the catalog holds it afterwards, or the code and the text with
// which the server refuses. A store keeps one value for each collection:
//
//	sessions, err := command.Create("shop.sessions", nil, profile, now) // a *mongo.Collection
//	index, err := policy.ParseExtJSON([]byte(`{"key": {"createdAt": 1}, "expireAfterSeconds": 3600}`))
//	named := command.WithDefaultName(policy.DOf(index)) // as drivers do before they send it
//	sessions, reply, err := command.CreateIndexes(sessions, []policy.D{named}, now)
//	var refused *mongo.SpecError
//	if errors.As(err, &refused) {
//		log.Fatal(refused.Code, refused.CodeName, refused.Reason) // for the client
//	}
//	body, err := policy.ParseExtJSON([]byte(`{"index": {"name": "createdAt_1", "expireAfterSeconds": 60}}`))
//	sessions, reply, err = command.CollMod(sessions, policy.DOf(body), now)
//	d := sessions.DecideBSON(document, now)
//
// In this package the body of a command is its document without the first field,
// which names the command and the collection.
//
// # Commands
//
// The three commands treat the same expireAfterSeconds differently: [CreateIndexes] refuses
// NaN, and [CollMod] and [Create] read NaN as 0; only CollMod cuts 2147483648 to 2147483647.
package command

// The files. None uses a file that is listed after it, as a test of internal/gates checks:
//
//	refuse collation                       what all commands need
//	documentdb                             the commands of DocumentDB
//	fields                                 how a command is read strictly
//	indexes*                               createIndexes: specification, collection, what exists
//	collmod*                               collMod: the index, the number that is stored, the reply
//	create*                                create
//	collection                             the commands of a collection that is stored
