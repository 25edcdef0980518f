package boltttl_test

import (
	"context"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/ttlpolicy/ttlpolicy/policy"
	"github.com/ttlpolicy/ttlpolicy/policy/sweep"
)

// instruments returns a Swept that records what sweeps do. Alarm on the lag, on errors, and
// on missing sweeps: if the store fails before it reads a document, the lag is not known,
// and keeps its last value.
func instruments(meter metric.Meter) func(sweep.Result, error) {
	lag, err := meter.Float64Gauge("ttl.lag", metric.WithUnit("s"), metric.WithDescription("longest time for which a document has been expired"))
	check(err)
	deleted, err := meter.Int64Counter("ttl.deleted", metric.WithUnit("{document}"))
	check(err)
	sweeps, err := meter.Int64Counter("ttl.sweeps", metric.WithUnit("{sweep}"))
	check(err)
	return func(did sweep.Result, err error) {
		ctx := context.Background()
		sweeps.Add(ctx, 1, metric.WithAttributes(attribute.Bool("failed", err != nil)))
		if err == nil || did.Lag > 0 {
			lag.Record(ctx, did.Lag.Seconds())
		}
		for rule, n := range did.ByRule {
			deleted.Add(ctx, int64(n), metric.WithAttributes(attribute.String("rule", rule.ID())))
		}
	}
}

// Sweeps export their figures to OpenTelemetry.
func ExampleStore_Run_metrics() {
	store, remove := newStore()
	defer remove()
	check(store.Create("sessions", nil, 0))
	_, err := store.Change("sessions", createIndex(`{"key":{"seen":1},"name":"seen_1","expireAfterSeconds":3600}`, 0))
	check(err)
	for i := range int32(3) {
		check(store.Insert("sessions", bson(policy.D{{Key: "_id", Value: policy.Int32Value(i)}, {Key: "seen", Value: policy.DateValue(policy.InstantOf(time.Now()) - 7_200_000)}})))
	}

	reader := sdk.NewManualReader()
	meter := sdk.NewMeterProvider(sdk.WithReader(reader)).Meter("sessions")
	ctx, stop := context.WithCancel(context.Background())
	record := instruments(meter)
	sweeper := store.Sweeper(nil)
	sweeper.Swept = func(did sweep.Result, err error) {
		record(did, err)
		stop() // after one sweep; a store goes on
	}
	fmt.Println(store.Run(ctx, sweeper, time.Minute))

	var seen metricdata.ResourceMetrics
	check(reader.Collect(context.Background(), &seen))
	for _, m := range seen.ScopeMetrics[0].Metrics {
		switch data := m.Data.(type) {
		case metricdata.Gauge[float64]:
			fmt.Println(m.Name, int(data.DataPoints[0].Value)/60, "minutes")
		case metricdata.Sum[int64]:
			for _, p := range data.DataPoints {
				fmt.Println(m.Name, p.Value, p.Attributes.ToSlice()[0].Value.AsInterface())
			}
		}
	}
	// Output:
	// context canceled
	// ttl.lag 60 minutes
	// ttl.deleted 3 mongo.date
	// ttl.sweeps 1 false
}
