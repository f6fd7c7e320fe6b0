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

it('a misspelt parameter is refused, as the events would get wrong times; elsewhere clients send some', async () => {
  const answer = await world.send('POST', '/v1/datasets/misspelt/ingest?timestamp_field=at', '{"at":1}');
  const message = "there is no query parameter 'timestamp_field'; did you mean 'timestamp-field'?";
  expect(answer).toMatchObject({ status: 400, body: { message } });
  expect((await world.send('GET', '/v2/datasets/misspelt')).status).toBe(404);
  await send('some', 'application/json');
  const query = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-02T00:00:00Z' };
  expect(await world.send('POST', '/v1/datasets/some/query?no-cache=true', query)).toMatchObject({ status: 200 });
});
