// Package module is the logic of the WebAssembly module. It takes unchecked
// addresses and handles, and returns codes, decisions and texts. docs/wasm.md
// describes it for callers.
package module

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/reasons"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/internal/suite/answers"
	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// ABI is the version of the module's exports. It rises with every change that a
// caller could notice.
const ABI = 1

// A Code is the result of a function. It is negative if the function failed; then Error
// has the reason in words.
type Code int32

// The codes.
const (
	BadHandle   Code = -1 // no policy has this handle, or it was released
	BadPointer  Code = -2 // not within what Alloc returned
	BadFormat   Code = -3 // the policy does not read documents of this format
	BadText     Code = -4 // a policy or a question that cannot be read, or that compiles to nothing
	BadDocument Code = -5 // a document that cannot be read, or whose end cannot be found
	BadNumber   Code = -6 // no rule or source has this number
	TooMuch     Code = -7 // a limit is reached
	Broken      Code = -8 // a defect of this module
)

// A Format is a notation of documents.
type Format uint32

// The formats.
const (
	BSON    Format = 1 // stored documents of MongoDB and of the API for MongoDB
	ExtJSON Format = 2 // these documents as Extended JSON v2, canonical or relaxed
	JSON    Format = 3 // the items of a container
)

const (
	maxText     = 16 << 20        // of a policy or a question
	maxPolicies = 1 << 16         // at a time
	maxDocument = 16<<20 + 16<<10 // the largest that a server of MongoDB stores
)

// A Module holds the policies and the memory of one WebAssembly instance. One goroutine at
// a time may use it.
type Module struct {
	address  func([]byte) uint32
	buffers  []buffer // by address
	held     uint64   // bytes in them
	recent   [2]buffer
	policies map[Handle]*compiled
	last     Handle
	text     []byte // for Text
	trouble  string // the reason for the last code
	doc      valuefunc.ExtDocument
	numbers  map[policy.Rule]uint16
}

// A Handle identifies a compiled policy. No handle is used twice.
type Handle int32

type compiled struct {
	*definition.Policy
	explained *reasons.Policy // nil until it is asked for
	// The rule that decided last, and its number: the same rule usually decides next.
	rule   policy.Rule
	number uint16
}

// New returns an instance. The function address returns the address of a slice, which is
// never empty.
func New(address func([]byte) uint32) *Module {
	m := &Module{address: address, policies: map[Handle]*compiled{}, doc: valuefunc.F.NewExtDocument(), numbers: map[policy.Rule]uint16{}}
	for i, r := range rules {
		m.numbers[r] = uint16(i + 1)
	}
	return m
}

// rules are all rules, each at its number less one.
var rules = slices.AppendSeq(slices.Collect(mongo.Rules()), cosmos.Rules())

// fail records the reason for a code.
func (m *Module) fail(c Code, format string, args ...any) Code {
	m.trouble = fmt.Sprintf(format, args...)
	return c
}

// This stores a text, so that the method Text can return the text's address. The result
// is the text's length.
func (m *Module) returns(text []byte) Code {
	m.text = text
	return Code(len(text))
}

// Text returns the address of the text whose length was returned last. It is valid
// until the next call, other than of Text.
func (m *Module) Text() uint32 {
	if len(m.text) == 0 {
		return 0
	}
	return m.address(m.text)
}

// Error returns the length of the reason for the code that was returned last.
func (m *Module) Error() Code { return m.returns([]byte(m.trouble)) }

// Hello returns the length of the module's description of itself, in JSON.
func (m *Module) Hello() Code {
	hello := fmt.Sprintf(`{"abi":%d,"name":"ttlpolicy","mongodb":{"rules":%d,"latest":%q},"cosmos":{"rules":%d}}`,
		ABI, mongo.RulesVersion, mongo.Latest(), cosmos.RulesVersion)
	return m.returns([]byte(hello))
}

// Rule returns the length of the identifier of a rule by its number in a decision.
func (m *Module) Rule(number uint32) Code {
	if number == 0 || number > uint32(len(rules)) {
		return m.fail(BadNumber, "no rule has the number %d; they are 1 to %d", number, len(rules))
	}
	return m.returns([]byte(rules[number-1].ID()))
}

// input returns a text of n bytes in the caller's memory. It returns nil and a code if
// the text is too long, or is not within one piece of allocated memory.
func (m *Module) input(address, n uint32) ([]byte, Code) {
	if n > maxText {
		return nil, m.fail(TooMuch, "the text has %d bytes; at most %d are read", n, maxText)
	}
	text := m.at(input, address, n)
	if text == nil {
		return nil, m.fail(BadPointer, "%d bytes at %d are not within one piece of allocated memory", n, address)
	}
	return text, 0
}

