package adapter

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/conformance"
)

// protocol is the version of the protocol that the adapter speaks.
const protocol = 1

// A greeting is the answer to hello.
type greeting struct {
	Protocol    int               `json:"protocol"`
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Language    string            `json:"language"`
	Homepage    string            `json:"homepage"`
	Issues      string            `json:"issues"`
	Ops         []string          `json:"ops"`
	Systems     map[string]string `json:"systems"`
	Profiles    []string          `json:"profiles"`
	Features    []string          `json:"features"`
	MaxInFlight int               `json:"maxInFlight"`
}

// newGreeting claims what the library's own system does in the conformance
// suite: every profile and every feature.
func newGreeting(version string) greeting {
	claims := conformance.Reference().Hello()
	return greeting{
		Protocol:    protocol,
		Name:        "ttlpolicy",
		Version:     version,
		Language:    "go",
		Homepage:    "https://github.com/ttlpolicy/ttlpolicy",
		Issues:      "https://github.com/ttlpolicy/ttlpolicy/issues",
		Ops:         operationNames(),
		Systems:     map[string]string{mongoDB: ">=2.2.0", cosmosNoSQL: "*", cosmosMongo: "*"},
		Profiles:    claims.Profiles,
		Features:    claims.Features,
		MaxInFlight: 1,
	}
}

// hello returns the greeting, or a fault for a protocol that is not spoken
// here.
func (s *server) hello(request object) []byte {
	asked, named := request.members["protocol"]
	if named && string(asked) != fmt.Sprint(protocol) {
		return encode(answer{Fault: fmt.Sprintf("protocol: %s is not spoken here, want %d", clip(string(asked)), protocol)})
	}
	return encode(newGreeting(s.version))
}
