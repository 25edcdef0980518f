//go:build !unix

package output

// isUnsupported reports whether an error means that a file system cannot sync folders. On
// Windows this is always so, and names are durable without a sync.
func isUnsupported(error) bool { return true }
