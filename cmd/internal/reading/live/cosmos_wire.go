package live

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// maxCosmosReply is the largest reply, in bytes: the service sends 4 MB at most
// (https://learn.microsoft.com/azure/cosmos-db/concepts-limits), and lists need no more.
const maxCosmosReply = 16 << 20

// A cosmosWire sends requests that read, and refuses others before it sends any part of them.
// It adds up the service's charges. All requests of a client pass through it, including
// requests that the client sends on its own.
type cosmosWire struct {
	client *http.Client
	at     *url.URL // the address of the account: https, or http for an emulator
	most   float64  // the maximum charge in request units; 0 for no limit

	mu       sync.Mutex
	ru       float64
	answered bool // the account has answered once
}

func newCosmosWire(at *url.URL, most float64) *cosmosWire {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = replyTimeout
	transport.MaxResponseHeaderBytes = 1 << 20
	return &cosmosWire{at: at, most: most, client: &http.Client{
		Transport:     transport,
		Timeout:       replyTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// continuationHeader says where a list or a query continues.
const continuationHeader = "x-ms-continuation"

// pages counts the pages of one list or query, and makes sure that reading ends whatever
// the service answers. Empty pages are charged too, and a repeated continuation would begin
// a cycle.
type pages struct {
	last   time.Time // the time of the last page with items; at first, of the first page
	number int
	kept   string // an earlier continuation
	renew  int    // the number of the page whose continuation is kept next
}

// idleTime is the longest time of empty pages. Tests shorten it.
var idleTime = 2 * time.Minute

// got records a page with n items. It returns an error if reading might not end.
func (p *pages) got(n int, reply *http.Response) error {
	now := time.Now()
	switch {
	case n > 0 || p.last.IsZero():
		p.last = now
	case now.Sub(p.last) > idleTime:
		return refusal(fmt.Sprintf("the service has answered with empty pages for %s", idleTime))
	}
	return p.follow(reply.Header.Get(continuationHeader))
}

// follow returns an error if a continuation was kept before. It keeps one continuation at
// a time, each for twice as many pages as the one before, and so finds a cycle of any
// length (Brent, An Improved Monte Carlo Factorization Algorithm, 1980).
func (p *pages) follow(next string) error {
	if next == "" {
		return nil
	}
	if next == p.kept {
		return refusal("the service repeats a continuation, so reading would not end")
	}
	if p.number++; p.number > p.renew {
		p.kept, p.renew = next, 2*p.number
	}
	return nil
}

// A refusal is the error for a request that was not sent, or whose reply was not read.
// Retrying would not help.
type refusal string

func (r refusal) Error() string { return string(r) }

// NonRetriable tells the client not to try again.
func (r refusal) NonRetriable() {}

// Do sends a request, unless it is refused.
func (w *cosmosWire) Do(r *http.Request) (*http.Response, error) {
	if err := w.check(r); err != nil {
		return nil, err
	}
	reply, err := w.client.Do(r)
	if err != nil {
		return nil, w.noRetryIfSilent(err)
	}
	if err := w.charge(reply); err != nil {
		reply.Body.Close()
		return nil, err
	}
	reply.Body = &bounded{reply.Body, maxCosmosReply}
	return reply, nil
}

// check returns the reason why a request must not be sent, nil if it may be sent. The
// total charge exceeds a limit at most by the charges of the requests that are under way.
func (w *cosmosWire) check(r *http.Request) error {
	isQuery := r.Method == http.MethodPost && r.Header.Get("x-ms-documentdb-query") == "True" && r.Header.Get("Content-Type") == "application/query+json"
	switch {
	case r.Method != http.MethodGet && !isQuery: // it may do more than read
		return refusal(fmt.Sprintf("a %s request that is not a query must not be sent", r.Method))
	case r.URL.Scheme != w.at.Scheme: // the account names the hosts of its regions
		return refusal(fmt.Sprintf("the account names an address whose scheme is not %s, and nothing is sent there", w.at.Scheme))
	case !mayFollow(w.at, r.URL):
		return refusal(fmt.Sprintf("the account names the host %s, which is not of the domain of %s, and nothing is sent there", oneLine(r.URL.Host, 100), w.at.Host))
	case w.most > 0 && w.charged() >= w.most:
		return refusal(fmt.Sprintf("%.0f of %.0f request units are used, so reading stopped; a larger --max-ru allows more requests", w.charged(), w.most))
	}
	return nil
}

// mayFollow reports whether requests to an account may go to a host that its reply names.
// It allows the account's own host, another name of this machine for a local account, and,
// with TLS, hosts of the same domain, because an account's regions have such hosts.
func mayFollow(account, to *url.URL) bool {
	here, there := strings.ToLower(account.Hostname()), strings.ToLower(to.Hostname())
	switch {
	case portOf(account) != portOf(to):
		return false
	case here == there, isLocal(here) && isLocal(there):
		return true
	case to.Scheme != "https" || net.ParseIP(here) != nil:
		return false
	}
	_, domain, _ := strings.Cut(here, ".")
	if strings.HasSuffix(here, ".azure.com") && strings.HasSuffix(there, accountDomain) { // an account's own gateway has another domain
		return true
	}
	return strings.Contains(domain, ".") && strings.HasSuffix(there, "."+domain)
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// noRetryIfSilent returns err. It rules out retries if the account never answered, because the
// address is then probably wrong.
func (w *cosmosWire) noRetryIfSilent(err error) error {
	var dial *net.OpError
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.answered && errors.As(err, &dial) && dial.Op == "dial" {
		return refusal(err.Error())
	}
	return err
}

// chargeHeader holds the request units that a request was charged.
const chargeHeader = "x-ms-request-charge"

// charge adds the charge of a reply. With a limit, a page without a charge is an error,
// and so is a charge that is not a number of request units, because then the limit would
// not hold.
func (w *cosmosWire) charge(reply *http.Response) error {
	text := reply.Header.Get(chargeHeader)
	ru, err := strconv.ParseFloat(text, 64)
	isCharge := err == nil && ru >= 0 && ru < 1e12 // NaN is not in this range
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answered = true
	switch isPage := reply.StatusCode == http.StatusOK && reply.Request.Method == http.MethodPost; {
	case isCharge:
		w.ru += ru
	case w.most > 0 && (isPage || text != ""):
		return refusal(fmt.Sprintf("the service charges %q request units, so that the limit of --max-ru cannot be kept", oneLine(text, 30)))
	}
	return nil
}

func (w *cosmosWire) charged() float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ru
}

// A bounded body has a limited number of bytes.
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
