package wirettl

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ttlpolicy/ttlpolicy/cmd/wire"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// This file has the commands that describe the server to a client, and those that set the
// monitor's parameters.

// wireVersion is the wire version of 7.0, whatever the release. Today's drivers refuse
// servers before 4.2, and newer versions promise commands that this server lacks.
const wireVersion = 21

func (s *server) hello(c request) (policy.D, error) {
	primary := "isWritablePrimary"
	if c.D[0].Key != "hello" {
		primary = "ismaster"
	}
	return document(primary, true, "helloOk", true, "maxBsonObjectSize", maxDocument, "maxMessageSizeBytes", wire.MaxMessage,
		"maxWriteBatchSize", 100_000, "localTime", time.Now(), "logicalSessionTimeoutMinutes", 30,
		"minWireVersion", 0, "maxWireVersion", wireVersion, "readOnly", false), nil
}

func (s *server) buildInfo(request) (policy.D, error) {
	v := s.Release
	numbers := policy.A{valueOf(int(v.Major)), valueOf(int(v.Minor)), valueOf(int(v.Patch)), valueOf(0)}
	return document("version", v.String(), "versionArray", numbers, "gitVersion", "wirettl", "modules", policy.A{},
		"bits", 64, "debug", false, "maxBsonObjectSize", maxDocument), nil
}

func (s *server) serverStatus(request) (policy.D, error) {
	return document("process", "wirettl", "version", s.Release.String(), "uptime", time.Since(s.started).Seconds(), "localTime", time.Now(),
		"metrics", document("ttl", document("deletedDocuments", s.deleted, "passes", s.passes))), nil
}

func (s *server) parameters() policy.D {
	d, v := document("ttlMonitorEnabled", s.enabled, "ttlMonitorSleepSecs", s.sleepSecs), s.Release
	if v.Compare(mongo.Version{Major: 3, Minor: 4}) >= 0 {
		d = append(d, field("featureCompatibilityVersion", document("version", fmt.Sprintf("%d.%d", v.Major, v.Minor))))
	}
	return d
}

func (s *server) getParameter(c request) (policy.D, error) {
	all, _ := c.D[0].Value.AsString()
	d := slices.DeleteFunc(s.parameters(), func(e policy.E) bool { return all != "*" && c.Field(e.Key).IsMissing() })
	if len(d) == 0 {
		return nil, failed(codes.InvalidOptions, "no option found to get")
	}
	return d, nil
}

// setParameter sets the named parameter, and returns its earlier value.
func (s *server) setParameter(c request) (policy.D, error) {
	named := slices.DeleteFunc(c.arguments(), func(e policy.E) bool { return slices.Contains(harmless, e.Key) })
	on, isBool := named.Field("ttlMonitorEnabled").AsBool()
	n, _ := whole(named.Field("ttlMonitorSleepSecs"))
	switch {
	case len(named) != 1: // refused below, because setting one of several would be half an answer
	case isBool:
		was := s.parameters().Field("ttlMonitorEnabled")
		s.enable(on)
		return document("was", was), nil
	case n > 0 && n <= math.MaxInt32:
		was := s.parameters().Field("ttlMonitorSleepSecs")
		s.sleepSecs = int32(n)
		s.wake()
		return document("was", was), nil
	}
	return nil, failed(codes.BadValue, "setParameter sets one parameter: ttlMonitorEnabled, a bool, or ttlMonitorSleepSecs, a number of 1 or more")
}
