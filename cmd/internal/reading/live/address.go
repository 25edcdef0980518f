package live

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"
	"github.com/ttlpolicy/ttlpolicy/internal/base/spelling"
)

// Variable is the environment variable that holds the address of the server. It is used
// if an address on the command line names no host.
const Variable = "TTL_MONGODB_URI"

// An Address is a server of MongoDB's protocol, and a database or collection on it.
type Address struct {
	// Name is the server's name in messages and reports. It has only the scheme and the
	// hosts of the address.
	Name string
	// Database and Collection are the requested database and collection; empty for all.
	Database, Collection string

	uri     string // the address that the driver gets
	secrets []string
}

// schemes are the schemes of addresses that the driver reads.
var schemes = []string{"mongodb://", "mongodb+srv://"}

// IsAddress reports whether text is meant to be the address of a server.
func IsAddress(text string) bool {
	return IsCosmos(text) || partsOf(text).scheme != ""
}

// ParseAddress reads an address as drivers take it, such as
// mongodb://reader@db.example/shop?authSource=admin. The path may name a collection too,
// /shop.logs. The error quotes no part of an address that might be a password.
func ParseAddress(text string) (Address, error) {
	p := partsOf(text)
	if p.scheme == "" {
		return Address{}, errors.New("an address of MongoDB begins with mongodb:// or mongodb+srv://")
	}
	a := Address{Name: p.scheme + p.hosts, secrets: p.secrets(text)}
	path, err := url.PathUnescape(p.path)
	if err != nil {
		return Address{}, errors.New("the path of the address has a % that begins no escape; want /DATABASE or /DATABASE.COLLECTION")
	}
	a.Database, a.Collection, _ = strings.Cut(path, ".")
	switch {
	case p.hosts == "":
		return Address{}, errors.New("the address names no host")
	case strings.Contains(path, "@") || !p.slash && strings.Contains(p.query, "@"):
		return Address{}, errors.New("unexpected @ in the address; in a user's name or password %40 stands for @, %2F for / and %3A for a colon")
	case a.Database == "" && a.Collection != "":
		return Address{}, errors.New("the path of the address names no database; want /DATABASE or /DATABASE.COLLECTION")
	}
	if err := cmp.Or(checkHosts(p.hosts), checkOptions(p.query)); err != nil {
		return Address{}, err
	}
	a.uri = p.scheme + p.user + p.hosts + "/" + url.PathEscape(a.Database) + p.query
	return a, nil
}

// checkHosts refuses impossible hosts. Its error names a host by number, because the text
// may contain a password.
func checkHosts(hosts string) error {
	for i, host := range strings.Split(hosts, ",") {
		if host == "" || options.Client().ApplyURI(schemes[0]+host).Validate() != nil {
			return fmt.Errorf("host %d of the address is not HOST or HOST:PORT, with a port from 1 to 65535; an IPv6 address stands in brackets, as in mongodb://one:27017,[::1]:27017", i+1)
		}
	}
	return nil
}

// checkOptions refuses an option that the driver does not know, because the
// driver would ignore it.
func checkOptions(query string) error {
	for _, option := range optionsIn(query) {
		name, _, _ := strings.Cut(option, "=")
		if slices.ContainsFunc(optionNames, func(s string) bool { return strings.EqualFold(s, name) }) {
			continue
		}
		text := "the address has an option that the driver in this tool does not know"
		if !strings.Contains(name, "@") { // a name with an @ may be a part of a password
			text += ": " + cli.Clip(name, 40)
		}
		near := spelling.Nearest(name, optionNames)
		if strings.HasPrefix(strings.ToLower(name), "tlsallowinvalid") { // other drivers have such options
			near = "tlsInsecure"
		}
		if near != "" {
			return fmt.Errorf("%s; did you mean %s?", text, near)
		}
		return errors.New(text + "; leave it out")
	}
	return nil
}

// optionsIn returns the options of a query, such as "tls=true".
func optionsIn(query string) []string {
	return strings.FieldsFunc(query, func(r rune) bool { return strings.ContainsRune("?&;", r) })
}

// optionNames are the options that the driver reads (MongoDB Go Driver 2.9, "Connection String
// Options", and its package x/mongo/driver/connstring). The last two lines are older names, and
// rare ones.
var optionNames = strings.Fields(`
	appName authMechanism authMechanismProperties authSource compressors connectTimeoutMS directConnection heartbeatFrequencyMS journal loadBalanced
	localThresholdMS maxConnecting maxIdleTimeMS maxPoolSize maxStalenessSeconds minPoolSize readConcernLevel readPreference readPreferenceTags replicaSet
	retryReads retryWrites serverMonitoringMode serverSelectionTimeoutMS socketTimeoutMS srvMaxHosts srvServiceName ssl timeoutMS tls tlsCAFile
	tlsCertificateKeyFile tlsCertificateKeyFilePassword tlsInsecure w zlibCompressionLevel zstdCompressionLevel
	connect enableOverloadRetargeting heartbeatIntervalMS maxAdaptiveRetries maxStaleness sslCertificateAuthorityFile sslClientCertificateKeyFile
	sslClientCertificateKeyPassword sslInsecure tlsCertificateFile tlsDisableCertificateRevocationCheck tlsDisableOCSPEndpointCheck tlsPrivateKeyFile`)

