package dump

import (
	"encoding/binary"
	"hash/crc64"
)

var checksums = crc64.MakeTable(crc64.ECMA)

// addChecksum returns the CRC-64 of a text that ends in p, whose part before p has the
// given checksum. hash/crc64 looks up one byte after another in its tables. Processors
// that multiply polynomials are more than ten times as fast. A checksum is a remainder,
// and it stays the same if some bytes are multiplied by a power of x and added to the
// bytes after them. In this way, addChecksum reduces p to foldSize bytes and a remainder
// of less than foldSize bytes, and hash/crc64 reads only these.
func addChecksum(before uint64, p []byte) uint64 {
	if foldSize == 0 || len(p) < 2*foldSize {
		return crc64.Update(before, checksums, p)
	}
	var state [maxFold]byte
	folded := state[:copy(state[:foldSize], p)]
	binary.LittleEndian.PutUint64(folded, binary.LittleEndian.Uint64(p)^^before)
	n := len(p) - len(p)%foldSize
	fold(&state, p[foldSize:n])
	return crc64.Update(crc64.Update(^uint64(0), checksums, folded), checksums, p[n:])
}

// maxFold is the largest number of bytes that are folded at a time.
const maxFold = 256
