// Package strength shows how strong a conformance suite is: which misreadings of
// its rules its vectors find out, and which they do not.
package strength
