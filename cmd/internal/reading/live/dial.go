package live

import (
	"net"

	"github.com/ttlpolicy/ttlpolicy/internal/loopback"
)

// dialer makes the connections to servers of MongoDB. Those to Azure Cosmos DB, and to who
// knows about certificates and identities, are made by [net/http.DefaultTransport].
var dialer = net.Dialer{Timeout: connectTimeout}

// OnlyLoopback is [loopback.Only], for the connections of this package too.
func OnlyLoopback() {
	dialer.Control = loopback.Refuse
	loopback.Only()
}
