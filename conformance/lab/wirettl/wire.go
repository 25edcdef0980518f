package wirettl

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// Messages have a header of four int32: the length, header included, the request's
// number, the number of the request that is answered, and the opcode (MongoDB manual,
// "MongoDB Wire Protocol", https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/).
const (
	headerSize = 16
	maxMessage = 48_000_000 // bytes, as mongod says in its hello
	// maxDocument is the largest size of a user's document with its envelope, in bytes.
	maxDocument = 16 << 20

	opReply = 1
	opQuery = 2004
	opMsg   = 2013
)

// The flags of OP_MSG. A message with an unknown flag among bits 0 to 15 is refused. The
// flag of a checksum, bit 0, is unknown here, because no driver sends a checksum.
const (
	moreToCome     = 1 << 1
	mustUnderstand = 1<<16 - 1
)

// errWire is wrapped by errors about a message. The connection is then closed, because the
// start of the next message is unknown.
var errWire = errors.New("wirettl: malformed message")

var order = binary.LittleEndian

// A request is a message from a client.
type request struct {
	id, opcode int32
	// body is the command.
	body policy.BSON
	// sequences are documents that came beside the body, by the name of the field to
	// which they belong.
	sequences map[string][]policy.BSON
	// unacknowledged means that no reply is wanted.
	unacknowledged bool
}

// readRequest reads the next message. At the end of the input the error is [io.EOF].
func readRequest(r io.Reader) (request, error) {
	var header [headerSize]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return request{}, err
	}
	length := int64(order.Uint32(header[:]))
	if length < headerSize || length > maxMessage {
		return request{}, fmt.Errorf("%w: %d bytes, want %d to %d", errWire, length, headerSize, maxMessage)
	}
	body, err := io.ReadAll(io.LimitReader(r, length-headerSize)) // grows with what arrives, whatever is claimed
	if err != nil || int64(len(body)) < length-headerSize {
		return request{}, errors.Join(fmt.Errorf("%w: %d bytes, want %d", errWire, headerSize+len(body), length), err)
	}
	return parseRequest(header[:], body)
}

func parseRequest(header, body []byte) (q request, err error) {
	q.id, q.opcode = int32(order.Uint32(header[4:])), int32(order.Uint32(header[12:]))
	switch {
	case q.opcode == opMsg && len(body) >= 4:
		err = q.parseMsg(order.Uint32(body), body[4:])
	case q.opcode == opQuery && len(body) >= 4:
		err = q.parseQuery(body[4:])
	default:
		err = fmt.Errorf("%w: opcode %d with %d bytes, want OP_MSG or OP_QUERY with 4 or more", errWire, q.opcode, len(body))
	}
	return q, err
}

// parseMsg reads the sections of an OP_MSG.
func (q *request) parseMsg(flags uint32, b []byte) (err error) {
	if unknown := flags & mustUnderstand &^ moreToCome; unknown != 0 {
		return fmt.Errorf("%w: unknown flags %#x", errWire, unknown)
	}
	q.unacknowledged = flags&moreToCome != 0
	for len(b) > 0 && err == nil {
		b, err = q.parseSection(b[0], b[1:])
	}
	if err == nil && q.body.Bytes() == nil {
		err = fmt.Errorf("%w: no body", errWire)
	}
	return err
}

// parseSection reads the body, or a sequence of documents, and returns what follows.
func (q *request) parseSection(kind byte, b []byte) (rest []byte, err error) {
	switch {
	case kind == 0 && q.body.Bytes() == nil:
		q.body, rest, err = cutDocument(b)
		return rest, err
	case kind == 1 && len(b) >= 4 && order.Uint32(b) >= 4 && int64(order.Uint32(b)) <= int64(len(b)):
		size := order.Uint32(b)
		return b[size:], q.parseSequence(b[4:size])
	}
	return nil, fmt.Errorf("%w: a section of kind %d is unknown, cut off, or a second body", errWire, kind)
}

func (q *request) parseSequence(b []byte) (err error) {
	name, b, ok := bytes.Cut(b, []byte{0})
	if !ok || q.sequences[string(name)] != nil {
		return fmt.Errorf("%w: a document sequence has no name, or the name of another sequence", errWire)
	}
	documents := []policy.BSON{}
	for len(b) > 0 {
		var d policy.BSON
		if d, b, err = cutDocument(b); err != nil {
			return err
		}
		documents = append(documents, d)
	}
	if q.sequences == nil {
		q.sequences = map[string][]policy.BSON{}
	}
	q.sequences[string(name)] = documents
	return nil
}

// parseQuery reads an OP_QUERY after its flags. Drivers still use OP_QUERY for the first
// hello.
func (q *request) parseQuery(b []byte) (err error) {
	const skipAndReturn = 8
	name, b, ok := bytes.Cut(b, []byte{0})
	if !ok || !bytes.HasSuffix(name, []byte(".$cmd")) || len(b) < skipAndReturn {
		return fmt.Errorf("%w: OP_QUERY is supported only for commands", errWire)
	}
	q.body, _, err = cutDocument(b[skipAndReturn:]) // a selector of fields may follow
	return err
}

// cutDocument returns the document at the start of b, and the bytes after it.
func cutDocument(b []byte) (policy.BSON, []byte, error) {
	if len(b) < 4 || int64(order.Uint32(b)) > int64(len(b)) {
		return policy.BSON{}, nil, fmt.Errorf("%w: a document that is cut off", errWire)
	}
	size := order.Uint32(b)
	d, err := policy.ParseBSON(b[:size:size])
	if err != nil {
		return policy.BSON{}, nil, fmt.Errorf("%w: %w", errWire, err)
	}
	return d, b[size:], nil
}

// appendReply appends the message that answers q with a document.
func (q request) appendReply(b []byte, d policy.D) ([]byte, error) {
	opcode, head := uint32(opMsg), make([]byte, 4+1) // no flags, and a section of kind 0
	if q.opcode == opQuery {
		opcode, head = opReply, make([]byte, 4+8+4+4) // flags, cursor, place, number of documents
		head[16] = 1
	}
	start := len(b)
	b = append(append(b, make([]byte, headerSize)...), head...)
	b, err := policy.AppendBSON(b, policy.ObjectValue(d))
	order.PutUint32(b[start:], uint32(len(b)-start))
	order.PutUint32(b[start+8:], uint32(q.id))
	order.PutUint32(b[start+12:], opcode)
	return b, err
}
