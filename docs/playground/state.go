package playground

import (
	"net/url"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/reasons"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Clock is what time it is where a State does not say: the same for everybody,
// or a link would answer differently tomorrow. It is 2026-11-20T12:00:00Z.
const Clock policy.Instant = 1_795_176_000_000

// A State is what somebody wrote and chose.
type State struct {
	// System is [reasons.MongoDB], [reasons.CosmosNoSQL] or
	// [reasons.CosmosMongo]. Anything else is MongoDB.
	System string `json:"system"`
	// Release is the server's, such as "8.0.4". One that has no profile, and
	// none, is the latest; Cosmos DB for NoSQL has none.
	Release string `json:"release"`
	// CustomPath is the account's capability for TTL on a field other than
	// _ts, of the API for MongoDB.
	CustomPath bool `json:"customPath"`
	// LegacyNull sets [mongo.LegacyNullParameter] on a server that has it.
	LegacyNull bool `json:"legacyNull"`
	// Policy is an index, several, createIndex(…), or a container.
	Policy string `json:"policy"`
	// Document is in Extended JSON or as the shell has it; an item of Cosmos DB
	// for NoSQL is plain JSON.
	Document string `json:"document"`
	// Now is the instant to judge at: 2026-11-20T12:00:00Z, 2026-11-20, or @
	// and seconds since 1970. Empty is [Clock].
	Now string `json:"now"`
}

// Fragment returns s as the fragment of a link, without the #.
func (s State) Fragment() string {
	v := url.Values{}
	set := func(name, text string) {
		if text != "" {
			v.Set(name, text)
		}
	}
	set("s", s.System)
	set("v", s.Release)
	if s.CustomPath {
		v.Set("c", "1")
	}
	if s.LegacyNull {
		v.Set("l", "1")
	}
	set("p", s.Policy)
	set("d", s.Document)
	set("n", s.Now)
	return strings.ReplaceAll(v.Encode(), "+", "%20") // what passes links on knows this better
}

// ParseFragment returns the State of a link. It reports false for a fragment
// that is not one, such as that of a heading.
func ParseFragment(fragment string) (State, bool) {
	v, err := url.ParseQuery(fragment)
	if err != nil || !v.Has("p") && !v.Has("d") {
		return State{}, false
	}
	return State{System: v.Get("s"), Release: v.Get("v"), CustomPath: v.Get("c") == "1", LegacyNull: v.Get("l") == "1",
		Policy: v.Get("p"), Document: v.Get("d"), Now: v.Get("n")}.normal(), true
}

// hasLegacyNull reports whether the server has [mongo.LegacyNullParameter].
func (s State) hasLegacyNull() bool {
	v, err := mongo.ParseVersion(s.Release)
	if err != nil || s.System != reasons.MongoDB {
		return false
	}
	p, err := mongo.ProfileOf(v)
	if err == nil {
		_, err = p.WithParameter(mongo.LegacyNullParameter, policy.BoolValue(true))
	}
	return err == nil
}

// parameters returns the server parameters that are set.
func (s State) parameters() policy.D {
	if !s.LegacyNull || !s.hasLegacyNull() {
		return nil
	}
	return policy.D{{Key: mongo.LegacyNullParameter, Value: policy.BoolValue(true)}}
}

// normal returns s with a system and a release that there are.
func (s State) normal() State {
	switch s.System {
	case reasons.CosmosNoSQL:
		s.Release = ""
	case reasons.CosmosMongo:
		s.Release = stopOf(cosmosStops, s.Release).Release
	default:
		s.System = reasons.MongoDB
		v, err := mongo.ParseVersion(s.Release)
		if err == nil {
			_, err = mongo.ProfileOf(v)
		}
		if err != nil {
			s.Release = mongo.Latest.String()
		}
	}
	return s
}
