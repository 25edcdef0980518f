const schema = new Schema({ seenAt: { type: Date, expires: "1d" } });
