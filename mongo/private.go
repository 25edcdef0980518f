package mongo

import (
	"github.com/ttlpolicy/ttlpolicy/internal/base/private"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/compiled"
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

func (functions) Sources(c *Collection) []compiled.Source { return sourcesOf(c) }

func (functions) EndsPass(c CollectionSpec, x IndexSpec, p Profile) bool { return endsPass(c, x, p) }
