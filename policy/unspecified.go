package policy

import "errors"

// ErrUnspecified is wrapped by the error of a Validate function where no source
// establishes whether the engine accepts the definition or the document, or with which
// reply. The error's Rule says what is unspecified; its identifier ends in -unspecified.
//
// A store that implements the engine should refuse such a definition (an index, a
// collection, a setting, a change of one) with that rule as the reason: a policy that
// does not exist loses nothing, and one that is accepted might delete what the engine
// would keep. It should store such a document: the decision keeps it where the
// outcome is unspecified, and a refusal would lose it. Definitions that are in the catalog
// already stay there, and the evaluators handle them. A tool that reports should say
// that the outcome is unspecified, and count it neither as accepted nor as refused.
var ErrUnspecified = errors.New("the outcome is unspecified")
