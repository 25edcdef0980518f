package live

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// KeyVariable is the environment variable that holds a key of an account of Azure Cosmos
// DB. Without it the identity is found as Azure's own tools find it.
const KeyVariable = "TTL_COSMOS_KEY"

// cosmosScheme is the scheme of accounts of Azure Cosmos DB, emulatorScheme that of an
// emulator on this machine, without TLS.
const (
	cosmosScheme   = "cosmos://"
	emulatorScheme = "cosmos+http://"
)

// accountDomain is the domain of accounts of Azure's public cloud.
const accountDomain = ".documents.azure.com"

// IsCosmos reports whether text is meant to be the address of an account of Azure Cosmos DB.
func IsCosmos(text string) bool {
	return strings.HasPrefix(text, cosmosScheme) || strings.HasPrefix(text, emulatorScheme)
}

// ParseCosmos reads an address such as cosmos://account/database/container, whose account
// is a name or a host; cosmos+http://localhost:8081 is an emulator without TLS. Its error
// quotes no part of an address that might be a key.
func ParseCosmos(text, key string) (Address, error) {
	scheme, rest, _ := strings.Cut(text, "://")
	host, path, _ := strings.Cut(rest, "/")
	path = strings.TrimSuffix(path, "/")
	endpoint := "https://"
	if scheme+"://" == emulatorScheme {
		endpoint = "http://"
	}
	u, err := url.Parse(endpoint + host)
	switch {
	case strings.ContainsAny(rest, "@?#"):
		return Address{}, fmt.Errorf("the address must name only an account, a database and a container, without @, ? or #; put a key into the environment variable %s", KeyVariable)
	case err != nil || u.Hostname() == "":
		return Address{}, errors.New("the address names no account; want cosmos://ACCOUNT/DATABASE/CONTAINER")
	case u.Scheme == "http" && !isLocal(u.Hostname()):
		return Address{}, errors.New("cosmos+http:// is for an emulator on this machine; want cosmos://, which uses TLS")
	case u.Scheme == "https" && !strings.ContainsAny(host, ".:[") && host != "localhost":
		host += accountDomain
	}
	names := strings.Split(path, "/")
	if len(names) > 2 {
		return Address{}, errors.New("the path of the address has more than two names; want /DATABASE/CONTAINER")
	}
	a := Address{Name: scheme + "://" + host, uri: endpoint + host}
	for i, to := range []*string{&a.Database, &a.Collection}[:len(names)] {
		if *to, err = url.PathUnescape(names[i]); err != nil {
			return Address{}, errors.New("the path of the address has a % that begins no escape; want /DATABASE/CONTAINER")
		}
	}
	if key != "" {
		a.secrets = []string{key, url.QueryEscape(key)}
	}
	return a, nil
}

// IsEmulator reports whether the account is an emulator on this machine, without TLS.
func (a Address) IsEmulator() bool { return strings.HasPrefix(a.Name, emulatorScheme) }

// isLocal reports whether a host is this machine.
func isLocal(host string) bool { return host == "localhost" || host == "127.0.0.1" || host == "::1" }
