db = db.getSiblingDB("shop");
db.logs.createIndex({ at: 1 }, { expireAfterSeconds: 60 * 60 * 24 * 7 });
db.sessions.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
db.users.createIndex({ email: 1 }, { unique: true });
