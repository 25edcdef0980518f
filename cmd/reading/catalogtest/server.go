// Package catalogtest executes, for tests, the commands that pages and reports print:
// commands of MongoDB's shell on collections of MongoDB or of the API for MongoDB, and
// commands of the az tool on a container. It reads commands with the
// project's own readers. Package catalog computes the definitions after each command, and
// the evaluators decide which documents have expired.
package catalogtest

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/internal/definition"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Server is the target of commands. The zero Server has no collection.
type Server struct {
	System     string // definition.MongoDB, definition.CosmosMongo or definition.CosmosNoSQL
	Release    string // the release of MongoDB or of the API for MongoDB
	Parameters policy.D
	Now        policy.Instant // the time at which commands run
	// IsPaused reports whether the TTL monitor is off, so that it deletes no document.
	IsPaused    bool
	Collections map[string]*Collection // by name; a container may have any name
}

// A Collection is one collection or container with its documents. The system of the
// server determines which of the three policies applies.
type Collection struct {
	Mongo     mongo.CollectionSpec
	API       cosmos.CollectionSpec
	Container cosmos.ContainerSpec
	Documents []Document
}

// A Document is one document of a collection.
type Document struct {
	Name   string // the identifier of the document
	Value  policy.Document
	IsGone bool // a command deleted it
}

// Clone returns an independent server with the same contents.
func (s *Server) Clone() *Server {
	c := *s
	c.Collections = map[string]*Collection{}
	for name, from := range s.Collections {
		one := *from
		one.Mongo.Indexes, one.API.Indexes = slices.Clone(from.Mongo.Indexes), slices.Clone(from.API.Indexes)
		one.Documents = slices.Clone(from.Documents)
		c.Collections[name] = &one
	}
	return &c
}

// Gone returns the documents that a command has deleted or that have expired at an
// instant, as "collection/name". It returns an error if the release cannot hold a policy.
func (s *Server) Gone(at policy.Instant) (map[string]bool, error) {
	gone := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(s.Collections)) {
		c := s.Collections[name]
		by, err := s.evaluator(c)
		if err != nil {
			return nil, err
		}
		for _, d := range c.Documents {
			if d.IsGone || !s.IsPaused && by.Decide(d.Value, at).State == policy.Expired {
				gone[name+"/"+d.Name] = true
			}
			if s.System == definition.CosmosNoSQL && isHidden(c, d, at) {
				gone[name+"/row of "+d.Name] = true
			}
		}
	}
	return gone, nil
}

// isHidden reports whether the analytical store hides the row of an item, by the rule
// cosmos.analytical.
func isHidden(c *Collection, d Document, at policy.Instant) bool {
	ttl, expires := cosmos.TTLOf(c.Container.AnalyticalStorageTTL).Seconds()
	written, isStamped := d.Value.Field("_ts").AsInt64()
	return expires && isStamped && int64(at) >= (written+int64(ttl))*1000
}

func (s *Server) evaluator(c *Collection) (definition.Decider, error) {
	d := definition.Definition{System: s.System, Collection: c.Mongo, Parameters: s.Parameters, CosmosCollection: c.API, Container: c.Container}
	switch s.System {
	case definition.CosmosMongo:
		d.CosmosCollection.ServerVersion = s.Release
	case definition.MongoDB:
		var err error
		if d.Release, err = mongo.ParseVersion(s.Release); err != nil {
			return nil, err
		}
	}
	return d.Compile()
}

func (s *Server) profile() (mongo.Profile, error) {
	v, err := mongo.ParseVersion(s.Release)
	if err != nil {
		return mongo.Profile{}, err
	}
	return definition.ProfileOf(v, s.Parameters)
}

// ErrUnknown is wrapped by every error about a command that this package does not know.
var ErrUnknown = errors.New("unknown command")

// ErrRefused is wrapped by every error about a command that the server refuses.
var ErrRefused = errors.New("the server refuses the command")

// An Outcome is the effect of a command.
type Outcome struct {
	Changes bool            // the command may change something
	Found   map[string]bool // the documents that a query finds, as "collection/name"
	Asked   bool            // the command is a query whose filter this package supports
}

