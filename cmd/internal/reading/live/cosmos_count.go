package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// partitionHeader names the one partition of a query. The service does not add up counts
// over all partitions; clients do that
// (https://learn.microsoft.com/rest/api/cosmos-db/querying-cosmosdb-resources-using-the-rest-api).
const partitionHeader = "x-ms-documentdb-partitionkeyrangeid"

// Partitions returns the identifiers of the partitions of a container, for counting in
// each. An emulator adds up the counts itself, and has one partition without an
// identifier.
func (c *Cosmos) Partitions(ctx context.Context, database, name string) (ids []string, err error) {
	if c.wire.addsUp {
		return []string{""}, nil
	}
	client, err := c.client.NewContainer(database, name)
	if err != nil {
		return nil, c.Failed(err)
	}
	ranges, err := client.ReadFeedRanges(ctx, nil)
	if err != nil {
		return nil, c.Failed(err)
	}
	for _, r := range ranges {
		id, ok := c.wire.partition(rangesPath(database, name), r.MinInclusive, r.MaxExclusive)
		if !ok {
			return nil, c.Failed(errors.New("the service has a partition without an identifier"))
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// Count returns the result of a query that selects one number, in one partition.
func (c *Cosmos) Count(ctx context.Context, database, name, partition, query string) (n int64, err error) {
	client, err := c.client.NewContainer(database, name)
	if err != nil {
		return 0, c.Failed(err)
	}
	if partition != "" {
		ctx = policy.WithHTTPHeader(ctx, http.Header{partitionHeader: {partition}})
	}
	pager := client.NewQueryItemsPager(query, azcosmos.NewPartitionKey(), &azcosmos.QueryOptions{PageSizeHint: pageItems})
	var watch pages
	for pager.More() { // each page has counted some of the items
		page, err := pager.NextPage(ctx)
		if err != nil {
			return 0, endedBy(err, c.Failed(err))
		}
		var body struct{ Documents []int64 }
		if err := runtime.UnmarshalAsJSON(page.RawResponse, &body); err != nil {
			return 0, c.Failed(fmt.Errorf("the service's answer to a count has no numbers: %w", err))
		}
		if body.Documents == nil {
			return 0, c.Failed(errors.New("the service's answer to a count has no numbers"))
		}
		if err := watch.got(len(body.Documents), page.RawResponse); err != nil {
			return 0, endedBy(err, c.Failed(err))
		}
		for _, some := range body.Documents {
			if some < 0 || some > maxItems-n {
				return 0, c.Failed(fmt.Errorf("the service answered with an impossible count of %d items", some))
			}
			n += some
		}
	}
	return n, nil
}

// maxItems is greater than the number of items of any container.
const maxItems = 1 << 60

// A listedRange is a partition as the service describes it.
type listedRange struct{ ID, MinInclusive, MaxExclusive string }

// keepPartitions keeps the partitions of a reply, because the client does not return their
// identifiers.
func (w *cosmosWire) keepPartitions(r *http.Request, reply *http.Response) error {
	if r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, "/pkranges") || reply.StatusCode != http.StatusOK {
		return nil
	}
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		return err
	}
	reply.Body.Close()
	reply.Body = io.NopCloser(bytes.NewReader(text))
	var body struct{ PartitionKeyRanges []listedRange }
	if err := json.Unmarshal(text, &body); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.listed += len(text); w.listed > maxCosmosReply {
		return refusal(fmt.Sprintf("the lists of partitions are longer than %d MiB", maxCosmosReply>>20))
	}
	w.ranges[r.URL.Path] = append(w.ranges[r.URL.Path], body.PartitionKeyRanges...)
	return nil
}

// rangesPath returns the path of the list of a container's partitions.
func rangesPath(database, name string) string {
	return "/dbs/" + database + "/colls/" + name + "/pkranges"
}

// partition returns the identifier of a partition, by the path of its list and its two
// bounds.
func (w *cosmosWire) partition(path, from, to string) (string, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.IndexFunc(w.ranges[path], func(r listedRange) bool { return r.MinInclusive == from && r.MaxExclusive == to })
	if i < 0 {
		return "", false
	}
	return w.ranges[path][i].ID, true
}
