// Package enum holds the common code of enumerated types: their values are numbers
// from 0 on in memory, and names in print and in files.
package enum

import (
	"fmt"
	"slices"
	"strings"
)

// String returns the name of v, or its type and number if it has none, such as
// "State(9)".
func String[T ~uint8](v T, names []string) string {
	if int(v) < len(names) && names[v] != "" {
		return names[v]
	}
	_, name, _ := strings.Cut(fmt.Sprintf("%T", v), ".")
	return fmt.Sprintf("%s(%d)", name, uint8(v))
}

// MarshalText returns the name of v. It fails for a number without a name.
func MarshalText[T ~uint8](v T, names []string) ([]byte, error) {
	if int(v) >= len(names) || names[v] == "" {
		return nil, fmt.Errorf("%s has no name", String(v, names))
	}
	return []byte(names[v]), nil
}

// UnmarshalText sets v to the value with that name. Any other text is an error, never
// a default.
func UnmarshalText[T ~uint8](v *T, names []string, text []byte) error {
	i := slices.Index(names, string(text))
	if i < 0 || len(text) == 0 {
		return fmt.Errorf("%T: %q is not one of %q", *v, text, names)
	}
	*v = T(i)
	return nil
}
