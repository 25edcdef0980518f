package live

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/cmd/reading/pasted"
	"github.com/ttlpolicy/ttlpolicy/internal/base/syntax"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A Product is a kind of server that speaks MongoDB's protocol.
type Product string

// The known products. A server without their marks counts as MongoDB.
const (
	MongoDB     Product = "MongoDB"
	CosmosMongo Product = "Azure Cosmos DB for MongoDB"
	AzureVCore  Product = "Azure DocumentDB (Cosmos DB for MongoDB vCore)"
	DocumentDB  Product = "Amazon DocumentDB"
	FerretDB    Product = "FerretDB"
)

// A Server is a server's description of itself. Details that the server withheld from this
// user have the zero value.
type Server struct {
	Product Product
	// Version is the server's release of MongoDB, or the release that it claims to match.
	Version string
	// Own is the product's own version if the product is not MongoDB.
	Own string
	// Sharded reports whether the server is a router of a sharded cluster.
	Sharded bool
	// Compatibility is the feature compatibility version.
	Compatibility string
	// MonitorOff reports that ttlMonitorEnabled is false: nothing is deleted.
	MonitorOff bool
	// MonitorSeconds is ttlMonitorSleepSecs.
	MonitorSeconds int64
	// Parameters are the server parameters that change what expires, with their
	// values.
	Parameters policy.D
	// Passes and Deleted are the counters of metrics.ttl since the server started.
	Passes, Deleted int64
	// Untold names the details that could not be read, with reasons; empty if none.
	Untold []string
}

// Server reads a server's description. Details that this user may not read are left out,
// and named in [Server.Untold].
func (c *Client) Server(ctx context.Context) (Server, error) {
	hello, err := c.Run(ctx, "admin", bson.D{{Key: "hello", Value: 1}})
	if err != nil && !isCode(err, commandNotFound) { // servers before 4.4.2 have no such command
		return Server{}, err
	}
	s := recognise(hostsOf(c.Address), c.info, hello)
	if s.Product != MongoDB {
		return s, nil // another product has parameters of its own
	}
	if err := c.parameters(ctx, &s); err != nil {
		return s, err
	}
	return s, c.metrics(ctx, &s)
}

// hostsOf returns the names of the hosts of an address, in lower case and without ports.
func hostsOf(a Address) (list []string) {
	_, hosts, _ := strings.Cut(a.Name, "://")
	for _, host := range strings.Split(hosts, ",") {
		name, _, _ := strings.Cut(host, ":")
		list = append(list, strings.ToLower(name))
	}
	return list
}

// byHost are products that are recognised by their host names, as in MongoDB's
// own tools (mongodb-js/devtools-shared:
// packages/mongodb-build-info/src/index.ts).
var byHost = []struct {
	host    *regexp.Regexp
	product Product
}{
	{regexp.MustCompile(`\.mongocluster\.cosmos\.azure\.com$`), AzureVCore},
	{regexp.MustCompile(`\.cosmos\.azure\.(com|cn|us)$`), CosmosMongo},
	{regexp.MustCompile(`\.docdb(-elastic)?\.amazonaws\.com(\.cn)?$`), DocumentDB},
}

func recognise(hosts []string, info, hello bson.Raw) Server {
	s := Server{Product: MongoDB, Version: wordAt(info, "version"), Sharded: textAt(hello, "msg") == "isdbgrid"}
	for _, known := range byHost {
		for _, host := range hosts {
			if s.Product == MongoDB && known.host.MatchString(host) {
				s.Product = known.product
			}
		}
	}
	switch own := wordAt(info, "ferretdbVersion"); {
	case s.Product != MongoDB:
	case own != "":
		s.Product, s.Own = FerretDB, own
	case wordAt(info, "ferretdb", "version") != "":
		s.Product, s.Own = FerretDB, wordAt(info, "ferretdb", "version")
	case textAt(info, "_t")+textAt(hello, "_t") != "": // only replies of this product name their types
		s.Product = CosmosMongo
	}
	return s
}

// valueAt returns the value at a path of a reply, the zero value if there is none. It looks
// up one name at a time, because the driver's lookup of several names panics if a document
// is cut off.
func valueAt(reply bson.Raw, path ...string) (v bson.RawValue) {
	for _, name := range path {
		v = reply.Lookup(name)
		reply, _ = v.DocumentOK()
	}
	return v
}

