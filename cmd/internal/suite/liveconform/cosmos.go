package liveconform

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

// An Account answers questions by asking an account of Azure Cosmos DB for NoSQL. It is
// not for concurrent use. The caller must call Close.
type Account struct {
	session
	client   *live.CosmosClient
	database *azcosmos.DatabaseClient
	timeout  time.Duration
	standing map[string]container // the containers for questions about items, by their settings
	settling time.Duration        // the time after which short times to live have ended
	hidden   time.Duration        // the time for which the control item could be read after its deadline
}

var _ conformance.Batcher = (*Account)(nil)

// DialAccount returns a client that may send the requests of a run of this name.
func DialAccount(a live.Address, key, name string) (*live.CosmosClient, error) {
	if !isRun(name) {
		return nil, notRun(name)
	}
	return live.DialCosmos(a, key, 0, func(r *http.Request) error { return checkOwn(r, name) })
}

// NewRun returns a new name of a run, which is also the name of the run's database.
func NewRun() string { return newName() }

// checkOwn returns an error for a request that may change anything except the database of
// a run.
func checkOwn(r *http.Request, name string) error {
	own := "/dbs/" + name
	switch {
	case r.Method == http.MethodGet, r.URL.Path == own, strings.HasPrefix(r.URL.Path, own+"/"):
		return nil
	case r.Method == http.MethodPost && r.URL.Path == "/dbs":
		if x := live.ExchangeOf(r); x != nil && bytes.Equal(x.Body, databaseOf(name)) {
			return nil
		}
	}
	return fmt.Errorf("the request %s %s is not about the database of the run, and may not be sent", r.Method, r.URL.Path)
}

// StartAccount claims a fresh database of this name. An existing database is an
// error.
func StartAccount(ctx context.Context, client *live.CosmosClient, name string, timeout time.Duration) (*Account, error) {
	a, err := accountOf(ctx, client, name)
	if err != nil {
		return nil, err
	}
	a.timeout = timeout
	if err := a.claim(); err != nil {
		return nil, client.Failed(err)
	}
	return a, nil
}

func accountOf(ctx context.Context, client *live.CosmosClient, name string) (*Account, error) {
	database, err := client.SDK().NewDatabase(name)
	return &Account{session: session{ctx: ctx, name: name}, client: client, database: database, standing: map[string]container{}, settling: settling}, err
}

// sharedThroughput is the throughput that the containers of a run share, in request units
// a second, the smallest possible
// (https://learn.microsoft.com/azure/cosmos-db/concepts-limits). Accounts whose
// throughput cannot be set refuse it.
const sharedThroughput = 400

// claim makes the database, with a marker in it.
func (a *Account) claim() error {
	throughput := azcosmos.NewManualThroughputProperties(sharedThroughput)
	status, err := a.createDatabase(&azcosmos.CreateDatabaseOptions{ThroughputProperties: &throughput})
	if isRefused(status) {
		status, err = a.createDatabase(nil)
	}
	switch {
	case status == http.StatusConflict:
		return fmt.Errorf("the database %s exists already; it is not touched", a.name)
	case !isDone(status):
		return orStatus(err, status)
	}
	if status, err = a.create(markerName, []byte("{}")); isDone(status) {
		_, status, err = a.insert(markerName, markerName, fmt.Appendf(nil, `{"run":%q,"began":%q}`, a.name, time.Now().UTC().Format(time.RFC3339)))
	}
	if !isDone(status) {
		return orStatus(err, status)
	}
	return nil
}

func (a *Account) createDatabase(o *azcosmos.CreateDatabaseOptions) (int, error) {
	return exchange(a.ctx, databaseOf(a.name), func(ctx context.Context) error {
		_, err := a.client.SDK().CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: a.name}, o)
		return err
	})
}

// databaseOf returns the body that describes the database of a run.
func databaseOf(name string) []byte { return fmt.Appendf(nil, `{"id":%q}`, name) }

// exchange sends a request, and returns the status that the service answered with; 0 and
// an error if it did not answer.
func exchange(ctx context.Context, body []byte, send func(context.Context) error) (int, error) {
	x := live.Exchange{Body: body}
	err := send(x.With(ctx))
	return x.Status, err
}

