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
func (s TargetRange) Contains(version string) bool {
	r, err := parseRelease(version)
	return err == nil && s.versions.contains(r)
}

// Claimed returns the releases of one system that h claims, ascending: those
// that the suite knows, and those that h names one by one. Of a system without
// versions there is one, "". The error is for claims that cannot be read.
func (suite *Suite) Claimed(h Hello, system string) ([]string, error) {
	claims, err := suite.claimsOf(h)
	if err != nil {
		return nil, err
	}
	c, claimed := claims[system]
	if claimed && suite.releases[system].all == nil {
		return []string{""}, nil
	}
	var all []string
	for _, r := range c.known {
		all = append(all, r.text)
	}
	return all, nil
}
