package rulebook

import (
	"cmp"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/rulebook/markdown"
)

// A Neighbour is a rule that is confused with another.
type Neighbour struct {
	*Page
	Why string // what distinguishes them
}

// A Step is a rule that decides after one change to a vector.
type Step struct {
	*Page
	From, To *Case // a vector of the page, and its twin that the rule decides
}

// confused are the rules that people confuse, and what distinguishes them.
var confused = []struct{ a, b, why string }{
	{"mongo.date", "mongo.date-strict", "Whether the millisecond of the deadline counts: since 3.2 it does."},
	{"mongo.date", "cosmos.default", "MongoDB counts milliseconds from a date that the document holds, Cosmos DB seconds from its last write."},
	{"mongo.field-missing", "mongo.field-null", "Both keep the document; a path that runs into a scalar is null, not missing."},
	{"mongo.field-not-date", "mongo.array-earliest", "In an array one Date is enough, whatever stands beside it."},
	{"mongo.array-empty", "mongo.field-null", "At the end of the path an empty array is undefined, in the middle it is null. Neither expires."},
	{"mongo.array-nested", "mongo.array-earliest", "Dates count in an array, not in an array within it."},
	{"mongo.seconds-zero", "cosmos.default-refused", "0 is MongoDB's recipe for a clock time; Cosmos DB refuses it."},
	{"mongo.seconds-68-years", "mongo.no-ttl", "2147483647 is a delay of 68 years, not a word for never."},
	{"mongo.seconds-68-years", "cosmos.no-default", "Never by default is -1 in Cosmos DB; in MongoDB it is an index without the option."},
	{"mongo.nan-aborts", "mongo.nan-zero", "The same NaN deletes nothing up to 4.4, and in 5.0.0 to 5.0.13 every document with a past date."},
	{"mongo.nan-zero", "mongo.nan-skipped", "Fixed in 5.0.14 and 6.0.2: the index is skipped, and not read as 0."},
	{"mongo.nan-skipped", "mongo.seconds-repaired", "Skipped until a member becomes primary, which repairs it to 2147483647."},
	{"mongo.index-compound", "mongo.createindexes-compound", "Created in the past and ignored, or refused today."},
	{"mongo.index-special", "mongo.createindexes-special", "Accepted when it is made, and without effect afterwards."},
	{"mongo.capped", "mongo.createindexes-capped", "Accepted and failing, refused, or deleting: by release."},
	{"mongo.filter-mismatch", "mongo.field-missing", "Outside the filter a date does not help; inside, a date is still needed."},
	{"mongo.clustered", "mongo.date", "Clustered collections expire by _id, and in newer releases not before 1970."},
	{"mongo.clustered-before-1970", "mongo.date", "An ordinary TTL index deletes dates before 1970."},
	{"mongo.timeseries-bucket", "mongo.date", "A bucket goes as a whole, by its minimum and its span."},
	{"mongo.timeseries-before-2017", "mongo.timeseries-extended-range", "Left out one by one for their age, or all for a single date."},
	{"mongo.timeseries-extended-range", "mongo.timeseries-extended-date", "Skipped up to 8.0.11, deleted since 8.0.12."},
	{"mongo.createindexes-seconds-range", "mongo.createindexes-seconds-before-1970", "32 bits, or the seconds since 1970: by release."},
	{"mongo.createindexes-conversion", "mongo.collmod-conversion", "createIndexes refuses what does not fit, collMod stores the nearest value that does."},
	{"mongo.createindexes-seconds-nan", "mongo.collmod-conversion", "createIndexes refuses NaN since 7.0, collMod stores it as 0."},
	{"mongo.seconds-conversion", "cosmos.mongo-ttl-ignored", "MongoDB truncates 20.5; the API for MongoDB ignores it."},
	{"mongo.expired-visible", "cosmos.expired-invisible", "Visible until a pass removes it, or hidden from the deadline on."},
	{"mongo.monitor-period", "cosmos.purge", "Every 60 seconds, or at an unspecified time."},
	{"mongo.earliest-source", "cosmos.mongo-index-second", "Several TTL indexes each delete; the API for MongoDB has one TTL field."},
	{"cosmos.off", "cosmos.no-default", "No defaultTtl switches TTL off; -1 leaves it on, for items with a ttl."},
	{"cosmos.item-never", "cosmos.no-default", "-1 on an item exempts it; -1 on a container removes the default."},
	{"cosmos.item", "cosmos.default", "An item's ttl overrides the default, in both directions."},
	{"cosmos.item-refused", "cosmos.mongo-ttl-ignored", "The core refuses such a ttl; the API for MongoDB stores and ignores it."},
	{"cosmos.item-refused", "cosmos.sdk-null", "Null written out is refused; what SDKs call null is left out."},
	{"cosmos.item-unspecified", "cosmos.item-refused", "What the service would refuse may be stored all the same, from when TTL was off."},
	{"cosmos.setting-off", "cosmos.no-default", "Off expires nothing; -1 still expires items with a ttl."},
	{"cosmos.mongo-field", "mongo.date", "In the API for MongoDB a number of milliseconds expires as well."},
	{"cosmos.mongo-no-default", "mongo.createindexes-seconds-negative", "-1 is on without a default there, and refused here."},
	{"cosmos.write-restarts", "mongo.monitor-recheck", "Every write restarts the clock there; here only a later date does."},
	{"cosmos.analytical", "cosmos.item", "The analytical store knows no ttl of items."},
	{"cosmos.revived", "mongo.expired-visible", "Back once the setting changes, or never gone."},
}

