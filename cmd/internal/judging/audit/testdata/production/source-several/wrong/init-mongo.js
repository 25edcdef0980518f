// Two collections, each with a mistake of its own.
db = db.getSiblingDB("shop");
db.logs.createIndex({ at: 1 }, { expireAfterSeconds: 1000 * 60 * 60 * 24 * 7 });
db.sessions.createIndex({ createdAt: 1 }, { expireAfterSeconds: 0 });
