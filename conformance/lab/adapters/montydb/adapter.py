"""Puts montydb to the conformance suite.

montydb has collections with MongoDB's queries, and accepts any index without effect. So it
is asked as a matcher; see ../python/matcher.py. It must be on the path of Python.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))

import matcher
from bson.errors import InvalidDocument
from montydb import MontyClient, __version__
from serve import Skip, serve

HELLO = {
    "name": "montydb",
    "version": os.environ.get("MONTYDB_VERSION", __version__),
    "homepage": "https://github.com/davidlatwe/montydb",
    "issues": "https://github.com/davidlatwe/montydb/issues",
    "systems": {"mongodb": "8.2.11"},
    "profiles": matcher.PROFILES,
    "features": matcher.FEATURES,
}


DATABASE = MontyClient(":memory:").suite


def matches(document, path, cutoff, partial):
    DATABASE.drop_collection("collection")
    collection = DATABASE.collection
    try:
        collection.insert_one(document)
    except InvalidDocument as refusal:
        raise Skip("montydb does not store the document: %s" % refusal)
    return collection.count_documents({"$and": [{path: {"$lte": cutoff}}, partial]}) > 0


serve(HELLO, {"mongodb.decide": matcher.decide(matches)})
