package columns_test

import (
	"fmt"

	"github.com/ttlpolicy/ttlpolicy/cmd/judging/columns"
	"github.com/ttlpolicy/ttlpolicy/cosmos"
	"github.com/ttlpolicy/ttlpolicy/policy"
)

// A store that keeps _ts and ttl in columns gets a forecast without reading items.
func ExampleItems() {
	container, err := cosmos.CompileContainer(cosmos.ContainerSpec{DefaultTTL: policy.Int32Value(3600)})
	if err != nil {
		panic(err)
	}
	hours, err := columns.NewBuckets(0, 3600, 2)
	if err != nil {
		panic(err)
	}
	var items columns.Items
	items.Append(cosmos.Item{TS: cosmos.TimestampSeconds(60)})
	items.Append(cosmos.Item{TS: cosmos.TimestampSeconds(120), TTL: cosmos.TTLSeconds(600)})
	items.Append(cosmos.Item{TS: cosmos.TimestampSeconds(180), TTL: cosmos.Never})
	items.Append(cosmos.Item{TS: cosmos.TimestampSeconds(240), TTL: cosmos.TTLSeconds(86_400)})
	counts := make([]uint64, hours.Len())
	never := items.CountDeadlines(counts, hours, container)
	fmt.Println("before, hour 1, hour 2, later:", counts, "never:", never)
	// Output: before, hour 1, hour 2, later: [0 1 1 1] never: 1
}

func ExampleBuckets() {
	days, err := columns.NewBuckets(0, 86400, 3)
	if err != nil {
		panic(err)
	}
	counts := make([]int, days.Len())
	for _, deadline := range []policy.Instant{-1, 5, 86_400_000, 86_400_001, policy.MaxInstant} {
		counts[days.Index(deadline)]++
	}
	fmt.Println("before:", counts[0])
	for i := 1; i < days.Len()-1; i++ {
		fmt.Println(days.Start(i), counts[i])
	}
	fmt.Println("after:", counts[days.Len()-1])
	// Output:
	// before: 1
	// 1970-01-01T00:00:00.000Z 1
	// 1970-01-02T00:00:00.000Z 2
	// 1970-01-03T00:00:00.000Z 0
	// after: 1
}
