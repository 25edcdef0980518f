package behaviour_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/internal/citations"
	"github.com/ttlpolicy/ttlpolicy/internal/mongo/behaviour"
	"github.com/ttlpolicy/ttlpolicy/mongo"
	"github.com/ttlpolicy/ttlpolicy/testdata"
)

// lastRead maps a release line to the last tag that was read, for lines with later
// releases whose sources are not public.
var lastRead = map[string]string{"3.4": "r3.4.21", "3.6": "r3.6.13", "4.0": "r4.0.10"}

// candidate is the prefix of the tags that replace the tag of 4.2.0, which does not
// exist.
const candidate = "r4.2.0-rc"

// A boundary is a pair of consecutive releases that differ in a behaviour.
type boundary struct{ before, since mongo.Version }

// TestBoundariesAreCited: testdata/boundaries has an entry for each release in which a
// behaviour changes, and no other. Each entry cites the sources of the last release
// before the change and of the first release with it, or says why the change is inferred.
func TestBoundariesAreCited(t *testing.T) {
	found := boundariesOf(t, knownReleases(t))
	if n := len(found["namespaces.oplogName"]); n != 1 {
		t.Errorf("namespaces.oplogName has %d boundaries, want that of 5.0.0", n)
	}
	cited := map[string]bool{}
	for _, behaviour := range citations.Boundaries() {
		if cited[behaviour.Name] {
			t.Errorf("%s stands there twice", behaviour.Name)
		}
		cited[behaviour.Name] = true
		if err := checkBehaviour(behaviour, found[behaviour.Name]); err != nil {
			t.Error(err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if !cited[name] {
			t.Errorf("%s has no entry; it changes with %v", name, found[name])
		}
	}
}

// checkBehaviour returns an error if an entry omits a boundary of the behaviour, or cites
// another one.
func checkBehaviour(entry citations.Behaviour, found []boundary) error {
	if entry.About == "" {
		return fmt.Errorf("%s: want a sentence about it", entry.Name)
	}
	if len(entry.Boundaries) != len(found) {
		return fmt.Errorf("%s: %d boundaries are cited, want those of %v", entry.Name, len(entry.Boundaries), found)
	}
	for i, b := range entry.Boundaries {
		if b.Since != found[i].since.String() {
			return fmt.Errorf("%s: boundary %d is since %s, want %s", entry.Name, i+1, b.Since, found[i].since)
		}
		if err := checkBoundary(b, found[i]); err != nil {
			return fmt.Errorf("%s, since %s: %w", entry.Name, b.Since, err)
		}
	}
	return nil
}

// checkBoundary returns an error unless b cites the sources on both sides, or says why it
// is inferred.
func checkBoundary(b citations.Boundary, want boundary) error {
	if b.Does == "" {
		return errors.New("want what it does from there on")
	}
	for _, release := range b.Run {
		if _, ok := behaviour.DevelopmentNamed(release); ok {
			continue
		}
		if _, err := mongo.ParseVersion(release); err != nil {
			return err
		}
	}
	if b.Commit != nil {
		if err := checkCommit(b, want); err != nil || b.Inferred == "" && branched[b.Since] {
			return err
		}
	}
	for _, side := range []struct{ name, text, ref string }{
		{"before", b.Before, tagBefore(want.before)}, {"first", b.First, tagOf(want.since)},
	} {
		place, ok := citations.ParsePlace(side.text)
		switch {
		case side.text != "" && !ok:
			return fmt.Errorf("%s is %q, want such as r3.2.22 src/mongo/db/ttl.cpp:205", side.name, side.text)
		case b.Inferred == "" && place.Ref != side.ref && (side.ref != "r4.2.0" || !strings.HasPrefix(place.Ref, candidate)):
			return fmt.Errorf("%s is of %q, want %s, or why it is inferred", side.name, place.Ref, side.ref)
		}
	}
	return nil
}

// branched are the releases for which a commit before their branch is proof enough: their
// branch begins at a known commit of the main branch (conformance/lab/boundaries).
var branched = map[string]bool{"4.4.0": true}

// checkCommit returns an error if a boundary cites its commit incompletely, or does not say
// why the commit's release is inferred. No public history holds a file of 5.0.0, so that a
// commit after the branch of 4.4 is only inferred to be in 5.0.0.
func checkCommit(b citations.Boundary, want boundary) error {
	if _, _, _, ok := b.Commit.Place(); !ok {
		return fmt.Errorf("the commit %+v is incomplete", *b.Commit)
	}
	afterBranch := want.since.Compare(number(4, 4, 0)) >= 0
	switch {
	case b.Commit.Backport && b.Inferred == "":
		return errors.New("a backport is inferred")
	case afterBranch && b.Inferred == "" && !branched[b.Since]:
		return errors.New("the commit is on the main branch, and no file of the release was read: say that it is inferred")
	case !afterBranch && (b.Before == "" || b.First == ""):
		return errors.New("want the tags on both sides of the commit")
	}
	return nil
}

// number returns the version of a release.
func number(major, minor, patch uint16) mongo.Version {
	return mongo.Version{Major: major, Minor: minor, Patch: patch}
}

func tagBefore(release mongo.Version) string {
	last := lastRead[fmt.Sprintf("%d.%d", release.Major, release.Minor)]
	if v, err := mongo.ParseVersion(strings.TrimPrefix(last, "r")); err == nil && release.Compare(v) > 0 {
		return last
	}
	return tagOf(release)
}

func tagOf(release mongo.Version) string { return "r" + release.String() }

// boundariesOf compares the profiles of each release and the one before it, field
// by field, and the kinds of namespaces one by one.
func boundariesOf(t *testing.T, releases []mongo.Version) map[string][]boundary {
	t.Helper()
	kinds := namespaceKindNames(t)
	found := map[string][]boundary{}
	for i, since := range releases[1:] {
		a, b := reflect.ValueOf(at(t, releases[i].String())), reflect.ValueOf(at(t, since.String()))
		note := func(name string, was, is reflect.Value) {
			if !was.Equal(is) {
				found[name] = append(found[name], boundary{releases[i], since})
			}
		}
		for f := range a.NumField() {
			name := a.Type().Field(f).Name
			if name != "Namespaces" {
				note(small(name), a.Field(f), b.Field(f))
				continue
			}
			for kind, name := range kinds {
				note("namespaces."+small(name), a.Field(f).Index(kind), b.Field(f).Index(kind))
			}
		}
	}
	return found
}

// small returns a name with a lower-case first letter, as in testdata/boundaries.
func small(name string) string { return strings.ToLower(name[:1]) + name[1:] }

// namespaceKindNames reads the names of the namespace kinds from the source.
func namespaceKindNames(t *testing.T) (names []string) {
	t.Helper()
	source, err := parser.ParseFile(token.NewFileSet(), "namespace.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range source.Decls {
		constants, ok := d.(*ast.GenDecl)
		if !ok || constants.Tok != token.CONST || constants.Specs[0].(*ast.ValueSpec).Names[0].Name != "OrdinaryName" {
			continue
		}
		for _, spec := range constants.Specs[:behaviour.NamespaceKinds] {
			names = append(names, spec.(*ast.ValueSpec).Names[0].Name)
		}
	}
	if len(names) != int(behaviour.NamespaceKinds) {
		t.Fatalf("the source names %d kinds of namespaces, want %d", len(names), behaviour.NamespaceKinds)
	}
	return names
}

// knownReleases returns the releases that the suite knows, in ascending order.
func knownReleases(t *testing.T) (all []mongo.Version) {
	t.Helper()
	text, err := testdata.Files.ReadFile("suite.json")
	if err != nil {
		t.Fatal(err)
	}
	var suite struct {
		Releases map[string]struct{ All []string }
	}
	if err := json.Unmarshal(text, &suite); err != nil {
		t.Fatal(err)
	}
	for _, line := range suite.Releases["mongodb"].All {
		from, to, isSpan := strings.Cut(line, "-") // a line with only one release has no "-"
		if !isSpan {
			to = from
		}
		v, err := mongo.ParseVersion(from)
		if err != nil {
			t.Fatal(err)
		}
		last, err := mongo.ParseVersion(to)
		if err != nil {
			t.Fatal(err)
		}
		for ; v.Patch <= last.Patch; v.Patch++ {
			all = append(all, v)
		}
	}
	if first, last := all[0], all[len(all)-1]; first != mongo.Version(behaviour.Oldest) || last != mongo.Latest() {
		t.Fatalf("the suite knows releases from %s to %s, want from %s to %s", first, last, mongo.Version(behaviour.Oldest), mongo.Latest())
	}
	return all
}

// TestBoundaryIsRefused: an incomplete entry is refused.
func TestBoundaryIsRefused(t *testing.T) {
	const before, first = "r3.2.22 src/mongo/db/ttl.cpp:205", "r3.4.0 src/mongo/db/ttl.cpp:186"
	entry := func(b citations.Boundary) error {
		b.Does = "it holds"
		return checkBehaviour(citations.Behaviour{Name: "decimals", About: "a", Boundaries: []citations.Boundary{b}},
			[]boundary{{number(3, 2, 22), number(3, 4, 0)}})
	}
	for why, b := range map[string]citations.Boundary{
		"read":           {Since: "3.4.0", Before: before, First: first},
		"inferred":       {Since: "3.4.0", Inferred: "nobody looked"},
		"one end read":   {Since: "3.4.0", First: first, Inferred: "the other was not opened"},
		"read elsewhere": {Since: "3.4.0", Before: before, First: "r3.4.21 src/mongo/db/ttl.cpp:186", Inferred: "of the first release only the last patch was opened"},
	} {
		if err := entry(b); err != nil {
			t.Errorf("%s: %v, want it taken", why, err)
		}
	}
	for why, b := range map[string]citations.Boundary{
		"one end":           {Since: "3.4.0", First: first},
		"nothing":           {Since: "3.4.0"},
		"an earlier patch":  {Since: "3.4.0", Before: "r3.2.21 src/mongo/db/ttl.cpp:205", First: first},
		"a later patch":     {Since: "3.4.0", Before: before, First: "r3.4.1 src/mongo/db/ttl.cpp:186"},
		"another release":   {Since: "3.4.1", Before: before, First: first},
		"no line":           {Since: "3.4.0", Before: before, First: "r3.4.0 src/mongo/db/ttl.cpp"},
		"a broken citation": {Since: "3.4.0", Before: "ttl.cpp", Inferred: "nobody looked"},
		"no release":        {Since: "3.4.0", Inferred: "nobody looked", Run: []string{"mongod"}},
	} {
		if entry(b) == nil {
			t.Errorf("%s is taken, want it refused", why)
		}
	}
	of42 := []boundary{{number(4, 0, 28), number(4, 2, 0)}}
	for _, tt := range []struct {
		first string
		ok    bool
	}{{"r4.2.0-rc0 src/mongo/db/ttl.cpp:9", true}, {"r4.2.0-rc2 src/mongo/db/ttl.cpp:9", true}, {"r4.2.1 src/mongo/db/ttl.cpp:9", false}, {"r4.1.13 src/mongo/db/ttl.cpp:9", false}} {
		b := citations.Boundary{Since: "4.2.0", Does: "it holds", Before: "r4.0.10 src/mongo/db/ttl.cpp:7", First: tt.first}
		if err := checkBehaviour(citations.Behaviour{Name: "create", About: "a", Boundaries: []citations.Boundary{b}}, of42); (err == nil) != tt.ok {
			t.Errorf("%s for 4.2.0: %v, want ok %t", tt.first, err, tt.ok)
		}
	}
	for release, tag := range map[mongo.Version]string{number(3, 2, 22): "r3.2.22", number(3, 4, 24): "r3.4.21", number(3, 4, 8): "r3.4.8", number(4, 0, 28): "r4.0.10", number(4, 2, 25): "r4.2.25"} {
		if got := tagBefore(release); got != tag {
			t.Errorf("tagBefore(%s) = %s, want %s", release, got, tag)
		}
	}
}
