package policyflags

import (
	"errors"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The systems whose policies the flags can name. They are the names of the
// adapter protocol.
const (
	MongoDB     = "mongodb"
	CosmosNoSQL = "cosmos-nosql"
	CosmosMongo = "cosmos-mongo"
)

// A Policy is what the flags name, compiled.
type Policy struct {
	policy.Explainer
	System  string // [MongoDB], [CosmosNoSQL] or [CosmosMongo]
	Release string // of the server, such as "8.0.4"; empty for [CosmosNoSQL]
	// Description is the policy in one line, for people.
	Description string
	// Sources names the TTL sources by [policy.Decision.Source].
	Sources []string
}

// Source returns the name of what d was decided by, such as "createdAt_1".
func (p *Policy) Source(d policy.Decision) string {
	if int(d.Source) < len(p.Sources) {
		return p.Sources[d.Source]
	}
	return ""
}

// Compile returns the policy that the flags name. Its error tells a wrong
// command line ([exit.Usage]) from a policy that is refused.
func (f *Flags) Compile() (*Policy, error) {
	return nil, errors.New("the evaluators have not landed")
}
