package wirettl

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The commands by which a client learns whom it talks to, and sets the monitor.

// handlers are the commands by their names in lower case.
var handlers map[string]func(*server, command) (policy.D, error)

func init() { // the table and the handlers refer to each other
	handlers = map[string]func(*server, command) (policy.D, error){
		"hello": (*server).hello, "ismaster": (*server).hello, "ping": nothing, "endsessions": nothing,
		"buildinfo": (*server).buildInfo, "serverstatus": (*server).serverStatus, "connectionstatus": connectionStatus,
		"getparameter": (*server).getParameter, "setparameter": (*server).setParameter,

		"create": (*server).create, "createindexes": (*server).createIndexes, "collmod": (*server).collMod,
		"drop": (*server).drop, "dropindexes": (*server).dropIndexes, "dropdatabase": (*server).dropDatabase,
		"listindexes": (*server).listIndexes, "listcollections": (*server).listCollections, "listdatabases": (*server).listDatabases,

		"insert": (*server).insert, "delete": (*server).delete, "find": (*server).find, "getmore": (*server).getMore,
		"killcursors": (*server).killCursors, "count": (*server).count, "aggregate": (*server).aggregate,
	}
}

func nothing(*server, command) (policy.D, error) { return nil, nil }

// wireVersion is that of 7.0, whatever the release: today's drivers speak to no server
// before 4.2, and newer versions promise commands that are not here.
const wireVersion = 21

func (s *server) hello(c command) (policy.D, error) {
	primary := "isWritablePrimary"
	if c.name() != "hello" {
		primary = "ismaster"
	}
	return document(primary, true, "helloOk", true, "maxBsonObjectSize", maxDocument, "maxMessageSizeBytes", maxMessage,
		"maxWriteBatchSize", 100_000, "localTime", time.Now(), "logicalSessionTimeoutMinutes", 30,
		"minWireVersion", 0, "maxWireVersion", wireVersion, "readOnly", false), nil
}

func (s *server) buildInfo(command) (policy.D, error) {
	v := s.store.Release()
	numbers := []policy.Value{valueOf(int(v.Major)), valueOf(int(v.Minor)), valueOf(int(v.Patch)), valueOf(0)}
	return document("version", v.String(), "versionArray", numbers, "gitVersion", "wirettl", "modules", []policy.Value{},
		"bits", 64, "debug", false, "maxBsonObjectSize", maxDocument), nil
}

func connectionStatus(*server, command) (policy.D, error) {
	return document("authInfo", document("authenticatedUsers", []policy.Value{}, "authenticatedUserRoles", []policy.Value{})), nil
}

func (s *server) serverStatus(command) (policy.D, error) {
	passes, deleted := s.monitor.counts()
	up := time.Since(s.started)
	return document("process", "wirettl", "version", s.store.Release().String(), "uptime", up.Seconds(), "uptimeMillis", up.Milliseconds(),
		"localTime", time.Now(), "metrics", document("ttl", document("deletedDocuments", deleted, "passes", passes))), nil
}

// A parameter of the server. Those without set are read only.
type parameter struct {
	get func(*server) policy.Value
	set func(*server, policy.Value) error
}

var parameterOrder = []string{"featureCompatibilityVersion", "ttlMonitorEnabled", "ttlMonitorSleepSecs"}

var serverParameters = map[string]parameter{
	"featureCompatibilityVersion": {get: (*server).featureCompatibility},
	"ttlMonitorEnabled":           {func(s *server) policy.Value { return policy.BoolValue(s.monitor.get().enabled) }, (*server).setEnabled},
	"ttlMonitorSleepSecs":         {func(s *server) policy.Value { return valueOf(int32(s.monitor.get().sleepSecs)) }, (*server).setSleepSecs},
}

// featureCompatibility is that of the release itself; releases before 3.4 have none.
func (s *server) featureCompatibility() policy.Value {
	v := s.store.Release()
	if v.Compare(mongo.Version{Major: 3, Minor: 4}) < 0 {
		return policy.Value{}
	}
	return valueOf(document("version", fmt.Sprintf("%d.%d", v.Major, v.Minor)))
}

func (s *server) setEnabled(v policy.Value) error {
	on, ok := v.AsBool()
	if !ok {
		return failed(badValue, "ttlMonitorEnabled must be a bool")
	}
	s.monitor.set(func(p *parameters) { p.enabled = on })
	return nil
}

func (s *server) setSleepSecs(v policy.Value) error {
	n, ok := mongo.WholeSeconds(v)
	if !ok || n < 1 || n > math.MaxInt32 {
		return failed(badValue, "ttlMonitorSleepSecs must be a number of 1 or more")
	}
	s.monitor.set(func(p *parameters) { p.sleepSecs = policy.Seconds(n) })
	return nil
}

func (s *server) getParameter(c command) (d policy.D, err error) {
	star, _ := c.D[0].Value.AsString()
	for _, name := range parameterOrder {
		if star == "*" || !c.Field(name).IsMissing() {
			d = withMissing(d, name, serverParameters[name].get(s))
		}
	}
	if len(d) == 0 {
		return nil, failed(invalidOptions, "no option found to get")
	}
	return d, nil
}

// setParameter sets the first parameter that is named, and shows what it was.
func (s *server) setParameter(c command) (policy.D, error) {
	i := slices.IndexFunc(c.arguments(), func(e policy.E) bool { return serverParameters[e.Key].set != nil })
	if i < 0 {
		return nil, failed(invalidOptions, "no option found to set, use help:true to see options")
	}
	e := c.arguments()[i]
	p := serverParameters[e.Key]
	was := p.get(s)
	return document("was", was), p.set(s, e.Value)
}
