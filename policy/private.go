package policy

import "github.com/ttlpolicy/ttlpolicy/internal/base/private"

// Private returns functions for the other packages of this module. No other module can
// call it, because none can import the type of its parameter.
//
// Experimental: it is no part of what this package promises.
func Private(private.Key) functions { return functions{} }

// functions are what the evaluators and the tool need and users of the library do not. Other
// packages call them by internal/valuefunc. Each method stands beside the type that it is about.
type functions struct{}
