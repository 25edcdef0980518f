package mongo

import (
	"github.com/ttlpolicy/ttlpolicy/internal/base/private"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/compiled"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Private returns functions for the other packages of this module. No other module can
// call it, because none can import the type of its parameter.
//
// Experimental: it is no part of what this package promises.
func Private(private.Key) functions { return functions{} }

// functions are documented where packages of this module call them, in internal/mongofunc.
type functions struct{}

func (functions) Behaviour(p Profile) behaviour.Profile { return p.behaviour }

func (functions) Profile(b behaviour.Profile) Profile { return Profile{behaviour: b} }

func (functions) CheckRelease(p Profile) error {
	if p == (Profile{}) {
		return errNoRelease
	}
	return nil
}

func (functions) Listed(p Profile, stored policy.Value) (policy.Value, bool) { return p.listed(stored) }

func (functions) ListIndex(p Profile, stored policy.Value) (policy.Value, error) {
	return p.listIndex(stored)
}

func (functions) OnlySource(c *Collection, source int) *Collection { return c.onlySource(source) }

func (functions) Sources(c *Collection) []compiled.Source { return sourcesOf(c) }

func (functions) EndsPass(c CollectionSpec, x IndexSpec, p Profile) bool { return endsPass(c, x, p) }
