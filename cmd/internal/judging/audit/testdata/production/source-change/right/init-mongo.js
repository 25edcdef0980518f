db = db.getSiblingDB("shop");
db.logs.createIndex({ createdAt: 1 }, { expireAfterSeconds: 2592000 });
db.runCommand({ collMod: "logs", index: { keyPattern: { createdAt: 1 }, expireAfterSeconds: 604800 } });
db.mails.createIndex({ sentAt: 1 }, { expireAfterSeconds: 3600 });
db.mails.dropIndex("sentAt_1");
db.mails.createIndex({ sentAt: 1 }, { expireAfterSeconds: 7200 });
