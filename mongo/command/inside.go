package command

import (
	"github.com/ttlpolicy/ttlpolicy/internal/base/hooks"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/compiled"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Functions that package mongo does not export, and that this package needs.
var (
	// behaviourOf returns the behaviour of a profile's release.
	behaviourOf = hooks.BehaviourOf.(func(mongo.Profile) behaviour.Profile)

	// compiledSources returns the compiled sources of an Index or a Collection, for
	// comparisons.
	compiledSources = hooks.SourcesOf.(func(policy.Evaluator) []compiled.Source)
)
