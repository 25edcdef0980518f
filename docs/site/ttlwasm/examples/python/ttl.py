"""Decides about BSON and items with the WebAssembly module, by wasmtime.

    pip install wasmtime
    python3 ttl.py ../../npm/ttlpolicy.wasm
"""

import json
import struct
import sys
from dataclasses import dataclass

from wasmtime import Engine, Linker, Module, Store, WasiConfig

BSON, EXTENDED_JSON, JSON = 1, 2, 3
STATES = ("never", "pending", "expired")


@dataclass(frozen=True)
class Decision:
    state: str
    deadline: int | None  # milliseconds since 1970
    rule: str


class TTL:
    """One instance of the module. It is for one thread."""

    def __init__(self, path):
        engine = Engine()
        self.store = Store(engine)
        self.store.set_wasi(WasiConfig())
        linker = Linker(engine)
        linker.define_wasi()
        instance = linker.instantiate(self.store, Module.from_file(engine, path))
        self.exports = instance.exports(self.store)
        self.exports["_initialize"](self.store)
        if self.call("abi") != 1:
            raise RuntimeError("another version of the module's interface")

    def call(self, name, *arguments):
        code = self.exports["ttl_" + name](self.store, *arguments)
        if code is not None and code < 0 and name not in ("alloc", "text"):
            raise ValueError(self.text(self.exports["ttl_error"](self.store)))
        return code

    def text(self, length):
        address = self.exports["ttl_text"](self.store) & 0xFFFFFFFF
        return bytes(self.exports["memory"].read(self.store, address, address + length)).decode()

    def put(self, content):
        address = self.call("alloc", len(content) + 1) & 0xFFFFFFFF
        if address == 0:
            raise MemoryError("the module has no memory left")
        self.exports["memory"].write(self.store, content, address)
        return address

    def compile(self, policy):
        content = json.dumps(policy).encode()
        address = self.put(content)
        try:
            return self.call("compile", address, len(content))
        finally:
            self.call("free", address)

    def release(self, policy):
        self.call("release", policy)

    def decide_all(self, policy, form, documents, now):
        """Decides about documents one after another: BSON, or a document a line."""
        source = self.put(documents)
        room = max(len(documents) // 5, 1)
        out = self.put(bytes(16 * room))
        try:
            count = self.call("decide_all", policy, form, source, len(documents), now, out, room)
            written = bytes(self.exports["memory"].read(self.store, out, out + 16 * count))
            return [self.decision(*fields) for fields in struct.iter_unpack("<qHBBI", written)]
        finally:
            self.call("free", source)
            self.call("free", out)

    def decision(self, deadline, rule, _source, state, _end):
        return Decision(STATES[state], deadline if state else None, self.text(self.call("rule", rule)))


def main():
    ttl = TTL(sys.argv[1])
    index = {"key": {"t": 1}, "name": "t_1", "expireAfterSeconds": 10}
    policy = ttl.compile({"target": {"system": "mongodb", "version": "8.0.4"}, "in": {"indexes": [index]}})
    document = b"\x10\x00\x00\x00\x09t\x00" + struct.pack("<q", 1000) + b"\x00"  # {t: a second after 1970}
    for decision in ttl.decide_all(policy, BSON, document + b"\x05\x00\x00\x00\x00", 11000):
        print(decision)
    ttl.release(policy)

    container = ttl.compile({"target": {"system": "cosmos-nosql"}, "in": {"container": {"defaultTtl": 60}}})
    for decision in ttl.decide_all(container, JSON, b'{"_ts":1}\n{"_ts":1,"ttl":-1}\n', 61000):
        print(decision)
    try:
        ttl.release(policy)
    except ValueError as refusal:
        print(refusal)


if __name__ == "__main__":
    main()
