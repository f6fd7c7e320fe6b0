import { type Engine, EngineError, type EngineErrorCode, type Insert } from '@millrace/engine';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';

/**
 * An engine that rejects rows and columns of acknowledged batches, because its disk is full or for
 * an unknown reason.
 */

let world: EngineTestServer;
let failure: EngineErrorCode | undefined;
const unlessFailing = <T>(work: () => Promise<T>): Promise<T> =>
  failure === undefined ? work() : Promise.reject(new EngineError(failure, 'a test wants it'));

beforeAll(async () => {
  world = await openEngineTestServer(
    {},
    (engine) =>
      new Proxy(engine, {
        get: (target, name: keyof Engine) => {
          if (name === 'insert') return (what: Insert) => unlessFailing(() => engine.insert(what));
          if (name === 'execute')
            return (...args: Parameters<Engine['execute']>) =>
              args[1]?.defines === undefined ? engine.execute(...args) : unlessFailing(() => engine.execute(...args));
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      }),
  );
  await world.dataset('logs', [{ old: 1 }]);
  expect((await world.apl('logs | count')).tables[0]!.columns).toEqual([[1]]);
  failure = 'disk-full';
  await world.ingest('logs', [{ old: 2, fresh: 'x' }]);
});
afterAll(async () => {
  failure = undefined;
  await world.close();
});

const there = (...columns: unknown[]) => ({ status: { isPartial: true }, tables: [{ columns }] });
const notNow = { code: 503 };
const ways: readonly (readonly [what: string, path: string, body: unknown, status: number, answer: object])[] = [
  ['an old field', '/v1/datasets/_apl?format=tabular', { apl: 'logs | project old' }, 200, there([1])],
  ['everything', '/v1/datasets/_apl?format=tabular', { apl: 'logs' }, 503, notNow],
  ['the new field', '/v1/datasets/_apl?format=tabular', { apl: 'logs | project old, fresh' }, 503, notNow],
  ['a structured query', '/v1/datasets/logs/query', {}, 503, notNow],
  ['an export', '/v1/export', { apl: 'logs' }, 503, notNow],
  ['an estimate', '/v1/query/estimate', { apl: 'logs' }, 503, notNow],
  ['a deletion', '/v2/datasets/_apl/delete', { apl: "logs | where fresh == 'x'", commit: true }, 503, notNow],
  ['a vacuum', '/v2/datasets/logs/vacuum', {}, 503, notNow],
  ['a backup', '/v1/backup', undefined, 503, notNow],
];
const causes = ['disk-full', 'internal', 'memory-limit'] as const;
const cases = causes.flatMap((cause) => ways.map((way) => [cause, ...way] as const));
it.each(cases)(
  '%s: %s is answered with what there is, or it is said why not',
  async (cause, _, path, body, status, expected) => {
    failure = cause;
    const answer = await world.send('POST', path, body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject(expected);
  },
);
