package peers

import (
	"encoding/json"

	"github.com/bytedance/sonic"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/tidwall/gjson"
	"github.com/valyala/fastjson"

	"github.com/ttlpolicy/ttlpolicy/internal/valuefunc"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// The names of the sides that read two members of a raw item.
const (
	fastJSON   = "fastjson"
	gJSON      = "gjson"
	sonicGet   = "sonic.Get"
	jsonStruct = "encoding/json into a struct"
	v2Struct   = "encoding/json/v2 into a struct"
)

// properties are the properties that decide about an item.
type properties struct {
	TTL *int32 `json:"ttl"`
	TS  int64  `json:"_ts"`
}

// isExpired reports whether an item has expired in a container with DefaultTTL.
func isExpired(ttl int64, own bool, ts int64) bool {
	if !own {
		ttl = DefaultTTL
	}
	return ttl != -1 && ts+ttl <= NowSeconds
}

func (p properties) isExpired() bool {
	if p.TTL == nil {
		return isExpired(0, false, p.TS)
	}
	return isExpired(int64(*p.TTL), true, p.TS)
}

// fastJSONSide decides with fastjson and one reused parser.
func fastJSONSide(items [][]byte) Side {
	var parser fastjson.Parser
	return sideOf(fastJSON, items, func(item []byte) bool {
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

func gJSONSide(items [][]byte) Side {
	return sideOf(gJSON, items, func(item []byte) bool {
		ttl := gjson.GetBytes(item, "ttl")
		return isExpired(ttl.Int(), ttl.Exists(), gjson.GetBytes(item, "_ts").Int())
	})
}

func sonicSide(items [][]byte) Side {
	return sideOf(sonicGet, items, func(item []byte) bool {
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

func jsonSide(items [][]byte) Side {
	return sideOf(jsonStruct, items, func(item []byte) bool {
		var p properties
		return json.Unmarshal(item, &p) == nil && p.isExpired()
	})
}

func jsonV2Side(items [][]byte) Side {
	return sideOf(v2Struct, items, func(item []byte) bool {
		var p properties
		return jsonv2.Unmarshal(item, &p) == nil && p.isExpired()
	})
}

var (
	smallJSON  = kind[JSONShape]{"305 B", SmallJSON, 1024}
	mediumJSON = kind[JSONShape]{"1 KB", MediumJSON, 256}
	largeJSON  = kind[JSONShape]{"10 KB", LargeJSON, 48}
	textJSON   = kind[JSONShape]{"10 KB of long texts", TextJSON, 48}
)

// trusting makes a work about JSON that was checked when it was stored.
func trusting(k kind[JSONShape]) maker {
	return func(Size) Work {
		items := MakeItems(k.shape, k.n)
		return Work{
			Name:  k.name + ", trusting",
			Sides: []Side{trustingOurs(Ours, items), fastJSONSide(items), gJSONSide(items), jsonSide(items), sonicSide(items)},
		}
	}
}

func trustingOurs(name string, items [][]byte) Side {
	c := Container(DefaultTTL)
	var item policy.JSON // shared by all items, so that no decision allocates
	return sideOf(name, items, func(text []byte) bool {
		item = valuefunc.F.UncheckedJSON(text)
		return c.Decide(&item, Now).State == policy.Expired
	})
}

// validating makes a work about unchecked JSON, which the sides check completely.
func validating(k kind[JSONShape]) maker {
	return func(Size) Work {
		items := MakeItems(k.shape, k.n)
		trusted := trustingOurs("the trusting mode", items)
		c := Container(DefaultTTL)
		ours := sideOf(Ours, items, func(item []byte) bool { return c.DecideJSON(item, Now).State == policy.Expired })
		return Work{
			Name:  k.name + ", validating",
			Sides: []Side{ours, fastJSONSide(items), jsonV2Side(items), jsonSide(items), trusted},
		}
	}
}