// Compile returns the handle of the policy that a text describes, or a code. It reads the
// text strictly, because a person may have misspelt a field.
func (m *Module) Compile(address, n uint32) Code { return m.compile(address, n, answers.Compile) }

// CompileListed is Compile for a policy as a server or a dump shows it.
func (m *Module) CompileListed(address, n uint32) Code {
	return m.compile(address, n, answers.CompileListed)
}

func (m *Module) compile(address, n uint32, read func([]byte) (*definition.Policy, error)) (result Code) {
	defer m.recover(&result)
	text, code := m.input(address, n)
	if code < 0 {
		return code
	}
	p, err := read(slices.Clone(text)) // a policy may retain the text from which it was read
	if err != nil {
		return m.fail(BadText, "%v", err)
	}
	return m.keep(p)
}

// keep returns a handle for a policy.
func (m *Module) keep(p *definition.Policy) Code {
	if len(m.policies) == maxPolicies || m.last < 0 {
		return m.fail(TooMuch, "%d policies are compiled; release some, or make another instance", len(m.policies))
	}
	m.last++
	m.policies[m.last] = &compiled{Policy: p}
	return Code(m.last)
}

// recover turns a panic into a code, so that a caller does not lose all its
// policies by one text.
func (m *Module) recover(result *Code) {
	if defect := recover(); defect != nil {
		*result = m.fail(Broken, "a defect of ttlpolicy: %v", defect)
	}
}

// Release forgets a policy.
func (m *Module) Release(h Handle) Code {
	if _, code := m.policy(h); code < 0 {
		return code
	}
	delete(m.policies, h)
	return 0
}

func (m *Module) policy(h Handle) (*compiled, Code) {
	p := m.policies[h]
	if p == nil {
		return nil, m.fail(BadHandle, "no policy has the handle %d, or it was released", h)
	}
	return p, 0
}

// Source returns the length of a source's name, for the source's number in a decision. The
// name is that of an index, or "collection". A container has no sources.
func (m *Module) Source(h Handle, number uint32) Code {
	p, code := m.policy(h)
	switch {
	case code < 0:
		return code
	case number >= uint32(len(p.SourceNames)):
		return m.fail(BadNumber, "the policy has %d named sources, and none with the number %d", len(p.SourceNames), number)
	}
	return m.returns([]byte(p.SourceNames[number]))
}

// Ask answers a question of the adapter protocol, and returns the length of the
// answer: both are JSON.
func (m *Module) Ask(address, n uint32) (result Code) {
	defer m.recover(&result)
	text, code := m.input(address, n)
	if code < 0 {
		return code
	}
	return m.returns(answers.Reply(slices.Clone(text)))
}

var errFormat = errors.New("the policy does not read documents of this format")

// document reads a document into values.
func (m *Module) document(p *compiled, f Format, text []byte) (doc policy.Document, err error) {
	switch {
	case f == JSON && p.System == definition.CosmosNoSQL:
		item, err := policy.ParseJSON(text)
		return &item, err
	case p.System == definition.CosmosNoSQL:
		return nil, errFormat
	case f == BSON:
		return policy.ParseBSON(text)
	case f == ExtJSON:
		return m.doc, m.doc.Parse(text, maxDocument)
	}
	return nil, errFormat
}

// refused returns the code for an error of document.
func (m *Module) refused(err error) Code {
	if err == errFormat {
		return m.fail(BadFormat, "%v", err)
	}
	return m.fail(BadDocument, "%v", err)
}

// isRaw reports whether a format is the database's own.
func (p *compiled) isRaw(f Format) bool {
	return f == JSON && p.System == definition.CosmosNoSQL || f == BSON && p.System != definition.CosmosNoSQL
}

// decide decides about one document.
func (m *Module) decide(p *compiled, f Format, text []byte, now policy.Instant) (policy.Decision, Code) {
	if p.isRaw(f) {
		return p.Raw(text, now), 0
	}
	doc, err := m.document(p, f, text)
	if err != nil {
		return policy.Decision{}, m.refused(err)
	}
	d := p.Decide(doc, now)
	m.doc.Release(maxText)
	return d, 0
}

// DecisionBytes is the length of a decision in memory: the deadline in milliseconds since
// 1970, or 0 if the document never expires; the number of the rule; the number of the
// source; the state; and the end of its document, counted from the start of the first
// document.
const DecisionBytes = 16

