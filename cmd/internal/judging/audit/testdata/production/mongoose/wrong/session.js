const schema = new Schema({ seenAt: { type: Date, expires: 1000 * 60 * 60 * 24 } });
