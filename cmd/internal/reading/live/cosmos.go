package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"golang.org/x/time/rate"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
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

func (c *Cosmos) containers(ctx context.Context, database string) (found []dump.Described, err error) {
	client, err := c.client.NewDatabase(database)
	if err != nil {
		return nil, err
	}
	if name := c.Address.Collection; name != "" {
		one, err := client.NewContainer(name)
		if err != nil {
			return nil, err
		}
		reply, err := one.Read(ctx, nil)
		if err != nil {
			return nil, err
		}
		text, err := runtime.Payload(reply.RawResponse)
		return []dump.Described{c.described(database, name, text)}, err
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

// described returns a container with its settings, as the service's text has them.
func (c *Cosmos) described(database, name string, text []byte) dump.Described {
	d := dump.Described{Database: database, Name: name, Container: true, Place: c.Address.Namespace(database, name), Metadata: text}
	if len(text) > dump.MaxMetadata {
		d.Metadata, d.Err = nil, errors.New("the settings are larger than those of any real container")
	}
	return d
}

// OpenCosmos returns an account to read from, until ctx ends or the request units of the
// options are used up. Without a key, [azidentity.DefaultAzureCredential] finds the identity.
// Nothing is sent yet.
func OpenCosmos(ctx context.Context, a Address, key string, o Options) (*Cosmos, error) {
	at, err := url.Parse(a.uri)
	if err != nil {
		return nil, a.Scrub(err)
	}
	c := &Cosmos{Address: a, wire: newCosmosWire(at, o.MaxRU), options: o}
	retry := policy.RetryOptions{TryTimeout: replyTimeout, MaxRetryDelay: commandTimeout}
	client := azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{Transport: c.wire, Retry: retry}}
	if c.client, err = newCosmosClient(a.uri, key, &client); err != nil {
		return nil, c.Failed(err)
	}
	c.ctx, c.cancel = context.WithCancel(ctx)
	return c, nil
}

func newCosmosClient(endpoint, key string, o *azcosmos.ClientOptions) (*azcosmos.Client, error) {
	if key == "" {
		identity, err := azidentity.NewDefaultAzureCredential(&azidentity.DefaultAzureCredentialOptions{ClientOptions: azcore.ClientOptions{Transport: http.DefaultClient}})
		if err != nil {
			return nil, err
		}
		return azcosmos.NewClient(endpoint, identity, o)
	}
	credential, err := azcosmos.NewKeyCredential(key)
	if err != nil {
		return nil, fmt.Errorf("the environment variable %s holds no key: it is not base64", KeyVariable)
	}
	return azcosmos.NewClientWithKey(endpoint, credential, o)
}

// Charged returns the number of request units that the service has charged.
func (c *Cosmos) Charged() float64 { return c.wire.charged() }

// Failed returns an error of the client about the account, in one line and without secrets.
// It quotes the message of the service's answer.
func (c *Cosmos) Failed(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	var refused refusal
	var response *azcore.ResponseError
	switch {
	case errors.As(err, &refused):
		err = refused
	case errors.As(err, &response):
		var body struct{ Message string }
		text, _ := runtime.Payload(response.RawResponse) // without a text there is no message
		if json.Unmarshal(text, &body) == nil && body.Message != "" {
			body.Message = ": " + oneLine(c.Address.scrub(body.Message), 300)
		}
		err = fmt.Errorf("the service answered %d %s%s", response.StatusCode, http.StatusText(response.StatusCode), body.Message)
	default:
		err = scrubbed{err, oneLine(c.Address.scrub(err.Error()), maxText)}
	}
	return c.Address.Scrub(fmt.Errorf("%s: %w", c.Address.Name, err))
}

// oneLine returns a text without line breaks, cut to at most n characters.
func oneLine(text string, n int) string {
	return cli.Clip(strings.Join(strings.Fields(text), " "), n)
}

// KeyVariable is the environment variable that holds a key of an account of Azure Cosmos
// DB. Without it the identity is found as Azure's own tools find it.
const KeyVariable = "TTL_COSMOS_KEY"

// cosmosScheme is the scheme of accounts of Azure Cosmos DB. emulatorScheme is the scheme
// of an emulator on this machine, without TLS.
const (
	cosmosScheme   = "cosmos://"
	emulatorScheme = "cosmos+http://"
)

// accountDomain is the domain of accounts of Azure's public cloud.
const accountDomain = ".documents.azure.com"

// IsCosmos reports whether text is meant to be the address of an account of Azure Cosmos DB.
func IsCosmos(text string) bool {
	return strings.HasPrefix(text, cosmosScheme) || strings.HasPrefix(text, emulatorScheme)
}

// ParseCosmos reads an address such as cosmos://account/database/container, whose account
// is a name or a host; cosmos+http://localhost:8081 is an emulator without TLS. Its error
// quotes no part of an address that might be a key.
func ParseCosmos(text, key string) (Address, error) {
	scheme, rest, _ := strings.Cut(text, "://")
	host, path, _ := strings.Cut(rest, "/")
	path = strings.TrimSuffix(path, "/")
	endpoint := "https://"
	if scheme+"://" == emulatorScheme {
		endpoint = "http://"
	}
	u, err := url.Parse(endpoint + host)
	switch {
	case strings.ContainsAny(rest, "@?#"):
		return Address{}, fmt.Errorf("the address must name only an account, a database and a container, without @, ? or #; put a key into the environment variable %s", KeyVariable)
	case err != nil || u.Hostname() == "":
		return Address{}, errors.New("the address names no account; want cosmos://ACCOUNT/DATABASE/CONTAINER")
	case u.Scheme == "http" && !isLocal(u.Hostname()):
		return Address{}, errors.New("cosmos+http:// is for an emulator on this machine; want cosmos://, which uses TLS")
	case u.Scheme == "https" && !strings.ContainsAny(host, ".:[") && host != "localhost":
		host += accountDomain
	}
	names := strings.Split(path, "/")
	if len(names) > 2 {
		return Address{}, errors.New("the path of the address has more than two names; want /DATABASE/CONTAINER")
	}
	a := Address{Name: scheme + "://" + host, uri: endpoint + host}
	for i, to := range []*string{&a.Database, &a.Collection}[:len(names)] {
		if *to, err = url.PathUnescape(names[i]); err != nil {
			return Address{}, errors.New("the path of the address has a % that begins no escape; want /DATABASE/CONTAINER")
		}
	}
	if key != "" {
		a.secrets = []string{key, url.QueryEscape(key)}
	}
	return a, nil
}

func isLocal(host string) bool { return host == "localhost" || host == "127.0.0.1" || host == "::1" }

// pageItems is the number of items requested at a time.
const pageItems = 1000

// A cosmosFeed reads containers.
type cosmosFeed struct {
	*feed
	on    *Cosmos
	limit *rate.Limiter
	page  int
}

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
