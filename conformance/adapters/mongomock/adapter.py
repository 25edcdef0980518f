"""Puts mongomock to the conformance suite.

mongomock removes expired documents when a collection is read: a document has
expired if it is not found. It cannot say when one will.

Run it with the Python that Debian's packages python3-mongomock and
python3-pymongo are installed for, /usr/bin/python3.
"""

import datetime
import json
import sys
import traceback

import mongomock
from bson import json_util
from bson.errors import InvalidDocument
from pymongo.errors import OperationFailure, WriteError

HELLO = {
    "protocol": 1,
    "name": "mongomock",
    "version": mongomock.__version__,
    "language": "python",
    "homepage": "https://github.com/mongomock/mongomock",
    "issues": "https://github.com/mongomock/mongomock/issues",
    "ops": ["self.echo", "mongodb.decide", "mongodb.createIndexes"],
    "systems": {"mongodb": "8.2.11"},
    "profiles": ["mongodb-core", "mongodb-paths", "mongodb-partial", "mongodb-multi-index", "mongodb-createindexes"],
    "features": ["array-position", "decimal128", "dotted-path", "partial-index", "several-indexes", "special-index", "unusual-clock"],
    "maxInFlight": 1,
}
CANONICAL = json_util.JSONOptions(json_mode=json_util.JSONMode.CANONICAL, tz_aware=False)
# The driver reads these as something else.
FOREIGN = {"$symbol", "$undefined", "$dbPointer"}


class Skip(Exception):
    """A question that cannot be put to mongomock."""


class Refused(Exception):
    """mongomock refuses what is asked for."""


def decode(value):
    """Reads Extended JSON into what pymongo hands to a collection."""

    def hook(pairs):
        if pairs and pairs[0][0] in FOREIGN:
            raise Skip("pymongo has no %s" % pairs[0][0])
        return json_util.object_pairs_hook(pairs, CANONICAL)

    try:
        return json.loads(json.dumps(value), object_pairs_hook=hook)
    except OverflowError:
        raise Skip("a datetime holds the years 1 to 9999 only")


def encode(value):
    return json.loads(json_util.dumps(value, json_options=CANONICAL))


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


OPS = {"mongodb.decide": decide, "mongodb.createIndexes": create_indexes}


def run(m):
    if m["op"] == "self.echo":  # as it came: a datetime does not hold every date
        return {"out": m["in"]}
    if m["op"] not in OPS:
        return {"skip": "%s is not answered here" % m["op"]}
    try:
        return {"out": OPS[m["op"]](m["in"])}
    except Skip as reason:
        return {"skip": str(reason)}
    except Refused as refusal:
        return {"error": {"class": "refused", "message": str(refusal)}}


def answer(line):
    """Returns the answer to a line, None to bye."""
    seq = None
    try:
        m = json.loads(line)
        seq = m.get("seq")
        if m["cmd"] == "hello":
            if m.get("protocol", 1) != 1:
                raise ValueError("protocol %s is not supported" % m["protocol"])
            return HELLO
        if m["cmd"] == "bye":
            return None
        if m["cmd"] == "run":
            return {"seq": seq, **run(m)}
        raise ValueError("unknown cmd %s" % m["cmd"])
    except Exception:
        return {"seq": seq, "fault": traceback.format_exception_only(*sys.exc_info()[:2])[-1].strip()}


for line in sys.stdin:
    if not line.strip():
        continue
    reply = answer(line)
    if reply is None:
        break
    print(json.dumps(reply), flush=True)
