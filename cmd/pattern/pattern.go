// Package pattern compiles regular expressions when they are first used. A program that
// needs none of them starts sooner.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy returns a function that returns the regular expression of text. The function
// panics if text is not a regular expression.
func Lazy(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
