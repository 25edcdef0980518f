module.exports = {
  async up(db) {
    await db.collection("logs").createIndex({ at: 1 }, { expireAfterSeconds: 86400000 });
  },
  async down(db) {
    await db.collection("logs").dropIndex("at_1");
  },
};
