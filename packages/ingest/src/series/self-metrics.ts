import type { Logger } from 'pino';
import type { MetricValues, Metrics } from '@millrace/http/metrics';
import type { Clock } from '@millrace/metadata/clock';
import { createDataset } from '@millrace/metadata/datasets/lifecycle';
import type { Metadata } from '@millrace/metadata/metadata';
import { ingest, type IngestDependencies, type IngestTarget } from '../ingest.js';
import type { Targets } from '../target.js';

/** The server's own metrics as a dataset of metrics, written as a request of OTLP would be. */

const kind = 'otel:metrics:v1';

interface Origin {
  readonly dataset: string;
  /** Distinguishes servers that write to the same dataset. */
  readonly instance: string;
  readonly version: string;
}

interface SelfMetricsDependencies extends IngestDependencies {
  readonly targets: Pick<Targets, 'find'>;
  readonly metadata: Metadata;
  readonly metrics: Pick<Metrics, 'read'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
}

/** @returns writes the current values; a failure is logged when it begins, not each time */
export function selfMetrics(origin: Origin, deps: SelfMetricsDependencies): () => Promise<void> {
  const { dataset: name } = origin;
  let isFailing = false;
  return async () => {
    try {
      const dataset = (await deps.targets.find(name, kind)) ?? (await makeTarget(name, deps));
      const body = Buffer.from(JSON.stringify(requestOf(deps.metrics.read(), origin, deps.clock())));
      await ingest({ dataset, body, formats: ['otlp-metrics'], options: { contentType: 'application/json' } }, deps);
      isFailing = false;
    } catch (error) {
      if (!isFailing) deps.logger.error({ err: error, dataset: name }, 'could not store metrics of the server');
      isFailing = true;
    }
  };
}

async function makeTarget(
  name: string,
  { metadata, storage, targets }: SelfMetricsDependencies,
): Promise<IngestTarget> {
  const description = 'Metrics of this server.';
  try {
    await createDataset({ metadata, data: storage }, { name, kind, who: 'millrace', description });
  } catch (error) {
    // Another node may have created it in the meantime.
    if (metadata.datasets.find(name) === undefined) throw error;
  }
  return (await targets.find(name, kind))!;
}

/** @param now milliseconds since the epoch */
function requestOf(metrics: readonly MetricValues[], { instance, version }: Origin, now: number): object {
  const timeUnixNano = `${now}000000`;
  const resource = { 'service.name': 'millrace', 'service.instance.id': instance, 'service.version': version };
  return {
    resourceMetrics: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeMetrics: [
          { metrics: metrics.filter(({ series }) => series.length > 0).map((each) => metricOf(each, timeUnixNano)) },
        ],
      },
    ],
  };
}

const cumulative = 2;

function metricOf({ name, type, buckets = [], series }: MetricValues, timeUnixNano: string): object {
  const dataPoints = series.map(({ labels, value }) => ({
    timeUnixNano,
    attributes: attributesOf(labels),
    ...(typeof value === 'number'
      ? { asDouble: value }
      : {
          explicitBounds: buckets,
          bucketCounts: [...value.counts, value.count - value.counts.reduce((sum, each) => sum + each, 0)],
          sum: value.sum,
          count: value.count,
        }),
  }));
  const unit = unitOf(name);
  if (type === 'gauge') return { name, unit, gauge: { dataPoints } };
  const over = { dataPoints, aggregationTemporality: cumulative };
  return type === 'counter' ? { name, unit, sum: { ...over, isMonotonic: true } } : { name, unit, histogram: over };
}

const unitOf = (name: string): string =>
  /_seconds(_total)?$/.test(name) ? 's' : /_bytes(_total)?$/.test(name) ? 'By' : '';

const attributesOf = (values: Readonly<Record<string, string>>): readonly object[] =>
  Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }));
