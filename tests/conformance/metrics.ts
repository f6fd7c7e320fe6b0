import { request, type ServerProcess } from '../support/server-process.ts';

/** Points of metrics for the tests of clients. */

/** Creates a dataset of metrics with a counter and a histogram of the last ten minutes. */
export async function fillMetrics(server: ServerProcess, name: string): Promise<void> {
  await request(server, '/v2/datasets', { body: JSON.stringify({ name, kind: 'otel:metrics:v1' }) });
  const end = Math.floor(Date.now() / 60_000) * 60_000;
  const attributes = [
    { key: 'host.name', value: { stringValue: 'web-1' } },
    { key: 'http.status', value: { intValue: '200' } },
  ];
  const points = (at: (minute: number) => object) =>
    Array.from({ length: 10 }, (_, i) => ({
      attributes,
      timeUnixNano: `${end - (10 - i) * 60_000}000000`,
      ...at(i),
    }));
  const metrics = [
    {
      name: 'http.requests',
      unit: '{request}',
      sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints: points((i) => ({ asInt: String(60 * i) })) },
    },
    { name: 'temperature', unit: 'Cel', gauge: { dataPoints: points((i) => ({ asDouble: 20 + i })) } },
  ];
  const { status } = await request(server, '/v1/metrics', {
    body: JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }),
    headers: { 'x-axiom-metrics-dataset': name },
  });
  if (status !== 200) throw new Error(`no points in ${name}: status ${status}`);
}

/** The last half hour, as clients state it. */
export const halfHour = () => ({
  start: new Date(Date.now() - 1_800_000).toISOString(),
  end: new Date(Date.now() + 60_000).toISOString(),
});
