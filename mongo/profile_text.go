package mongo

import (
	"fmt"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// MarshalText returns the first release with the profile, and the parameters that were set, such
// as "9.0.0" or "3.0.0 storageEngine=mmapv1". It fails for the zero Profile.
func (p Profile) MarshalText() ([]byte, error) {
	first, legacyNull, ok := behaviour.FirstRelease(p.behaviour)
	switch {
	case !ok:
		return nil, errNoRelease
	case legacyNull:
		return fmt.Appendf(nil, "%s %s=true", first, behaviour.LegacyNullParameter), nil
	case p.behaviour.EitherEngine && p.behaviour.CollModStores == behaviour.StoresInPlace:
		return fmt.Appendf(nil, "%s %s=mmapv1", first, behaviour.EngineParameter), nil
	case p.behaviour.EitherEngine && p.behaviour.CollModStores == behaviour.StoresAnew:
		return fmt.Appendf(nil, "%s %s=wiredTiger", first, behaviour.EngineParameter), nil
	}
	return []byte(first.String()), nil
}

// UnmarshalText reads what MarshalText writes: any release of [ParseVersion], and a parameter
// of [Profile.WithParameter].
func (p *Profile) UnmarshalText(text []byte) error {
	release, parameter, isSet := strings.Cut(string(text), " ")
	version, err := ParseVersion(release)
	if err != nil {
		return err
	}
	read, err := ProfileOf(version)
	if isSet && err == nil {
		name, setting, _ := strings.Cut(parameter, "=")
		v := policy.StringValue(setting)
		if setting == "true" {
			v = policy.BoolValue(true)
		}
		read, err = read.WithParameter(name, v)
	}
	if err == nil {
		*p = read
	}
	return err
}
