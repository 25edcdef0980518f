package behaviour

import "strings"

// ProcessingIn returns whether a release deletes in a namespace, by the kinds of
// the namespace's database and of its name.
func (p Profile) ProcessingIn(database, name string) processing {
	inDatabase, byName := p.Namespaces[kindOfDatabase(database)], p.Namespaces[kindOf(database, name)]
	if inDatabase == Processed || byName == neverProcessed {
		return byName
	}
	return inDatabase
}

// UseOf returns whether clients may write in a namespace, in releases whose monitor asks
// the same before it deletes there.
func (p Profile) UseOf(database, name string) acceptance {
	switch p.ProcessingIn(database, name) {
	case Processed:
		return Accepted
	case neverProcessed:
		return Refused
	}
	return AcceptanceUnspecified
}

// NamespaceThatCounts returns the empty string for an ordinary namespace, and namespace
// itself if its name may affect which documents expire.
func NamespaceThatCounts(namespace string) string {
	database, name, ok := strings.Cut(namespace, ".")
	if ok && kindOfDatabase(database) == OrdinaryName && kindOf(database, name) == OrdinaryName && !strings.HasPrefix(name, BucketsPrefix) {
		return ""
	}
	return namespace
}
