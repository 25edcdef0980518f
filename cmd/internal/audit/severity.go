package audit

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Severity is what a finding means for documents. The zero Severity is
// [Harmless]; greater is more severe.
type Severity uint8

// The severities.
const (
	Harmless    Severity = iota // worth knowing; no document goes or stays by it
	Keeps                       // what should expire stays
	Unspecified                 // not established: documents may go that should stay
	Deletes                     // what should stay is deleted, or may be
)

var severities = [...]struct{ name, phrase, several string }{
	Harmless:    {"harmless", "harmless", "harmless"},
	Keeps:       {"keeps", "keeps what should go", "keep what should go"},
	Unspecified: {"unspecified", "not established", "not established"},
	Deletes:     {"deletes", "deletes what should live", "delete what should live"},
}

// keepsBy is the severity of documents that a rule keeps.
func keepsBy(r *policy.Rule) Severity {
	if r.IsOpen() {
		return Unspecified
	}
	return Keeps
}

// String returns "harmless", "keeps", "unspecified" or "deletes".
func (s Severity) String() string {
	if int(s) < len(severities) {
		return severities[s].name
	}
	return fmt.Sprintf("Severity(%d)", uint8(s))
}

// MarshalText returns s's name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
