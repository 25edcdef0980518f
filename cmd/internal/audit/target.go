package audit

import (
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/dump"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Target is what one audit looks at: a collection or a container.
type Target struct {
	File string // where its policy was read
	// Database and Name are what the collection or container is called,
	// empty if the input does not tell.
	Database, Name string
	// Documents are the files with its documents, if any.
	Documents []dump.File
	metadata  dump.File // of mongodump, where it is its; its release is noted near it
	policy    auditable
}

// Title returns what to call t: "shop.logs", or the file's name.
func (t *Target) Title() string {
	switch {
	case t.Name == "":
		return t.File
	case t.Database == "":
		return t.Name
	}
	return t.Database + "." + t.Name
}

// Rename gives t the name of a namespace such as "shop.logs", or the name alone.
func (t *Target) Rename(namespace string) {
	database, name, ok := strings.Cut(namespace, ".")
	if !ok || t.Container() {
		t.Name = namespace
		return
	}
	t.Database, t.Name = database, name
}

// Container reports whether t is a container of Cosmos DB.
func (t *Target) Container() bool {
	_, ok := t.policy.(*container)
	return ok
}

// auditable is what a target may be.
type auditable interface {
	// judge returns what looks into the target's documents, and the findings
	// that need none.
	judge(t *Target, o Options) (judgement, error)
}

// A judgement is an audit under way.
type judgement interface {
	// see looks at one document, which must not be kept.
	see(doc policy.Document, where place)
	// conclude returns the result once all documents have been seen.
	conclude() Result
	// text is the kind of document that text stands for.
	text() dump.Kind
}

// Options are how to audit. The zero Options judges by the newest release, at
// 1970-01-01, and looks at no move.
type Options struct {
	Now policy.Instant
	// Release is the server's; the zero Version takes the target's own, or
	// the newest.
	Release mongo.Version
	// MovingTo is the release that the data is to move to, By the way; the
	// zero Operation is an upgrade, or a downgrade if it leads backwards.
	MovingTo mongo.Version
	By       mongo.Operation
	// Parameters are set on both servers, as far as their releases have them.
	Parameters policy.D
	// ExpireAfter is the expireAfterSeconds that repairs write; Missing if
	// none is known.
	ExpireAfter policy.Value
	// Kind is the kind of the documents.
	Kind dump.Kind
	// SkipBad counts documents that cannot be read and goes on.
	SkipBad bool
	// Read, if not nil, is told how many bytes of documents were read.
	Read func(n int)
}
