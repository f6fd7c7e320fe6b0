import { afterAll, beforeAll, expect, it } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';
import { Random } from '../../../tests/crash/random.js';
import { caseCount, isDeep } from '../../../tests/support/depth.js';
import { aggregateNamed, aggregateNames, overloadsOf } from '../../apl/src/aggregates/index.js';
import type { Arguments, Param } from '../../apl/src/functions/define.js';
import { functions } from '../../apl/src/functions/index.js';

/**
 * Clients that disconnect from aggregates and functions over wide tables: each of them in the deep
 * variant, a seeded choice in the small one. The engine notices a cancellation only
 * between two blocks of rows, so a wide statement needs short ones; a process that had to be ended
 * takes the queries of all other clients with it.
 */

const fields = caseCount(400, 2000);
const rows = 40_000;
/** Selects the calls of the small variant and when their clients go. */
const seed = process.env['CANCEL_SEED'] ?? '1';

const joinList = (text: (i: number) => string): string => Array.from({ length: fields }, (_, i) => text(i)).join(', ');

/** An argument that fits a parameter: a constant, or a value computed from each row. */
function argumentFor({ name, type, constant, within }: Param, i: number): string {
  const number = constant === true ? `${within?.min ?? 5n}` : `n + ${i}`;
  const text = constant === true ? `'${constantTexts[name] ?? 'a'}'` : `strcat(s, ${i})`;
  const byType: Readonly<Record<string, string>> = {
    bool: constant === true ? 'true' : `n > ${i}`,
    string: text,
    datetime: constant === true ? 'datetime(2026-01-01)' : '_time',
    timespan: constant === true ? '1h' : `${i} * 1s`,
    dynamic: constant === true ? 'dynamic([1, 2])' : `pack_array(n, s, ${i})`,
    array: constant === true ? 'dynamic([1, 2])' : `pack_array(n, s, ${i})`,
    bag: constant === true ? 'dynamic({"a": 1})' : `bag_pack('a', n, 'b', ${i})`,
  };
  return byType[type] ?? number;
}

/** Constant texts that may not be arbitrary. */
const constantTexts: Readonly<Record<string, string>> = { part: 'day', period: 'day', unit: 'day' };

/** The call of a function with all parameters that it must have. */
const callOf = (name: string, { params, rest }: Arguments, i: number): string =>
  `${name}(${[...params.filter(({ optional }) => optional !== true), ...(rest === undefined ? [] : [rest])]
    .map((param) => argumentFor(param, i))
    .join(', ')})`;

type Query = readonly [name: string, apl: string];

const aggregateQueries: readonly Query[] = aggregateNames()
  .filter((name) => name !== 'spotlight')
  .map((name) => {
    const overload = overloadsOf(aggregateNamed(name)!)[0]!;
    return [name, `wide | summarize ${joinList((i) => `a${i} = ${callOf(name, overload, i)}`)}`] as const;
  });

const functionQueries: readonly Query[] = functions
  .filter(({ name }) => /^\w+$/.test(name))
  .map(({ name, overloads }) => {
    const calls = joinList((i) => `c${i} = ${callOf(name, overloads[0]!, i)}`);
    return [`${name}()`, `wide | extend ${calls} | summarize ${joinList((i) => `take_any(c${i})`)}`] as const;
  });

const wideSpotlight = (field: (i: number) => string, by = ''): string =>
  `wide | extend ${joinList((i) => `f${i} = ${field(i)}`)} | summarize spotlight(n > 10, ${joinList((i) => `f${i}`)})${by}`;

/** What a table of functions does not show to be expensive. */
const otherQueries: readonly Query[] = [
  ['spotlight of numbers', wideSpotlight((i) => `n + ${i}`)],
  ['spotlight of texts', wideSpotlight((i) => `strcat(s, ${i})`)],
  ['spotlight by many groups', wideSpotlight((i) => `n + ${i}`, ' by n % 50')],
  ['many groups', `wide | summarize ${joinList((i) => `a${i} = dcount(n + ${i})`)} by n`],
  [
    'a join with itself',
    'wide | extend k = n % 3 | join kind=inner (wide | extend k = n % 3) on k | summarize count() by n',
  ],
  ['elements of arrays', 'wide | extend l = range(1, 5000, 1) | mv-expand l | summarize dcount(n + tolong(l))'],
  [
    'a pattern with many repeats',
    'wide | where strcat(s, s, s, s) matches regex "(a|t|1|2)*(a|t|1|2)*(a|t|1|2)*x" | count',
  ],
];

let world: EngineTestServer;
beforeAll(async () => {
  world = await openEngineTestServer({ engineSessions: 3 });
  await world.dataset(
    'wide',
    Array.from({ length: rows }, (_, i) => ({ n: i, s: `t${i % 1000}` })),
  );
}, 60_000);
afterAll(() => world.close());

/** Sends a query and disconnects after some milliseconds, unless it was faster. */
async function abandonQuery(apl: string, milliseconds: number): Promise<number> {
  const gone = new AbortController();
  const timer = setTimeout(() => gone.abort(), milliseconds);
  const response = world.send(
    'POST',
    '/v1/datasets/_apl?format=tabular&nocache=true',
    { apl },
    { signal: gone.signal },
  );
  const status = await response.then(
    (answer) => answer.status,
    () => 499,
  );
  clearTimeout(timer);
  return status;
}

it('end without the engine, and other clients are answered', async () => {
  const random = new Random('cancel', seed);
  const some = <T>(all: readonly T[], count: number): readonly T[] =>
    isDeep ? all : Array.from({ length: count }, () => random.pick(all));
  const waiting = [...some(aggregateQueries, 10), ...some(functionQueries, 6), ...some(otherQueries, 5)];
  const count = waiting.length;
  const statuses: { readonly name: string; readonly status: number }[] = [];
  const client = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      statuses.push({ name: next[0], status: await abandonQuery(next[1], random.between(100, caseCount(1500, 4000))) });
  };
  let longest = 0;
  const victim = async (): Promise<void> => {
    while (statuses.length < count) {
      const began = performance.now();
      expect(JSON.stringify(await world.apl('wide | count'))).toContain(String(rows));
      longest = Math.max(longest, performance.now() - began);
      await sleep(100);
    }
  };
  await Promise.all([client(), client(), victim()]);
  const unexpected = statuses.filter(({ status }) => ![200, 400, 499].includes(status));
  expect(unexpected, `CANCEL_SEED=${seed}`).toEqual([]);
  // 400 says that a statement is too wide, or that a generated argument does not fit.
  const refused = statuses.filter(({ status }) => status === 400).map(({ name }) => name);
  expect(refused.length, refused.join()).toBeLessThan(count / 2);
  expect(longest).toBeLessThan(15_000);
  expect((await world.send('GET', '/metrics')).text).toMatch(/^millrace_engine_restarts 0$/m);
}, 900_000);

it('a spotlight over 2,000 fields is refused: planning it cannot be canceled', async () => {
  const many = (text: (i: number) => string): string => Array.from({ length: 2000 }, (_, i) => text(i)).join(', ');
  const apl = `wide | extend ${many((i) => `f${i} = n + ${i}`)} | summarize spotlight(n > 10, ${many((i) => `f${i}`)})`;
  const refused = await world.send('POST', '/v1/datasets/_apl?format=tabular', { apl });
  expect(refused).toMatchObject({ status: 400 });
  expect(refused.text).toContain('more than the engine can plan in time');
}, 60_000);
