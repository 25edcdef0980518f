var keys = Builders<Event>.IndexKeys.Ascending(x => x.Region).Ascending(x => x.At);
await database.GetCollection<Event>("events").Indexes.CreateOneAsync(
    new CreateIndexModel<Event>(keys, new CreateIndexOptions { ExpireAfter = TimeSpan.FromHours(1) }));
var carts = new ContainerProperties("carts", "/id") { DefaultTimeToLive = 1000 * 60 * 60 };
await cosmos.CreateContainerAsync(carts);
