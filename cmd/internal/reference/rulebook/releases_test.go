package rulebook

import (
	"github.com/ttlpolicy/ttlpolicy/conformance"
	"github.com/ttlpolicy/ttlpolicy/internal/releases"
	"github.com/ttlpolicy/ttlpolicy/internal/suite"
)

var server = releases.List(suite.Embedded().Releases(conformance.MongoDB))
