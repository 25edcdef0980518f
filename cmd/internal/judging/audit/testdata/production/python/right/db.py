from datetime import timedelta

WEEK = timedelta(days=7)
db["mails"].create_index([("sent_at", pymongo.ASCENDING)], expireAfterSeconds=int(WEEK.total_seconds()))
# db["old"].create_index("at", expireAfterSeconds=5000000)
