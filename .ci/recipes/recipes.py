"""Runs the recipes by PyMongo and MongoEngine: python3 recipes.py ADDRESS FOLDER."""

import datetime
import pathlib
import re
import sys

import mongoengine
import pymongo

address, folder = sys.argv[1:]
page = pathlib.Path(folder, "python.md")
text = page.read_text(encoding="utf-8")
server = pymongo.MongoClient(f"mongodb://{address}/?directConnection=true", serverSelectionTimeoutMS=10_000)
db = server.recipes_python


def blocks(section):
    """Return the code of a section."""
    found = re.findall(r"^```python\n(.*?)^```$", text.split(f"\n## {section}\n")[1].split("\n## ")[0], re.S | re.M)
    assert found, f"{page} has no code for {section}"
    return found


def run(section):
    """Run the code of a section that talks to db."""
    for code in blocks(section):
        if "class " not in code:
            exec(compile(code, page, "exec"), {"db": db})


def expect(collection, *want):
    """Compare the TTL indexes: the seconds, by name and key."""
    listed = {name: (x["key"], x["expireAfterSeconds"]) for name, x in collection.index_information().items() if "expireAfterSeconds" in x}
    assert listed == {"createdAt_1": ([("createdAt", 1)], seconds) for seconds in want}, listed


run("Create")
expect(db.sessions, 3600)
inserted = db.sessions.find_one()["createdAt"]
assert isinstance(inserted, datetime.datetime), inserted
run("Change")
expect(db.sessions, 7200)
run("Check")
run("Stop")
expect(db.sessions)

mongoengine.connect("recipes_mongoengine", host=f"mongodb://{address}/?directConnection=true")
(declared,) = [code for code in blocks("Create") if "class " in code]
names = {"Document": mongoengine.Document, "DateTimeField": mongoengine.DateTimeField}
exec(compile(declared, page, "exec"), names)
names["Session"].ensure_indexes()
expect(server.recipes_mongoengine.session, 3600)
print(f"{page.name}: created, changed, checked and stopped")

for other in pathlib.Path(folder).glob("*.md"):  # of Azure Cosmos DB there is no SDK here: Python reads its code
    for code in re.findall(r"^```python\n(.*?)^```$", other.read_text(encoding="utf-8"), re.S | re.M):
        compile(code, other, "exec")
