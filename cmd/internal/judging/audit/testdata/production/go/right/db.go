package db

const day = 24 * time.Hour

func indexes(ctx context.Context, db *mongo.Database) error {
	_, err := db.Collection("events").Indexes().CreateOne(ctx, mongo.IndexModel{
		Keys:    bson.D{{Key: "at", Value: 1}},
		Options: options.Index().SetExpireAfterSeconds(int32(day.Seconds())),
	})
	return err
}
