import type { Send } from '../../../testing/reset-server.js';

/** Creates a dataset of metrics: requests, durations and memory of a shop over an hour. */
export async function fillMetrics(send: Send, dataset: string, end: number): Promise<void> {
  await send('/v2/datasets', { body: JSON.stringify({ name: dataset, kind: 'otel:metrics:v1' }) });
  const sent = await send('/v1/metrics', {
    headers: { 'content-type': 'application/json', 'x-axiom-metrics-dataset': dataset },
    body: JSON.stringify({
      resourceMetrics: ['checkout', 'gateway', 'search'].map((name, i) => resource(name, i, end)),
    }),
  });
  if (sent.status !== 200) throw new Error(`no metrics in ${dataset}: ${JSON.stringify(sent.body)}`);
}

/** Creates a dataset with one metric as Prometheus sends it: its service is the tag `job`. */
export async function fillScraped(send: Send, dataset: string, end: number): Promise<void> {
  const point = { attributes: [text('job', 'checkout')], timeUnixNano: `${end - 60_000}000000`, asInt: '1' };
  const scopeMetrics = [{ metrics: [{ name: 'up', gauge: { dataPoints: [point] } }] }];
  await send('/v2/datasets', { body: JSON.stringify({ name: dataset, kind: 'otel:metrics:v1' }) });
  await send('/v1/metrics', {
    headers: { 'content-type': 'application/json', 'x-axiom-metrics-dataset': dataset },
    body: JSON.stringify({ resourceMetrics: [{ scopeMetrics }] }),
  });
}

const MINUTES = 60;
const GAUGES = 60;

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });

function resource(service: string, index: number, end: number) {
  const points = (attributes: readonly object[], at: (minute: number) => object) =>
    Array.from({ length: MINUTES }, (_, minute) => ({
      attributes,
      timeUnixNano: `${end - (MINUTES - minute) * 60_000}000000`,
      ...at(minute),
    }));
  const wave = (minute: number): number => 1 + Math.sin((minute + index * 9) / 7);
  const routes = ['/cart', '/pay', '/items'];
  return {
    resource: { attributes: [text('service.name', service), text('host.name', `web-${index}`)] },
    scopeMetrics: [
      {
        metrics: [
          {
            name: 'http.server.requests',
            unit: '{request}',
            sum: {
              aggregationTemporality: 2,
              isMonotonic: true,
              dataPoints: routes.flatMap((route, weight) =>
                points([text('http.route', route)], (minute) => ({
                  asInt: String(Math.round((minute + wave(minute)) * 90 * (weight + index + 1))),
                })),
              ),
            },
          },
          {
            name: 'http.server.duration',
            unit: 's',
            histogram: {
              aggregationTemporality: 2,
              dataPoints: points([], (minute) => ({
                count: String(100 * (minute + 1)),
                sum: 12 * (minute + 1),
                explicitBounds: [0.05, 0.1, 0.5, 1],
                bucketCounts: [50, 30, 15, 4, 1].map((share) => String(share * (minute + 1))),
              })),
            },
          },
          {
            name: 'system.memory.usage',
            unit: 'By',
            gauge: { dataPoints: points([], (minute) => ({ asDouble: 4e8 + 1e8 * wave(minute) })) },
          },
          ...Array.from({ length: index === 0 ? GAUGES : 0 }, (_, number) => ({
            name: `queue.${String(number).padStart(2, '0')}.depth`,
            gauge: { dataPoints: points([], (minute) => ({ asDouble: number + wave(minute) })) },
          })),
        ],
      },
    ],
  };
}
