// Package loopback keeps the connections of tests on this machine, including those that
// code makes by mistake.
package loopback

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
)

// ErrElsewhere is the error of a connection or a look-up that would leave this machine.
var ErrElsewhere = errors.New("a test may reach only this machine")

// Only makes [http.DefaultTransport] connect to this machine alone, and prevents look-ups
// of names elsewhere. Tests that use a network call it first. Clients with a dialer of
// their own use [Dialer].
func Only() {
	http.DefaultTransport.(*http.Transport).DialContext = Dialer().DialContext
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) { return nil, ErrElsewhere }}
}

// Dialer returns a dialer that connects to this machine alone.
func Dialer() *net.Dialer { return &net.Dialer{Control: Refuse} }

// Refuse is the Control of a [net.Dialer] that connects to this machine alone.
func Refuse(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || !ip.IsLoopback() {
		return fmt.Errorf("%w, and not %s", ErrElsewhere, address)
	}
	return nil
}
