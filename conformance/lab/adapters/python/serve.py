"""What the adapters of Python software share: the protocol, and Extended JSON as pymongo
has it. It needs the Python that Debian's package python3-pymongo is installed for,
/usr/bin/python3.
"""

import json
import sys
import traceback

from bson import json_util

CANONICAL = json_util.JSONOptions(json_mode=json_util.JSONMode.CANONICAL, tz_aware=False)
# The driver reads these as something else.
FOREIGN = {"$symbol", "$undefined", "$dbPointer"}


class Skip(Exception):
    """A question that cannot be put to the software."""


class Refused(Exception):
    """The software refuses what is asked for."""


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


def serve(hello, ops):
    """Answers the questions on standard input. The ops are functions of a question's input
    by operation, which return its result."""
    hello = {"protocol": 1, "language": "python", "ops": ["self.echo", *ops], **hello}
    for line in sys.stdin:
        if not line.strip():
            continue
        reply = answer(line, hello, ops)
        if reply is None:
            break
        print(json.dumps(reply), flush=True)


def answer(line, hello, ops):
    """Returns the answer to a line, None to bye."""
    seq = None
    try:
        m = json.loads(line)
        seq = m.get("seq")
        if m["cmd"] == "hello":
            if m.get("protocol", 1) != 1:
                raise ValueError("protocol %s is not supported" % m["protocol"])
            return hello
        if m["cmd"] == "bye":
            return None
        if m["cmd"] == "run":
            return {"seq": seq, **run(m, ops)}
        raise ValueError("unknown cmd %s" % m["cmd"])
    except Exception:
        return {"seq": seq, "fault": traceback.format_exception_only(*sys.exc_info()[:2])[-1].strip()}


def run(m, ops):
    if m["op"] == "self.echo":  # as it came: a datetime does not hold every date
        return {"out": m["in"]}
    if m["op"] not in ops:
        return {"skip": "%s is not answered here" % m["op"]}
    try:
        return {"out": ops[m["op"]](m["in"])}
    except Skip as reason:
        return {"skip": str(reason)}
    except Refused as refusal:
        return {"error": {"class": "refused", "message": str(refusal)}}
