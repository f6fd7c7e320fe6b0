import { expect, it } from 'vitest';
import { send } from '../support/apl.ts';
import { request } from '../support/server-process.ts';
import { oneServer } from './one-server.ts';

/** Requests of axiom-fs, which shows datasets as files. */

const one = oneServer({});

it('lists datasets and their fields', async () => {
  const dataset = await one.dataset();
  await send(one.server, dataset, '[{"status":500,"service":"shop"}]');
  const datasets = (await request(one.server, '/v2/datasets')).body;
  expect(datasets).toContainEqual(expect.objectContaining({ id: dataset, name: dataset, kind: 'axiom:events:v1' }));
  expect((await request(one.server, `/v2/datasets/${dataset}/fields`)).body).toContainEqual(
    expect.objectContaining({ name: 'status', type: 'integer' }),
  );
});

it('queries below /v2, with the times in the query', async () => {
  const dataset = await one.dataset();
  await send(one.server, dataset, '[{"status":500,"service":"shop"},{"status":200,"service":"shop"}]');
  const query = `['${dataset}']
| where _time between (ago(1h) .. now())
| where status >= 500
| summarize count() by service
| take 10000`;
  const answer = await request(one.server, '/v2/datasets/_apl?format=tabular', {
    body: JSON.stringify({ apl: query }),
  });
  expect(answer).toMatchObject({
    status: 200,
    body: { tables: [{ fields: [{ name: 'service' }, { name: 'count_' }], columns: [['shop'], [1]] }] },
  });
});

it('shows the message of an error', async () => {
  const answer = await request(one.server, '/v2/datasets/_apl?format=tabular', { body: '{"apl":"absent | take 1"}' });
  expect(answer).toMatchObject({ status: 400, body: { code: 400, message: expect.stringContaining('absent') } });
});