func isDone(status int) bool { return status/100 == 2 }

// isRefused reports whether a status is about the request itself, and not about the user or
// the rate of requests.
func isRefused(status int) bool {
	return status == http.StatusBadRequest || status == http.StatusRequestEntityTooLarge || status == http.StatusUnprocessableEntity
}

func orStatus(err error, status int) error {
	if err == nil {
		err = fmt.Errorf("the service answered with status %d", status)
	}
	return err
}

// fail records an error of the client after which nothing more can be asked.
func (a *Account) fail(err error) { a.session.fail(a.client.Failed(err)) }

// Hello says what the account claims.
func (a *Account) Hello() conformance.Hello {
	features := slices.DeleteFunc(slices.Sorted(maps.Keys(suite.Embedded().Features)), func(f string) bool { return f == "ttl-property-path" }) // a preview
	name := "Azure Cosmos DB for NoSQL"
	if a.client.Address.IsEmulator() {
		name = "an emulator of " + name
	}
	return conformance.Hello{
		Protocol: 1, Name: name, Version: "of " + time.Now().UTC().Format(time.DateOnly),
		Ops:      []string{"cosmos.decide", "cosmos.validateContainer", "cosmos.validateItem"},
		Systems:  map[string]string{conformance.CosmosNoSQL: "*"},
		Features: append(features, conformance.FeatureNever, conformance.FeatureErrorStatus),
	}
}

// Ask asks one question.
func (a *Account) Ask(q conformance.Question) conformance.Answer {
	return conformance.AskAll(a, []conformance.Question{q})[0]
}

// AskAll asks questions: first the questions that the service answers at once, then all
// questions that need waiting, side by side.
func (a *Account) AskAll(questions []conformance.Question) iter.Seq2[int, conformance.Answer] {
	return func(yield func(int, conformance.Answer) bool) {
		var trials []*trial
		for i, q := range questions {
			x := &ask{Question: q, at: i}
			switch {
			case a.failed != nil:
			case strings.HasSuffix(q.Op, ".decide"):
				trials = append(trials, &trial{ask: x})
				continue
			case strings.HasSuffix(q.Op, ".validateContainer"):
				x.answer = a.askContainer(q)
			default:
				x.answer = a.askItem(q)
			}
			if !yield(i, a.orAborted(x.answer)) {
				return
			}
		}
		if len(trials) > 0 && a.failed == nil {
			a.decide(trials)
		}
		for _, t := range trials {
			if !yield(t.at, a.orAborted(t.answer)) {
				return
			}
		}
	}
}

// orAborted returns answer, or the answer of an aborted run if the run failed before there
// was one.
func (a *Account) orAborted(answer conformance.Answer) conformance.Answer {
	if answer.Kind == conformance.KindNone && a.failed != nil {
		return conformance.Answer{Kind: conformance.KindAborted, Text: a.failed.Error()}
	}
	return answer
}

// Close removes the database of the run.
func (a *Account) Close() error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), time.Minute)
	defer cancel()
	status, err := exchange(ctx, nil, func(ctx context.Context) error {
		_, err := a.database.Delete(ctx, nil)
		return err
	})
	if isDone(status) || status == http.StatusNotFound {
		return nil
	}
	return fmt.Errorf("%w; ttl conform run --cleanup %s removes what is left", a.client.Failed(orStatus(err, status)), a.name)
}

// CleanupAccount removes the database of an earlier run. It refuses a database without the
// marker of a run of that name.
func CleanupAccount(ctx context.Context, client *live.CosmosClient, name string) error {
	a, err := accountOf(ctx, client, name)
	if err != nil {
		return err
	}
	item, status, err := a.read(markerName, markerName)
	var found struct{ Run string }
	switch {
	case status == http.StatusNotFound, isDone(status) && (json.Unmarshal(item, &found) != nil || found.Run != name):
		return fmt.Errorf("the database %s has no marker of a run; it is not touched", name)
	case !isDone(status):
		return client.Failed(orStatus(err, status))
	}
	return a.Close()
}

// ErrNeverExpired means that the control item never expired.
var ErrNeverExpired = errors.New("this service never expired anything")
