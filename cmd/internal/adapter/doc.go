// Package adapter answers questions of other programs, a line of JSON each: the
// reference side of the adapter protocol, which docs/adapter.md describes.
//
// A request is cut into its members by [cut], which does not mind what is wrong
// deeper down, so that even the answer to a damaged line carries its number.
// Each operation is one function of the table in ops.go, in a file of the
// system that it asks about; it takes the members of the request apart with the
// readers of input.go and returns an [answer].
//
// Requests are not trusted. Lines are limited in length and nesting, and what
// fails to be read is a fault that names the field.
package adapter
