package liveconform

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/live"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// speed is the factor by which the clock of the simulated service is faster than real
// time.
const speed = 20

// A service simulates the part of Azure Cosmos DB that a run uses. It follows the rules
// of this library, except for its mistake. The tests check the run, not the service.
type service struct {
	mistake string
	began   time.Time

	mu         sync.Mutex
	serverless bool
	databases  map[string]map[string]*stood
	asked      []string
}

// stood is a simulated container: its settings and its items.
type stood struct {
	settings []byte
	items    map[string][]byte
}

func newService(t *testing.T, mistake string) (*service, live.Address) {
	t.Helper()
	s := &service{mistake: mistake, began: time.Now(), databases: map[string]map[string]*stood{"shop": {}}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	address, err := live.ParseCosmos("cosmos+"+server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	return s, address
}

func (s *service) now() policy.Instant {
	return policy.InstantOf(s.began.Add(time.Since(s.began) * speed))
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	s.asked = append(s.asked, r.Method+" "+r.URL.Path)
	status, out := s.answer(r, strings.Split(strings.Trim(r.URL.Path, "/"), "/"), body)
	w.WriteHeader(status)
	w.Write(out)
}

func (s *service) answer(r *http.Request, path []string, body []byte) (int, []byte) {
	var named struct{ ID string }
	_ = json.Unmarshal(body, &named) // an empty body names nothing
	database := map[string]*stood(nil)
	if len(path) > 1 {
		database = s.databases[path[1]]
	}
	switch at := r.Method + fmt.Sprint(len(path)); {
	case at == "GET1":
		return 200, []byte(`{"writableLocations":[],"readableLocations":[]}`)
	case at == "POST1" && s.serverless && r.Header.Get("x-ms-offer-throughput") != "":
		return 400, nil
	case at == "POST1" && s.databases[named.ID] != nil:
		return 409, nil
	case at == "POST1":
		s.databases[named.ID] = map[string]*stood{}
		return 201, body
	case database == nil, len(path) > 3 && database[path[3]] == nil:
		return 404, nil
	case at == "DELETE2":
		delete(s.databases, path[1])
		return 204, nil
	case at == "POST3", at == "PUT4":
		return s.define(database, named.ID, body)
	case at == "GET4":
		return 200, database[path[3]].settings
	case at == "DELETE4":
		delete(database, path[3])
		return 204, nil
	case at == "POST5":
		return s.write(database[path[3]], named.ID, body)
	case at == "GET6":
		return s.read(database[path[3]], path[5])
	}
	return 405, nil
}

func (s *service) define(database map[string]*stood, id string, settings []byte) (int, []byte) {
	spec, err := cosmos.ParseContainerSpec(settings)
	if err == nil && s.mistake != "accepts any settings" {
		_, err = cosmos.ValidateContainer(spec, nil)
	}
	if err != nil {
		return 400, nil
	}
	if s.mistake != "stores lazy" {
		settings = []byte(strings.ReplaceAll(string(settings), `"lazy"`, `"consistent"`))
	}
	database[id] = &stood{settings, map[string][]byte{}}
	return 201, settings
}

func (s *service) write(c *stood, id string, item []byte) (int, []byte) {
	spec, err := cosmos.ParseContainerSpec(c.settings)
	parsed, itemErr := policy.ParseJSON(item)
	if err := errors.Join(err, itemErr); err != nil {
		return 400, nil
	}
	if s.mistake != "accepts any item" && cosmos.ValidateItem(spec, &parsed) != nil {
		return 400, nil
	}
	c.items[id] = fmt.Appendf(nil, `%s,"_ts":%d}`, item[:len(item)-1], int64(s.now())/1000)
	return 201, c.items[id]
}

func (s *service) read(c *stood, id string) (int, []byte) {
	item, ok := c.items[id]
	if !ok || s.isExpired(c.settings, item) {
		return 404, nil
	}
	return 200, item
}

func (s *service) isExpired(settings, item []byte) bool {
	switch s.mistake {
	case "forgets ttl beside a default":
		if !strings.Contains(string(settings), `"defaultTtl":-1`) {
			item = []byte(strings.ReplaceAll(string(item), `"ttl"`, `"was"`))
		}
	case "ttl counts where it is off":
		if !strings.Contains(string(settings), "defaultTtl") {
			settings = []byte(`{"defaultTtl":-1}`)
		}
	case "-1 is no time":
		item = []byte(strings.ReplaceAll(string(item), `"ttl":-1`, `"ttl":1`))
	case "the shorter counts":
		if strings.Contains(string(settings), `"defaultTtl":2`) {
			item = []byte(strings.ReplaceAll(string(item), `"ttl"`, `"was"`))
		}
	case "never expires":
		return false
	}
	spec, err := cosmos.ParseContainerSpec(settings)
	parsed, itemErr := policy.ParseJSON(item)
	evaluator, compileErr := cosmos.CompileContainer(spec)
	return errors.Join(err, itemErr, compileErr) == nil && evaluator.Decide(&parsed, s.now()).State == policy.Expired
}

// startAccount claims a database of a service whose clock runs fast.
func startAccount(t *testing.T, ctx context.Context, address live.Address) *Account {
	t.Helper()
	name := NewRun()
	client, err := DialAccount(address, base64.StdEncoding.EncodeToString([]byte("key")), name)
	if err != nil {
		t.Fatal(err)
	}
	a, err := StartAccount(ctx, client, name, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	a.settling = settling / speed
	return a
}

// judgedAccount runs the vectors about Cosmos DB, and returns their report.
func judgedAccount(t *testing.T, a *Account) *suite.Report {
	t.Helper()
	r, err := suite.Run(suite.Embedded().Only(func(v *suite.Vector) bool { return strings.HasPrefix(v.Op, "cosmos.") }), a)
	if err := errors.Join(err, a.Err(), a.Close()); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRightAccount: a service that follows this library passes, and the run leaves
// nothing behind and touches only its own database.
func TestRightAccount(t *testing.T) {
	t.Parallel()
	for _, serverless := range []bool{false, true} {
		s, address := newService(t, "")
		s.serverless = serverless
		a := startAccount(t, t.Context(), address)
		r := judgedAccount(t, a)
		for _, f := range r.Findings() {
			t.Error(r.Suite.Explain(f))
		}
		for outcome, least := range map[suite.Outcome]int{suite.Pass: 86, suite.Boundary: 8} {
			if got := r.Count()[outcome]; got < least {
				t.Errorf("%d checks are %s, want %d: %v", got, outcome, least, r.Count())
			}
		}
		if left := slices.Collect(maps.Keys(s.databases)); !slices.Equal(left, []string{"shop"}) {
			t.Errorf("the run leaves %v", left)
		}
		for _, asked := range s.asked {
			if asked != "GET /" && asked != "POST /dbs" && !strings.Contains(asked+"/", " /dbs/"+a.Name()+"/") {
				t.Errorf("the run asks %s", asked)
			}
		}
	}
}

// TestBrokenAccounts: the run detects the mistake of each service.
func TestBrokenAccounts(t *testing.T) {
	t.Parallel()
	for mistake, rule := range map[string]string{
		"forgets ttl beside a default": "cosmos.item",
		"ttl counts where it is off":   "cosmos.off",
		"-1 is no time":                "cosmos.item-never",
		"the shorter counts":           "cosmos.item",
		"accepts any settings":         "cosmos.default-refused",
		"accepts any item":             "cosmos.item-refused",
		"stores lazy":                  "cosmos.indexing-lazy",
	} {
		t.Run(mistake, func(t *testing.T) {
			t.Parallel()
			_, address := newService(t, mistake)
			r := judgedAccount(t, startAccount(t, t.Context(), address))
			if !slices.ContainsFunc(r.Failed(), func(c suite.Check) bool { return c.Vector.BearsOn(rule) }) {
				t.Errorf("nothing about %s fails: %v", rule, r.Count())
			}
		})
	}
}

// TestNeverExpired: if a service expires nothing, the run ends with ErrNeverExpired and
// judges no vector.
func TestNeverExpired(t *testing.T) {
	t.Parallel()
	_, address := newService(t, "never expires")
	a := startAccount(t, t.Context(), address)
	a.timeout = 500 * time.Millisecond
	r, err := suite.Run(suite.Embedded().Only(func(v *suite.Vector) bool { return v.ID == "cosmos-default-without-ttl" }), a)
	if err != nil || !errors.Is(a.Err(), ErrNeverExpired) {
		t.Fatalf("Err() = %v, %v, want %v", a.Err(), err, ErrNeverExpired)
	}
	for _, c := range r.Checks {
		if c.Outcome != suite.NotRun {
			t.Errorf("%s is %s, want not run", c.Vector.ID, c.Outcome)
		}
	}
}

// TestAccountInterrupted: an interrupted run leaves no database behind.
func TestAccountInterrupted(t *testing.T) {
	t.Parallel()
	s, address := newService(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	a := startAccount(t, ctx, address)
	cancel()
	_, err := suite.Run(suite.Embedded().Only(func(v *suite.Vector) bool { return strings.HasPrefix(v.Op, "cosmos.") }), a)
	if err != nil || !errors.Is(a.Err(), context.Canceled) {
		t.Errorf("Err() = %v, %v, want %v", a.Err(), err, context.Canceled)
	}
	if err := a.Close(); err != nil || len(s.databases) != 1 {
		t.Errorf("Ctrl-C leaves %d databases, %v, want 1", len(s.databases), err)
	}
}

// TestAccountCleanup: a cleanup removes the database of a run and nothing else, and a run
// refuses an existing database.
func TestAccountCleanup(t *testing.T) {
	t.Parallel()
	s, address := newService(t, "")
	a := startAccount(t, t.Context(), address)
	if _, err := StartAccount(t.Context(), a.client, a.name, time.Second); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("StartAccount in a database that exists: %v", err)
	}
	if _, err := DialAccount(address, "", "shop"); err == nil {
		t.Error("DialAccount takes any name for a run's")
	}
	const other = "ttlconform_000000000000"
	s.databases[other] = map[string]*stood{}
	client, err := DialAccount(address, base64.StdEncoding.EncodeToString([]byte("key")), other)
	if err != nil {
		t.Fatal(err)
	}
	if err := CleanupAccount(t.Context(), client, other); err == nil || !strings.Contains(err.Error(), "no marker") {
		t.Errorf("CleanupAccount of a database without a marker: %v", err)
	}
	if err := CleanupAccount(t.Context(), a.client, a.name); err != nil || len(s.databases) != 2 {
		t.Errorf("CleanupAccount: %v, and %d databases, want 2", err, len(s.databases))
	}
	shop, err := a.client.SDK().NewDatabase("shop")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := shop.Delete(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "not about the database of the run") || s.databases["shop"] == nil {
		t.Errorf("deleting another database: %v", err)
	}
	if _, err := a.client.SDK().CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "other"}, nil); err == nil || s.databases["other"] != nil {
		t.Errorf("making another database: %v", err)
	}
}
