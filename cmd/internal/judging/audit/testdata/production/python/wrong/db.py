WEEK_MS = 7 * 24 * 60 * 60 * 1000
db["mails"].create_index([("sent_at", pymongo.ASCENDING)], expireAfterSeconds=WEEK_MS)
