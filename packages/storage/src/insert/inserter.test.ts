import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MetadataError } from '@millrace/metadata/metadata-error';
import type { FakeCall, Fault } from '../testing/fake-engine.js';
import { append, day, fakeWorld, type FakeStorageHarness, withHarness } from '../testing/fake-harness.js';
import type { Storage } from '../storage.js';

let world: FakeStorageHarness;
beforeEach(async () => {
  world = await fakeWorld();
});
afterEach(() => world.close());

const dataset = { datasetId: 1, name: 'd' };

const rejectedFault: Fault = { kind: 'fails', code: 'rejected' };
const rejectPositions =
  (...positions: readonly bigint[]) =>
  (call: FakeCall): Fault | undefined =>
    call.positions.some((position) => positions.includes(position)) ? rejectedFault : undefined;

/** Fails a test instead of hanging it. */
const soon = <T>(promise: Promise<T>): Promise<T | 'never'> =>
  Promise.race([promise, sleep(2000, 'never' as const, { ref: false })]);

describe('a batch the engine refuses', () => {
  it('delays no other insert and no waiters of others, and is not dropped', async () => {
    const storage = await world.open([1]);
    world.fake.fault = rejectPositions(2n);
    for (let i = 0; i < 3; i++) await append(storage, 1, [1]);
    expect(await soon(storage.flush([1]))).toBeUndefined();
    expect(world.fake.rows(1)).toEqual(['1.0', '3.0']);
    expect(storage.quarantinedPositions).toEqual([2n]);
    expect([1n, 2n, 3n].map((position) => storage.stateOf(position))).toEqual(['stored', 'logged', 'stored']);
    expect(storage.health().reasons).toEqual([expect.stringContaining('1 batches quarantined')]);
    expect(storage.pendingBytes).toBe(0);
    await append(storage, 1, [1]);
    expect(await soon(storage.flush([1]))).toBeUndefined();
    expect(world.fake.rows(1)).toEqual(['1.0', '3.0', '4.0']);
  });

  it('is found among many with few inserts, and so are several', async () => {
    const storage = await world.open([1]);
    const bad = [200n, 300n, 301n];
    world.fake.fault = rejectPositions(...bad);
    for (let i = 0; i < 512; i++) await append(storage, 1, [1]);
    expect(await soon(storage.flush([1]))).toBeUndefined();
    expect(storage.quarantinedPositions).toEqual(bad);
    expect(world.fake.rows(1)).toHaveLength(512 - bad.length);
    expect(world.fake.calls.filter(({ kind }) => kind === 'insert').length).toBeLessThan(70);
  });

  it('makes the others wait no longer than they would without it', async () => {
    const storage = await world.open([1], { flushMilliseconds: 500 });
    world.fake.fault = rejectPositions(2n);
    for (let i = 0; i < 20; i++) await append(storage, 1, [1]);
    await expect.poll(() => storage.pendingBytes).toBe(0);
    expect(storage.quarantinedPositions).toEqual([2n]);
    expect(world.fake.rows(1)).toHaveLength(19);
  });

  it('comes in at the next start if the engine takes it then', async () => {
    const before = await world.open([1]);
    world.fake.fault = rejectPositions(1n);
    await append(before, 1, [1]);
    await append(before, 1, [1]);
    await before.flush([1]);
    world.fake.fault = () => undefined;
    const after = await world.open([1]);
    await after.retries.over;
    expect(world.fake.rows(1)).toEqual(['1.0', '2.0']);
    expect(after.quarantinedPositions).toEqual([]);
  });

  it('is the only one that is put aside, even behind others and when it was half in', async () => {
    const storage = await world.open([1]);
    await append(storage, 1, [1]);
    await append(storage, 1, [1, 2]);
    let inserts = 0;
    world.fake.fault = ({ kind, positions }) => {
      if (kind !== 'insert') return undefined;
      if (++inserts === 1) return { kind: 'half', code: 'unavailable' };
      return positions.includes(2n) ? rejectedFault : undefined;
    };
    await expect(storage.flush([1])).rejects.toMatchObject({ code: 'unavailable' });
    expect(await soon(storage.flush([1]))).toBeUndefined();
    expect(storage.quarantinedPositions).toEqual([2n]);
    expect(world.fake.rows(1).filter((row) => row.startsWith('1.'))).toEqual(['1.0']);
  });

  it('does not keep others from being deleted', async () => {
    const storage = await world.open([1]);
    world.fake.fault = rejectPositions(1n);
    await append(storage, 1, [1]);
    await append(storage, 1, [1, 20]);
    await storage.flush([1]);
    expect(await storage.deletions.trim(dataset, day(10))).toBe(1);
    expect(world.fake.rows(1)).toEqual(['2.1']);
  });
});

