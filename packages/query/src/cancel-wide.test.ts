import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineTestServer, openEngineWorld } from '@millrace/server/testing/engine-test-server';

/**
 * Clients that disconnect from aggregates over wide tables. The engine notices a cancellation only
 * between two blocks of rows, so a wide statement needs short ones; a process that had to be ended
 * takes the queries of all other clients with it.
 */

const fields = 400;
const rows = 40_000;

const listed = (text: (i: number) => string): string => Array.from({ length: fields }, (_, i) => text(i)).join(', ');
const over = (aggregate: (field: string) => string): string =>
  `wide | extend ${listed((i) => `f${i} = n + ${i}`)} | summarize ${listed((i) => `a${i} = ${aggregate(`f${i}`)}`)}`;

const queries: readonly (readonly [string, string])[] = [
  ...[
    'count',
    'sum',
    'avg',
    'min',
    'max',
    'dcount',
    'stdev',
    'variance',
    'make_set',
    'make_list',
    'take_any',
    'hll',
    'tdigest',
  ].map((name) => [name, over((field) => (name === 'count' ? `countif(${field} > 5)` : `${name}(${field})`))] as const),
  ['percentile', over((field) => `percentile(${field}, 95)`)],
  ['topk', over((field) => `topk(${field}, 5)`)],
  ['arg_max', over((field) => `arg_max(${field}, n)`).replaceAll(/a\d+ = arg_max/g, 'arg_max')],
  ['histogram', over((field) => `histogram(${field}, 10)`)],
  [
    'spotlight of numbers',
    `wide | extend ${listed((i) => `f${i} = n + ${i}`)} | summarize spotlight(n > 10, ${listed((i) => `f${i}`)})`,
  ],
  [
    'spotlight of texts',
    `wide | extend ${listed((i) => `f${i} = strcat(s, ${i})`)} | summarize spotlight(n > 10, ${listed((i) => `f${i}`)})`,
  ],
  [
    'spotlight by many groups',
    `wide | extend ${listed((i) => `f${i} = n + ${i}`)} | summarize spotlight(n > 10, ${listed((i) => `f${i}`)}) by n % 50`,
  ],
];

let world: EngineTestServer;
beforeAll(async () => {
  world = await openEngineWorld({ engineSessions: 3 });
  await world.dataset(
    'wide',
    Array.from({ length: rows }, (_, i) => ({ n: i, s: `t${i % 1000}` })),
  );
}, 60_000);
afterAll(() => world.close());

/** Sends a query and disconnects after some milliseconds, unless it was faster. */
async function abandoned(apl: string, milliseconds: number): Promise<number> {
  const gone = new AbortController();
  const timer = setTimeout(() => gone.abort(), milliseconds);
  const asked = world.send('POST', '/v1/datasets/_apl?format=tabular&nocache=true', { apl }, { signal: gone.signal });
  const status = await asked.then(
    (answer) => answer.status,
    () => 499,
  );
  clearTimeout(timer);
  return status;
}

it('end without the engine', async () => {
  const waiting = queries.map(([name, apl], i) => ({ name, apl, milliseconds: 200 + ((i * 617) % 1500) }));
  const statuses = new Map<string, number>();
  const client = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      statuses.set(next.name, await abandoned(next.apl, next.milliseconds));
  };
  await Promise.all([client(), client(), client()]);
  // 400 says that a statement is too wide, before it runs.
  expect([...statuses].filter(([, status]) => ![200, 499].includes(status))).toEqual([]);
  const after = await world.apl('wide | count');
  expect(JSON.stringify(after)).toContain(String(rows));
  expect((await world.send('GET', '/metrics')).text).toMatch(/^millrace_engine_restarts 0$/m);
}, 120_000);

it('a spotlight over 2,000 fields is refused: planning it cannot be cancelled', async () => {
  const many = (text: (i: number) => string): string => Array.from({ length: 2000 }, (_, i) => text(i)).join(', ');
  const apl = `wide | extend ${many((i) => `f${i} = n + ${i}`)} | summarize spotlight(n > 10, ${many((i) => `f${i}`)})`;
  const refused = await world.send('POST', '/v1/datasets/_apl?format=tabular', { apl });
  expect(refused).toMatchObject({ status: 400 });
  expect(refused.text).toContain('more than the engine can plan in time');
}, 60_000);
