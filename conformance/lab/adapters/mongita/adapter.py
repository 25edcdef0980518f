"""Puts mongita to the conformance suite.

mongita has collections with MongoDB's queries, and refuses a TTL index. So it is asked as a
matcher; see ../python/matcher.py. It must be on the path of Python.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))

import matcher
from bson.errors import InvalidDocument
from mongita import MongitaClientMemory
from mongita.errors import MongitaError
from serve import Skip, serve

HELLO = {
    "name": "mongita",
    "version": os.environ.get("MONGITA_VERSION", "1.2.0"),
    "homepage": "https://github.com/scottrogowski/mongita",
    "issues": "https://github.com/scottrogowski/mongita/issues",
    "systems": {"mongodb": "8.2.11"},
    "profiles": matcher.PROFILES,
    "features": matcher.FEATURES,
}


def matches(document, path, cutoff, partial):
    query = {path: {"$lte": cutoff}}
    if path in partial:
        raise Skip("mongita joins no two conditions of one field")
    query.update(partial)
    collection = MongitaClientMemory().suite.collection
    try:
        collection.insert_one(document)
    except (InvalidDocument, MongitaError) as refusal:
        raise Skip("mongita does not store the document: %s" % refusal)
    return collection.count_documents(query) > 0


serve(HELLO, {"mongodb.decide": matcher.decide(matches)})
