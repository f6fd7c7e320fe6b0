import { DEFAULT_BUDGET, DEFAULT_LIMITS, encodeJson } from '@millrace/events';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { StoredDataset } from '../fields/dataset.js';
import { FakeEngine } from '../testing/fake-engine.js';
import { insertGroup, type InsertDependencies, remember } from './insert-group.js';
import { type Batch, newQueue, type Queue } from './queue.js';

/** Records the order of writes before rows arrive; the metadata fails on request. */
function insertion() {
  const fake = new FakeEngine();
  fake.tables.set('d1', []);
  const written: string[] = [];
  const failing = new Set<string>();
  const write = async (what: string): Promise<void> => {
    if (failing.has(what)) throw new Error(`no ${what}`);
    written.push(what);
  };
  fake.before = ({ kind, sql }) => write(kind === 'insert' ? 'rows' : sql.includes('ADD COLUMN') ? 'columns' : 'other');
  const deps: InsertDependencies = {
    engine: fake.open(),
    logger: pino({ level: 'silent' }),
    fieldStore: { add: (_, news) => write(`fields ${news.map(({ field }) => field).join(' ')}`) },
    idempotencyStore: { keep: (_, batches) => write(`answers ${batches.map(({ position }) => position).join(' ')}`) },
  };
  return { fake, deps, written, failing };
}

const learnBatch = (queue: Queue, position: bigint, event: object): Batch => {
  const { block } = encodeJson(Buffer.from(JSON.stringify(event)), {
    arrivalTime: 1n,
    mapFields: new Set(),
    placement: queue.dataset.placement,
    limits: DEFAULT_LIMITS,
  });
  queue.dataset.learn(block, []);
  return { position, arrival: 1n, block, bytes: 1 };
};

/** As in the inserter. */
async function insertBatches(deps: InsertDependencies, queue: Queue, group: readonly Batch[]): Promise<void> {
  await remember(deps, queue.dataset, group);
  await insertGroup(deps, queue, group);
}

it('what rows need is made before them, and only once', async () => {
  const { fake, deps, written } = insertion();
  const queue = newQueue(new StoredDataset(1, DEFAULT_BUDGET));
  await insertBatches(deps, queue, [learnBatch(queue, 1n, { a: 1 }), learnBatch(queue, 2n, { b: 1 })]);
  expect(written).toEqual(['fields a b', 'answers 1 2', 'columns', 'rows']);
  await insertBatches(deps, queue, [learnBatch(queue, 3n, { a: 2, b: 2 })]);
  expect(written.slice(4)).toEqual(['answers 3', 'rows']);
  expect(fake.rows(1)).toEqual(['1.0', '2.0', '3.0']);
});

it('no row goes in when the metadata fail, and no field is forgotten', async () => {
  const { fake, deps, written, failing } = insertion();
  const queue = newQueue(new StoredDataset(1, DEFAULT_BUDGET));
  const first = learnBatch(queue, 1n, { a: 1 });
  for (const missing of ['fields a', 'answers 1']) {
    failing.add(missing);
    await expect(insertBatches(deps, queue, [first])).rejects.toThrow(`no ${missing}`);
    failing.delete(missing);
  }
  expect(fake.rows(1)).toEqual([]);
  written.length = 0;
  await insertBatches(deps, queue, [first, learnBatch(queue, 2n, { b: 1 })]);
  expect(written).toEqual(['fields a b', 'answers 1 2', 'columns', 'rows']);
});

it('rows of bodies that came out of order go in in the order of their times, and keep their places', async () => {
  const { fake, deps } = insertion();
  const queue = newQueue(new StoredDataset(1, DEFAULT_BUDGET));
  const at = (position: bigint, _time: string): Batch => learnBatch(queue, position, { _time, a: 1 });
  const late = at(1n, '2026-11-23T10:00:02Z');
  await insertBatches(deps, queue, [late, at(2n, '2026-11-23T10:00:01Z'), at(3n, '2026-11-23T10:00:03Z')]);
  expect(fake.calls.filter(({ kind }) => kind === 'insert').map(({ positions }) => positions)).toEqual([[2n, 1n, 3n]]);
  expect(fake.rows(1)).toEqual(['1.0', '2.0', '3.0']);
});