describe('a batch whose insert has an unknown outcome', () => {
  const failPositions =
    (...positions: readonly bigint[]) =>
    ({ kind, positions: tried }: FakeCall): Fault | undefined =>
      kind === 'insert' && tried.some((position) => positions.includes(position))
        ? { kind: 'half', code: 'internal' }
        : undefined;
  const inserts = (): number => world.fake.calls.filter(({ kind }) => kind === 'insert').length;

  it('delays no others, is kept, and hides its partial rows', async () => {
    const storage = await world.open([1]);
    world.fake.fault = failPositions(2n);
    for (let i = 0; i < 3; i++) await append(storage, 1, i === 1 ? [1, 2, 3, 4] : [1, 2]);
    expect(await soon(storage.flush([1]))).toBeUndefined();
    expect(world.fake.rows(1)).toEqual(['1.0', '1.1', '2.0', '2.1', '2.2', '3.0', '3.1']);
    expect(storage.quarantinedPositions).toEqual([2n]);
    const filters = await storage.reads.run([1], async (settings) => settings['additional_table_filters']);
    expect(filters).toContain('_seq NOT IN (2)');
    world.fake.fault = () => undefined;
    const after = await world.open([1]);
    await after.retries.over;
    expect(world.fake.rows(1)).toEqual(['1.0', '1.1', '2.0', '2.1', '2.2', '2.3', '3.0', '3.1']);
  });

  it('is stored if the engine has all of it', async () => {
    const storage = await world.open([1]);
    world.fake.fault = failPositions(2n);
    for (let i = 0; i < 3; i++) await append(storage, 1, i === 1 ? [1, 2, 3] : [1, 2]);
    expect(await soon(storage.flush([1]))).toBeUndefined();
    expect(world.fake.rows(1)).toEqual(['1.0', '1.1', '2.0', '2.1', '2.2', '3.0', '3.1']);
    expect([storage.quarantinedPositions, storage.stateOf(2n)]).toEqual([[], 'stored']);
  });

  it('is kept as well if the failure is one of this program', async () => {
    const engine = world.fake.open();
    const storage = await world.open(
      [1],
      {},
      {
        ...engine,
        insert: async (insert) => {
          if (insert.chunks.some((chunk) => Buffer.from(chunk).includes('bad'))) throw new RangeError('out of bounds');
          return engine.insert(insert);
        },
      },
    );
    await append(storage, 1, [1]);
    await append(storage, 1, [1], 'key of the bad one', 'bad');
    await append(storage, 1, [1]);
    expect(await soon(storage.flush([1]))).toBeUndefined();
    expect([storage.quarantinedPositions, world.fake.rows(1)]).toEqual([[2n], ['1.0', '3.0']]);
    expect((await storage.intake.answer(storage.dataset(1)!, 'key of the bad one'))?.position).toBe(2n);
  });

  it('waits until others have gone in: the engine may take nothing at all', async () => {
    const storage = await world.open([1]);
    world.fake.fault = failPositions(1n);
    await append(storage, 1, [1, 2, 3, 4, 5, 6]);
    for (let i = 0; i < 3; i++) await expect(storage.flush([1])).rejects.toMatchObject({ code: 'unavailable' });
    expect([storage.quarantinedPositions, world.fake.rows(1)]).toEqual([[], ['1.0', '1.1', '1.2', '1.3']]);
    const bounds = await storage.reads.run([1], async (settings) => settings['additional_table_filters']);
    expect(bounds).toContain('_seq < 1');
    await append(storage, 1, [1]);
    expect(await soon(storage.flush([1]))).toBeUndefined();
    expect([storage.quarantinedPositions, world.fake.rows(1)]).toEqual([
      [1n],
      ['1.0', '1.1', '1.2', '1.3', '1.4', '2.0'],
    ]);
  });

  it('does not keep another one out that failed only because the engine took nothing for a while', async () => {
    const storage = await world.open([1]);
    await append(storage, 1, [1, 2]);
    await append(storage, 1, [1, 2]);
    const none: Fault = { kind: 'fails', code: 'internal' };
    world.fake.fault = ({ kind }) => (kind === 'insert' ? none : undefined);
    for (let i = 0; i < 5; i++) await expect(storage.flush([1])).rejects.toMatchObject({ code: 'unavailable' });
    world.fake.fault = ({ positions }) => (positions.includes(1n) ? none : undefined);
    for (let i = 0; i < 3; i++) await soon(storage.flush([1]).catch(() => undefined));
    expect([storage.quarantinedPositions, world.fake.rows(1)]).toEqual([[1n], ['2.0', '2.1']]);
    expect(storage.pendingBytes).toBe(0);
  });

  describe('and nothing else waits', () => {
    /** Retries while batches are pending. */
    async function untilTaken(storage: Storage): Promise<number> {
      const began = performance.now();
      while (
        await storage.flush([1]).then(
          () => false,
          () => true,
        )
      )
        await sleep(1);
      return performance.now() - began;
    }

    it('is put aside after a while, if the engine takes something else', async () => {
      const storage = await world.open([1], { retryMilliseconds: 2 });
      world.fake.fault = ({ kind, positions }) =>
        kind === 'insert' && positions.includes(1n)
          ? { kind: world.fake.rows(1).length === 0 ? 'half' : 'fails', code: 'internal' }
          : undefined;
      await append(storage, 1, [1, 2, 20]);
      expect(await untilTaken(storage)).toBeGreaterThan(100);
      expect([storage.quarantinedPositions, storage.pendingBytes, world.fake.rows(1)]).toEqual([[1n], 0, ['1.0']]);
      const quarantine = { ready: true, reasons: [expect.stringMatching(/^1 batches/)] };
      await expect.poll(() => storage.health()).toMatchObject(quarantine);
      await storage.deletions.trim(dataset, day(10));
      expect(await storage.flushAll()).toBe(1n);
      world.fake.fault = () => undefined;
      const after = await world.open([1]);
      await after.retries.over;
      expect([after.quarantinedPositions, world.fake.rows(1)]).toEqual([[], ['1.2']]);
    });

    it('delays its successors only until an insert succeeds', async () => {
      const storage = await world.open([1], { retryMilliseconds: 2 });
      world.fake.fault = ({ kind, positions }) =>
        kind === 'insert' && positions.some((position) => position > 0n && position < 8n)
          ? { kind: 'fails', code: 'internal' }
          : undefined;
      await append(storage, 1, [1]);
      await untilTaken(storage);
      for (let i = 0; i < 3; i++) await append(storage, 1, [1]);
      expect(await soon(storage.flush([1]))).toBeUndefined();
      await append(storage, 1, [1]);
      expect(await soon(storage.flush([1]))).toBeUndefined();
      expect(storage.quarantinedPositions).toEqual([1n, 2n, 3n, 4n, 5n]);
      for (let i = 0; i < 3; i++) await append(storage, 1, [1]);
      expect(await soon(storage.flush([1]))).toBeUndefined();
      expect([storage.quarantinedPositions.length, world.fake.rows(1)]).toEqual([7, ['8.0']]);
      world.fake.fault = failPositions(9n);
      await append(storage, 1, [1, 2, 3, 4]);
      await expect(storage.flush([1])).rejects.toMatchObject({ code: 'unavailable' });
    });

    it('waits once a hundred are put aside: the fault is not in the batches, and the metadata must not take all that come', async () => {
      const storage = await world.open([1], { retryMilliseconds: 0 });
      world.fake.fault = ({ kind, positions }) =>
        kind === 'insert' && !positions.includes(0n) ? { kind: 'fails', code: 'internal' } : undefined;
      for (let i = 0; i < 104; i++) await append(storage, 1, [1]);
      for (let i = 0; i < 300; i++) await storage.flush([1]).catch(() => undefined);
      expect(storage.quarantinedPositions).toHaveLength(100);
      await expect(storage.flush([1])).rejects.toMatchObject({ code: 'unavailable' });
      world.fake.fault = () => undefined;
      expect(await soon(storage.flush([1]))).toBeUndefined();
      expect(world.fake.rows(1)).toEqual(['101.0', '102.0', '103.0', '104.0']);
    });

    it.each(['nothing', 'half', 'all'] as const)(
      'is stored once when a server is killed after %s of its last call',
      async (done) => {
        let trials = 0;
        for (let at = 1, met = true; met; at++) {
          await withHarness(async ({ fake, open }) => {
            const first = await open([1], { retryMilliseconds: 0 });
            await append(first, 1, [1, 2, 20]);
            const skipped = fake.calls.length;
            const died = new Promise<void>((resolve) => {
              met = false;
              fake.fault = (call, nth) => {
                met ||= nth === skipped + at;
                if (nth === skipped + at) setImmediate(resolve);
                if (nth >= skipped + at) return { kind: 'dies', done };
                return (
                  failPositions(1n)(call) && { kind: fake.rows(1).length === 0 ? 'half' : 'fails', code: 'internal' }
                );
              };
            });
            await Promise.race([untilTaken(first), died]);
            if (fake.tables.has('d0')) trials++;
            fake.fault = () => undefined;
            const second = await open([1]);
            await Promise.all([second.flush([1]), second.retries.over]);
            expect([second.quarantinedPositions, fake.rows(1)]).toEqual([[], ['1.0', '1.1', '1.2']]);
          });
        }
        // The server was killed in the middle of one, too.
        expect(trials).toBeGreaterThan(0);
      },
    );

    it.each(['engine', 'metadata'] as const)(
      'is not put aside soon after a time in which the %s did not work',
      async (what) => {
        let fails = false;
        const { database } = world.metadata;
        const broken = database.withPlugin({
          transformQuery: ({ node }) => {
            if (fails && what === 'metadata')
              throw MetadataError.of(Object.assign(new Error('a test wants it'), { code: 'SQLITE_IOERR' }));
            return node;
          },
          transformResult: ({ result }) => Promise.resolve(result),
        });
        const storage = await world.open([1], { retryMilliseconds: 2 }, undefined, broken);
        world.fake.fault = ({ kind, positions }) =>
          fails && what === 'engine'
            ? { kind: 'fails', code: 'unavailable' }
            : kind === 'insert' && positions.includes(1n)
              ? { kind: 'fails', code: 'internal' }
              : undefined;
        await append(storage, 1, [1], 'key');
        for (let i = 0; i < 2; i++) await expect(storage.flush([1])).rejects.toMatchObject({ code: 'unavailable' });
        fails = true;
        await expect(storage.flush([1])).rejects.toMatchObject({ code: 'unavailable' });
        await sleep(150);
        fails = false;
        expect(await untilTaken(storage)).toBeGreaterThan(100);
        expect(storage.quarantinedPositions).toEqual([1n]);
      },
    );

    it('stays where it is as long as the engine takes nothing else', async () => {
      const storage = await world.open([1], { retryMilliseconds: 1 });
      world.fake.fault = ({ kind }) => (kind === 'insert' ? { kind: 'fails', code: 'internal' } : undefined);
      await append(storage, 1, [1]);
      const began = performance.now();
      while (performance.now() - began < 300) {
        await expect(storage.flush([1])).rejects.toMatchObject({ code: 'unavailable' });
        await sleep(1);
      }
      const trials = world.fake.calls.filter(({ positions }) => positions.includes(0n)).length;
      expect([storage.quarantinedPositions, trials > 0, trials < 6]).toEqual([[], true, true]);
      world.fake.fault = () => undefined;
      expect(await soon(storage.flush([1]))).toBeUndefined();
      expect([storage.quarantinedPositions, world.fake.rows(1), world.fake.tables.has('d0')]).toEqual([
        [],
        ['1.0'],
        false,
      ]);
    });
  });

  it('is not put aside by an engine that takes nothing for a while, and goes in once', async () => {
    const storage = await world.open([1]);
    for (let i = 0; i < 64; i++) await append(storage, 1, [1, 2]);
    const calls = world.fake.calls.length;
    world.fake.fault = ({ kind }, nth) =>
      kind === 'insert' ? { kind: nth < calls + 20 ? 'half' : 'fails', code: 'internal' } : undefined;
    for (let i = 0; i < 70; i++) await expect(storage.flush([1])).rejects.toMatchObject({ code: 'unavailable' });
    // An engine that rejects everything is not retried continuously.
    expect(inserts()).toBeLessThan(85);
    world.fake.fault = () => undefined;
    expect(await soon(storage.flush([1]))).toBeUndefined();
    expect([storage.quarantinedPositions, world.fake.rows(1).length, new Set(world.fake.rows(1)).size]).toEqual([
      [],
      128,
      128,
    ]);
  });
});

