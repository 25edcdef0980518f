package live

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
)

// maxCosmosReply is how long a reply may be, in bytes: the service sends 4 MB at most
// (https://learn.microsoft.com/azure/cosmos-db/concepts-limits), and lists need no more.
const maxCosmosReply = 16 << 20

// A cosmosWire sends what is allowed, and refuses all else before anything of it is on
// the wire. It adds up what the service charges. All requests of a client end here, those
// that it sends by itself too.
type cosmosWire struct {
	client  *http.Client
	allowed func(*http.Request) error // why a request may not be sent
	scheme  string                    // https, or http for an emulator
	most    float64                   // request units; 0 for no limit

	mu sync.Mutex
	ru float64
}

func newCosmosWire(scheme string, most float64, allowed func(*http.Request) error) *cosmosWire {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = replyTimeout
	transport.MaxResponseHeaderBytes = 1 << 20
	return &cosmosWire{allowed: allowed, scheme: scheme, most: most, client: &http.Client{
		Transport:     transport,
		Timeout:       replyTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// A refusal is why a request was not sent, or its reply not read. Sending it again would
// not help.
type refusal string

func (r refusal) Error() string { return string(r) }

// NonRetriable tells the client that it need not try again.
func (r refusal) NonRetriable() {}

// Do sends a request, unless it is refused.
func (w *cosmosWire) Do(r *http.Request) (*http.Response, error) {
	if err := w.check(r); err != nil {
		return nil, err
	}
	if body, ok := r.Context().Value(bodyKey{}).([]byte); ok {
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	reply, err := w.client.Do(r)
	if err != nil {
		return nil, err
	}
	w.charge(reply.Header.Get("x-ms-request-charge"))
	reply.Body = &bounded{reply.Body, maxCosmosReply}
	return reply, nil
}

// check returns why a request may not be sent, nil if it may. What an account with a
// budget has used up is not exceeded by more than the requests that are on their way.
func (w *cosmosWire) check(r *http.Request) error {
	if err := w.allowed(r); err != nil {
		return refusal(err.Error())
	}
	switch {
	case r.URL.Scheme != w.scheme: // the account names the hosts of its regions
		return refusal(fmt.Sprintf("the account has an address that is not of %s", w.scheme))
	case w.most > 0 && w.charged() >= w.most:
		return refusal(fmt.Sprintf("%.0f of %.0f request units are used, so reading stopped; --max-ru allows more", w.charged(), w.most))
	}
	return nil
}

// checkReads returns an error for a request that may do more than read: it is no GET, and
// none of the queries, which are posted.
func checkReads(r *http.Request) error {
	isQuery := r.Method == http.MethodPost && r.Header.Get("x-ms-documentdb-query") == "True" && r.Header.Get("Content-Type") == "application/query+json"
	if r.Method != http.MethodGet && !isQuery {
		return fmt.Errorf("the request %s, which is no query, may not be sent", r.Method)
	}
	return nil
}

// WithBody returns a context for one request that sends this in place of the body that
// the client makes: settings that its types cannot hold.
func WithBody(ctx context.Context, body []byte) context.Context {
	return context.WithValue(ctx, bodyKey{}, body)
}

type bodyKey struct{}

// charge adds what a reply says that it cost.
func (w *cosmosWire) charge(text string) {
	ru, err := strconv.ParseFloat(text, 64)
	if err != nil || !(ru >= 0 && ru < 1e12) {
		return
	}
	w.mu.Lock()
	w.ru += ru
	w.mu.Unlock()
}

func (w *cosmosWire) charged() float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ru
}

// A bounded body has so many bytes at most.
type bounded struct {
	io.ReadCloser
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, refusal(fmt.Sprintf("the reply is longer than %d MiB", maxCosmosReply>>20))
	}
	return n, err
}
