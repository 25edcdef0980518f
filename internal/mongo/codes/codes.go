// Package codes holds the numbers and names of the errors that servers send.
package codes

import "fmt"

// The codes that have a name (mongodb/mongo: src/mongo/base/error_codes.yml).
const (
	BadValue                        = 2
	NoSuchKey                       = 4
	FailedToParse                   = 9
	TypeMismatch                    = 14
	IndexNotFound                   = 27
	NamespaceExists                 = 48
	CannotCreateIndex               = 67
	IllegalOperation                = 20
	InvalidOptions                  = 72
	InvalidNamespace                = 73
	NoParseContext                  = 81
	IndexOptionsConflict            = 85
	IndexKeySpecsConflict           = 86
	CommandNotSupported             = 115
	IncompatibleCollation           = 161
	CommandNotSupportedOnView       = 166
	AmbiguousIndexKeyPattern        = 181
	InvalidIndexSpecificationOption = 197
	QueryFeatureNotAllowed          = 224
	ConversionFailure               = 241
	APIVersionError                 = 322
	APIStrictError                  = 323
	IDLFailedToParse                = 40414
	IDLUnknownField                 = 40415
)

// Names are the names that the newest servers send.
var Names = map[int32]string{
	BadValue:                        "BadValue",
	NoSuchKey:                       "NoSuchKey",
	FailedToParse:                   "FailedToParse",
	TypeMismatch:                    "TypeMismatch",
	IndexNotFound:                   "IndexNotFound",
	NamespaceExists:                 "NamespaceExists",
	CannotCreateIndex:               "CannotCreateIndex",
	IllegalOperation:                "IllegalOperation",
	InvalidOptions:                  "InvalidOptions",
	InvalidNamespace:                "InvalidNamespace",
	NoParseContext:                  "NoMatchParseContext",
	IndexOptionsConflict:            "IndexOptionsConflict",
	IndexKeySpecsConflict:           "IndexKeySpecsConflict",
	CommandNotSupported:             "CommandNotSupported",
	IncompatibleCollation:           "IncompatibleCollationVersion",
	CommandNotSupportedOnView:       "CommandNotSupportedOnView",
	AmbiguousIndexKeyPattern:        "AmbiguousIndexKeyPattern",
	InvalidIndexSpecificationOption: "InvalidIndexSpecificationOption",
	QueryFeatureNotAllowed:          "QueryFeatureNotAllowed",
	ConversionFailure:               "ConversionFailure",
	APIVersionError:                 "APIVersionError",
	APIStrictError:                  "APIStrictError",
	IDLFailedToParse:                "IDLFailedToParse",
	IDLUnknownField:                 "IDLUnknownField",
}

// The codes of refusals that the server has no name for.
const (
	NotADocument       = 10065
	NoIndexName        = 12523
	InvalidSize        = 10083
	CappedSizeMissing  = 14832
	CappedMax          = 16495
	StoredNotNumber    = 16632
	NoKeyPattern       = 12504
	KeyTooLarge        = 12524
	BadKeyPattern      = 10098
	TooManyFields      = 13103
	VersionNotNumber   = 13118
	NotAString         = 13111
	OldVersion         = 14803
	UnknownPlugin      = 16734
	HashedCompound     = 16763
	HashedUnique       = 16764
	HashedFields       = 31303
	NotComparable      = 51024
	APIVersionMissing  = 4886600
	ListingFailed      = 5254501
	BucketSpan         = 5510500
	ClusteredUnique    = 5979700
	ClusteredFlag      = 5979703
	ClusteredVersion   = 5979704
	HiddenClusterKey   = 6011800
	ClusteredView      = 6026500
	ClusteredWithoutID = 6026501
	ClusteredSize      = 6049200
	ClusteredCapped    = 6049201
	CappedClusterIndex = 6049202
	ClusteredMax       = 6049204
	ClusteredName      = 6100906
	ClusteredNone      = 6243700
	EncryptedTTL       = 6346501
	ClusteredFalse     = 6492800
)

// Name returns the codeName that the newest servers send.
func Name(code int32) string {
	if name, ok := Names[code]; ok {
		return name
	}
	return Location(code)
}

// Location returns the codeName of a code without a name.
func Location(code int32) string { return fmt.Sprintf("Location%d", code) }

// Text returns the codeName and the number of a code, such as "BadValue (2)".
func Text(code int32) string { return fmt.Sprintf("%s (%d)", Name(code), code) }
