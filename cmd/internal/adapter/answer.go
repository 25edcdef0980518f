package adapter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// An answer is what the adapter says to one request: exactly one of its last
// four members.
type answer struct {
	Seq   json.RawMessage `json:"seq"` // null if the request had none
	Out   any             `json:"out,omitempty"`
	Error *refusal        `json:"error,omitempty"`
	Skip  string          `json:"skip,omitempty"`
	Fault string          `json:"fault,omitempty"`
}

// A refusal is the answer that the modelled system refuses the input.
type refusal struct {
	Class    string `json:"class"`
	Code     int    `json:"code,omitempty"`
	CodeName string `json:"codeName,omitempty"`
	Status   int    `json:"status,omitempty"`
	Message  string `json:"message,omitempty"`
}

func (r *refusal) Error() string { return r.Message }

// A skip is the answer that the input is not supported.
type skip string

func (s skip) Error() string { return string(s) }

func skipf(format string, args ...any) error { return skip(fmt.Sprintf(format, args...)) }

// answerFor returns the answer to request seq whose operation returned out and
// err.
func answerFor(seq json.RawMessage, out any, err error) answer {
	var refused *refusal
	var skipped skip
	switch {
	case err == nil:
		return answer{Seq: seq, Out: out}
	case errors.As(err, &refused):
		return answer{Seq: seq, Error: refused}
	case errors.As(err, &skipped):
		return answer{Seq: seq, Skip: string(skipped)}
	}
	return answer{Seq: seq, Fault: err.Error()}
}

// encode returns v as one line of JSON.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // v is one of ours; the server turns this into a fault
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// A verdict is the result of the decide operations.
type verdict struct {
	State    policy.State `json:"state"`
	Deadline *instant     `json:"deadline"` // null for never
	Index    string       `json:"index,omitempty"`
	Rule     string       `json:"rule,omitempty"`
}

// verdictOf returns d, decided by the TTL source with the given name.
func verdictOf(d policy.Decision, index string) verdict {
	v := verdict{State: d.State, Index: index, Rule: d.Rule.String()}
	if d.State != policy.Never {
		v.Deadline = (*instant)(&d.Deadline)
	}
	return v
}

// instant is written as a date of canonical Extended JSON.
type instant policy.Instant

func (i instant) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `{"$date":{"$numberLong":"%d"}}`, int64(i)), nil
}