// Resolve reads an address of the command line. It refuses a password there, because the
// list of processes would show it. An address without a host, such as mongodb:///shop.logs,
// stands for the address in the environment variable [Variable], with the given path.
func Resolve(text string, getenv func(string) string) (Address, error) {
	p := partsOf(text)
	if _, hasPassword := p.password(); hasPassword {
		if strings.Contains(p.path, "@") { // the path might hold a secret
			p.path = ""
		}
		return Address{}, fmt.Errorf("this address has a password, which the list of processes shows to everybody on this machine; put the whole address into the environment variable %s, and name %s/%s", Variable, p.scheme, p.path)
	}
	if p.hosts != "" || p.scheme == "" {
		return ParseAddress(text)
	}
	stored := strings.TrimSpace(getenv(Variable))
	if stored == "" {
		return Address{}, fmt.Errorf("the address names no host, and the environment variable %s is not set", Variable)
	}
	a, err := ParseAddress(stored)
	if err != nil {
		return Address{}, fmt.Errorf("%s: %w", Variable, err)
	}
	if p.user+p.query != "" {
		return Address{}, fmt.Errorf("an address without a host may hold only a path; put a user and options into %s", Variable)
	}
	if p.path == "" {
		return a, nil
	}
	path, err := url.PathUnescape(p.path)
	a.Database, a.Collection, _ = strings.Cut(path, ".")
	return a, err
}

// Namespace returns the name of a collection on the server, such as
// mongodb://db.example/shop.logs.
func (a Address) Namespace(database, collection string) string {
	name, point := a.Name+"/"+database, "."
	if IsCosmos(a.Name) {
		point = "/"
	}
	if collection != "" {
		name += point + collection
	}
	return name
}

// parts are the pieces of an address.
type parts struct {
	scheme string // mongodb://
	user   string // user:password@
	hosts  string // one:27017,two
	slash  bool   // a slash ends the hosts
	path   string // without the slash
	query  string // ?tls=true
}

func partsOf(text string) (p parts) {
	i := slices.IndexFunc(schemes, func(s string) bool { return strings.HasPrefix(text, s) })
	if i < 0 {
		return p
	}
	p.scheme = schemes[i]
	rest := text[len(p.scheme):]
	if at := strings.IndexByte(rest, '?'); at >= 0 {
		rest, p.query = rest[:at], rest[at:]
	}
	authority, path, slash := strings.Cut(rest, "/")
	at := strings.LastIndexByte(authority, '@') + 1
	p.user, p.hosts, p.path = authority[:at], authority[at:], path
	p.slash = slash
	return p
}

// password returns the password as written in p. In a malformed address it may be any
// text between a colon and an @.
func (p parts) password() (string, bool) {
	user := p.user
	if at := strings.LastIndexByte(p.path, '@'); at >= 0 { // a slash that is not escaped
		user += p.hosts + "/" + p.path[:at]
	}
	_, password, has := strings.Cut(strings.TrimSuffix(user, "@"), ":")
	return password, has
}

// secretOptions are the options whose values are secrets, in lower case.
var secretOptions = []string{"authmechanismproperties", "tlscertificatekeyfilepassword", "sslclientcertificatekeypassword", "proxypassword"}

// secrets returns all secret texts of an address, as written and unescaped, the longest
// first.
func (p parts) secrets(text string) (list []string) {
	add := func(s string) {
		list = append(list, s)
		if plain, err := url.PathUnescape(s); err == nil {
			list = append(list, plain)
		}
		if plain, err := url.QueryUnescape(s); err == nil {
			list = append(list, plain)
		}
	}
	addUser := func(s string) {
		if len(s) >= 4 || strings.Contains(s, ":") { // a token, perhaps, or a password
			add(s)
		}
	}
	addUser(strings.TrimSuffix(p.user, "@"))
	password, _ := p.password()
	add(password)
	for _, option := range optionsIn(p.query) {
		if name, value, _ := strings.Cut(option, "="); slices.Contains(secretOptions, strings.ToLower(name)) {
			add(value)
		}
	}
	if at := strings.LastIndexByte(text, '@'); at > len(p.scheme) { // the text before the last @ in a malformed address
		addUser(text[len(p.scheme):at])
	}
	list = slices.DeleteFunc(list, func(s string) bool { return s == "" })
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return slices.Compact(list)
}

// Scrub returns an error whose text has no secret of the address.
func (a Address) Scrub(err error) error {
	if err == nil {
		return nil
	}
	if text := a.scrub(err.Error()); text != err.Error() {
		return scrubbed{err, text}
	}
	return err
}

// scrub removes the secrets of the address from a text. It must run before a text is cut,
// because it would not find a part of a secret. A secret of less than four bytes is removed
// only where it is a whole word, because it occurs in words by chance.
func (a Address) scrub(text string) string {
	for _, s := range a.secrets {
		if len(s) >= 4 {
			text = strings.ReplaceAll(text, s, "…")
			continue
		}
		whole := regexp.MustCompile(`(^|[^\pL\pN])` + regexp.QuoteMeta(s) + `([^\pL\pN]|$)`)
		for range 2 { // a match takes the character before the next word
			text = whole.ReplaceAllString(text, "${1}…${2}")
		}
	}
	return text
}

// A scrubbed error is an error whose text has no secret.
type scrubbed struct {
	err  error
	text string
}

func (e scrubbed) Error() string        { return e.text }
func (e scrubbed) Is(target error) bool { return errors.Is(e.err, target) }
func (e scrubbed) As(target any) bool   { return errors.As(e.err, target) }
