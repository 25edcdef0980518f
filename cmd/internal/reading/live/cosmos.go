package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
)

// A Cosmos is an account of Azure Cosmos DB for NoSQL as a [Source].
type Cosmos struct {
	Address Address
	client  *azcosmos.Client
	wire    *cosmosWire
	options Options
	ctx     context.Context // the context of reading items, which outlives Find
	cancel  context.CancelFunc
	feeds   sync.WaitGroup
	size    int // the size of all listings, in bytes
	named   int // the number of databases and containers in the listings
}

var _ Source = (*Cosmos)(nil)

// Close ends reading.
func (c *Cosmos) Close() {
	c.cancel()
	c.feeds.Wait()
	c.client.Close()
}

// Estimate returns -1, because the service gives no number.
func (c *Cosmos) Estimate(*dump.Collection) int64 { return -1 }

// Find returns the containers that the address asks for, with their settings.
func (c *Cosmos) Find(ctx context.Context) (*dump.Input, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, findTime, errLongFind)
	defer cancel()
	databases := []string{c.Address.Database}
	var err error
	if c.Address.Database == "" {
		if databases, err = c.databases(ctx); err != nil {
			return nil, c.Failed(err)
		}
	}
	var found []dump.Described
	for _, database := range databases {
		some, err := c.containers(ctx, database)
		if err != nil {
			return nil, c.Failed(err)
		}
		found = append(found, some...)
	}
	if len(found) == 0 {
		what := "this database has no containers"
		if c.Address.Database == "" {
			what = "there is no database with containers"
		}
		return nil, fmt.Errorf("%s: %s", c.Address.Namespace(c.Address.Database, ""), what)
	}
	in := dump.NewFeed(c.Address.Name, dump.JSON, c.feed)
	for _, d := range found {
		in.Add(d)
	}
	in.Count = func() int64 { return -1 }
	return in, nil
}

// all is the query for all items.
const all = "SELECT * FROM c"

func (c *Cosmos) databases(ctx context.Context) (names []string, err error) {
	ctx, cancel := withinList(ctx)
	defer cancel()
	pager := c.client.NewQueryDatabasesPager(all, nil)
	var watch pages
	for pager.More() {
		page, err := pager.NextPage(ctx)
		if err == nil {
			err = c.countPage(page.RawResponse, len(page.Databases), &watch)
		}
		if err != nil {
			return nil, causeOf(ctx, err)
		}
		for _, d := range page.Databases {
			names = append(names, d.ID)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// countPage counts the bytes and the names of a page of a list. It returns an error beyond a
// limit, or if the list might not end.
func (c *Cosmos) countPage(r *http.Response, names int, watch *pages) error {
	text, err := runtime.Payload(r)
	if err != nil {
		return err
	}
	c.size += len(text)
	c.named += names
	switch {
	case c.size > maxListed:
		return errLongSize
	case c.named > maxNames:
		return errManyNames
	}
	return watch.got(names, r)
}

// containers returns the wanted containers of a database.
func (c *Cosmos) containers(ctx context.Context, database string) (found []dump.Described, err error) {
	client, err := c.client.NewDatabase(database)
	if err != nil {
		return nil, err
	}
	if name := c.Address.Collection; name != "" {
		one, err := c.container(ctx, client, name)
		return []dump.Described{one}, err
	}
	ctx, cancel := withinList(ctx)
	defer cancel()
	pager := client.NewQueryContainersPager(all, nil)
	var watch pages
	for pager.More() {
		page, err := pager.NextPage(ctx)
		if err == nil {
			err = c.countPage(page.RawResponse, len(page.Containers), &watch)
		}
		if err != nil {
			return nil, causeOf(ctx, err)
		}
		var body struct{ DocumentCollections []json.RawMessage }
		if err := runtime.UnmarshalAsJSON(page.RawResponse, &body); err != nil {
			return nil, err
		}
		if body.DocumentCollections == nil {
			return nil, errors.New("the service's answer has no list of containers")
		}
		for i, text := range body.DocumentCollections {
			found = append(found, c.described(database, page.Containers[i].ID, text))
		}
	}
	slices.SortFunc(found, func(a, b dump.Described) int { return strings.Compare(a.Name, b.Name) })
	return found, nil
}

func (c *Cosmos) container(ctx context.Context, of *azcosmos.DatabaseClient, name string) (d dump.Described, err error) {
	client, err := of.NewContainer(name)
	if err != nil {
		return d, err
	}
	reply, err := client.Read(ctx, nil)
	if err != nil {
		return d, err
	}
	text, err := runtime.Payload(reply.RawResponse)
	return c.described(of.ID(), name, text), err
}

// described returns a container with its settings, as the service's text has them.
func (c *Cosmos) described(database, name string, text []byte) dump.Described {
	d := dump.Described{Database: database, Name: name, Container: true, Place: c.Address.Namespace(database, name), Metadata: text}
	if len(text) > dump.MaxMetadata {
		d.Metadata, d.Err = nil, errors.New("the settings are larger than those of any real container")
	}
	return d
}
