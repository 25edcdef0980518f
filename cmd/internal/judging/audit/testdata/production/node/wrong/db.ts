const WEEK = 7 * 24 * 60 * 60 * 1000;
export async function indexes(db: Db): Promise<void> {
  await db.collection("mails").createIndex({ sentAt: 1 }, { expireAfterSeconds: WEEK });
  await db.collection("codes").createIndex({ createdAt: 1 }, { expireAfterSeconds: Number(process.env.CODE_TTL) });
}
