package mongo

import (
	"github.com/ttlpolicy/ttlpolicy/internal/base/hooks"
	"github.com/ttlpolicy/ttlpolicy/mongo/internal/behaviour"
)

func init() {
	hooks.BehaviourOf = func(p Profile) behaviour.Profile { return p.behaviour }
	hooks.SourcesOf = sourcesOf
}
