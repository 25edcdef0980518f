package aggregation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/forecast"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/judging/pushdown"
	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/internal/mongofunc"
	"github.com/ttlpolicy/ttlpolicy/internal/policies"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Count is a policy compiled into pipelines. The pipelines count the policy's decisions
// about the documents of a collection.
type Count struct {
	// Database and Collection name the counted collection.
	Database, Collection string
	// Passes are the pipelines; exactly one of them counts each document.
	Passes []Pass

	policy    *reasons.Policy
	options   pushdown.Options
	sources   []source
	filters   []filter
	collation policy.Value // the collation of all filters; Missing if there are no filters
}

// A Pass is a pipeline over the documents that match certain partial filters and do not
// match the other filters.
type Pass struct {
	Title    string
	Pipeline policy.A
}

// A filter is a partial filter with the names of the sources that have it.
type filter struct {
	policy.Value
	names []string
}

// maxFilters is the maximum number of different partial filters, because each filter
// doubles the number of passes.
const maxFilters = 3

// NewCount compiles a policy. The error is a [pushdown.Refusal] if a server cannot count
// exactly by the policy.
func NewCount(p *reasons.Policy, o pushdown.Options) (*Count, error) {
	c := &Count{policy: p, options: o}
	if err := c.prepare(); err != nil {
		return nil, err
	}
	if !mongofunc.HasOperator(p.Profile, "$bsonSize") {
		return nil, pushdown.Refuse("MongoDB "+p.Version(), "before 4.4 no pipeline can tell the size of a document")
	}
	for n := range 1 << len(c.filters) {
		c.Passes = append(c.Passes, c.pass(n))
	}
	return c, nil
}

// prepare collects the sources, and returns an error for a policy by which no pipeline
// can count.
func (c *Count) prepare() (err error) {
	p := c.policy
	database, name, _ := strings.Cut(p.Collection.Namespace, ".")
	c.Database, c.Collection = database, name
	switch {
	case p.System == policies.CosmosMongo:
		return pushdown.Refuse("a policy of Azure Cosmos DB for MongoDB", "its documents expire by _ts, which no pipeline can read there")
	case p.System != policies.MongoDB:
		return pushdown.Refuse("a container of Azure Cosmos DB", "MongoDB counts by its own policies; --pushdown cosmos is for containers")
	case !p.Collection.TimeSeries.IsMissing():
		return pushdown.Refuse("a time-series collection", "whole buckets are deleted, and a pipeline sees measurements")
	case p.Collection.View:
		return pushdown.Refuse("a view", "documents are deleted from the collection that it shows, not from the view")
	case c.options.Now < firstYear || c.options.Now > lastYear:
		return pushdown.Refuse("the instant "+c.options.Now.String(), "it is not between the years 1 and 9999")
	}
	if c.sources, err = sourcesOf(p, c.options.Now); err != nil {
		return err
	}
	return c.findFilters()
}

// findFilters collects the different partial filters of the sources that delete.
func (c *Count) findFilters() error {
	for i := range c.sources {
		s := &c.sources[i]
		if s.idle != nil || s.filter.IsMissing() {
			continue
		}
		own := s.collation
		if own.IsMissing() {
			own = object("locale", "simple")
		}
		if len(c.filters) > 0 && !own.Equal(c.collation) {
			return pushdown.Refuse("a collection with partial filters of differing collations", "a pipeline has only one collation")
		}
		c.collation = own
		c.addFilter(s)
	}
	if len(c.filters) > maxFilters {
		return pushdown.Refuse(fmt.Sprintf("a collection with %d partial filters", len(c.filters)), "more than %d make too many passes over all documents", maxFilters)
	}
	return nil
}

func (c *Count) addFilter(s *source) {
	i := slices.IndexFunc(c.filters, func(f filter) bool { return f.Equal(s.filter) })
	if i < 0 {
		i = len(c.filters)
		c.filters = append(c.filters, filter{Value: s.filter})
	}
	c.filters[i].names = append(c.filters[i].names, c.policy.Sources[s.number].Name)
	s.filterBit = 1 << i
}

// pass returns the pipeline over the documents that match the filters whose bits are set
// in n, and do not match the other filters.
func (c *Count) pass(n int) Pass {
	pass := Pass{Title: "all documents"}
	var within, outside policy.A
	var names, others []string
	for i, f := range c.filters {
		if n>>i&1 == 1 {
			within, names = append(within, f.Value), append(names, f.names...)
		} else {
			outside, others = append(outside, f.Value), append(others, f.names...)
		}
	}
	switch {
	case len(c.filters) == 0:
	case len(within) == 0:
		pass.Title = "the documents outside the filter of " + strings.Join(others, ", ")
	case len(outside) == 0:
		pass.Title = "the documents within the filter of " + strings.Join(names, ", ")
	default:
		pass.Title = "the documents within the filter of " + strings.Join(names, ", ") + " and outside that of " + strings.Join(others, ", ")
	}
	if m := matching(within, outside); !m.IsMissing() {
		pass.Pipeline = append(pass.Pipeline, object("$match", m))
	}
	var live []*source
	for i := range c.sources {
		if s := &c.sources[i]; s.idle == nil && n&s.filterBit == s.filterBit {
			live = append(live, s)
		}
	}
	pass.Pipeline = append(pass.Pipeline, c.stages(live)...)
	return pass
}

// matching returns the query for the documents that match every filter of the list within
// and no filter of the list outside; Missing if the query selects all documents.
func matching(within, outside policy.A) policy.Value {
	if len(outside) > 0 {
		within = append(slices.Clip(within), object("$nor", policy.ListValue(outside)))
	}
	switch len(within) {
	case 0:
		return policy.Value{}
	case 1:
		return within[0]
	}
	return object("$and", policy.ListValue(within))
}

// Notes returns notes that explain the counts.
func (c *Count) Notes() (notes []string) {
	notes = append(notes, "The server counts by itself. It looks at one of two fields with the same name, which need not be the one that the TTL monitor looks at.")
	if len(c.filters) > 0 {
		notes = append(notes, "Which documents are within a partial filter the server's own matcher decides, also where that depends on a collation or on geometry.")
		notes = append(notes, fmt.Sprintf("There are %d passes, one after the other: a document that is written meanwhile may be counted in several of them, or in none.", len(c.Passes)))
	}
	if !c.options.NoIDs && !mongofunc.HasOperator(c.policy.Profile, "$minN") {
		notes = append(notes, "Before 5.2 a pipeline finds one document that stands for others, and not three.")
	}
	return notes
}

// Commands returns the commands that count, one for each pass.
func (c *Count) Commands() (list []Command) {
	for _, pass := range c.Passes {
		list = append(list, c.aggregate(pass.Title, pass.Pipeline))
	}
	return list
}

// kept returns the decision of a source that deletes nothing, or whose filter excludes
// the documents of a pass.
func (s *source) kept() expression {
	if s.idle != nil {
		return s.keptBy(s.idle)
	}
	return s.keptBy(reasons.Rule("mongo.filter-mismatch"))
}

// Bucket returns the width of the histogram's buckets in which c counts deadlines.
func (c *Count) Bucket() forecast.Width { return c.options.Bucket }
