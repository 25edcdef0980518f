package mongo

import (
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/value"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Profile describes the behaviour of a release where releases differ. It is opaque:
// rules read single behaviours from it, and nothing else compares versions. Profiles
// compare with ==, and two releases with equal Profiles decide alike. [ProfileOf] returns
// a Profile, and [Profile.WithParameter] applies a server parameter that affects expiry.
// The zero Profile belongs to no release, and compiles nothing.
type Profile struct{ behaviour behaviour.Profile }

// ErrParameter is wrapped by the error for a server parameter that the release does
// not have, that has no effect on expiry, or whose value has the wrong type.
var ErrParameter = errors.New("mongo: invalid server parameter")

// WithParameter returns the profile of a server on which a parameter is set. Two parameters
// affect expiry. For any other parameter, release or value it returns an error that wraps
// [ErrParameter], and the zero Profile.
//
// internalQueryLegacyDottedPathNullSemantics, a Bool from 9.0 on, is false by default. If it is
// true, a partial filter reads null on dotted paths as it did up to 8.3. Set it when the server
// starts: a filter keeps the reading with which its index was opened (mongodb/mongo:
// src/mongo/db/query/query_execution_knobs.idl, src/mongo/db/matcher/path.h). It is inferred that
// this is also true of an index that is in use when the parameter changes.
//
// storageEngine, from 3.0 to 4.0, is the String "mmapv1", "wiredTiger" or "inMemory", which
// serverStatus shows as storageEngine.name; it is set by the option --storageEngine of mongod.
// Until it is set, the engine is not known. The engine decides how collMod stores an
// expireAfterSeconds: mmapv1 overwrites the old number and keeps its type, and the other engines
// store an int64 (mongodb/mongo:
// src/mongo/db/storage/mmap_v1/catalog/namespace_details_collection_entry.cpp and
// src/mongo/db/storage/kv/kv_collection_catalog_entry.cpp, updateTTLSetting).
func (p Profile) WithParameter(name string, value policy.Value) (Profile, error) {
	legacy, isBool := value.AsBool()
	switch {
	case name == behaviour.EngineParameter:
		return p.withEngine(value)
	case name != behaviour.LegacyNullParameter:
		return Profile{}, fmt.Errorf("%w: %q is not %s or %s", ErrParameter, name, behaviour.LegacyNullParameter, behaviour.EngineParameter)
	case p.behaviour.BrokenPaths != behaviour.BrokenPathsNull && p.behaviour.BrokenPaths != behaviour.BrokenPathsLegacyNull:
		return Profile{}, fmt.Errorf("%w: this release has no %s", ErrParameter, name)
	case !isBool:
		return Profile{}, fmt.Errorf("%w: %s must be a bool, not %s", ErrParameter, name, value.Kind())
	}
	p.behaviour.BrokenPaths = behaviour.BrokenPathsNull
	if legacy {
		p.behaviour.BrokenPaths = behaviour.BrokenPathsLegacyNull
	}
	return p, nil
}

// withEngine does the work of WithParameter for the storage engine. It replaces an
// earlier one.
func (p Profile) withEngine(engine policy.Value) (Profile, error) {
	// The releases 3.0 to 4.0 have both engines; 2.6 has only MMAPv1, and 4.2 only
	// WiredTiger.
	if !p.behaviour.EitherEngine {
		return Profile{}, fmt.Errorf("%w: in this release nothing depends on %s", ErrParameter, behaviour.EngineParameter)
	}
	switch name, _ := engine.AsString(); name {
	case "mmapv1":
		p.behaviour.CollModStores = behaviour.StoresInPlace
	case "wiredTiger", "inMemory":
		p.behaviour.CollModStores = behaviour.StoresAnew
	default:
		return Profile{}, fmt.Errorf("%w: %s must be mmapv1, wiredTiger or inMemory, not %s", ErrParameter, behaviour.EngineParameter, value.Shown(engine))
	}
	return p, nil
}

// codeName returns the CodeName of a [SpecError] in a release.
func (p Profile) codeName(c int32) string {
	switch {
	case c != codes.IDLFailedToParse && c != codes.IDLUnknownField || p.behaviour.ParserCodes == behaviour.ParserCodesNamed:
		return codes.Name(c)
	case p.behaviour.ParserCodes == behaviour.ParserCodesNumbered:
		return codes.Location(c)
	}
	return ""
}
