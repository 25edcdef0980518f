const mongoose = require("mongoose");
const schema = new mongoose.Schema({ createdAt: Date, name: String });
schema.index({ createdAt: 1 }, { expireAfterSeconds: 3600 });
const sign = (id) => jwt.sign({ id }, process.env.KEY, { expiresIn: "1d" });
const forget = (res) => res.cookie("id", "", { expires: new Date(0) });
