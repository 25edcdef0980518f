package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"golang.org/x/time/rate"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
)

// pageItems is the number of items requested at a time.
const pageItems = 1000

// A cosmosFeed reads containers.
type cosmosFeed struct {
	*feed
	on    *Cosmos
	limit *rate.Limiter
	page  int
}

// feed begins to read the containers of an input.
func (c *Cosmos) feed(in *dump.Input, o dump.StreamOptions) dump.Feed {
	f := &cosmosFeed{on: c}
	f.page, f.limit = c.options.pace(pageItems)
	f.feed = newFeed(c.ctx, in, o, f.documents)
	c.feeds.Go(f.run)
	return f
}

// documents sends the wanted items of a container, by one query over all its partitions,
// because the client has no query over a range of them.
func (f *cosmosFeed) documents(c *dump.Collection) error {
	client, err := f.on.client.NewContainer(c.Database, c.Name)
	if err != nil {
		return f.failedReading(c, err)
	}
	query, parameters := f.query(c)
	pager := client.NewQueryItemsPager(query, azcosmos.NewPartitionKey(), &azcosmos.QueryOptions{PageSizeHint: int32(f.page), QueryParameters: parameters})
	var watch pages
	for at := int64(0); pager.More(); {
		if err := f.limit.WaitN(f.ctx, f.page); err != nil {
			return err
		}
		page, err := pager.NextPage(f.ctx)
		if err != nil {
			return f.failedReading(c, err)
		}
		r, err := runOf(page.RawResponse)
		if err != nil {
			return f.failedReading(c, err)
		}
		if err := watch.got(len(r.spans), page.RawResponse); err != nil {
			return f.failedReading(c, err)
		}
		if r.of, r.offset = c, at; len(r.spans) > 0 && !f.send(r) {
			return f.ctx.Err()
		}
		at += int64(len(r.data))
	}
	return nil
}

// runOf returns the items of a page in the service's own text, because the client would
// rewrite it.
func runOf(page *http.Response) (r run, err error) {
	var body struct{ Documents []json.RawMessage }
	if err := runtime.UnmarshalAsJSON(page, &body); err != nil {
		return r, err
	}
	if body.Documents == nil {
		return r, errors.New("the service's answer has no items")
	}
	for _, item := range body.Documents {
		from := len(r.data)
		r.data = append(r.data, item...)
		r.spans = append(r.spans, dump.Span{Start: int32(from), End: int32(len(r.data))})
		r.data = append(r.data, '\n')
	}
	return r, nil
}

// failedReading returns an error about a container's items.
func (f *cosmosFeed) failedReading(c *dump.Collection, err error) error {
	if f.ctx.Err() != nil {
		return f.ctx.Err()
	}
	failure := fmt.Errorf("%s: %w", c.Title(), f.on.Failed(err))
	if errors.As(err, new(refusal)) {
		return cli.WithExit(cli.ExitIncomplete, failure)
	}
	return failure
}

// query returns the query for the wanted part of a container, and its parameters.
func (f *cosmosFeed) query(c *dump.Collection) (text string, parameters []azcosmos.QueryParameter) {
	text = all
	if part := f.part(c); !part.Whole {
		names := slices.Concat([]string{"id"}, part.Fields)
		slices.Sort(names)
		names = slices.Compact(names)
		for i, name := range names {
			quoted, _ := json.Marshal(name) // a string always has a JSON form
			names[i] = "c[" + string(quoted) + "]"
		}
		text = "SELECT " + strings.Join(names, ", ") + " FROM c"
	}
	for _, id := range f.on.options.IDs {
		if name, ok := id.AsString(); ok {
			parameters = append(parameters, azcosmos.QueryParameter{Name: fmt.Sprintf("@id%d", len(parameters)), Value: name})
		}
	}
	var wanted []string
	for _, p := range parameters {
		wanted = append(wanted, "c.id = "+p.Name)
	}
	if len(wanted) > 0 {
		text += " WHERE " + strings.Join(wanted, " OR ")
	}
	return text, parameters
}
