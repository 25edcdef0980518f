package protocol

import "github.com/ttlpolicy/ttlpolicy/conformance"

// The limits after which a program is asked no more of one operation.
const (
	timeoutsInARow = 3
	crashesInARow  = 5
	timeoutsInAll  = 10
	crashesInAll   = 50
)

// A breaker counts how often the questions of one operation went wrong, and ends
// the operation when that was too often.
type breaker struct {
	timeouts, crashes       int // in a row
	allTimeouts, allCrashes int
}

// note records how a question was answered.
func (b *breaker) note(k conformance.Kind) {
	switch k {
	case conformance.KindTimeout:
		b.timeouts++
		b.allTimeouts++
	case conformance.KindCrash, conformance.KindBreach:
		b.crashes++
		b.allCrashes++
	default:
		b.timeouts, b.crashes = 0, 0
	}
}

// breaksProgram reports whether a question is to blame for an answer of that kind.
// A breach may be about the answer to another one.
func breaksProgram(k conformance.Kind) bool {
	return k == conformance.KindTimeout || k == conformance.KindCrash
}

// isOpen reports whether nothing more is to be asked.
func (b *breaker) isOpen() bool {
	return b.timeouts >= timeoutsInARow || b.crashes >= crashesInARow || b.allTimeouts >= timeoutsInAll || b.allCrashes >= crashesInAll
}
