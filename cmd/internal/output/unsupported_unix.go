//go:build unix

package output

import (
	"errors"
	"syscall"
)

// isUnsupported reports whether an error means that a file system cannot sync folders.
func isUnsupported(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP)
}
