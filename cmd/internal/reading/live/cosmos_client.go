package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

// A CosmosClient sends requests to an account of Azure Cosmos DB for NoSQL.
type CosmosClient struct {
	Address Address
	client  *azcosmos.Client
	wire    *cosmosWire
}

// DialCosmos returns a client that sends the requests for which allowed returns nil, until
// it has used up the given request units; 0 means no limit. Without a key,
// [azidentity.DefaultAzureCredential] finds the identity. DialCosmos sends nothing.
func DialCosmos(a Address, key string, maxRU float64, allowed func(*http.Request) error) (*CosmosClient, error) {
	at, err := url.Parse(a.uri)
	if err != nil {
		return nil, a.Scrub(err)
	}
	c := &CosmosClient{Address: a, wire: newCosmosWire(at, maxRU, allowed)}
	retry := policy.RetryOptions{MaxRetries: cosmosRetries, TryTimeout: replyTimeout, MaxRetryDelay: commandTimeout}
	client := azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{Transport: c.wire, Retry: retry}}
	if c.client, err = newCosmosClient(a.uri, key, &client); err != nil {
		return nil, c.Failed(err)
	}
	return c, nil
}

// cosmosRetries is the largest number of retries while the service is busy.
const cosmosRetries = 5

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

// SDK returns the client of Azure's library. Its requests are checked too.
func (c *CosmosClient) SDK() *azcosmos.Client { return c.client }

// Charged returns how many request units the service has charged.
func (c *CosmosClient) Charged() float64 { return c.wire.charged() }

// Failed returns an error of the client about the account, in one line and without secrets.
// It quotes the message of the service's answer.
func (c *CosmosClient) Failed(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	var refused refusal
	var response *azcore.ResponseError
	switch {
	case errors.As(err, &refused):
		err = refused
	case errors.As(err, &response):
		err = fmt.Errorf("the service answered %d %s%s", response.StatusCode, http.StatusText(response.StatusCode), c.messageOf(response.RawResponse))
	default:
		err = scrubbed{err, oneLine(c.Address.scrub(err.Error()), maxText)}
	}
	return c.Address.Scrub(fmt.Errorf("%s: %w", c.Address.Name, err))
}

// messageOf returns the service's message about an error, shortened, after a colon.
func (c *CosmosClient) messageOf(r *http.Response) string {
	var body struct{ Message string }
	text, err := runtime.Payload(r)
	if err != nil || json.Unmarshal(text, &body) != nil || body.Message == "" {
		return ""
	}
	return ": " + oneLine(c.Address.scrub(body.Message), 300)
}

// oneLine returns a text without line breaks, cut to at most n characters.
func oneLine(text string, most int) string {
	return cli.Clip(strings.Join(strings.Fields(text), " "), most)
}
