// Package wire reads the messages of MongoDB's protocol that clients send, and writes the
// replies, for servers of tests.
//
// A message has a header of four int32: its length with the header, its number, the number of
// the request that it answers, and its opcode (MongoDB manual, "MongoDB Wire Protocol",
// https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/).
package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// MaxMessage is the largest length of a message, in bytes, as mongod says in its hello.
const MaxMessage = 48_000_000

const (
	headerSize = 16

	opReply = 1
	opQuery = 2004 // drivers still use it for the first hello
	opMsg   = 2013
)

// The flags of OP_MSG. A message with an unknown flag among bits 0 to 15 is refused. The
// flag of a checksum, bit 0, is unknown here, because no driver sends a checksum.
const (
	moreToCome     = 1 << 1
	mustUnderstand = 1<<16 - 1
)

// ErrMalformed is wrapped by errors about a message. The start of the next message is unknown
// then, so that the connection must be closed.
var ErrMalformed = errors.New("malformed message")

var order = binary.LittleEndian

// A Request is a message from a client. Its documents have the lengths that they state, and
// are not checked further.
type Request struct {
	ID   int32
	Body []byte // the command
	// Sequences are documents that came beside the body, by the name of the field to which
	// they belong.
	Sequences map[string][][]byte
	// Unacknowledged means that no reply is wanted.
	Unacknowledged bool
	isQuery        bool
}

// Read reads the next message. It allocates no more than arrives, whatever length is claimed.
// At the end of the input the error is [io.EOF].
func Read(r io.Reader) (q Request, err error) {
	var header [headerSize]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return q, err
	}
	length := int64(order.Uint32(header[:]))
	if length < headerSize || length > MaxMessage {
		return q, fmt.Errorf("%w: %d bytes, want %d to %d", ErrMalformed, length, headerSize, MaxMessage)
	}
	body, err := io.ReadAll(io.LimitReader(r, length-headerSize))
	if err != nil || int64(len(body)) < length-headerSize {
		return q, errors.Join(fmt.Errorf("%w: %d bytes, want %d", ErrMalformed, headerSize+len(body), length), err)
	}
	q.ID = int32(order.Uint32(header[4:]))
	opcode := order.Uint32(header[12:])
	switch q.isQuery = opcode == opQuery; {
	case opcode == opMsg && len(body) >= 4:
		err = q.message(order.Uint32(body), body[4:])
	case q.isQuery && len(body) >= 4:
		err = q.query(body[4:])
	default:
		err = fmt.Errorf("%w: opcode %d with %d bytes, want OP_MSG or OP_QUERY with 4 or more", ErrMalformed, opcode, len(body))
	}
	return q, err
}

// message reads the sections of an OP_MSG.
func (q *Request) message(flags uint32, b []byte) (err error) {
	if unknown := flags & mustUnderstand &^ moreToCome; unknown != 0 {
		return fmt.Errorf("%w: unknown flags %#x", ErrMalformed, unknown)
	}
	q.Unacknowledged = flags&moreToCome != 0
	for len(b) > 0 && err == nil {
		b, err = q.section(b[0], b[1:])
	}
	if err == nil && q.Body == nil {
		err = fmt.Errorf("%w: no body", ErrMalformed)
	}
	return err
}

// section reads the body, or a sequence of documents, and returns what follows.
func (q *Request) section(kind byte, b []byte) (rest []byte, err error) {
	if kind == 0 && q.Body == nil {
		q.Body, rest, err = cut(b)
		return rest, err
	}
	list, rest, err := cut(b)
	name, documents, ok := bytes.Cut(list[min(4, len(list)):], []byte{0})
	if kind != 1 || err != nil || !ok || q.Sequences[string(name)] != nil {
		return nil, fmt.Errorf("%w: a section of kind %d is unknown, cut off, without a name, or there twice", ErrMalformed, kind)
	}
	if q.Sequences == nil {
		q.Sequences = map[string][][]byte{}
	}
	q.Sequences[string(name)] = [][]byte{}
	for len(documents) > 0 && err == nil {
		var d []byte
		d, documents, err = cut(documents)
		q.Sequences[string(name)] = append(q.Sequences[string(name)], d)
	}
	return rest, err
}

// query reads an OP_QUERY after its flags.
func (q *Request) query(b []byte) (err error) {
	const skipAndReturn = 8
	name, b, ok := bytes.Cut(b, []byte{0})
	if !ok || !bytes.HasSuffix(name, []byte(".$cmd")) || len(b) < skipAndReturn {
		return fmt.Errorf("%w: OP_QUERY is supported only for commands", ErrMalformed)
	}
	q.Body, _, err = cut(b[skipAndReturn:]) // a selector of fields may follow
	return err
}

// cut returns the piece at the start of b that begins with its length, and the bytes after it.
func cut(b []byte) (piece, rest []byte, err error) {
	if len(b) < 4 || order.Uint32(b) < 4 || int64(order.Uint32(b)) > int64(len(b)) {
		return nil, nil, fmt.Errorf("%w: a document that is cut off", ErrMalformed)
	}
	size := order.Uint32(b)
	return b[:size:size], b[size:], nil
}

// Reply returns the message that answers q with a document.
func (q Request) Reply(document []byte) []byte {
	opcode, head := uint32(opMsg), make([]byte, 4+1) // no flags, and a section of kind 0
	if q.isQuery {
		opcode, head = opReply, make([]byte, 4+8+4+4) // flags, cursor, place, number of documents
		head[16] = 1
	}
	b := order.AppendUint32(nil, uint32(headerSize+len(head)+len(document)))
	b = order.AppendUint32(b, 0) // its own number, which nobody reads
	b = order.AppendUint32(b, uint32(q.ID))
	b = order.AppendUint32(b, opcode)
	return append(append(b, head...), document...)
}
