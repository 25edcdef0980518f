db.getSiblingDB("shop").logs.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
db.getSiblingDB("shop").tokens.createIndex({ at: 1 }, { expireAfterSeconds: 3600 });
db.getSiblingDB("shop").events.createIndex({ region: 1, at: 1 });
db.getSiblingDB("shop").events.createIndex({ at: 1 }, { expireAfterSeconds: 3600 });
