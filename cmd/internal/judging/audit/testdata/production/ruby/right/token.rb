class Token
  include Mongoid::Document
  store_in collection: "tokens"
  index({ created_at: 1 }, { expire_after_seconds: 1.day })
end
