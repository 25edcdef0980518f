package db

func indexes(ctx context.Context, db *mongo.Database) error {
	_, err := db.Collection("events").Indexes().CreateOne(ctx, mongo.IndexModel{
		Keys:    bson.D{{Key: "region", Value: 1}, {Key: "at", Value: 1}},
		Options: options.Index().SetExpireAfterSeconds(3600),
	})
	return err
}
