"""Puts mongo-java-server to the conformance suite.

mongo-java-server answers MongoDB's drivers and has no TTL monitor. So it is asked as a
matcher; see ../python/matcher.py. It must be running at its address, 127.0.0.1:27017.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))

import matcher
from bson.errors import InvalidDocument
from pymongo import MongoClient
from serve import Skip, serve

HELLO = {
    "name": "mongo-java-server",
    "version": os.environ.get("MONGO_JAVA_SERVER_VERSION", "unknown"),
    "language": "java",
    "homepage": "https://github.com/bwaldvogel/mongo-java-server",
    "issues": "https://github.com/bwaldvogel/mongo-java-server/issues",
    "systems": {"mongodb": "8.2.11"},
    "profiles": matcher.PROFILES,
    "features": matcher.FEATURES,
}
DATABASE = MongoClient("mongodb://127.0.0.1:27017", serverSelectionTimeoutMS=10000).suite


def matches(document, path, cutoff, partial):
    DATABASE.drop_collection("collection")
    try:  # insert_one would refuse names that the server may accept
        reply = DATABASE.command("insert", "collection", documents=[document])
    except InvalidDocument as refusal:
        raise Skip("the driver does not send the document: %s" % refusal)
    if reply.get("writeErrors"):
        raise Skip("the document is not stored: %s" % reply["writeErrors"][0]["errmsg"])
    return DATABASE.collection.count_documents({"$and": [{path: {"$lte": cutoff}}, partial]}) > 0


serve(HELLO, {"mongodb.decide": matcher.decide(matches)})
