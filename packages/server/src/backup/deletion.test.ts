import { type Engine, EngineError, type Insert } from '@millrace/engine';
import { call, column, literal } from '@millrace/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '../testing/engine-test-server.js';

let world: EngineTestServer;
/** The engine accepts one event of a batch with this text and then rejects the batch. */
const bad = 'never whole';
let half = false;
beforeAll(async () => {
  world = await openEngineTestServer(
    {},
    (engine) =>
      new Proxy(engine, {
        get: (target, name: keyof Engine) => {
          if (name === 'insert')
            return async (what: Insert) => {
              if (!what.chunks.some((chunk) => Buffer.from(chunk).includes(bad))) return engine.insert(what);
              if (!half) await engine.insert({ ...what, where: call('equals', column('_row'), literal(0n)) });
              half = true;
              throw new EngineError('rejected', 'a test wants it');
            };
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      }),
  );
});
afterAll(() => world.close());

test('a deletion reads what was acknowledged before it, also of another dataset', async () => {
  await world.dataset('logs', [{ id: 1 }, { id: 2 }]);
  await world.dataset('blocked', [{ id: 2 }]);
  const remove = (commit: boolean) =>
    world.send('POST', '/v2/datasets/_apl/delete', { apl: 'logs | where id in (blocked | project id)', commit });
  // Regression test: the engine ran this deletion endlessly and blocked all others.
  expect((await remove(true)).body).toMatchObject({ rowsDeleted: 1 });
  expect((await world.apl('logs | project id')).tables[0]!.columns).toEqual([[1]]);
  await world.ingest('blocked', [{ id: 1, added: true }]);
  expect((await remove(false)).body).toMatchObject({ rowsMatched: 1 });
});

test('a deletion neither counts nor reads events of incomplete batches', async () => {
  await world.dataset('seen', [{ id: 1 }, { id: 2 }]);
  await world.dataset('unseen');
  await world.ingest('unseen', [
    { id: 1, bad },
    { id: 2, bad },
  ]);
  const deleteMatching = async (apl: string): Promise<unknown> => {
    const found = (await world.send('POST', '/v2/datasets/_apl/delete', { apl })).body;
    const deleted = (await world.send('POST', '/v2/datasets/_apl/delete', { apl, commit: true })).body;
    return [found, deleted];
  };
  const none = [{ rowsMatched: 0 }, { rowsMatched: 0, rowsDeleted: 0 }];
  expect((await world.apl('unseen | count')).tables[0]!.columns).toEqual([[0]]);
  expect(await deleteMatching('unseen | where id > 0')).toMatchObject(none);
  expect(await deleteMatching('seen | where id in (unseen | project id)')).toMatchObject(none);
  await world.ingest('unseen', [{ id: 2 }]);
  expect(await deleteMatching('seen | where id in (unseen | project id)')).toMatchObject([
    { rowsMatched: 1 },
    { rowsDeleted: 1 },
  ]);
  expect((await world.apl('seen | project id')).tables[0]!.columns).toEqual([[1]]);
});

test('a deletion requires the delete right on its dataset and the query right on the others it reads', async () => {
  await world.dataset('own', [{ id: 1 }, { id: 2 }]);
  await world.dataset('foreign', [{ id: 2 }]);
  await world.send('POST', '/v2/views', { name: 'shown', aplQuery: 'own | where id > 1' });
  const [deleter, reader] = await Promise.all([
    world.token({ datasetCapabilities: { own: { data: ['delete'] } } }),
    world.token({ datasetCapabilities: { '*': { query: ['read'] }, foreign: { data: ['delete'] } } }),
  ]);
  const remove = async (token: string, apl: string): Promise<unknown> => {
    const body = { apl, commit: true };
    const answer = await world.send<object>('POST', '/v2/datasets/_apl/delete', body, { token });
    return [answer.status, answer.body];
  };
  const rejectedReply = (need: string) => [
    403,
    expect.objectContaining({ message: expect.stringContaining(need) as unknown }) as unknown,
  ];
  expect(await remove(deleter, 'own | where id in (foreign | project id)')).toEqual(
    rejectedReply("query:read on 'foreign'"),
  );
  expect(await remove(deleter, 'foreign | where id == 2')).toEqual(rejectedReply("data:delete on 'foreign'"));
  expect(await remove(deleter, 'shown | where id == 2')).toMatchObject([404, {}]);
  expect(await remove(reader, 'own | where id == 2')).toEqual(rejectedReply("data:delete on 'own'"));
  expect(await remove(deleter, 'own | where id == 2')).toMatchObject([200, { rowsDeleted: 1 }]);
  expect((await world.apl('own | project id')).tables[0]!.columns).toEqual([[1]]);
});

test('deletions take the turns of their token, and are refused when it has too many queries', async () => {
  await world.dataset('turns', [{ id: 1 }]);
  const token = await world.token({ datasetCapabilities: { turns: { data: ['delete'], query: ['read'] } } });
  const remove = () => world.send('POST', '/v2/datasets/_apl/delete', { apl: 'turns | where id == 2' }, { token });
  expect((await remove()).status).toBe(200);
  const leave = new AbortController();
  const tails = Array.from({ length: 10 }, () =>
    fetch(`${world.url}/v1/tail`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ apl: 'turns' }),
      signal: leave.signal,
    }),
  );
  await Promise.all(tails);
  expect((await remove()).status).toBe(429);
  leave.abort();
  await expect.poll(async () => (await remove()).status).toBe(200);
});
