package mongo

import (
	"github.com/ttlpolicy/ttlpolicy/internal/base/hooks"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
)

func init() {
	hooks.BehaviourOf = func(p Profile) behaviour.Profile { return p.behaviour }
	hooks.SourcesOf = sourcesOf

	hooks.WholeSeconds = wholeSeconds
	hooks.EndsPass = endsPass
	hooks.ReadsNaNAsZero = func(p Profile) bool { return p.behaviour.Nan == behaviour.OptionZero }
	hooks.ListsSimpleCollation = func(p Profile) bool { return p.behaviour.ListsCollation }
	hooks.HasOperator = hasOperator
	hooks.Development = func(name string) (Profile, bool) {
		d, ok := behaviour.DevelopmentNamed(name)
		return Profile{d.Profile()}, ok
	}
}
