package mongo

import "github.com/ttlpolicy/ttlpolicy/policy"

// clustered decides by the expireAfterSeconds of a collection that is
// clustered by _id.
type clustered struct {
	delay delay
	idle  *policy.Rule
}

func compileClustered(seconds policy.Value) clustered {
	d, idle := collectionDelay(seconds)
	return clustered{d, idle}
}

// collectionDelay returns the delay of a collection's own option, which may
// exceed 32 bits. NaN was stored as 0 at creation, so it is never found.
func collectionDelay(v policy.Value) (delay, *policy.Rule) {
	n := wholeSeconds(v)
	if !v.Kind().IsNumber() || isNaN(v) || n < 0 || n > int64(policy.MaxInstant/1000) {
		return 0, ruleClusteredSkipped
	}
	return delay(n * 1000), nil
}

// decide consults the rules in the order of clusteredLadder.
func (c clustered) decide(doc policy.Value, now policy.Instant) policy.Decision {
	if c.idle != nil {
		return policy.Keep(c.idle)
	}
	id, ok := doc.Field("_id").AsDate()
	switch {
	case !ok:
		return policy.Keep(ruleClusteredNotDate)
	case id < 0: // the scan begins at the epoch
		return policy.Keep(ruleClusteredFloor)
	}
	deadline, ok := c.delay.deadlineAfter(id, false)
	if !ok {
		return policy.Keep(ruleUnreachable)
	}
	return policy.ExpireAt(deadline, ruleClustered, now)
}
