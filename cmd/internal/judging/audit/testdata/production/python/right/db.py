db["mails"].create_index([("sent_at", pymongo.ASCENDING)], expireAfterSeconds=7 * 24 * 60 * 60)
