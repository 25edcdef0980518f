package inputs

// An Item is one cell of the matrix of container and item: what the container
// says, what the item says, and when the item was written.
type Item struct {
	Def *int32 // the default: -1, or seconds; nil if off
	TTL *int32 // the item's: nil for absent, -1, or seconds
	TS  int64  // seconds since 1970
}

// Items returns n random cells. The columns and rows of the matrix are equally
// frequent: off, -1 and seconds for the container; absent, -1 and seconds for
// the item. (A null is no cell of it: the service refuses to store one.) The
// items are those of a few containers, as in a database.
func Items(n int) []Item {
	r := source(1)
	containers := make([]*int32, 24)
	for i := range containers {
		containers[i] = setting(i%3, 1+r.Int32N(2000))
	}
	items := make([]Item, n)
	for i := range items {
		it := &items[i]
		it.Def = containers[r.IntN(len(containers))]

		it.TTL = setting(r.IntN(3), 1+r.Int32N(2000))
		it.TS = NowSeconds - r.Int64N(2000)
	}
	return items
}

// SameContainer returns n items of one container with a default, of which a
// pattern of eight repeats, as a collection with few kinds of items has it.
func SameContainer(n int) []Item {
	items := Items(8)
	def := int32(1000)
	for i := range items {
		items[i].Def = &def
	}
	all := make([]Item, n)
	for i := range all {
		all[i] = items[i%len(items)]
	}
	return all
}

// setting returns nil, -1 or seconds.
func setting(kind int, seconds int32) *int32 {
	switch kind {
	case 0:
		return nil
	case 1:
		seconds = -1
	}
	return &seconds
}
