package rulebook

import (
	"regexp"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// SourceKind says what a source is: "test", "documentation", "report",
// "ticket", "specification" or "source code".
func SourceKind(s policy.Source) string {
	has := func(parts ...string) bool {
		for _, part := range parts {
			if strings.Contains(strings.ToLower(s.Address), part) {
				return true
			}
		}
		return false
	}
	switch {
	case has("jira."):
		return "ticket"
	case has(": issue ", ": pull request ", "stackoverflow.com", "/questions/"):
		return "report"
	case has("bsonspec.org", "rfc-editor.org"):
		return "specification"
	case has("mongodb.com/docs", "learn.microsoft.com", "articles/", ".md"):
		return "documentation"
	case has("jstests/", "_test.", "_tests.", ": test/", "/test", "tests/", "test.java", "_testing/"):
		return "test"
	}
	return "source code"
}

// thread is the address of an issue or of a pull request.
var thread = regexp.MustCompile(`^([\w.-]+/[\w.-]+): (issue|pull request) (\d+)$`)

// file is the address of a file: a repository and a path.
var file = regexp.MustCompile(`^([\w.-]+/[\w.-]+): (.+)$`)

// SourceLink returns where a source can be read, and the path within that
// place, "" for all of it. A path may have moved since, so that a file links
// to its repository.
func SourceLink(s policy.Source) (url, path string) {
	if m := thread.FindStringSubmatch(s.Address); m != nil {
		kind := map[string]string{"issue": "issues", "pull request": "pull"}[m[2]]
		return "https://github.com/" + m[1] + "/" + kind + "/" + m[3], ""
	}
	if m := file.FindStringSubmatch(s.Address); m != nil {
		return "https://github.com/" + m[1], m[2]
	}
	return s.Address, ""
}
