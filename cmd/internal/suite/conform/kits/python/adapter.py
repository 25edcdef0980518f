"""An adapter that puts an implementation of TTL to the conformance suite:

    ttl conform run -- python3 adapter.py

It reads a question a line and writes an answer a line, both JSON. Replace
decide with a call of your library, and claim in HELLO what it does: what you
claim is judged, what you do not claim is not asked. Whatever else you print
belongs on standard error.
"""

import json
import sys
import traceback

HELLO = {
    "protocol": 1,
    "name": "my-library",
    "version": "0.1.0",
    "language": "python",
    "ops": ["self.echo", "mongodb.decide"],
    "systems": {"mongodb": ">=8.0.0"},
    "profiles": [],  # such as "mongodb-core"
    "features": ["deadline"],  # without it, only expired or not is compared
}


def decide(indexes, document, now):
    """Return the deadline in milliseconds since 1970, None for never."""
    if not indexes:
        return None
    index = indexes[0]
    field = next(iter(index["key"]))
    date = millis(document.get(field))
    if date is None or "expireAfterSeconds" not in index:
        return None
    return date + 1000 * int(number(index["expireAfterSeconds"]))


def millis(value):
    """Return the milliseconds of a date of canonical Extended JSON."""
    if isinstance(value, dict) and "$date" in value:
        return int(value["$date"]["$numberLong"])
    return None


def number(value):
    """Return a number of Extended JSON, or a plain one."""
    if isinstance(value, dict):
        return float(next(iter(value.values())))
    return value


def answer(op, given):
    if op == "self.echo":
        return {"out": {"value": given["value"]}}
    if op != "mongodb.decide":
        return {"skip": "this adapter does not answer " + op}
    now = millis(given["now"])
    deadline = decide(given["indexes"], given["document"], now)
    if deadline is None:
        return {"out": {"state": "never", "deadline": None}}
    state = "expired" if deadline <= now else "pending"
    return {"out": {"state": state, "deadline": {"$date": {"$numberLong": str(deadline)}}}}


for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "bye":
        break
    if request["cmd"] == "hello":
        reply = HELLO
    elif request["cmd"] == "run":
        try:
            reply = answer(request["op"], request["in"])
        except Exception:
            reply = {"fault": traceback.format_exc()}
        reply["seq"] = request["seq"]
    else:
        reply = {"seq": request.get("seq"), "fault": "unknown cmd"}
    print(json.dumps(reply), flush=True)
