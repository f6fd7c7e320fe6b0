import type { Send } from '../../../testing/reset-server.js';
import serverDocument from '../templates/millrace-server.json' with { type: 'json' };

/** Metric and steps of each query of the template for servers. */
const queries = serverDocument.charts.map(({ query }) => /:(?<metric>\w+)(?<steps>.*)/s.exec(query.mpl)!.groups!);

/** Creates a dataset with the metrics that the template for servers reads, over ten minutes. */
export async function fillServerMetrics(send: Send, dataset: string, end: number): Promise<void> {
  await send('/v2/datasets', { body: JSON.stringify({ name: dataset, kind: 'otel:metrics:v1' }) });
  const steps = new Map(queries.map(({ metric, steps }) => [metric!, steps!]));
  const sent = await send('/v1/metrics', {
    headers: { 'content-type': 'application/json', 'x-axiom-metrics-dataset': dataset },
    body: JSON.stringify({
      resourceMetrics: [{ scopeMetrics: [{ metrics: [...steps].map(([name, text]) => metric(name, text, end)) }] }],
    }),
  });
  if (sent.status !== 200) throw new Error(`no metrics in ${dataset}: ${JSON.stringify(sent.body)}`);
}

const POINTS = 40;
const INTERVAL = 15_000;

function metric(name: string, steps: string, end: number): object {
  const points = (at: (count: number) => object) =>
    Array.from({ length: POINTS }, (_, index) => ({
      timeUnixNano: `${end - (POINTS - index) * INTERVAL}000000`,
      ...at(100 * (index + 1)),
    }));
  const over = { aggregationTemporality: 2, isMonotonic: true };
  if (steps.includes('histogram')) {
    const shares = { explicitBounds: [0.01, 0.1], counts: [0.6, 0.3, 0.1] };
    const dataPoints = points((count) => ({
      count,
      sum: count / 50,
      explicitBounds: shares.explicitBounds,
      bucketCounts: shares.counts.map((share) => Math.round(share * count)),
    }));
    return { name, histogram: { aggregationTemporality: 2, dataPoints } };
  }
  const dataPoints = points((asDouble) => ({ asDouble }));
  return steps.includes('rate') ? { name, sum: { ...over, dataPoints } } : { name, gauge: { dataPoints } };
}
