interface Options {
  expireAfterSeconds?: number;
}
const WEEK = 7 * 24 * 60 * 60;
export async function indexes(db: Db): Promise<void> {
  await db.collection("mails").createIndex({ sentAt: 1 }, { expireAfterSeconds: WEEK });
}