it('an engine without room for a group takes it in pieces', async () => {
  const storage = await world.open([1]);
  world.fake.fault = ({ positions }) => (positions.length > 1 ? { kind: 'half', code: 'memory-limit' } : undefined);
  for (let i = 0; i < 4; i++) await append(storage, 1, [1, 2]);
  expect(await soon(storage.flush([1]))).toBeUndefined();
  expect(world.fake.rows(1)).toHaveLength(8);
});

it('over replicas, a start repeats an insert that only one shows: its rows may still be dropped', async () => {
  for (const [shown, inserts] of [
    [1, 2],
    [2, 1],
  ] as const)
    await withHarness(async ({ fake, open }) => {
      Object.assign(fake, { isReplicated: true, copies: 2, visibleCopies: shown });
      const before = await open([1]);
      await append(before, 1, [1]);
      let sent = 0;
      fake.fault = ({ kind }) =>
        kind === 'insert' && ++sent === 1 ? { kind: 'half', code: 'unavailable' } : undefined;
      await expect(before.flush([1])).rejects.toMatchObject({ code: 'unavailable' });
      expect(fake.rows(1)).toEqual(['1.0']);
      fake.before = async ({ kind }) => void (kind === 'insert' && (fake.visibleCopies = 2));
      const after = await open([1]);
      await after.flush([1]);
      expect([shown, sent]).toEqual([shown, inserts]);
      expect(after.pendingBytes).toBe(0);
      expect(fake.rows(1)).toEqual(['1.0']);
    });
});
