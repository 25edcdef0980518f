module.exports = {
  async up(db) {
    await db.collection("logs").dropIndex("at_1");
    await db.collection("logs").createIndex({ at: 1 }, { expireAfterSeconds: 604800 });
  },
  async down(db) {
    await db.collection("logs").dropIndex("at_1");
    await db.collection("logs").createIndex({ at: 1 }, { expireAfterSeconds: 2592000 });
  },
};
