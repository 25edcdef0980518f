package cosmos

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The capabilities of an account that affect TTL (MicrosoftDocs/azure-databases-docs:
// articles/cosmos-db/mongodb/how-to-configure-capabilities.md; MicrosoftDocs/azure-docs:
// articles/cosmos-db/mongodb-time-to-live.md).
const (
	customPathCapability  = "EnableTtlOnCustomPath"
	docLevelTTLCapability = "mongoEnableDocLevelTTL"
)

// ErrUnknownVersion is wrapped by the error for a server version that no account of the
// API for MongoDB has. Accounts have 3.2, 3.6, 4.0, 4.2, 5.0, 6.0 and 7.0.
var ErrUnknownVersion = errors.New("no account of Azure Cosmos DB for MongoDB has this version")

// A CollectionSpec describes a collection of the API for MongoDB (RU). The zero
// CollectionSpec has no indexes and so no TTL.
type CollectionSpec struct {
	// Indexes are the collection's indexes as listIndexes shows them.
	Indexes []IndexSpec `json:"indexes"`
	// ServerVersion is the server version of the account, such as "4.2" or "4.2.0"; empty
	// for the newest version.
	ServerVersion string `json:"serverVersion,omitempty"`
	// Capabilities are the capabilities of the account. Two affect TTL. From server version 4.2
	// on, "EnableTtlOnCustomPath" allows a TTL index on a field other than _ts. By
	// "mongoEnableDocLevelTTL" a document's ttl counts on server version 3.2; later versions do
	// not need it.
	Capabilities []string `json:"capabilities,omitempty"`
}

// newest is the version of an account without a ServerVersion.
const newest = math.MaxInt32

// versions are the server versions of accounts
// (MicrosoftDocs/azure-databases-docs: articles/cosmos-db/mongodb/feature-support-70.md
// and the pages of the same name about the others).
var versions = [...]int{302, 306, 400, 402, 500, 600, 700}

// version returns ServerVersion as a number that orders versions, such as 402
// for 4.2 and for 4.2.1.
func (s CollectionSpec) version() (int, error) {
	if s.ServerVersion == "" {
		return newest, nil
	}
	parts := strings.Split(s.ServerVersion, ".")
	major, errMajor := strconv.ParseUint(parts[0], 10, 8)
	minor, errMinor := uint64(0), error(nil)
	if len(parts) > 1 {
		minor, errMinor = strconv.ParseUint(parts[1], 10, 6)
	}
	if errMajor != nil || errMinor != nil {
		return 0, fmt.Errorf("cosmos: server version %q, want one such as 4.2", s.ServerVersion)
	}
	version := int(100*major + minor)
	if !slices.Contains(versions[:], version) {
		return 0, fmt.Errorf("cosmos: server version %s: %w", s.ServerVersion, ErrUnknownVersion)
	}
	return version, nil
}

// An IndexSpec is an index as listIndexes shows it, without options that play
// no part in TTL.
type IndexSpec struct {
	// Name is the index's name.
	Name string `json:"name"`
	// Key is the key pattern, such as {_ts: 1}.
	Key policy.D `json:"key"`
	// ExpireAfterSeconds is the option of that name; Missing if the index is not a TTL
	// index.
	ExpireAfterSeconds policy.Value `json:"expireAfterSeconds,omitzero"`
	// Sparse and PartialFilterExpression are options that the API for MongoDB does not
	// support along with TTL; Missing if absent.
	Sparse                  policy.Value `json:"sparse,omitzero"`
	PartialFilterExpression policy.Value `json:"partialFilterExpression,omitzero"`
}

// isPlain reports whether the index covers every document.
func (x IndexSpec) isPlain() bool {
	sparse, isBool := x.Sparse.AsBool()
	return (x.Sparse.IsMissingOrNull() || isBool && !sparse) && x.PartialFilterExpression.IsMissingOrNull()
}

// indexFields are the fields of an index of the API for MongoDB, as a person writes it or
// as listIndexes shows it.
var indexFields = []string{
	"key", "name", "v", "ns", "unique", "sparse", "background", "hidden", "expireAfterSeconds", "partialFilterExpression", "collation",
	"wildcardProjection", "prepareUnique", "storageEngine", "weights", "default_language", "language_override", "textIndexVersion",
	"2dsphereIndexVersion", "bits", "min", "max", "bucketSize", "dropDups", "clustered", "cosmosSearchOptions", "enableLargeIndexKeys",
}

// ParseIndexSpec reads an index as somebody wrote it, in the form of a document of
// listIndexes. A field that is not an option of an index is an error, because it may be
// misspelt; the error names the field and a similar name. Use [ParseListedIndex] for an
// index that a server shows.
func ParseIndexSpec(v policy.Value) (IndexSpec, error) {
	if err := checkNames("index", v, indexFields, false); err != nil {
		return IndexSpec{}, err
	}
	return ParseListedIndex(v)
}

// ParseListedIndex reads an index from a document as listIndexes returns it. Fields that
// play no part in TTL are ignored. It fails if the field key is not a document.
func ParseListedIndex(v policy.Value) (IndexSpec, error) {
	key := v.Field("key")
	if key.Kind() != policy.Object {
		return IndexSpec{}, fmt.Errorf("cosmos: index field key is %s, want a document such as {_ts: 1}", key.Kind())
	}
	spec := IndexSpec{
		Key:                     policy.DOf(key),
		ExpireAfterSeconds:      v.Field("expireAfterSeconds"),
		Sparse:                  v.Field("sparse"),
		PartialFilterExpression: v.Field("partialFilterExpression"),
	}
	spec.Name, _ = v.Field("name").AsString()
	return spec, nil
}

const (
	// firstCustomPath is the server version that first had TTL on a field other
	// than _ts.
	firstCustomPath = 402
	// firstTTL is the first server version on which a document's ttl counts without
	// a capability.
	firstTTL = 306
)

func (s CollectionSpec) allowsCustomPath(version int) bool {
	return version >= firstCustomPath && slices.Contains(s.Capabilities, customPathCapability)
}

func (s CollectionSpec) allowsTTL(version int) bool {
	return version >= firstTTL || slices.Contains(s.Capabilities, docLevelTTLCapability)
}
