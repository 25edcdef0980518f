package live

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/wiremessage"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
)

// handshakes are the commands by which a driver connects to a server and proves who the
// user is. A driver obeys the replies to them without a limit: it connects to each host
// that a reply names, and hashes the password as often as a reply says.
var handshakes = []string{"hello", "isMaster", "ismaster", "saslStart", "saslContinue", "authenticate"}

const (
	// maxHandshake is the largest reply to a handshake, in bytes. Real replies have some
	// thousand bytes.
	maxHandshake = 1 << 20
	// maxIterations is the largest number of times that a server may have a password
	// hashed. The defaults of MongoDB are 10,000 and 15,000
	// (https://www.mongodb.com/docs/manual/reference/parameters/: scramIterationCount,
	// scramSHA256IterationCount).
	maxIterations = 1_000_000
	// maxHosts is the largest number of hosts that a server may name, which is the largest
	// number of members of a replica set (https://www.mongodb.com/docs/manual/reference/limits/).
	maxHosts = 50
)

// isHandshake reports whether a message of the driver holds a handshake. A message that
// is not understood counts as a handshake, so that its reply is checked.
func isHandshake(message []byte) bool {
	_, _, _, code, body, ok := wiremessage.ReadHeader(message)
	if !ok {
		return true
	}
	document, err := documentIn(code, body)
	if err != nil {
		return true
	}
	first, err := document.IndexErr(0)
	return err != nil || slices.Contains(handshakes, first.Key())
}

// opQuery is the kind of message of a driver's first hello, and opReply is that of the
// reply.
const (
	opReply wiremessage.OpCode = 1
	opQuery wiremessage.OpCode = 2004
)

// errManyParts is about a reply that could be read in several ways.
const errManyParts refusal = "the server's reply to a handshake is not one document"

// documentIn returns the document of a message. It returns an error if the message is not
// exactly one document.
func documentIn(code wiremessage.OpCode, body []byte) (d bsoncore.Document, err error) {
	rest := body
	switch code {
	case wiremessage.OpMsg:
		flags, after, ok := wiremessage.ReadMsgFlags(body)
		if flags&wiremessage.ChecksumPresent != 0 && len(after) >= 4 {
			after = after[:len(after)-4]
		}
		kind, after, found := wiremessage.ReadMsgSectionType(after)
		if !ok || !found || kind != wiremessage.SingleDocument {
			return nil, errManyParts
		}
		rest = after
	case opReply: // flags, cursor, start and count
		const header = 20
		if len(body) < header || binary.LittleEndian.Uint32(body[header-4:]) != 1 {
			return nil, errManyParts
		}
		rest = body[header:]
	case opQuery: // flags, a name, the numbers to skip and to return
		_, after, found := bytes.Cut(body[min(4, len(body)):], []byte{0})
		if !found || len(after) < 8 {
			return nil, errManyParts
		}
		rest = after[8:]
	default:
		return nil, errManyParts
	}
	d, rest, ok := bsoncore.ReadDocument(rest)
	if !ok || len(rest) > 0 {
		return nil, errManyParts
	}
	return d, nil
}

// checkHandshake returns an error for a reply to a handshake that is not one document, or that
// names more hosts or iterations than the limits.
func checkHandshake(code wiremessage.OpCode, body []byte) error {
	d, err := documentIn(code, body)
	if err != nil {
		return err
	}
	if err := checkIterations(d); err != nil {
		return err
	}
	elements, err := d.Elements()
	if err != nil {
		return refusal("the server's reply to a handshake is damaged: " + err.Error())
	}
	hosts := 0
	for _, e := range elements {
		switch e.Key() {
		case "hosts", "passives", "arbiters":
			list, _ := e.Value().ArrayOK()
			values, err := list.Values()
			if hosts += len(values); err != nil || hosts > maxHosts {
				return refusal(fmt.Sprintf("the server names more than %d hosts, the most that a replica set has", maxHosts))
			}
		}
	}
	return nil
}

// hosts are the hosts to which a client has connected.
type hosts struct {
	most int // the maximum number: the hosts of the address, and of a replica set

	mu  sync.Mutex
	had map[string]bool
}

// admit returns an error for a host beyond the limit. Without a limit, members of a set
// could name further members for ever.
func (h *hosts) admit(address string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.had[address] && len(h.had) >= h.most {
		return refusal(fmt.Sprintf("the servers name more hosts than a replica set has, and no connection to %s is made", address))
	}
	if h.had == nil {
		h.had = map[string]bool{}
	}
	h.had[address] = true
	return nil
}

// iterations is the text before the number of iterations in a server's first message of
// SCRAM (RFC 5802, section 7). The parts of the message contain no comma.
var iterations = []byte(",i=")

// checkIterations returns an error if a reply has anything that a driver could read as a
// request to hash a password too often. It searches the bytes, so that it does not matter
// where and how the driver reads them.
func checkIterations(reply []byte) error {
	for rest := reply; ; {
		at := bytes.Index(rest, iterations)
		if at < 0 {
			return nil
		}
		rest = rest[at+len(iterations):]
		end := bytes.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '+' })
		if end < 0 {
			end = len(rest)
		}
		number := string(rest[:end])
		if n, err := strconv.Atoi(number); errors.Is(err, strconv.ErrRange) || n > maxIterations {
			return refusal(fmt.Sprintf("the server wants the password hashed more than %s times (the iterations of SCRAM), which is refused", cli.Number(maxIterations)))
		}
	}
}
