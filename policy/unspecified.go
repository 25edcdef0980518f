package policy

import "errors"

// ErrUnspecified is wrapped by the error of a Validate function if no source establishes
// whether the engine accepts the definition or the document, or the engine's reply. The
// error's Rule describes the unspecified outcome; its identifier ends in -unspecified.
//
// If the error is about a definition (an index, a collection, a setting, or a change of
// one of these), a store that implements the engine should refuse it with that rule as
// the reason: a refused policy deletes nothing, and an accepted policy might delete
// documents that the engine would keep. If the error is about a document, the store
// should accept it: the decision keeps the document if the outcome is unspecified, and a
// refusal would lose it. Definitions that are in the catalog already stay there, and the
// evaluators handle them. A tool that reports should say that the outcome is unspecified,
// and count it neither as accepted nor as refused.
var ErrUnspecified = errors.New("the outcome is unspecified")
