// Sends metrics with OpenTelemetry's SDK: `metrics.mjs EXPORTER URL TOKEN DATASET`, and exits with 1 unless they were
// taken.
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AggregationTemporality, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';

const [exporter, url, token, dataset] = process.argv.slice(2);
const { OTLPMetricExporter } = await import(exporter);
const fail = (...args) => {
  console.error(...args);
  process.exitCode = 1;
};
diag.setLogger({ error: fail, warn: fail, info() {}, debug() {}, verbose() {} }, DiagLogLevel.WARN);

const provider = new MeterProvider({
  resource: resourceFromAttributes({ 'service.name': 'js' }),
  readers: [
    new PeriodicExportingMetricReader({
      exportIntervalMillis: 60_000,
      exporter: new OTLPMetricExporter({
        url: `${url}/v1/metrics`,
        headers: { authorization: `Bearer ${token}`, 'x-axiom-metrics-dataset': dataset },
        temporalityPreference: AggregationTemporality.CUMULATIVE,
      }),
    }),
  ],
});
const meter = provider.getMeter('shop', '1.2');
meter.createCounter('orders', { unit: '{order}' }).add(5, { paid: true, country: 'SE' });
meter.createUpDownCounter('carts').add(-2);
meter.createObservableGauge('load').addCallback((result) => result.observe(0.25));
const durations = meter.createHistogram('took', { unit: 's', advice: { explicitBucketBoundaries: [0.1, 1] } });
for (const value of [0.05, 0.5, 0.5, 7]) durations.record(value);
await provider.forceFlush();
await provider.shutdown();
