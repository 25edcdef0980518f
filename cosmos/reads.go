package cosmos

import "slices"

// Reads returns the names of the root properties that deciding reads, sorted and without
// repeats: ttl, _ts and the root of the ttlPropertyPath. It returns no names if TTL is off,
// or if the settings keep every item. An item reduced to these properties is decided like
// the whole item, unless it is damaged. So a store or a query need fetch no other property.
// If one of these names occurs twice, both properties are needed.
func (c *Container) Reads() []string {
	if c == nil || !c.defaultTTL.isValid() {
		return nil
	}
	names := []string{"_ts", "ttl"}
	if c.path != nil {
		names = append(names, c.path[0])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Reads returns the names of the top-level fields that deciding reads, as
// [Container.Reads] does: ttl, and _ts or the first field of the index's path.
// [Collection.DecideAt] does not read _ts.
func (c *Collection) Reads() []string {
	names := []string{"_ts", "ttl"}
	switch {
	case c == nil || !c.active:
		return nil
	case c.path != nil:
		names[0] = c.path[0]
	}
	slices.Sort(names)
	return slices.Compact(names)
}