// Run executes a command, which may have several lines. The map names holds replacements
// for names of fields and indexes in the command. A replacement of "t" also applies to
// "$t".
func (s *Server) Run(command string, names map[string]string) (Outcome, error) {
	word, _, _ := strings.Cut(command, " ")
	switch {
	case word == "az":
		return s.az(strings.Fields(command))
	case strings.HasPrefix(command, "ttl forecast --container "):
		return s.forecast(command)
	case word == "ttl", word == "mongodump", word == "mongorestore":
		return Outcome{}, nil
	}
	return s.shell(command, names)
}

func refused(why any) error { return fmt.Errorf("%w: %v", ErrRefused, why) }

func unknown(what string) error { return fmt.Errorf("%w: %s", ErrUnknown, what) }

// stamp returns the value of _ts for a write at the server's time.
func (s *Server) stamp() policy.Value { return policy.Int64Value(int64(s.Now) / 1000) }

// The function with returns a copy of a document in which the field at a path is v. If v
// is Missing, the copy lacks the field.
func with(doc policy.Document, path []string, v policy.Value) policy.D {
	d := slices.Clone(policy.DOf(policy.ObjectValue(doc)))
	i := slices.IndexFunc(d, func(e policy.E) bool { return e.Key == path[0] })
	if len(path) > 1 {
		inner := policy.D{}
		if i >= 0 && d[i].Value.Kind() == policy.Object {
			inner = policy.DOf(d[i].Value)
		}
		v = policy.ObjectValue(with(inner, path[1:], v))
	}
	switch {
	case v.IsMissing() && i >= 0:
		return slices.Delete(d, i, i+1)
	case v.IsMissing():
	case i >= 0:
		d[i].Value = v
	default:
		d = append(d, policy.E{Key: path[0], Value: v})
	}
	return d
}

// az carries out az cosmosdb sql container update. Commands that show an account or a
// container, and a restore to another account, change nothing in s.
func (s *Server) az(words []string) (Outcome, error) {
	text := strings.Join(words, " ") + " "
	is := func(command string) bool { return strings.HasPrefix(text, command+" ") }
	switch {
	case is("az cosmosdb show"), is("az cosmosdb restore"), is("az cosmosdb sql container show"):
		return Outcome{}, nil
	case is("az cosmosdb update"):
		return Outcome{Changes: true}, nil // a change of the account deletes no document
	case !is("az cosmosdb sql container update") || len(s.Collections) == 0:
		return Outcome{}, unknown(text)
	}
	var c *Collection // the only container
	for _, c = range s.Collections {
		break
	}
	for i, word := range words {
		value := ""
		if name, rest, ok := strings.Cut(word, "="); ok {
			word, value = name, rest
		} else if i+1 < len(words) {
			value = words[i+1]
		}
		after := c.Container
		n, wrong := strconv.ParseInt(value, 10, 64)
		switch word {
		case "--ttl", "--default-ttl":
			after.DefaultTTL = policy.Int64Value(n)
		case "--analytical-storage-ttl":
			after.AnalyticalStorageTTL = policy.Int64Value(n)
		case "--idx":
			policy, err := policy.ParseJSON([]byte(strings.Trim(strings.Join(words[i+1:], " "), "'")))
			after.IndexingMode, _ = policy.Field("indexingMode").AsString()
			wrong = err
		default:
			continue
		}
		if wrong == nil {
			_, _, wrong = cosmos.ValidateContainer(after, nil)
		}
		if wrong != nil {
			return Outcome{}, refused(wrong)
		}
		c.Container = after
		return Outcome{Changes: true}, nil
	}
	return Outcome{}, unknown(text)
}

var forecastContainer = regexp.MustCompile(`^ttl forecast --container '([^']*)' \S+$`)

// forecast finds the items that have expired by the settings in a command.
func (s *Server) forecast(command string) (Outcome, error) {
	m := forecastContainer.FindStringSubmatch(command)
	if m == nil || s.System != definition.CosmosNoSQL {
		return Outcome{}, unknown(command)
	}
	spec, err := cosmos.ParseContainerSpec([]byte(m[1]))
	if err != nil {
		return Outcome{}, refused(err)
	}
	after := s.Clone()
	for _, c := range after.Collections {
		c.Container = spec
	}
	gone, err := after.Gone(s.Now)
	return Outcome{Found: gone, Asked: true}, err
}
