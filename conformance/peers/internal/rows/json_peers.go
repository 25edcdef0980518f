package rows

import (
	"encoding/json"

	"github.com/bytedance/sonic"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/tidwall/gjson"
	"github.com/valyala/fastjson"

	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/inputs"
	"github.com/ttlpolicy/ttlpolicy/conformance/peers/internal/race"
)

// The ways to get at two members of a raw item.
const (
	fastJSON   = "fastjson"
	gJSON      = "gjson"
	sonicGet   = "sonic.Get"
	jsonStruct = "encoding/json into a struct"
	v2Struct   = "encoding/json/v2 into a struct"
)

// properties are what decides about an item.
type properties struct {
	TTL *int32 `json:"ttl"`
	TS  int64  `json:"_ts"`
}

// isExpired is the rule in a container with a default.
func isExpired(ttl int64, own bool, ts int64) bool {
	if !own {
		ttl = inputs.DefaultTTL
	}
	return ttl != -1 && ts+ttl <= inputs.NowSeconds
}

func (p properties) isExpired() bool {
	if p.TTL == nil {
		return isExpired(0, false, p.TS)
	}
	return isExpired(int64(*p.TTL), true, p.TS)
}

// itemSide makes a side of raw items out of a decision about one.
func itemSide(name string, items [][]byte, expired func(item []byte) bool) race.Side {
	return race.Side{Name: name, N: len(items), Do: func(from, to int) (count int64) {
		for _, item := range items[from:to] {
			count += b2i(expired(item))
		}
		return count
	}}
}

// fastJSONSide reuses one parser.
func fastJSONSide(items [][]byte) race.Side {
	var parser fastjson.Parser
	return itemSide(fastJSON, items, func(item []byte) bool {
		v, err := parser.ParseBytes(item)
		if err != nil {
			return false
		}
		ttl := v.Get("ttl")
		if ttl == nil {
			return isExpired(0, false, v.GetInt64("_ts"))
		}
		n, err := ttl.Int64()
		return err == nil && isExpired(n, true, v.GetInt64("_ts"))
	})
}

func gJSONSide(items [][]byte) race.Side {
	return itemSide(gJSON, items, func(item []byte) bool {
		ttl := gjson.GetBytes(item, "ttl")
		return isExpired(ttl.Int(), ttl.Exists(), gjson.GetBytes(item, "_ts").Int())
	})
}

func sonicSide(items [][]byte) race.Side {
	return itemSide(sonicGet, items, func(item []byte) bool {
		var n int64
		ttl, err := sonic.Get(item, "ttl")
		own := err == nil
		if own {
			n, err = ttl.Int64()
			if err != nil {
				return false
			}
		}
		ts, err := sonic.Get(item, "_ts")
		if err != nil {
			return false
		}
		at, err := ts.Int64()
		return err == nil && isExpired(n, own, at)
	})
}

func jsonSide(items [][]byte) race.Side {
	return itemSide(jsonStruct, items, func(item []byte) bool {
		var p properties
		return json.Unmarshal(item, &p) == nil && p.isExpired()
	})
}

func jsonV2Side(items [][]byte) race.Side {
	return itemSide(v2Struct, items, func(item []byte) bool {
		var p properties
		return jsonv2.Unmarshal(item, &p) == nil && p.isExpired()
	})
}
