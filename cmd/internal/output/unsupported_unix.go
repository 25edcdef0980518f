//go:build unix

package output

import (
	"errors"
	"syscall"
)

// isUnsupported reports whether a file system does not synchronise folders.
func isUnsupported(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP)
}
