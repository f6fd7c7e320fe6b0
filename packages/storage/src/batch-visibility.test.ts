import { describe, expect, it, vi } from 'vitest';
import { append, withHarness } from './testing/fake-harness.js';
import { BatchVisibility } from './batch-visibility.js';

/** Visibility of a batch whose events span several days, while the engine inserts it day by day. */

/** A promise that the test resolves. */
function deferredPromise(): { readonly promise: Promise<void>; readonly release: () => void } {
  let release = (): void => undefined;
  const promise = new Promise<void>((resolve) => (release = resolve));
  return { promise, release };
}

const turns = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

describe('a question', () => {
  it('is queried without bounds while the events of an insert are of one day, and with bounds for a while otherwise', () =>
    withHarness(async ({ open }) => {
      const storage = await open([1]);
      const read = (): Promise<object> => storage.reads.run([1], (settings) => Promise.resolve(settings));
      for (const day of [3, 4]) {
        await append(storage, 1, [day, day]);
        await storage.flush([1]);
        expect(await read()).toEqual({});
      }
      await append(storage, 1, [5]);
      await append(storage, 1, [6]);
      await storage.flush([1]);
      expect(await read()).toEqual({ additional_table_filters: "{'millrace.d1': '_seq < 5'}" });
      await storage.close();
    }));

  it('that comes during an insert of several days leaves out its batches and what follows, and sees all before', () =>
    withHarness(async ({ open, fake }) => {
      const storage = await open([1]);
      await append(storage, 1, [1]);
      await storage.flush([1]);
      const { promise, release } = deferredPromise();
      fake.before = ({ kind }) => (kind === 'insert' ? promise : Promise.resolve());
      const { position } = await append(storage, 1, [1, 2, 3]);
      const flushed = storage.flush([1]);
      await turns();
      const during = await storage.reads.run([1], (settings) => Promise.resolve(settings));
      expect(during).toEqual({ additional_table_filters: `{'millrace.d1': '_seq < ${position}'}` });
      expect(storage.reads.bounds([1])).toEqual(during);
      release();
      await flushed;
      const after = await storage.reads.run([1], (settings) => Promise.resolve(settings));
      expect(after).toEqual({ additional_table_filters: `{'millrace.d1': '_seq < ${position + 1n}'}` });
      await storage.close();
    }));

  it('that came before an insert of several days is waited for; one of a single day is not held up', () =>
    withHarness(async ({ open, fake }) => {
      const storage = await open([1]);
      const { promise, release } = deferredPromise();
      const result = storage.reads.run([1], (settings) => promise.then(() => settings));
      await append(storage, 1, [4]);
      await storage.flush([1]);
      expect(fake.rows(1)).toEqual(['1.0']);
      await append(storage, 1, [1, 2]);
      const flushed = storage.flush([1]);
      await turns();
      expect(fake.rows(1)).toEqual(['1.0']);
      release();
      expect(await result).toEqual({});
      await flushed;
      expect(fake.rows(1)).toEqual(['1.0', '2.0', '2.1']);
      await storage.close();
    }));

  it('is bounded for as long as an insert of several days runs', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const batches = new BatchVisibility();
      const { promise, release } = deferredPromise();
      const insert = batches.hideDuring(() => promise);
      vi.advanceTimersByTime(10 * 60_000);
      expect(batches.isBounded).toBe(true);
      release();
      await insert;
      expect(batches.isBounded).toBe(true);
      vi.advanceTimersByTime(61_000);
      expect(batches.isBounded).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  it('a statement that runs too long does not delay events; it is retried if it may have started midway', () =>
    withHarness(async ({ open, fake }) => {
      const storage = await open([1]);
      const { promise, release } = deferredPromise();
      const result = { late: 0, early: 0 };
      // Waits for a session of the engine, and begins after the insert has begun.
      const late = storage.reads.run([1], async (settings, began) => {
        result.late++;
        await promise;
        began(performance.now());
        return settings;
      });
      // It ran during the whole insert.
      const early = storage.reads.run([1], async (settings, began) => {
        result.early++;
        const at = performance.now();
        await promise;
        began(at);
        return settings;
      });
      await append(storage, 1, [1, 2]);
      await storage.flush([1]);
      expect(fake.rows(1)).toHaveLength(2);
      // The next insert does not wait for them again.
      const next = storage.dataset(1)!.batchVisibility.hideDuring(() => Promise.resolve());
      const later = new Promise<string>((resolve) => setImmediate(resolve, 'later'));
      expect(await Promise.race([next.then(() => 'at once'), later])).toBe('at once');
      release();
      expect(await late).toEqual({ additional_table_filters: `{'millrace.d1': '_seq < 2'}` });
      expect(await early).toEqual({});
      expect(result).toEqual({ late: 2, early: 1 });
      await storage.close();
    }));

  it('sees nothing of a batch that is half in after a failure, also of the server', () =>
    withHarness(async ({ open, fake }) => {
      const storage = await open([1]);
      await append(storage, 1, [1, 2]);
      fake.fault = ({ kind }) => (kind === 'insert' ? { kind: 'half', code: 'unavailable' } : undefined);
      await expect(storage.flush([1])).rejects.toMatchObject({ code: 'unavailable' });
      expect(fake.rows(1)).toEqual(['1.0']);
      const bound = { additional_table_filters: `{'millrace.d1': '_seq < 1'}` };
      expect(await storage.reads.run([1], (settings) => Promise.resolve(settings))).toEqual(bound);
      const again = await open([1]);
      expect(await again.reads.run([1], (settings) => Promise.resolve(settings))).toEqual(bound);
      fake.fault = () => undefined;
      await again.flush([1]);
      expect(fake.rows(1)).toEqual(['1.0', '1.1']);
      await again.close();
    }));
});
