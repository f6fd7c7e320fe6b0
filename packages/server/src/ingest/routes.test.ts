import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineWorld, openEngineWorld } from '../testing/engine-world.js';

let world: EngineWorld;
beforeAll(async () => {
  world = await openEngineWorld({ autoCreateDatasets: true });
});
afterAll(() => world.close());

const send = (dataset: string, contentType: string) =>
  world.send<{ ingested: number }>('POST', `/v1/datasets/${dataset}/ingest`, '{"a":1}\n', {
    headers: { 'content-type': contentType },
  });

it('a body of a type that cannot be read is refused before a dataset is made for it', async () => {
  expect(await send('none', 'application/xml')).toMatchObject({
    status: 415,
    body: {
      message:
        "unsupported content type 'application/xml'; supported: application/json, application/x-ndjson, text/csv",
    },
  });
  expect(await send('none', 'json')).toMatchObject({ status: 415 });
  expect((await world.send('GET', '/v2/datasets/none')).status).toBe(404);
});

it.each(['text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', 'application/octet-stream', ''])(
  'what clients say of themselves is taken for JSON: %j',
  async (contentType) =>
    expect(await send('some', contentType)).toMatchObject({ status: 200, body: { ingested: 1, failed: 0 } }),
);

it('requests that come together make their dataset once, and all are stored', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => send('together', 'application/json')));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect((await world.apl('together | count')).tables[0]!.columns).toEqual([[8]]);
});
