import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Fault } from './testing/fake-engine.js';
import { append, day, fakeWorld, type FakeStorageHarness, withHarness } from './testing/fake-harness.js';
import type { Storage } from './storage.js';

/**
 * Runs the same scenario repeatedly, each time with a fault in a different call to the engine:
 * everything acknowledged and not deleted is stored exactly once, and deleted events never come
 * back.
 */

const trimmedDataset = { datasetId: 1, name: 'trimmed' };
const deletedDataset = { datasetId: 2, name: 'deleted' };
const keptId = 3;

/** Events acknowledged in the scenario. */
interface PromisedEvents {
  /** `position.row` of events of dataset 1 from before the day of the trim, and of all others. */
  readonly old: string[];
  readonly young: string[];
  readonly kept: string[];
  /** Events of dataset 1 that arrived before the trim began. */
  oldBeforeTrim: number;
  trimBegan: boolean;
  trimDone: boolean;
  deleteDone: boolean;
}

async function tell(storage: Storage, promised: PromisedEvents): Promise<void> {
  const toTrimmed = async (): Promise<void> => {
    const { position } = await append(storage, 1, [1, 2, 20]);
    promised.old.push(`${position}.0`, `${position}.1`);
    promised.young.push(`${position}.2`);
  };
  const toKept = async (): Promise<void> => {
    const { position } = await append(storage, keptId, [1, 2, 3]);
    promised.kept.push(`${position}.0`, `${position}.1`, `${position}.2`);
  };
  await toTrimmed();
  await toKept();
  await append(storage, 2, [5]);
  await storage.flush([1]);
  await toTrimmed();
  await Promise.all([toTrimmed(), toKept()]);
  promised.oldBeforeTrim = promised.old.length;
  promised.trimBegan = true;
  const trim = storage.deletions.trim(trimmedDataset, day(10));
  const beside = toKept().then(() => storage.flush([keptId]));
  await trim;
  promised.trimDone = true;
  await beside;
  await toTrimmed();
  await storage.deleteDataset(deletedDataset);
  promised.deleteDone = true;
  await storage.flush([1, keptId]);
  await toKept();
  await storage.flush([1, keptId]);
}

/** Runs the scenario with one fault; returns whether the scenario reached that call. */
async function tellWith(fault: Fault, at: number): Promise<boolean> {
  const world = await fakeWorld();
  try {
    const promised: PromisedEvents = {
      old: [],
      young: [],
      kept: [],
      oldBeforeTrim: 0,
      trimBegan: false,
      trimDone: false,
      deleteDone: false,
    };
    const first = await world.open([1, 2, keptId]);
    const skipped = world.fake.calls.length;
    let met = false;
    const died = new Promise<void>((resolve) => {
      world.fake.fault = (_, nth) => {
        if (nth !== skipped + at) return undefined;
        met = true;
        if (fault.kind === 'dies') setImmediate(resolve);
        return fault;
      };
    });
    const reported = tell(first, promised).catch(() => undefined);
    await Promise.race([reported, died]);
    world.fake.fault = () => undefined;
    if (fault.kind !== 'dies') {
      // The same server continues.
      await first.flush([1, keptId]);
      check(world, promised);
    }
    const second = await world.open(promised.deleteDone ? [1, keptId] : [1, 2, keptId]);
    await second.flush([1, keptId]);
    check(world, promised);
    expect((await second.verify()).wrong).toEqual([]);
    return met;
  } finally {
    await sleep(0);
    await world.close();
  }
}

function check({ fake }: FakeStorageHarness, promised: PromisedEvents): void {
  const rows = fake.rows(1);
  expect(new Set(rows).size, 'an event is there twice').toBe(rows.length);
  const mayBeGone = promised.trimBegan ? promised.oldBeforeTrim : 0;
  const must = [...promised.young, ...promised.old.slice(mayBeGone)];
  expect(rows, 'an event is lost').toEqual(expect.arrayContaining(must));
  const gone = promised.trimDone ? promised.old.slice(0, promised.oldBeforeTrim) : [];
  expect(
    rows.filter((row) => gone.includes(row)),
    'a deleted event is back',
  ).toEqual([]);
  expect(fake.rows(keptId).filter((row) => promised.kept.includes(row))).toEqual(promised.kept.toSorted());
  expect(new Set(fake.rows(keptId)).size).toBe(fake.rows(keptId).length);
  if (promised.deleteDone) expect(fake.tables.has('d2')).toBe(false);
}

const faults: readonly (readonly [string, Fault])[] = [
  ['the engine fails before a call has done anything', { kind: 'fails', code: 'unavailable' }],
  ['the engine fails when a call is half done', { kind: 'half', code: 'unavailable' }],
  ['the engine refuses what a call holds', { kind: 'fails', code: 'rejected' }],
  ['the engine runs out of memory half-way', { kind: 'half', code: 'memory-limit' }],
  ['the engine fails half-way, nobody knows why', { kind: 'half', code: 'internal' }],
  ['the server dies before a call', { kind: 'dies', done: 'nothing' }],
  ['the server dies half-way through a call', { kind: 'dies', done: 'half' }],
  ['the server dies after a call', { kind: 'dies', done: 'all' }],
];

it.each(faults)('%s: no data is lost, duplicated or restored, wherever it happens', async (_, fault) => {
  let at = 1;
  while (await tellWith(fault, at)) at++;
  expect(at).toBeGreaterThan(10);
});

it('completes partly stored batches, including ones read back while earlier ones are checked', () =>
  withHarness(async ({ fake, open }) => {
    const before = await open([1]);
    for (let i = 0; i < 3; i++) await append(before, 1, [1, 20]);
    fake.fault = ({ kind }) => (kind === 'insert' ? { kind: 'dies', done: 'half' } : undefined);
    void before.flush([1]).catch(() => undefined);
    await expect.poll(() => fake.rows(1)).toEqual(['1.0', '2.0', '3.0']);
    fake.fault = () => undefined;
    fake.before = async ({ sql }) => void (sql.includes('GROUP BY _seq') && (await sleep(20)));
    const after = await open([1], { flushBytes: 1 });
    await after.flush([1]);
    expect(fake.rows(1)).toEqual(['1.0', '1.1', '2.0', '2.1', '3.0', '3.1']);
  }));

it('shows no part of a batch that was half in before the rest of it is there', () =>
  withHarness(async ({ fake, open }) => {
    const before = await open([1]);
    await append(before, 1, [1, 20]);
    fake.fault = ({ kind }) => (kind === 'insert' ? { kind: 'dies', done: 'half' } : undefined);
    void before.flush([1]).catch(() => undefined);
    await expect.poll(() => fake.rows(1)).toEqual(['1.0']);
    fake.fault = () => undefined;
    const after = await open([1]);
    const filters: unknown[] = [];
    fake.before = async () => {
      await after.reads.run([1], async (settings) => filters.push(settings['additional_table_filters']));
    };
    await after.flush([1]);
    expect(fake.rows(1)).toEqual(['1.0', '1.1']);
    expect(filters.length).toBeGreaterThanOrEqual(3);
    expect(new Set(filters)).toEqual(new Set(["{'millrace.d1': '_seq < 1'}"]));
  }));
