import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';

/** Drains whose secret the server knows. */

const secret = 'of the drain';

let world: EngineTestServer;
beforeAll(async () => {
  world = await openEngineTestServer({ vercelSecret: secret });
  await world.dataset('vercel');
});
afterAll(() => world.close());

const send = (body: string, signature?: string) =>
  world.send('POST', '/v1/ingest/vercel/vercel', body, {
    headers: signature === undefined ? {} : { 'x-vercel-signature': signature },
  });

test('accepts only values signed with it', async () => {
  const body = '{"message":"signed","timestamp":1790000000000}';
  const right = createHmac('sha1', secret).update(body).digest('hex');
  const wrong = createHmac('sha1', 'another').update(body).digest('hex');
  const statuses = [await send(body), await send(body, wrong), await send(`${body}\n`, right), await send(body, right)];
  expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403, 200]);
  expect((await world.apl('vercel | count')).tables[0]!.columns).toEqual([[1]]);
});