// neighbours fills in what pages say about other rules.
func (b *Book) neighbours() {
	for _, pair := range confused {
		one, other := b.Page(pair.a), b.Page(pair.b)
		one.Neighbours = append(one.Neighbours, Neighbour{other, pair.why})
		other.Neighbours = append(other.Neighbours, Neighbour{one, pair.why})
	}
	for _, p := range b.pages {
		for _, c := range b.Cases {
			if c.names(p.ID) {
				b.step(p, c)
			}
		}
		slices.SortFunc(p.Steps, func(x, y Step) int { return cmp.Compare(x.ID, y.ID) })
	}
}

// step notes the rules that decide the twins of a vector that p decides.
func (b *Book) step(p *Page, c *Case) {
	for _, twin := range c.Twins {
		for _, a := range twin.Answers {
			other := b.Page(a.Rule)
			known := func(s Step) bool { return s.Page == other }
			if other != nil && other != p && a.Releases == c.answerBy(p).Releases && !slices.ContainsFunc(p.Steps, known) {
				p.Steps = append(p.Steps, Step{other, c, twin})
			}
		}
	}
}

// answerBy returns the answer of c that names the rule of p.
func (c *Case) answerBy(p *Page) Answer {
	i := slices.IndexFunc(c.Answers, func(a Answer) bool { return a.Rule == p.ID })
	return c.Answers[i]
}

// A Mention is what a document says about a rule: a statement of a vendor's
// page in our words, or a contradiction.
type Mention struct {
	Guide string // the page of docs that lists it, without its ending: "mongodb-manual"
	Place string // the anchor there, "" for the page
	Label string // "The MongoDB manual", "The documents disagree, X1"
	Text  string
}

// lists are the guides whose tables say what documents say.
var lists = []struct {
	guide, label string
}{
	{"mongodb-manual", "The MongoDB manual"},
	{"cosmos-pages", "The Azure Cosmos DB pages"},
	{"disagreements", "The documents disagree"},
}

var (
	named    = regexp.MustCompile("`((?:mongo|cosmos)\\.[a-z0-9-]+)`")
	numbered = regexp.MustCompile(`^[A-Z][0-9]+$`)
)

// mentions fills in what the tables of the guides in files say about rules.
func (b *Book) mentions(files fs.FS) error {
	for _, list := range lists {
		text, err := fs.ReadFile(files, list.guide+".md")
		if err != nil {
			return err
		}
		for _, row := range markdown.Rows(text) {
			m := Mention{Guide: list.guide, Place: row.Section, Label: list.label, Text: row.Cells[0]}
			if numbered.MatchString(m.Text) {
				m.Place, m.Label, m.Text = strings.ToLower(m.Text), list.label+", "+m.Text, row.Cells[1]
			}
			for _, id := range named.FindAllStringSubmatch(row.Line, -1) {
				if p := b.pages[id[1]]; p != nil {
					p.Mentions = append(p.Mentions, m)
				}
			}
		}
	}
	return nil
}

// Link is where m stands, with the ending that pages have: ".md", ".html".
func (m Mention) Link(ending string) string {
	if m.Place == "" {
		return m.Guide + ending
	}
	return m.Guide + ending + "#" + m.Place
}
