import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type EngineTestServer,
  type HttpReply,
  openEngineTestServer,
  type Tabular,
} from '@millrace/server/testing/engine-test-server';

/** Queries whose columns follow from the data. */

const pivot = 'logs | evaluate pivot(method, count(), path)';

describe('columns that follow from the data', () => {
  let world: EngineTestServer;
  beforeAll(async () => {
    world = await openEngineTestServer({ maxDataColumns: 5 });
    await world.dataset('logs', [
      { method: 'GET', path: '/', size: 1, bag: [1], _time: '2026-05-01T00:00:00Z' },
      { method: 'PUT', path: '/', size: 2, _time: '2026-05-02T00:00:00Z' },
      { method: 'GET', path: '/a', size: 3, _time: '2026-05-03T00:00:00Z' },
    ]);
    await world.dataset('secret', [{ kind: 'hidden' }]);
  });
  afterAll(() => world.close());

  const ask = (
    apl: string,
    more: object = {},
    token = world.owner,
  ): Promise<HttpReply<Tabular & { message: string }>> =>
    world.send('POST', '/v1/datasets/_apl?format=tabular', { apl, ...more }, { token });
  const columns = async (apl: string, more?: object): Promise<Readonly<Record<string, unknown>>> => {
    const { tables } = (await ask(apl, more)).body;
    return Object.fromEntries(tables[0]!.fields.map(({ name }, i) => [name, tables[0]!.columns[i]]));
  };

  it('are found in order, and new events add new ones', async () => {
    expect(await columns(pivot)).toEqual({ path: ['/', '/a'], GET: [1, 1], PUT: [1, 0] });
    await world.ingest('logs', [{ method: 'DELETE', path: '/', _time: '2026-05-04T00:00:00Z' }]);
    expect(await columns(pivot)).toEqual({ path: ['/', '/a'], DELETE: [1, 0], GET: [1, 1], PUT: [1, 0] });
  });

  it('equal the limits of the time range', async () => {
    const range = { startTime: '2026-05-03T00:00:00Z', endTime: '2026-05-03T12:00:00Z' };
    expect(await columns(pivot, range)).toEqual({ path: ['/a'], GET: [1] });
  });

  it('tell nothing about data that may not be read', async () => {
    const token = await world.token({ datasetCapabilities: { logs: { query: ['read'] } } });
    const { status, text } = await ask('secret | evaluate pivot(kind)', {}, token);
    expect([status, text.includes('hidden')]).toEqual([403, false]);
  });

  it('are limited', async () => {
    const { status, body } = await ask('range n from 1 to 6 step 1 | evaluate pivot(n)');
    expect([status, body.message]).toEqual([400, expect.stringContaining('more than 5 columns') as string]);
  });

  it('are found for exports, estimates and the older format, too', async () => {
    const { text } = await world.send('POST', '/v1/export', { apl: pivot, format: 'csv' });
    expect(text.split('\n')[0]).toBe('"path","DELETE","GET","PUT"');
    expect((await world.send('POST', '/v1/query/estimate', { apl: pivot })).status).toBe(200);
    expect((await world.send('POST', '/v1/datasets/_apl?format=legacy', { apl: pivot })).status).toBe(200);
  });

  it('of objects', async () => {
    const apl = 'logs | where size == 1 | project o = pack("a", size, "b", method) | evaluate bag_unpack(o)';
    expect(await columns(apl)).toEqual({ a: [1], b: ['GET'] });
  });
});
