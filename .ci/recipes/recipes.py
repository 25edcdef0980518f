"""Runs a recipe by PyMongo: python3 recipes.py ADDRESS PAGE."""

import datetime
import re
import sys

import pymongo

address, page = sys.argv[1:]
text = open(page, encoding="utf-8").read()
db = pymongo.MongoClient(f"mongodb://{address}/?directConnection=true", serverSelectionTimeoutMS=10_000).recipes_python


def run(section):
    """Run the code of a section that talks to db."""
    part = text.split(f"\n## {section}\n")[1].split("\n## ")[0]
    blocks = [code for code in re.findall(r"^```python\n(.*?)^```$", part, re.S | re.M) if "db." in code]
    assert blocks, f"{page} has no code for {section}"
    for code in blocks:
        exec(compile(code, page, "exec"), {"db": db})


def seconds():
    return db.sessions.index_information()["createdAt_1"]["expireAfterSeconds"]


run("Create")
assert seconds() == 3600, seconds()
inserted = db.sessions.find_one()["createdAt"]
assert isinstance(inserted, datetime.datetime), inserted
run("Change")
assert seconds() == 7200, seconds()
run("Check")
print(f"{page}: created, changed and checked")
