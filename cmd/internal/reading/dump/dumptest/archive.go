// Package dumptest writes archives as mongodump --archive does, for tests of their readers.
package dumptest

import (
	"hash/crc64"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Collection is a collection of the database "shop".
type Collection struct {
	Name, Metadata string
	Blocks         [][]byte // the documents of each block, one after another
}

const terminator = "\xff\xff\xff\xff"

var checksums = crc64.MakeTable(crc64.ECMA)

// Archive returns an archive, in which the first blocks of all collections are followed
// by the second ones, and so on. As in an archive of mongodump, a collection ends where its
// last block ends.
func Archive(release string, list ...Collection) []byte {
	out := bson([]byte("\x6d\xe2\x99\x81"), text("version", "0.1"), text("server_version", release))
	most := 1
	for _, c := range list {
		most = max(most, len(c.Blocks))
		out = c.header(out, text("metadata", c.Metadata), text("type", "collection"))
	}
	out = append(out, terminator...)
	sums := make([]uint64, len(list))
	for round := range most {
		for i, c := range list {
			if round < len(c.Blocks) {
				sums[i] = crc64.Update(sums[i], checksums, c.Blocks[round])
				out = append(append(c.block(out, false, 0), c.Blocks[round]...), terminator...)
			}
			if round+1 == max(len(c.Blocks), 1) {
				out = append(c.block(out, true, sums[i]), terminator...)
			}
		}
	}
	return out
}

// block appends the header of a block; of the last block if eof.
func (c *Collection) block(out []byte, eof bool, sum uint64) []byte {
	return c.header(out, policy.E{Key: "EOF", Value: policy.BoolValue(eof)}, policy.E{Key: "CRC", Value: policy.Int64Value(int64(sum))})
}

// header appends a document about c.
func (c *Collection) header(out []byte, fields ...policy.E) []byte {
	return bson(out, append([]policy.E{text("db", "shop"), text("collection", c.Name)}, fields...)...)
}

func text(name, value string) policy.E {
	return policy.E{Key: name, Value: policy.StringValue(value)}
}

func bson(out []byte, fields ...policy.E) []byte {
	out, err := policy.AppendBSON(out, policy.ObjectValue(policy.D(fields)))
	if err != nil {
		panic(err) // a name with a NUL
	}
	return out
}