// textAt returns the string at a path of a reply; "" if there is none.
func textAt(reply bson.Raw, path ...string) string {
	text, _ := valueAt(reply, path...).StringValueOK()
	return text
}

// maxWord is the longest version text of a server, in bytes.
const maxWord = 200

// wordAt is textAt for a text to be shown, cut if it is long.
func wordAt(reply bson.Raw, path ...string) string {
	return syntax.Clip(textAt(reply, path...), maxWord)
}

func (c *Client) parameters(ctx context.Context, s *Server) error {
	const version, enabled, sleep = "featureCompatibilityVersion", "ttlMonitorEnabled", "ttlMonitorSleepSecs"
	reply, err := c.Run(ctx, "admin", bson.D{
		{Key: "getParameter", Value: 1}, {Key: version, Value: 1}, {Key: enabled, Value: 1}, {Key: sleep, Value: 1}, {Key: behaviour.LegacyNullParameter, Value: 1},
	})
	if err != nil {
		return s.untold(err, "server parameters")
	}
	if s.Compatibility = wordAt(reply, version, "version"); s.Compatibility == "" {
		s.Compatibility = wordAt(reply, version) // 3.4 has the version as a plain string
	}
	on, ok := reply.Lookup(enabled).BooleanOK()
	s.MonitorOff = ok && !on
	s.MonitorSeconds, _ = reply.Lookup(sleep).AsInt64OK()
	if legacy, ok := reply.Lookup(behaviour.LegacyNullParameter).BooleanOK(); ok && legacy {
		s.Parameters = policy.D{{Key: behaviour.LegacyNullParameter, Value: policy.BoolValue(true)}}
	}
	return nil
}

func (c *Client) metrics(ctx context.Context, s *Server) error {
	reply, err := c.Run(ctx, "admin", bson.D{
		{Key: "serverStatus", Value: 1}, {Key: "repl", Value: 0}, {Key: "locks", Value: 0}, {Key: "wiredTiger", Value: 0}, {Key: "tcmalloc", Value: 0},
	})
	if err != nil {
		return s.untold(err, "metrics.ttl")
	}
	s.Passes, _ = valueAt(reply, "metrics", "ttl", "passes").AsInt64OK()
	s.Deleted, _ = valueAt(reply, "metrics", "ttl", "deletedDocuments").AsInt64OK()
	return nil
}

// untold adds a detail and the reason to s.Untold if err is an error that the server
// sent. It returns any other error. The parameter what names the detail.
func (s *Server) untold(err error, what string) error {
	if !errors.As(err, new(driver.ServerError)) || driver.IsNetworkError(err) {
		return err
	}
	reason := "the server refused the command"
	if isCode(err, unauthorized) {
		reason = "not shown to this user; a user with the role clusterMonitor may see it"
	}
	s.Untold = append(s.Untold, what+": "+reason)
	return nil
}

// Release returns the server's release of MongoDB, or the release that the server claims to
// match. For a release candidate it returns the final release.
func (s Server) Release() (mongo.Version, error) {
	text, _, _ := strings.Cut(s.Version, "-")
	v, err := pasted.ParseRelease(text)
	if err != nil {
		err = fmt.Errorf("the server says that it is version %q: %w; --server names the release to judge by", s.Version, err)
	}
	return v, err
}

// String describes the server in a line, such as "MongoDB 8.0.4, sharded".
func (s Server) String() string {
	text := string(s.Product) + " " + s.Version
	if s.Own != "" {
		text = fmt.Sprintf("%s %s, which says that it is like MongoDB %s", s.Product, s.Own, s.Version)
	}
	if s.Sharded {
		text += ", sharded"
	}
	return text
}

// About describes the server and its monitor in a line.
func (s Server) About() string {
	text := s.String()
	if s.Compatibility != "" {
		text += ", feature compatibility version " + s.Compatibility
	}
	if s.MonitorSeconds > 0 {
		text += fmt.Sprintf("; its TTL monitor sleeps %d s between passes", s.MonitorSeconds)
	}
	if s.Passes > 0 {
		text += fmt.Sprintf("; since it started, %s deleted %s", cli.Count(s.Passes, "pass has", "passes have"), cli.Documents(s.Deleted))
	}
	return text
}
