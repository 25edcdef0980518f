package cosmos

import "github.com/ttlpolicy/ttlpolicy/policy"

// A setting is a row of the precedence matrix. The zero setting is off.
type setting uint8

const (
	settingOff         setting = iota
	settingUnspecified         // a defaultTtl that the service refuses, by its value or because there is no index
	settingNever               // -1: on, without a default
	settingSeconds             // 1 to 2147483647
	// The next two are settingNever and settingSeconds with a ttlPropertyPath other than
	// _ts.
	settingPathNever
	settingPathSeconds
	settingRepeated // a setting occurs twice
)

// settingOf returns the row of a container with this defaultTtl.
func settingOf(defaultTTL TTL, path bool) setting {
	switch {
	case defaultTTL.isAbsent():
		return settingOff
	case defaultTTL.class == ttlRepeated:
		return settingRepeated
	case !defaultTTL.isValid():
		return settingUnspecified
	case path && defaultTTL.isNever():
		return settingPathNever
	case path:
		return settingPathSeconds
	case defaultTTL.isNever():
		return settingNever
	}
	return settingSeconds
}

// A cell of the precedence matrix holds the rule that decides, and a mask: all ones if
// the rule gives the item a deadline, else 0.
type cell struct {
	rule policy.Rule
	ends policy.Instant
}

func keeps(r policy.Rule) cell { return cell{r, 0} }

func expires(r policy.Rule) cell { return cell{r, -1} }

// precedence is coreLadder as a table: the rule that decides about an item, by its
// container's setting and by the class of its own ttl.
//
// The ttl that applies varies from item to item, so that processors mispredict branches
// on it. On items of all kinds a lookup takes a third of the time of branches, and on
// items that are alike no more time than branches.
var precedence = [...]cells{
	// by the item's ttl: absent, -1, seconds, invalid
	settingOff: row(keeps(ruleOff), keeps(ruleOff), keeps(ruleOff), keeps(ruleOff)),
	settingUnspecified: row(keeps(ruleContainerUnspecified), keeps(ruleContainerUnspecified), keeps(ruleContainerUnspecified),
		keeps(ruleContainerUnspecified)),
	settingNever:       row(keeps(ruleNoDefault), keeps(ruleItemNever), expires(ruleItem), keeps(ruleItemUnspecified)),
	settingSeconds:     row(expires(ruleDefault), keeps(ruleItemNever), expires(ruleItem), keeps(ruleItemUnspecified)),
	settingPathNever:   row(keeps(ruleNoDefault), keeps(rulePathUnspecified), keeps(rulePathUnspecified), keeps(rulePathUnspecified)),
	settingPathSeconds: row(expires(rulePath), keeps(rulePathUnspecified), keeps(rulePathUnspecified), keeps(rulePathUnspecified)),
	settingRepeated: row(keeps(ruleDuplicateUnspecified), keeps(ruleDuplicateUnspecified), keeps(ruleDuplicateUnspecified),
		keeps(ruleDuplicateUnspecified)),
}

// cells are a row of the matrix, padded to eight so that three bits of a class
// are a valid index.
type cells [8]cell

// row returns a row of the matrix, with one cell for each class of an item's
// ttl.
func row(absent, never, seconds, invalid cell) cells {
	return cells{
		ttlAbsent: absent, ttlNever: never, ttlSeconds: seconds,
		ttlRefused: invalid, ttlOther: invalid, ttlIgnored: invalid,
	}
}
