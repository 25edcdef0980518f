package mongo

import (
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/internal/base/spelling"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/catalog"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/codes"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// checkOptionNames refuses an option of a collection that no release knows.
func checkOptionNames(options policy.Value) error {
	for _, level := range []struct {
		in, at string
		known  []string
		what   string
	}{
		{"", "", catalog.CollectionFields, "an option of a collection"},
		{"timeseries", "timeseries.", catalog.TimeSeriesNames, "an option of timeseries"},
		{"clusteredIndex", "clusteredIndex.", catalog.ClusteredIndexNames, "an option of clusteredIndex"},
	} {
		v := options
		if level.in != "" {
			v = options.Field(level.in)
		}
		if err := checkNames(v, level.at, level.known, codes.InvalidOptions, level.what); err != nil {
			return err
		}
	}
	return nil
}

// checkNames refuses a field of v that is not known. at is the place of v.
func checkNames(v policy.Value, at string, known []string, code ErrorCode, what string) error {
	for f := v.Fields(); f.Next(); {
		name := f.Name()
		if slices.Contains(known, name) || code == codes.InvalidOptions && behaviour.IsGenericArgument(name) { // an argument that every command may have
			continue
		}
		reason := fmt.Sprintf("%q is not %s in any release", syntax.Clip(name, 64), what)
		if near := spelling.Nearest(name, known); near != "" {
			reason += fmt.Sprintf("; did you mean %q?", near)
		}
		return &SpecError{Code: code, Field: at + syntax.Clip(name, 64), Reason: reason}
	}
	return nil
}
