//go:build !race

package independent

const raceDetector = false
