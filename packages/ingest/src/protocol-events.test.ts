import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unusedDependency } from '@millrace/server/testing/every-route';
import { createTestServer } from '@millrace/server/testing/test-server';
import { protocolRoutes } from './protocol-routes.js';
import type { EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';
import { delivery } from './testing/bodies.js';
import { type EventCase, eventCases } from './testing/event-cases.js';

/** Stored events of each protocol, and the responses that its clients get. */

let world: EngineTestServer;
beforeAll(async () => {
  world = await sharedTestServer();
});
afterAll(() => world.close());

/** Events in time order, without unset fields and `_sysTime`. */
async function eventsOf(dataset: string): Promise<readonly object[]> {
  const { tables } = await world.apl(`['${dataset}'] | project-away _sysTime | order by _time asc`);
  const { fields, columns } = tables[0]!;
  return (columns[0] ?? []).map((_, row) =>
    Object.fromEntries(
      fields.map(({ name }, column) => [name, columns[column]![row]]).filter(([, value]) => value !== null),
    ),
  );
}

let datasets = 0;

test.each(eventCases)('$what', async ({ path, method = 'POST', headers = {}, body, answer, events }: EventCase) => {
  const dataset = `case-${++datasets}`;
  await world.dataset(dataset);
  const token = await world.token({ datasetCapabilities: { [dataset]: { ingest: ['create'] } } });
  const sent = await fetch(`${world.url}${path.replace('{dataset}', dataset)}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: Uint8Array.from(Buffer.from(body)),
  });
  const text = await sent.text();
  expect({ status: sent.status, text }).toMatchObject(answer);
  expect(await eventsOf(dataset)).toEqual(events.map((event) => ({ _time: expect.any(String), ...event })));
});

test('an endpoint for Vercel shows that it is wanted', async () => {
  const answer = await fetch(`${world.url}/v1/ingest/any/vercel?verify=abc`);
  expect([answer.status, answer.headers.get('x-vercel-verify')]).toEqual([200, 'abc']);
});

test('a token in a path is not written to the log', async () => {
  const world = await createTestServer({ routes: () => protocolRoutes({ ...unusedDependency(), maxBodyBytes: 1000 }) });
  const secret = 'xaat-00000000-0000-4000-8000-00000000abcd';
  await world.inject({ method: 'POST', url: `/v1/input/${secret}`, payload: 'x' });
  expect(world.logLines.join()).toContain('/v1/input/{key}');
  expect(world.logLines.join()).not.toContain(secret);
  await world.close();
});

test('a webhook has its token, and perhaps its dataset, in the address', async () => {
  await world.dataset('webhook');
  const token = await world.token({ datasetCapabilities: { webhook: { ingest: ['create'] } } });
  const send = async (path: string) =>
    (await fetch(`${world.url}/v1/in/${path}`, { method: 'POST', body: '{"at":1790000000}' })).status;
  expect([
    await send(`${token}?timestamp-field=at`),
    await send(`${token}/webhook`),
    await send(`${token}/another`),
    await send('wrong'),
  ]).toEqual([200, 200, 403, 401]);
  expect(await eventsOf('webhook')).toMatchObject([{ _time: '2026-09-21T14:13:20Z' }, { at: 1_790_000_000 }]);
});

test('a stream of the journal that is sent again is stored once, also if it goes on', async () => {
  await world.dataset('journal');
  const entry = (n: number) => `__REALTIME_TIMESTAMP=179000000000000${n}\nMESSAGE=${n}${'x'.repeat(700_000)}\n\n`;
  const send = async (...numbers: readonly number[]) =>
    (await world.send('POST', '/v1/ingest/journal/journald/upload', numbers.map(entry).join(''))).status;
  // The first response was lost.
  expect([await send(1, 2, 3), await send(1, 2, 3, 4)]).toEqual([202, 202]);
  const { tables } = await world.apl(
    'journal | extend n = substring(message, 0, 1) | summarize count() by n | order by n asc',
  );
  expect(tables[0]!.columns).toEqual([
    ['1', '2', '3', '4'],
    [1, 1, 1, 1],
  ]);
});

test('the dataset that a packed body names is found, however far the body expands', async () => {
  await world.dataset('packed');
  const names = { elastic: '{"create":{"_index":"packed"}}\n{"a":"', splunk: '{"index":"packed","event":"' };
  const ends = { elastic: '"}\n', splunk: '"}' };
  const paths = { elastic: '/elastic/_bulk', splunk: '/services/collector/event' };
  for (const name of ['elastic', 'splunk'] as const) {
    const body = gzipSync(`${names[name]}${'x'.repeat(20_000_000)}${ends[name]}`);
    const { status } = await world.send('POST', paths[name], body, { headers: { 'content-encoding': 'gzip' } });
    expect([name, status]).toEqual([name, 200]);
  }
  expect(await eventsOf('packed')).toHaveLength(2);
});

test('a delivery that is tried again is stored once', async () => {
  await world.dataset('repeated');
  const send = () =>
    world.send('POST', '/v1/ingest/repeated/firehose', delivery(['{"a":1}']), {
      headers: { 'x-amz-firehose-request-id': 'r1' },
    });
  const [first, second] = [await send(), await send()];
  expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([200, 200, 'true']);
  expect(await eventsOf('repeated')).toHaveLength(1);
});

test.each([{ 'content-encoding': 'gzip' }, { 'content-type': 'application/gzip' }])(
  'Cloudflare Logpush: its test file is no event, and files are, with %j',
  async (headers) => {
    const dataset = `logpush-${Object.keys(headers)[0]}`;
    await world.dataset(dataset);
    const path = `/v1/ingest/${dataset}?timestamp-field=EdgeStartTimestamp`;
    const ingested: unknown[] = [];
    for (const file of ['{"content":"tests"}', '{"EdgeStartTimestamp":1790000000000000000,"ClientIP":"::1"}\n']) {
      const { status, body } = await world.send('POST', path, gzipSync(file), { headers });
      ingested.push([status, body]);
    }
    expect(ingested).toMatchObject([
      [200, { ingested: 0, failed: 0 }],
      [200, { ingested: 1, failed: 0 }],
    ]);
    expect(await eventsOf(dataset)).toEqual([{ _time: '2026-09-21T14:13:20Z', ClientIP: '::1' }]);
  },
);
