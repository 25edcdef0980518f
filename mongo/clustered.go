package mongo

import "github.com/ttlpolicy/ttlpolicy/policy"

// compileClustered prepares the option of a collection that is clustered by
// _id. The monitor scans the documents themselves.
func compileClustered(c compiling) (*Index, error) {
	if !c.profile.clustered {
		return nil, &SpecError{Code: InvalidOptions, Field: "clusteredIndex", Reason: "this release has no clustered collections"}
	}
	x := &Index{name: c.spec.Name, path: pathOf("_id"), clustered: true}
	if x.ladder, x.failed = c.run(ownChecks); x.failed != nil {
		return x, nil
	}
	x.delay = delayOf(c.spec.ExpireAfterSeconds)
	if x.floor = floorRules[c.profile.scanStart]; x.floor == nil {
		x.since = policy.MinInstant
	}
	x.ladder = append(x.ladder, clusteredLadder(x.floor)...)
	return x, nil
}

// floorRules are the rules that keep a document clustered under a date before
// 1970.
var floorRules = [...]*policy.Rule{
	scanStartUnspecified: ruleClusteredFloorUnspecified, scanStart1970: ruleClusteredFloor,
}

// isCollectionSeconds reports whether v can stand as a collection's own
// expireAfterSeconds: whole seconds from 0 on that fit 64 bits as
// milliseconds. NaN is stored as 0, so it is never found.
func isCollectionSeconds(v policy.Value) bool {
	n := wholeSeconds(v)
	return v.Kind().IsNumber() && !v.IsNaN() && n >= 0 && n <= int64(policy.MaxInstant/1000)
}

// decideClustered consults the rules in the order of [clusteredLadder].
func (x *Index) decideClustered(r *record, now policy.Instant) policy.Decision {
	id, ok := r.field(&x.path[0]).AsDate()
	if !ok {
		return policy.Keep(ruleClusteredNotDate)
	}
	return x.decideID(id, now)
}

// decideID decides about a document that is clustered under a Date.
func (x *Index) decideID(id policy.Instant, now policy.Instant) policy.Decision {
	if id < x.since {
		return policy.Keep(x.floor)
	}
	deadline, ok := x.delay.deadlineAfter(id, false)
	if !ok {
		return policy.Keep(ruleUnreachable)
	}
	return policy.ExpireAt(deadline, ruleClustered, now)
}
