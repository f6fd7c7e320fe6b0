import { expect } from 'vitest';
import { request, type ServerProcess } from '../support/server-process.ts';

/** Creates one of each kind of resource, and events of many shapes. */

type Json = Readonly<Record<string, unknown>>;

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

const events = (): readonly Json[] => [
  {
    _time: minutesAgo(5),
    status: 40,
    ratio: 40.5,
    path: '/a',
    ok: true,
    tags: ['x', 'y'],
    user: { id: 1, name: 'Ann' },
  },
  { _time: minutesAgo(4), status: '40', ratio: 40, path: '/b', ok: false, user: { id: '1' }, none: null },
  { _time: minutesAgo(3), status: 40.25, path: '/ä ü', big: 9_007_199_254_740_991, attributes: { a: 1, 'b.c': 'd' } },
  { _time: minutesAgo(60 * 24 * 40), status: 200, path: '/old', at: '2026-01-01T00:00:00Z' },
];

const span = (): Json => ({
  _time: minutesAgo(2),
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  span_id: '00f067aa0ba902b7',
  name: 'GET /',
  kind: 'server',
  duration: 1_500_000,
  'service.name': 'shop',
});

/** @throws when a request fails */
export async function fillDirectory(server: ServerProcess): Promise<void> {
  const post = async (path: string, body: Json | readonly Json[], method = 'POST'): Promise<Json> => {
    const answer = await request(server, path, { method, body: JSON.stringify(body) });
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return (answer.body ?? {}) as Json;
  };
  for (const name of ['logs', 'traces', 'empty'])
    await post('/v2/datasets', { name, description: `Description of ${name}` });
  await post('/v2/datasets/logs/mapfields', { name: 'attributes' });
  await post('/v1/datasets/logs/ingest', events());
  await post('/v1/datasets/traces/ingest', [span()]);
  // Its answer waits until the events are in the engine, with their columns.
  await post('/v1/datasets/_apl?format=tabular', { apl: 'union logs, traces | count' });
  await post('/v2/datasets/logs/fields/ratio', { description: 'A ratio', unit: '%', hidden: false }, 'PUT');
  await post('/v2/vfields', { dataset: 'logs', name: 'failed', expression: 'status >= 500', type: 'boolean' });
  await post('/v2/views', { name: 'slow', aplQuery: "['logs'] | where ratio > 1", datasets: ['logs'] });
  await post('/v2/apl-starred-queries', {
    name: 'By path',
    kind: 'apl',
    dataset: 'logs',
    query: { apl: "['logs'] | summarize count() by path" },
    who: '',
    metadata: {},
  });
  await post('/v2/annotations', {
    datasets: ['logs'],
    type: 'deploy',
    title: 'A deploy',
    time: '2026-01-02T03:04:05Z',
  });
  const notifier = await post('/v2/notifiers', {
    name: 'Hook',
    properties: { webhook: { url: 'http://127.0.0.1:9/hook' } },
  });
  await post('/v2/monitors', {
    name: 'Errors',
    type: 'Threshold',
    disabled: true,
    aplQuery: "['logs'] | where status >= 500 | summarize count()",
    operator: 'Above',
    threshold: 10,
    intervalMinutes: 5,
    rangeMinutes: 5,
    notifierIds: [notifier['id']],
  });
  await post('/v2/dashboards', {
    uid: 'traffic',
    dashboard: {
      name: 'Traffic',
      description: '',
      owner: '',
      schemaVersion: 2,
      refreshTime: 60,
      timeWindowStart: 'qr-now-1h',
      timeWindowEnd: 'qr-now',
      charts: [
        {
          id: 'c1',
          name: 'Requests',
          type: 'TimeSeries',
          query: { apl: "['logs'] | summarize count() by bin_auto(_time)" },
        },
      ],
      layout: [{ i: 'c1', x: 0, y: 0, w: 6, h: 4 }],
    },
  });
  const role = await post('/v2/rbac/roles', {
    name: 'Readers',
    datasetCapabilities: { logs: { query: ['read'] } },
  });
  await post('/v2/rbac/groups', { name: 'Team', roles: [role['id']], members: [] });
  await post('/v2/users', { name: 'Ann', email: 'ann@example.com', role: role['id'] });
  await post('/v2/tokens', { name: 'shipper', datasetCapabilities: { '*': { ingest: ['create'] } } });
}
