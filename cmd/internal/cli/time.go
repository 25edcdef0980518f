package cli

import "github.com/ttlpolicy/ttlpolicy/policy"

// A Time is an instant for people and for programs: years beyond 9999 are written in
// milliseconds alone.
type Time struct {
	Time   string `json:"time"`
	Millis int64  `json:"ms"`
}

// TimeOf returns i for encoding.
func TimeOf(i policy.Instant) Time { return Time{i.String(), int64(i)} }
