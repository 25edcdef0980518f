//go:build !unix

package output

// isUnsupported reports whether a file system cannot sync folders: Windows refuses to, and
// records names by itself.
func isUnsupported(error) bool { return true }
