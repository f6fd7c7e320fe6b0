// Command go-metrics sends metrics with OpenTelemetry's SDK: `go-metrics URL TOKEN DATASET`.
// It exits with 1 unless they were taken.
package main

import (
	"context"
	"log"
	"os"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/metric"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
)

func main() {
	url, token, dataset := os.Args[1], os.Args[2], os.Args[3]
	ctx := context.Background()
	exporter, err := otlpmetrichttp.New(ctx,
		otlpmetrichttp.WithEndpointURL(url+"/v1/metrics"),
		otlpmetrichttp.WithCompression(otlpmetrichttp.GzipCompression),
		otlpmetrichttp.WithHeaders(map[string]string{
			"authorization": "Bearer " + token, "x-axiom-metrics-dataset": dataset,
		}))
	check(err)
	provider := sdk.NewMeterProvider(
		sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", "go"))),
		sdk.WithReader(sdk.NewPeriodicReader(exporter)))
	meter := provider.Meter("shop", metric.WithInstrumentationVersion("1.2"))
	orders, err := meter.Int64Counter("orders", metric.WithUnit("{order}"))
	check(err)
	orders.Add(ctx, 5, metric.WithAttributes(attribute.Bool("paid", true), attribute.String("country", "SE")))
	carts, err := meter.Int64UpDownCounter("carts")
	check(err)
	carts.Add(ctx, -2)
	load, err := meter.Float64Gauge("load")
	check(err)
	load.Record(ctx, 0.25)
	durations, err := meter.Float64Histogram("took", metric.WithUnit("s"),
		metric.WithExplicitBucketBoundaries(0.1, 1))
	check(err)
	for _, value := range []float64{0.05, 0.5, 0.5, 7} {
		durations.Record(ctx, value)
	}
	check(provider.ForceFlush(ctx))
	check(provider.Shutdown(ctx))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
