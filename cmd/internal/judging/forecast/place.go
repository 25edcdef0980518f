package forecast

import (
	"cmp"
	"strings"

	"github.com/ttlpolicy/ttlpolicy/cmd/internal/reading/dump"
)

// A Place is the position at which a document begins; see [dump.Sample].
type Place struct {
	File   string `json:"file"`
	Offset int64  `json:"offset"`
}

func placeOf(s dump.Sample) Place { return Place{s.File, s.Offset} }

// Compare orders places in the order in which a run reads them, if the run reads files in the
// order of [CompareNames].
func (p Place) Compare(q Place) int {
	return cmp.Or(CompareNames(p.File, q.File), cmp.Compare(p.Offset, q.Offset))
}

// CompareNames orders the names of files as [dump.Find] does: the files of a folder stay
// together, at the position of the folder's name.
func CompareNames(a, b string) int {
	for a != b {
		headA, restA, moreA := strings.Cut(a, "/")
		headB, restB, moreB := strings.Cut(b, "/")
		if headA != headB || !moreA || !moreB {
			return cmp.Or(cmp.Compare(headA, headB), cmp.Compare(len(a), len(b)))
		}
		a, b = restA, restB
	}
	return 0
}

// compareSamples orders documents by their places, and documents with equal or no places
// by their identifiers.
func compareSamples(a, b dump.Sample) int {
	return cmp.Or(placeOf(a).Compare(placeOf(b)), cmp.Compare(a.ID, b.ID))
}
