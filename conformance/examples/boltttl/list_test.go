package boltttl

import (
	"errors"
	"slices"
	"testing"

	"github.com/ttlpolicy/ttlpolicy/policy"
)

// scanned returns at most limit _ids from a place on, and the place after them.
func scanned(t *testing.T, s *Store, from []byte, limit int) (ids []string, next []byte) {
	t.Helper()
	next, err := s.Scan("c", from, func(doc []byte) bool {
		if len(ids) == limit {
			return false
		}
		id, err := idOf(doc)
		must(t, err)
		ids = append(ids, id.String())
		return true
	})
	must(t, err)
	return ids, next
}

func TestScanGoesOn(t *testing.T) {
	s := newCollection(t)
	insert(t, s, `{"_id":"a"}`, `{"_id":"b"}`, `{"_id":"c"}`)
	first, place := scanned(t, s, nil, 2)
	must(t, s.Delete("c", value(`"c"`))) // the document at the place may be deleted between two scans
	insert(t, s, `{"_id":"d"}`)
	rest, end := scanned(t, s, place, 2)
	if want := []string{`"a"`, `"b"`}; !slices.Equal(first, want) {
		t.Errorf("Scan = %v, want %v", first, want)
	}
	if want := []string{`"d"`}; !slices.Equal(rest, want) || end != nil {
		t.Errorf("Scan goes on with %v to %x, want %v and the end", rest, end, want)
	}
	if _, err := s.Scan("none", nil, nil); !errors.Is(err, ErrNoCollection) {
		t.Errorf("Scan = %v, want %v", err, ErrNoCollection)
	}
}

func TestCollections(t *testing.T) {
	s := newCollection(t, onT)
	must(t, s.Create("b", nil, 0))
	must(t, s.Create("gone", nil, 0))
	must(t, s.Drop("gone"))
	names, err := s.Collections()
	must(t, err)
	if want := []string{"b", "c"}; !slices.Equal(names, want) {
		t.Errorf("Collections = %v, want %v", names, want)
	}
	spec, err := s.Spec("c")
	must(t, err)
	if len(spec.Indexes) != 1 || spec.Indexes[0].Name != "t_1" {
		t.Errorf("Spec = %+v, want the index t_1", spec)
	}
	if _, err := s.Spec("gone"); !errors.Is(err, ErrNoCollection) {
		t.Errorf("Spec = %v, want %v", err, ErrNoCollection)
	}
}

// TestCreateIndexesMakesAllOrNone: if the second of two indexes is refused, neither is
// made.
func TestCreateIndexesMakesAllOrNone(t *testing.T) {
	s := newCollection(t)
	good, bad := asDriver(`{"key":{"a":1}}`), asDriver(`{"key":{"b":1,"c":1},"expireAfterSeconds":1}`)
	if _, err := s.CreateIndexes("c", []policy.D{good, bad}, 0); !errors.Is(err, cannotCreateIndex) {
		t.Errorf("CreateIndexes = %v, want %v", err, cannotCreateIndex)
	}
	spec, err := s.Spec("c")
	must(t, err)
	if len(spec.Indexes) != 0 {
		t.Errorf("CreateIndexes left %+v, want none", spec.Indexes)
	}
	made, err := s.CreateIndexes("c", []policy.D{good, good}, 0)
	if err != nil || len(made) != 2 || !made[0].Created || made[1].Created {
		t.Errorf("CreateIndexes = %+v, %v, want the first made and the second known", made, err)
	}
}
