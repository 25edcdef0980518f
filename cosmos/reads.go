package cosmos

import "slices"

// Reads returns the names of the properties at the root of items that deciding looks at,
// each once and sorted: ttl, _ts and the root of the ttlPropertyPath. There are none if
// TTL is off, or if the settings are such that every item is kept. An item without its
// other properties is decided as the whole one is, unless it is damaged: a store, or a
// query, need fetch no more. Where one of these names is there twice, both are needed.
func (c *Container) Reads() []string {
	if !c.defaultTTL.isValid() {
		return nil
	}
	names := []string{"_ts", "ttl"}
	if c.path != nil {
		names = append(names, c.path[0])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Reads returns what [Container.Reads] does, of documents: ttl, and _ts or the field on
// top that the index's path begins with. [Collection.DecideAt] does not look at _ts.
func (c *Collection) Reads() []string {
	names := []string{"_ts", "ttl"}
	switch {
	case !c.active:
		return nil
	case c.path != nil:
		names[0] = c.path[0]
	}
	slices.Sort(names)
	return slices.Compact(names)
}
