const mongoose = require("mongoose");
const schema = new mongoose.Schema({ createdAt: Date });
schema.index({ createdAt: 1 }), { expireAfterSeconds: 3600 };
module.exports = mongoose.model("Token", schema);
