// Package commandfunc holds functions about commands that the tool and the suite need and users of
// the library do not: they judge definitions that no collection holds.
package commandfunc

import (
	"github.com/ttlpolicy/ttlpolicy/internal/base/private"
	"github.com/ttlpolicy/ttlpolicy/mongo/command"
)

// F has the functions as methods, which package mongo/command documents.
var F = command.Private(private.Key{})
