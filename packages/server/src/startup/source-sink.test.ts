import { gzipSync } from 'node:zlib';
import type { ShownSource } from '@millrace/api/schemas/source';
import { MemoryBucket } from '@millrace/sources/testing/memory-bucket';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '../testing/engine-test-server.js';

/** Sources of a complete server, which store in its log and engine. */

let world: EngineTestServer;
let bucket: MemoryBucket;
let endpoint: string;
beforeAll(async () => {
  bucket = new MemoryBucket();
  endpoint = await bucket.open();
  world = await openEngineTestServer({ sourcePrivateAddresses: true });
});
afterAll(async () => {
  await world.close();
  await bucket.close();
});

const put = (key: string, body: string | Buffer): void => void bucket.objects.set(key, Buffer.from(body));
const lines = (first: number, count: number): string =>
  Array.from({ length: count }, (_, i) => `{"n":${first + i}}\n`).join('');

async function create(dataset: string): Promise<string> {
  const properties = { bucket: { bucket: 'b', endpoint, prefix: `${dataset}/`, pollSeconds: 1 } };
  const body = { name: dataset, dataset, properties };
  return (await world.send<ShownSource>('POST', '/v2/sources', body)).body.id;
}

/** Waits until the status of a source has the given members. */
const reaches = (id: string, status: object): Promise<void> =>
  vi.waitFor(async () => expect((await world.send('GET', `/v2/sources/${id}/status`)).body).toMatchObject(status), {
    timeout: 15_000,
    interval: 50,
  });

const column = async (apl: string): Promise<readonly unknown[]> =>
  (await world.apl(apl, { startTime: '2020-01-01T00:00:00Z', endTime: 'now+1h' })).tables[0]!.columns[0]!;

test('objects become events that queries find, each once, and bad events are counted', async () => {
  await world.dataset('logs');
  put('logs/1.ndjson.gz', gzipSync(lines(0, 1000)));
  put('logs/2.csv', '_time,n\n2026-01-02T03:04:05Z,1000\nno time,1001\n');
  put('logs/3.gz', 'damage');
  const id = await create('logs');
  await reaches(id, { state: 'running', events: 1001, failedEvents: 1, rejectedMessages: 1, lag: 0 });
  expect(await column("logs | summarize count(), dcount(n) by ['s3.key'] | sort by ['s3.key'] asc")).toEqual([
    'logs/1.ndjson.gz',
    'logs/2.csv',
  ]);
  expect(await column('logs | where n == 1000 | project _time')).toEqual(['2026-01-02T03:04:05Z']);

  expect((await world.send('POST', `/v2/sources/${id}/pause`)).status).toBe(200);
  put('logs/4.ndjson', lines(2000, 500));
  expect((await world.send('POST', `/v2/sources/${id}/resume`)).status).toBe(200);
  await reaches(id, { events: 1501, lag: 0, position: 'logs/4.ndjson part 1' });
  expect(await column('logs | summarize count()')).toEqual([1501]);
  expect(await column('logs | distinct n | count')).toEqual([1501]);
});

test('a source fails while its dataset is missing and says why, and continues after that', async () => {
  await world.dataset('orders');
  const id = await create('orders');
  await reaches(id, { state: 'running', lag: 0 });
  await world.send('DELETE', '/v2/datasets/orders');
  put('orders/1', lines(0, 3));
  await reaches(id, { state: 'failing', problem: expect.stringContaining("'orders'"), events: 0 });
  await world.dataset('orders');
  await reaches(id, { state: 'running', events: 3 });
  expect(await column('orders | summarize count()')).toEqual([3]);
});
