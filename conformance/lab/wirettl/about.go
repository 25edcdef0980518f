package wirettl

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// This file has the commands that describe the server to a client, and those that set the
// monitor's parameters.

// wireVersion is the wire version of 7.0, whatever the release. Today's drivers refuse
// servers before 4.2, and newer versions promise commands that this server lacks.
const wireVersion = 21

func (s *server) hello(c command) (policy.D, error) {
	primary := "isWritablePrimary"
	if c.D[0].Key != "hello" {
		primary = "ismaster"
	}
	return document(primary, true, "helloOk", true, "maxBsonObjectSize", maxDocument, "maxMessageSizeBytes", maxMessage,
		"maxWriteBatchSize", 100_000, "localTime", s.monitor.clock(), "logicalSessionTimeoutMinutes", 30,
		"minWireVersion", 0, "maxWireVersion", wireVersion, "readOnly", false), nil
}

func (s *server) buildInfo(command) (policy.D, error) {
	v := s.store.Release()
	numbers := []policy.Value{valueOf(int(v.Major)), valueOf(int(v.Minor)), valueOf(int(v.Patch)), valueOf(0)}
	return document("version", v.String(), "versionArray", numbers, "gitVersion", "wirettl", "modules", []policy.Value{},
		"bits", 64, "debug", false, "maxBsonObjectSize", maxDocument), nil
}

func (s *server) serverStatus(command) (policy.D, error) {
	m, up := s.monitor.get(), time.Since(s.started)
	return document("process", "wirettl", "version", s.store.Release().String(), "uptime", up.Seconds(), "localTime", s.monitor.clock(),
		"metrics", document("ttl", document("deletedDocuments", m.deleted, "passes", m.passes))), nil
}

func (s *server) parameters() policy.D {
	m, v := s.monitor.get(), s.store.Release()
	d := document("ttlMonitorEnabled", m.enabled, "ttlMonitorSleepSecs", int32(m.sleepSecs))
	if v.Compare(mongo.Version{Major: 3, Minor: 4}) >= 0 {
		d = append(d, field("featureCompatibilityVersion", document("version", fmt.Sprintf("%d.%d", v.Major, v.Minor))))
	}
	return d
}

func (s *server) getParameter(c command) (policy.D, error) {
	all, _ := c.D[0].Value.AsString()
	d := slices.DeleteFunc(s.parameters(), func(e policy.E) bool { return all != "*" && c.Field(e.Key).IsMissing() })
	if len(d) == 0 {
		return nil, failed(codes.InvalidOptions, "no option found to get")
	}
	return d, nil
}

// setParameter sets the named parameter, and returns its earlier value.
func (s *server) setParameter(c command) (policy.D, error) {
	named := slices.DeleteFunc(c.arguments(), func(e policy.E) bool { return slices.Contains(harmless, e.Key) })
	on, isBool := named.Field("ttlMonitorEnabled").AsBool()
	n, _ := whole(named.Field("ttlMonitorSleepSecs"))
	switch {
	case len(named) != 1: // refused below, because setting one of several would be half an answer
	case isBool:
		was := s.parameters().Field("ttlMonitorEnabled")
		s.monitor.enable(on)
		return document("was", was), nil
	case n > 0 && n <= math.MaxInt32:
		was := s.parameters().Field("ttlMonitorSleepSecs")
		s.monitor.set(func(m *status) { m.sleepSecs = int32(n) })
		return document("was", was), nil
	}
	return nil, failed(codes.BadValue, "setParameter sets one parameter: ttlMonitorEnabled, a bool, or ttlMonitorSleepSecs, a number of 1 or more")
}
