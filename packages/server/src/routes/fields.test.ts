import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../testing/test-server.js';

let world: TestServer;
beforeEach(async () => {
  world = await createTestServer();
  await world.metadata.datasets.create({ name: 'logs', who: 'me' });
});
afterEach(() => world.close());

/** Fields that every dataset has. */
const times = ['_sysTime', '_time'].map((name) => ({
  name,
  type: 'datetime',
  unit: '',
  hidden: false,
  description: '',
}));

test('fields: types from the events, the rest from users', async () => {
  world.data.storedFields = [
    { name: 'status', type: 'integer|string' },
    { name: 'duration', type: 'float' },
  ];
  const url = '/v2/datasets/logs/fields';
  const duration = { name: 'duration', type: 'float', unit: 'ms', hidden: false, description: 'how long' };
  expect((await world.send('PUT', `${url}/duration`, { ...duration, type: 'string', name: 'x' })).body).toEqual(
    duration,
  );
  expect((await world.send('GET', `${url}/duration`)).body).toEqual(duration);
  await world.send('PUT', `${url}/a%2Fb%20%C3%A9`, { hidden: true });
  expect((await world.send('GET', url)).body).toEqual([
    ...times,
    { name: 'a/b é', type: '', unit: '', hidden: true, description: '' },
    duration,
    { name: 'status', type: 'integer|string', unit: '', hidden: false, description: '' },
  ]);
  expect((await world.send('GET', `${url}/nope`)).body).toMatchObject({ code: 404, message: "field 'nope' not found" });
  expect((await world.send('GET', '/v1/datasets/_fields')).body).toMatchObject([
    { datasetName: 'logs', fields: [...times, {}, {}, {}] },
  ]);
});

test('both times are fields of every dataset, about which something can be said', async () => {
  const url = '/v2/datasets/logs/fields';
  expect((await world.send('GET', url)).body).toEqual(times);
  expect((await world.send('GET', `${url}/_sysTime`)).body).toEqual(times[0]);
  const said = { ...times[1], description: 'when it happened' };
  expect((await world.send('PUT', `${url}/_time`, { description: said.description, type: 'string' })).body).toEqual(
    said,
  );
  expect((await world.send('GET', url)).body).toEqual([times[0], said]);
  expect((await world.send('GET', '/v1/datasets/logs/info')).body).toMatchObject({
    numFields: 2,
    fields: [times[0], said],
  });
});
