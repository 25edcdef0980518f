package dump

import (
	"encoding/binary"
	"hash/crc64"
)

var checksums = crc64.MakeTable(crc64.ECMA)

// foldSize is how many bytes are folded at a time.
const foldSize = 64

// addChecksum returns the CRC-64 of a text whose beginning has the checksum before, and
// which goes on with p. hash/crc64 waits for its tables, one byte after another.
// Processors that multiply polynomials do it five to ten times as fast: a checksum is a
// remainder, and it stays the same if 64 bytes are multiplied by a power of x and added to
// the next 64. So all but the last 64 are folded away, and hash/crc64 reads those.
func addChecksum(before uint64, p []byte) uint64 {
	if !canFold || len(p) < 2*foldSize {
		return crc64.Update(before, checksums, p)
	}
	folded := [foldSize]byte(p)
	binary.LittleEndian.PutUint64(folded[:], binary.LittleEndian.Uint64(p)^^before)
	n := len(p) - len(p)%foldSize
	fold(&folded, p[foldSize:n], &foldFactors)
	return crc64.Update(crc64.Update(^uint64(0), checksums, folded[:]), checksums, p[n:])
}

// foldFactors move 16 bytes by foldSize: the first is for the first half, which stands
// for the higher powers. A product of two halves takes 127 bits, with the highest power
// in the lowest, so it is one power of x higher than it looks.
var foldFactors = [2]uint64{powerOfX(8*foldSize + 64 - 1), powerOfX(8*foldSize - 1)}

// powerOfX returns the remainder of x^n, with the highest power in the lowest bit.
func powerOfX(n int) uint64 {
	r := uint64(1) << 63
	for range n {
		r = r>>1 ^ -(r&1)&crc64.ECMA
	}
	return r
}
