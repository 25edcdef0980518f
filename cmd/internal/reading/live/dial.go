package live

import (
	"net"

	"github.com/ttlpolicy/ttlpolicy/internal/loopback"
)

// dialer makes the connections to servers of MongoDB. [net/http.DefaultTransport] makes
// those to Azure Cosmos DB, and to services for certificates and identities.
var dialer = net.Dialer{Timeout: connectTimeout}

// OnlyLoopback is [loopback.Only], for the connections of this package too.
func OnlyLoopback() {
	dialer.Control = loopback.Refuse
	loopback.Only()
}
