package mongo

import (
	"github.com/ttlpolicy/ttlpolicy/internal/base/private"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
)

// Private returns functions for the other packages of this module. No other module can
// call it, because none can import the type of its parameter.
//
// Experimental: it is no part of what this package promises.
func Private(private.Key) functions { return functions{} }

// functions are what the tool, the suite and the playground need and users of the library do
// not. Other packages call them by internal/mongofunc. Each method stands beside the type that
// it is about.
type functions struct{}

// Behaviour returns the behaviour of a release.
func (functions) Behaviour(p Profile) behaviour.Profile { return p.behaviour }

// Profile returns the profile with a behaviour.
func (functions) Profile(b behaviour.Profile) Profile { return Profile{behaviour: b} }

// CodeName returns the CodeName of a [SpecError] in a release.
func (functions) CodeName(p Profile, code int32) string { return p.codeName(code) }

// CheckRelease fails for the zero Profile, as [CompileCollection] does.
func (functions) CheckRelease(p Profile) error {
	if p == (Profile{}) {
		return errNoRelease
	}
	return nil
}
