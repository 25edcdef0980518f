package conform

import "github.com/ttlpolicy/ttlpolicy/cmd/internal/cli"

// A printer writes the texts of this package.
type printer struct{ *cli.Printer }
