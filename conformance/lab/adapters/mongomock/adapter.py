"""Puts mongomock to the conformance suite.

mongomock removes expired documents when a collection is read: a document has
expired if it is not found. It cannot say when one will.

Run it with the Python that Debian's packages python3-mongomock and
python3-pymongo are installed for, /usr/bin/python3.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))

import mongomock
from bson.errors import InvalidDocument
from pymongo.errors import OperationFailure, WriteError
from serve import Refused, Skip, decode, encode, serve

HELLO = {
    "name": "mongomock",
    "version": mongomock.__version__,
    "homepage": "https://github.com/mongomock/mongomock",
    "issues": "https://github.com/mongomock/mongomock/issues",
    "systems": {"mongodb": "8.2.11"},
    "profiles": ["mongodb-core", "mongodb-paths", "mongodb-partial", "mongodb-multi-index", "mongodb-createindexes"],
    "features": ["array-position", "decimal128", "dotted-path", "partial-index", "several-indexes", "special-index", "unusual-clock"],
}


def collection_with(indexes, collection):
    if collection:
        raise Skip("mongomock has ordinary collections only")
    fresh = mongomock.MongoClient().suite.collection
    for index in indexes:
        create(fresh, decode(index))
    return fresh


def create(collection, index):
    """Creates an index and returns its name. Options it does not know, mongomock ignores."""
    key = index.pop("key")
    return collection.create_index(list(key.items()), **index)


def decide(q):
    now = decode(q["now"])
    mongomock.utcnow = lambda: now
    collection = collection_with(q["indexes"], q.get("collection"))
    try:
        collection.insert_one(decode(q["document"]))
    except (InvalidDocument, WriteError) as refusal:
        raise Skip("mongomock does not store the document: %s" % refusal)
    return {"state": "expired" if collection.count_documents({}) == 0 else "pending"}


def create_indexes(q):
    collection = collection_with(q.get("existing", []), q.get("collection"))
    before = collection.index_information()
    try:
        name = create(collection, decode(q["index"]))
    except OperationFailure as refusal:
        raise Refused(refusal)
    stored = collection.index_information()[name]
    out = {"created": name not in before}
    if "expireAfterSeconds" in stored:
        out["expireAfterSeconds"] = encode(stored["expireAfterSeconds"])
    return out


serve(HELLO, {"mongodb.decide": decide, "mongodb.createIndexes": create_indexes})
