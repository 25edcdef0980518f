package live

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
)

// dialer makes the connections to servers of MongoDB. Those to Azure Cosmos DB, and to who
// knows about certificates and identities, are made by [http.DefaultTransport].
var dialer = net.Dialer{Timeout: connectTimeout}

// OnlyLoopback has nothing of the process connect to another machine from now on, and no
// name looked up there. It is for tests, which begin with it.
func OnlyLoopback() {
	dialer.Control = refuseOthers
	http.DefaultTransport.(*http.Transport).DialContext = dialer.DialContext
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errNotHere }}
}

var errNotHere = errors.New("a test may reach this machine alone")

// refuseOthers refuses to connect to an address that is not of this machine.
func refuseOthers(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || !ip.IsLoopback() {
		return fmt.Errorf("%w, and not %s", errNotHere, address)
	}
	return nil
}
