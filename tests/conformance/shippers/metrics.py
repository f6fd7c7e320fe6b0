"""Sends metrics with OpenTelemetry's SDK: `metrics.py URL TOKEN DATASET`, and exits with 1 unless they were taken."""

import logging
import sys

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.metrics import Observation
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.metrics.view import ExplicitBucketHistogramAggregation, View
from opentelemetry.sdk.resources import Resource

url, token, dataset = sys.argv[1:4]
problems = []


class Problems(logging.Handler):
    def emit(self, record):
        problems.append(record.getMessage())


logging.getLogger("opentelemetry").addHandler(Problems(logging.WARNING))
exporter = OTLPMetricExporter(
    endpoint=f"{url}/v1/metrics",
    headers={"authorization": f"Bearer {token}", "x-axiom-metrics-dataset": dataset},
)
provider = MeterProvider(
    resource=Resource({"service.name": "python"}),
    metric_readers=[PeriodicExportingMetricReader(exporter, export_interval_millis=60_000)],
    views=[View(instrument_name="took", aggregation=ExplicitBucketHistogramAggregation(boundaries=[0.1, 1]))],
)
meter = provider.get_meter("shop", "1.2")
meter.create_counter("orders", unit="{order}").add(5, {"paid": True, "country": "SE"})
meter.create_up_down_counter("carts").add(-2)
meter.create_observable_gauge("load", callbacks=[lambda options: [Observation(0.25)]])
durations = meter.create_histogram("took", unit="s")
for value in (0.05, 0.5, 0.5, 7):
    durations.record(value)
flushed = provider.force_flush()
provider.shutdown()
if problems or not flushed:
    sys.exit(f"flushed: {flushed}; {problems}")
