import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../testing/test-server.js';

let world: TestServer;
beforeEach(async () => {
  world = await createTestServer();
  for (const name of ['evals', 'other']) await world.send('POST', '/v2/datasets', { name });
});
afterEach(() => world.close());

const url = '/api/v3/evaluations';
const run = { id: 'a'.repeat(32), name: 'summaries', dataset: 'evals', status: 'running', flags: { deep: [null, 1] } };
const list = async (query = ''): Promise<unknown> => (await world.send('GET', `${url}${query}`)).body;

test('a run begins, and ends', async () => {
  const times = { createdAt: '2026-11-20T10:00:00.000Z', updatedAt: '2026-11-20T10:00:00.000Z' };
  expect(await world.send('POST', url, run)).toMatchObject({ status: 200, body: { ...run, ...times } });
  world.advance(1000);
  const over = { id: run.id, status: 'completed', totalCases: 3, successCases: 2, erroredCases: 1, durationMs: 12.5 };
  const ended = { ...run, ...over, createdAt: times.createdAt, updatedAt: '2026-11-20T10:00:01.000Z' };
  expect((await world.send('PATCH', `${url}/${run.id}`, over)).body).toEqual(ended);
  expect((await world.send('GET', `${url}/${run.id}`)).body).toEqual(ended);
  expect(await list()).toEqual([ended]);
  // A retry, because the response was lost.
  expect((await world.send('POST', url, run)).status).toBe(200);
  expect(await list()).toMatchObject([{ status: 'running', createdAt: times.createdAt }]);
  expect((await world.send('DELETE', `${url}/${run.id}`)).status).toBe(204);
  expect((await world.send('GET', `${url}/${run.id}`)).status).toBe(404);
  expect((await world.send('PATCH', `${url}/${run.id}`, over)).status).toBe(404);
});

test('the newest are first, of one dataset or of all, and they go with it', async () => {
  await world.send('POST', url, run);
  await world.send('POST', url, { ...run, id: 'b', dataset: 'other' });
  await world.send('POST', url, { ...run, id: 'c' });
  const ids = async (query: string) => ((await list(query)) as readonly { id: string }[]).map(({ id }) => id);
  expect(await ids('')).toEqual(['c', 'b', run.id]);
  expect(await ids('?dataset=evals')).toEqual(['c', run.id]);
  expect(await ids('?limit=1&offset=1')).toEqual(['b']);
  await world.send('DELETE', '/v2/datasets/evals');
  expect(await ids('')).toEqual(['b']);
});

test('users with the ingest right send reports, and users with the query right read them', async () => {
  const token = (dataset: string, rights: object) => world.token({ datasetCapabilities: { [dataset]: rights } });
  const sender = await token('evals', { ingest: ['create'] });
  const reader = await token('evals', { query: ['read'] });
  const stranger = await token('other', { ingest: ['create'], query: ['read'] });
  const as = async (who: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path = '', body?: object) =>
    (await world.send(method, `${url}${path}`, body, who)).status;
  expect(await as(sender, 'POST', '', run)).toBe(200);
  for (const who of [reader, stranger]) {
    expect(await as(who, 'POST', '', run)).toBe(403);
    expect(await as(who, 'PATCH', `/${run.id}`, { status: 'x' })).toBe(403);
    expect(await as(who, 'DELETE', `/${run.id}`)).toBe(403);
  }
  // A run of another dataset can neither be replaced nor be the target of a move.
  expect(await as(stranger, 'POST', '', { ...run, dataset: 'other' })).toBe(403);
  expect(await as(sender, 'PATCH', `/${run.id}`, { dataset: 'other' })).toBe(403);
  expect([await as(reader, 'GET', `/${run.id}`), await as(stranger, 'GET', `/${run.id}`)]).toEqual([200, 403]);
  expect((await world.send('GET', url, undefined, reader)).body).toHaveLength(1);
  expect((await world.send('GET', url, undefined, stranger)).body).toEqual([]);
  expect(await as(sender, 'DELETE', `/${run.id}`)).toBe(204);
});

test.each([
  ['no id', { id: undefined }],
  ['no dataset', { dataset: '' }],
  ['a status that is no text', { status: 1 }],
  ['cases that are none', { totalCases: -1 }],
])('mistake: %s', async (_, part) => expect((await world.send('POST', url, { ...run, ...part })).status).toBe(400));

test('a dataset that is not there', async () =>
  expect((await world.send('POST', url, { ...run, dataset: 'nope' })).status).toBe(404));
