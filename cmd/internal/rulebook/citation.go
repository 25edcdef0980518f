package rulebook

import (
	"regexp"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// thread is the address of an issue or of a pull request.
var thread = regexp.MustCompile(`^([\w.-]+/[\w.-]+): (issue|pull request) (\d+)$`)

// file is the address of a file: a repository and a path.
var file = regexp.MustCompile(`^([\w.-]+/[\w.-]+): (.+)$`)

// CitationLink returns where a source can be read, and the path within that
// place, "" for all of it. A path may have moved since, so that a file links
// to its repository.
func CitationLink(s policy.Citation) (url, path string) {
	if m := thread.FindStringSubmatch(s.Address); m != nil {
		kind := map[string]string{"issue": "issues", "pull request": "pull"}[m[2]]
		return "https://github.com/" + m[1] + "/" + kind + "/" + m[3], ""
	}
	if m := file.FindStringSubmatch(s.Address); m != nil {
		return "https://github.com/" + m[1], m[2]
	}
	return s.Address, ""
}
