//go:build race

package independent

// raceDetector makes all ten times as slow, and finds nothing in one goroutine.
const raceDetector = true