func (m *Module) put(out []byte, p *compiled, d policy.Decision, end int) {
	deadline, ok := d.Deadline()
	if !ok {
		deadline = 0
	}
	if d.Rule != p.rule {
		p.rule, p.number = d.Rule, m.numbers[d.Rule]
	}
	_ = out[DecisionBytes-1]
	binary.LittleEndian.PutUint64(out, uint64(deadline))
	binary.LittleEndian.PutUint64(out[8:], uint64(p.number)|uint64(d.Source)<<16|uint64(d.State)<<24|uint64(end)<<32)
}

// Decide decides about the document in n bytes, and writes the decision.
func (m *Module) Decide(h Handle, f Format, address, n uint32, now int64, out uint32) Code {
	return m.decideOne(h, out, address, n, func(p *compiled, text []byte) (policy.Decision, Code) {
		return m.decide(p, f, text, policy.Instant(now))
	})
}

// DecideAt is Decide for a document of the API for MongoDB that was last written at
// ts, in seconds since 1970, whatever _ts it holds.
func (m *Module) DecideAt(h Handle, f Format, address, n uint32, ts, now int64, out uint32) Code {
	return m.decideOne(h, out, address, n, func(p *compiled, text []byte) (policy.Decision, Code) {
		c, ok := p.Evaluator.(*cosmos.Collection)
		if !ok {
			return policy.Decision{}, m.fail(BadFormat, "the policy is not of the API for MongoDB, whose documents alone have a time of writing beside them")
		}
		doc, err := m.document(p, f, text)
		if err != nil {
			return policy.Decision{}, m.refused(err)
		}
		return c.DecideAt(doc, cosmos.TimestampSeconds(ts), policy.Instant(now)), 0
	})
}

func (m *Module) decideOne(h Handle, out, address, n uint32, decide func(*compiled, []byte) (policy.Decision, Code)) Code {
	p, code := m.policy(h)
	if code < 0 {
		return code
	}
	text, to := m.at(input, address, n), m.at(output, out, DecisionBytes)
	if text == nil || to == nil {
		return m.fail(BadPointer, "%d bytes at %d, or %d at %d, are not within one piece of allocated memory", n, address, DecisionBytes, out)
	}
	d, code := decide(p, text)
	if code == 0 {
		m.put(to, p, d, len(text))
	}
	return code
}

// DecideAll decides about the documents that stand one after another in n bytes,
// and writes at most room decisions. It returns how many it wrote. It stops before a
// document that is not whole, and before one that cannot be read; if that is the
// first, it returns 0 or a code.
func (m *Module) DecideAll(h Handle, f Format, address, n uint32, now int64, out, room uint32) Code {
	p, code := m.policy(h)
	if code < 0 {
		return code
	}
	room = min(room, n) // no document is shorter than a byte
	text, to := m.at(input, address, n), []byte(nil)
	if uint64(room)*DecisionBytes <= maxMemory {
		to = m.at(output, out, room*DecisionBytes)
	}
	if text == nil || to == nil {
		return m.fail(BadPointer, "%d bytes at %d, or %d decisions at %d, are not within one piece of allocated memory", n, address, room, out)
	}
	return m.decideAll(p, f, text, policy.Instant(now), to)
}

func (m *Module) decideAll(p *compiled, f Format, text []byte, now policy.Instant, to []byte) (count Code) {
	for at := 0; len(to) >= DecisionBytes; to = to[DecisionBytes:] {
		start, end, code := m.next(f, text, at)
		var d policy.Decision
		if code == 0 && end > 0 {
			d, code = m.decide(p, f, text[start:end], now)
		}
		switch {
		case code < 0 && count == 0:
			return code
		case code < 0 || end == 0:
			return count
		}
		m.put(to, p, d, end)
		at, count = end, count+1
	}
	return count
}

// minBSON is the length of an empty document.
const minBSON = 5

// next finds the document that begins at text[at]. For JSON it first skips blank lines.
// The end is 0 if the document does not end within text.
func (m *Module) next(f Format, text []byte, at int) (start, end int, code Code) {
	if f == BSON {
		end, code = m.endOfBSON(text, at)
		return at, end, code
	}
	for at < len(text) {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			break
		}
		if end = at + n + 1; len(bytes.TrimSpace(text[at:end])) > 0 {
			return at, end, 0
		}
		at = end
	}
	return at, 0, 0
}

func (m *Module) endOfBSON(text []byte, at int) (end int, code Code) {
	if len(text)-at < 4 {
		return 0, 0
	}
	n := binary.LittleEndian.Uint32(text[at:])
	if n < minBSON || n > maxDocument {
		return 0, m.fail(BadDocument, "the document at byte %d has the length %d; documents have 5 to %d", at, int32(n), maxDocument)
	}
	if n > uint32(len(text)-at) {
		return 0, 0
	}
	return at + int(n), 0
}
