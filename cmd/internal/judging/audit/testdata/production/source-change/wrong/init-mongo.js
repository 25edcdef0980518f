db = db.getSiblingDB("shop");
db.logs.createIndex({ createdAt: 1 }, { expireAfterSeconds: 2592000 });
db.runCommand({ collMod: "logs", index: { keyPattern: { createdAt: 1 }, expireAfterSeconds: "30d" } });
db.mails.createIndex({ sentAt: 1 }, { expireAfterSeconds: 3600 });
db.mails.createIndex({ sentAt: 1 }, { expireAfterSeconds: 7200 });
db.runCommand({ collMod: "carts", index: { name: "seenAt_1", expireAfterSeconds: 604800000 } });
