package rulebook

import "path"

// A Record is how an implementation was asked that CI does not install.
type Record struct {
	Day string // in ISO 8601
	How string // in Markdown
}

// records holds them by the names of their files.
var records = map[string]Record{
	"cloudemu": {"2026-11-22", "in process, by `conformance.Run`. Containers and items go through its HTTP handler, `UpdateTTL` switches TTL on with the property `ttl`, and the clock is its `FakeClock`."},
	"lungo":    {"2026-11-22", "in process, by `conformance.Run`. The clock is that of `testing/synctest`, and the sweep is called."},
}

// ByHand returns how r was asked, the zero Record if an adapter asks it.
func (r Result) ByHand() Record { return records[r.Key] }

// IsByHand reports whether r was recorded by hand.
func (r Result) IsByHand() bool { return r.ByHand() != Record{} }

// Link returns where the implementation is described: the page of its adapter
// in the repository, whose root is given with its slash, or its own page.
func (r Result) Link(root string) string {
	if r.IsByHand() {
		return r.Implementation.Homepage
	}
	return root + path.Join("conformance/adapters", r.Key, "README.md")
}
