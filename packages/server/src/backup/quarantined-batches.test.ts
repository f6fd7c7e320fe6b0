import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '../testing/engine-test-server.js';
import { refusingEngine } from '@millrace/storage/testing/rejecting-engine';

/** A server whose engine rejects a batch. */

let world: EngineTestServer;
beforeAll(async () => {
  world = await openEngineTestServer({}, refusingEngine('bad'));
});
afterAll(() => world.close());

const gauge = async (): Promise<string | undefined> =>
  /^millrace_refused_batches (\d+)$/m.exec((await world.send('GET', '/metrics')).text)?.[1];

test('each observer of the server learns of it, and clients notice nothing', async () => {
  expect(await gauge()).toBe('0');
  await world.dataset('logs', [{ text: 'good' }]);
  const sent = await world.send('POST', '/v1/datasets/logs/ingest', [{ text: 'bad' }]);
  const position = sent.headers.get('x-millrace-position');
  expect((await world.apl('logs | project text')).tables[0]!.columns).toEqual([['good']]);
  expect(await gauge()).toBe('1');
  expect((await world.send('POST', '/v1/verify')).body).toMatchObject({ wrong: [], refused: [position] });
  expect((await world.send('POST', '/v1/backup')).body).toMatchObject({ refused: [position] });
  expect((await world.send('GET', `/v1/receipts/${position}`)).body).toMatchObject({ state: 'logged' });
  expect(await world.send('GET', '/healthz')).toMatchObject({
    status: 200,
    body: { reasons: [expect.stringContaining('1 batches quarantined')] },
  });
});
