// Package private lets a public package export functions to the other packages of this
// module alone. Such a function has a parameter of the type [Key], which other modules
// cannot import.
package private

// A Key permits a call. Its zero value is ready to use.
type Key struct{}
