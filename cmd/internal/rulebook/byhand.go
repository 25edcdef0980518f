package rulebook

import (
	"cmp"
	"path"
)

// A Record is how an implementation was asked that CI does not install.
type Record struct {
	Day  string // in ISO 8601
	On   string // what else it runs on, "" for nothing
	Page string // its own page, "" for the one that it names
	How  string // in Markdown
}

// records holds them by the names of their files.
var records = map[string]Record{
	"cloudemu": {Day: "2026-11-22", How: "in process, by `conformance.Run`. Containers and items go through its HTTP handler, `UpdateTTL` switches TTL on with the property `ttl`, and the clock is its `FakeClock`."},
	"documentdb": {
		Day: "2026-11-22", On: "documentdb 0.108-0", Page: "https://github.com/FerretDB/FerretDB",
		How: "by `ttl conform run --mongodb-uri`, on PostgreSQL 15, with `--sweep-command` calling `documentdb_api_internal.delete_expired_rows()`. Where a session's `search_path` does not hold `documentdb_core`, as here, collMod finds no index by its key pattern; a second run with it set showed what collMod stores.",
	},
	"lungo": {Day: "2026-11-22", How: "in process, by `conformance.Run`. The clock is that of `testing/synctest`, and the sweep is called."},
}

// ByHand returns how r was asked, the zero Record if an adapter asks it.
func (r Result) ByHand() Record { return records[r.Key] }

// IsByHand reports whether r was recorded by hand.
func (r Result) IsByHand() bool { return r.ByHand() != Record{} }

// Link returns where the implementation is described: the page of its adapter
// in the repository, whose root is given with its slash, or its own page.
func (r Result) Link(root string) string {
	if r.IsByHand() {
		return cmp.Or(r.ByHand().Page, r.Implementation.Homepage)
	}
	return root + path.Join("conformance/adapters", r.Key, "README.md")
}
