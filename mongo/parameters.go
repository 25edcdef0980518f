package mongo

import (
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// LegacyNullParameter is the server parameter by which a partial filter reads
// null on dotted paths as it did up to 8.3. It is false unless it is set. Set
// it when the server starts: a filter keeps the way in which its index was
// opened (mongodb/mongo: src/mongo/db/query/query_execution_knobs.idl,
// src/mongo/db/matcher/path.h; that it holds for open indexes is inferred).
const LegacyNullParameter = "internalQueryLegacyDottedPathNullSemantics"

// ErrParameter is wrapped by the error for a server parameter that the release
// does not have, that changes nothing about what expires, or whose value is of
// another type.
var ErrParameter = errors.New("mongo: no such server parameter")

// WithParameter returns the profile of a server on which a parameter is set.
// There is one that changes what expires, [LegacyNullParameter], a Bool, from
// 9.0 on; its default gives p back. For any other parameter, release or value
// it returns an error that wraps [ErrParameter], and the zero Profile.
func (p Profile) WithParameter(name string, value policy.Value) (Profile, error) {
	legacy, isBool := value.AsBool()
	switch {
	case name != LegacyNullParameter:
		return Profile{}, fmt.Errorf("%w: %q; known is %s", ErrParameter, name, LegacyNullParameter)
	case p.brokenPaths == brokenPathsSkipped:
		return Profile{}, fmt.Errorf("%w: this release has no %s", ErrParameter, name)
	case !isBool:
		return Profile{}, fmt.Errorf("%w: %s is a bool, not %s", ErrParameter, name, value.Kind())
	}
	p.brokenPaths = brokenPathsNull
	if legacy {
		p.brokenPaths = brokenPathsLegacyNull
	}
	return p, nil
}
