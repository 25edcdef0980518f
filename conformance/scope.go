package conformance

// Releases returns the releases of a system that the suite knows, ascending,
// and none for a system that has no versions.
func (suite *Suite) Releases(system string) (all []string) {
	for _, r := range suite.releases[system].all {
		all = append(all, r.text)
	}
	return all
}

// Contains reports whether s takes in a release, such as "8.0.4". It reports
// false for what is no release.
func (s Scope) Contains(version string) bool {
	r, err := parseRelease(version)
	return err == nil && s.versions.contains(r)
}
