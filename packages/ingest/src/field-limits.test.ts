import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';
import type { IngestStatus } from './response.js';

let world: EngineTestServer;
beforeAll(async () => {
  world = await openEngineTestServer({ maxRequestFields: 100, maxDatasetFields: 150 });
  await world.send('POST', '/v2/datasets', { name: 'logs' });
});
afterAll(() => world.close());

const send = async (event: object): Promise<IngestStatus> =>
  (
    await world.send<IngestStatus>('POST', '/v1/datasets/logs/ingest', JSON.stringify([event]), {
      headers: { 'content-type': 'application/json' },
    })
  ).body;
const fields = (count: number, name: string): object =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${name}${n}`, n]));
const countFields = async (): Promise<number> =>
  (await world.send<readonly unknown[]>('GET', '/v2/datasets/logs/fields')).body.length;
const warning = (count: number) => [expect.objectContaining({ code: 'fields_limit', count })];

it('names beyond those of a request, or of a dataset, are kept in one field', async () => {
  const before = await countFields();
  expect((await send(fields(100, 'a'))).messages).toBeUndefined();
  expect(await send({ ...fields(100, 'a'), more: { text: 'x' } })).toMatchObject({ ingested: 1, messages: warning(1) });
  expect((await send(fields(48, 'b'))).messages).toBeUndefined();
  const full = await countFields();
  expect(full - before).toBe(149);
  expect(await send({ b1: 1, ...fields(90, 'c') })).toMatchObject({ ingested: 1, messages: warning(1) });
  // One was left.
  expect((await countFields()) - full).toBeLessThanOrEqual(1);
  const { tables } = await world.apl(
    "logs | where b1 == 1 and isnotnull(_other) | project b1, _other.c89, _other['c88']",
  );
  expect(tables[0]!.columns).toEqual([[1], [89], [88]]);
  const { tables: nested } = await world.apl(
    'logs | where isnotnull(_other.more) | project tostring(_other.more.text)',
  );
  expect(nested[0]!.columns).toEqual([['x']]);
});
