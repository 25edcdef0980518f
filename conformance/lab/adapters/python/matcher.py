"""A matcher of MongoDB's query language has no TTL. This asks it what a server's TTL
monitor asks: does the document match {path: {$lte: now - expireAfterSeconds}}, and the
index's filter?
"""

import datetime

from bson.decimal128 import Decimal128

from serve import Skip, decode

FEATURES = ["array-position", "dotted-path", "partial-index", "several-indexes", "unusual-clock"]
PROFILES = ["mongodb-core", "mongodb-paths", "mongodb-partial", "mongodb-multi-index"]


def expiring(index, now):
    """Returns the threshold and the filter by which an index lets documents expire, None if
    it is no TTL index."""
    index = decode(index)
    if "expireAfterSeconds" not in index:
        return None
    if "collation" in index:
        raise Skip("a collation is not passed on")
    (path, kind), *others = index["key"].items()
    seconds = index["expireAfterSeconds"]
    if isinstance(seconds, Decimal128):
        seconds = int(seconds.to_decimal())
    if others or isinstance(kind, (str, bool)) or isinstance(seconds, (str, bool)) or not isinstance(seconds, (int, float)):
        raise Skip("which indexes expire documents is not for a matcher to say")
    try:
        cutoff = now - datetime.timedelta(seconds=int(seconds))
    except (OverflowError, ValueError):
        raise Skip("a datetime cannot hold the threshold")
    return path, cutoff, index.get("partialFilterExpression", {})


def decide(matches):
    """Returns the operation that decides, by a function that reports whether a document
    matches a path, a threshold and a filter."""

    def answer(q):
        if q.get("collection"):
            raise Skip("a matcher knows of no collections")
        now, stored = decode(q["now"]), decode(q["document"])
        indexes = [expiring(index, now) for index in q["indexes"]]
        expired = any([matches(stored, *index) for index in indexes if index is not None])
        return {"state": "expired" if expired else "pending"}

    return answer
