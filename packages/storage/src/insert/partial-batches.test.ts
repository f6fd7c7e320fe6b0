import { expect, test } from 'vitest';
import type { Fault } from '../testing/fake-engine.js';
import { append, type FakeStorageHarness, withHarness } from '../testing/fake-harness.js';
import type { Storage } from '../storage.js';

const rejectedFault: Fault = { kind: 'fails', code: 'rejected' };

/** The filter that excludes rows from a result. */
async function leftOut(storage: Storage): Promise<string> {
  let filters: unknown;
  await storage.reads.run([1], async (settings) => (filters = settings['additional_table_filters']));
  return String(filters);
}

/**
 * A server that was killed while a try of the newest of some quarantined batches, of two days each,
 * had inserted the given share of it.
 */
async function killedDuringTry({ fake, open }: FakeStorageHarness, done: 'half' | 'all'): Promise<void> {
  const first = await open([1]);
  fake.fault = ({ kind }) => (kind === 'insert' ? rejectedFault : undefined);
  for (let i = 0; i < 20; i++) await append(first, 1, [1, 20]);
  await first.flush([1]);
  // All but one are rejected again, so that the one is tried alone.
  fake.fault = ({ kind, positions }) => {
    if (kind !== 'insert') return undefined;
    return positions.length === 1 && positions[0] === 3n ? { kind: 'dies', done } : rejectedFault;
  };
  await open([1]);
  await expect.poll(() => fake.rows(1)).toEqual(done === 'half' ? ['3.0'] : ['3.0', '3.1']);
}

test.each(['half', 'all'] as const)(
  'a server killed when the engine has %s of a refused batch: the next one shows nothing of it before it is stored',
  (done) =>
    withHarness(async (world) => {
      const { fake, open } = world;
      await killedDuringTry(world, done);
      fake.fault = ({ kind }) => (kind === 'insert' ? rejectedFault : undefined);
      const after = await open([1]);
      expect(await leftOut(after)).toContain('_seq NOT IN (3');
      await after.retries.over;
      // A batch that the engine has completely is stored by now.
      expect([after.stateOf(3n), await leftOut(after)]).toEqual(
        done === 'all'
          ? ['stored', expect.not.stringMatching(/\b3[,)]/)]
          : ['logged', expect.stringContaining('_seq NOT IN (3, ')],
      );
      fake.fault = () => undefined;
      const last = await open([1]);
      await last.retries.over;
      expect(await leftOut(last)).not.toContain('NOT IN');
      expect([last.quarantinedPositions, fake.rows(1).length]).toEqual([[], 40]);
    }),
);

test.each([
  ['an export', (storage: Storage) => Promise.resolve(String(storage.reads.bounds([1])['additional_table_filters']))],
  ['a query', leftOut],
] as const)('%s that waits while a refused batch is tried does not see half of it', (_, filtersOf) =>
  withHarness(async ({ fake, open }) => {
    const first = await open([1]);
    fake.fault = ({ kind }) => (kind === 'insert' ? rejectedFault : undefined);
    for (let i = 0; i < 20; i++) await append(first, 1, [1, 20]);
    await first.flush([1]);
    const storage = await open([1]);
    // The newest are being tried. A read that has to wait for the engine begins during the try of
    // the oldest.
    const filters = await filtersOf(storage);
    fake.fault = ({ kind, positions }) => {
      if (kind !== 'insert') return undefined;
      return positions.length === 1 && positions[0] === 1n ? { kind: 'half', code: 'rejected' } : rejectedFault;
    };
    await storage.retries.over;
    expect(fake.rows(1)).toEqual(['1.0']);
    expect(filters).toMatch(/_seq NOT IN \((\d+, )*1(, \d+)*\)/);
  }),
);

test('a batch that is refused when the engine has half of it is not seen', () =>
  withHarness(async ({ fake, open }) => {
    const storage = await open([1]);
    fake.fault = ({ positions }) => (positions.includes(2n) ? { kind: 'half', code: 'rejected' } : undefined);
    for (let i = 0; i < 3; i++) await append(storage, 1, [1, 20, 25]);
    await storage.flush([1]);
    expect([storage.quarantinedPositions, fake.rows(1)]).toEqual([[2n], expect.arrayContaining(['2.0'])]);
    expect(await leftOut(storage)).toContain('_seq NOT IN (2)');
  }));
