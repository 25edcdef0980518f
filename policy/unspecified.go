package policy

import "errors"

// ErrUnspecified is wrapped by the error of a Validate function for what the
// sources leave open: it is not established whether the engine takes the
// definition or the document, or with which answer. The error's Rule says what
// is open; its identifier ends in -unspecified.
//
// A store that stands for the engine should refuse a definition (an index, a
// collection, a setting, a change of one) with that rule as the reason: nothing
// is lost by a policy that is not there, and one that is taken might delete what
// the engine would keep. It should store a document: deciding keeps what is open,
// and refusing it would lose what was to be written. Definitions that are in the
// catalog already stay there; they are decided about as they are. A tool that
// reports should say that the outcome is open, and not count it as either.
var ErrUnspecified = errors.New("the sources leave the outcome open")
