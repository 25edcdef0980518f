//go:build race

package independent

// raceDetector reports that the race detector is on. It makes tests ten times as slow,
// and finds nothing in a single goroutine.
const raceDetector = true
