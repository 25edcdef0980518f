package protocol

import "github.com/ttlpolicy/ttlpolicy/conformance"

// The limits after which a program gets no more questions of an operation.
const (
	timeoutsInARow = 3
	crashesInARow  = 5
	timeoutsInAll  = 10
	crashesInAll   = 50
)

// A breaker counts the failed questions of one operation, and ends the operation
// after too many.
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

// isOpen reports whether the operation has ended.
func (b *breaker) isOpen() bool {
	return b.timeouts >= timeoutsInARow || b.crashes >= crashesInARow || b.allTimeouts >= timeoutsInAll || b.allCrashes >= crashesInAll
}
