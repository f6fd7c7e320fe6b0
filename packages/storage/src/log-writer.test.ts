import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { defaultSettings } from '@millrace/http/settings/settings';
import { errorTranslator } from '@millrace/query/translate-errors';
import { BackpressureError } from './backpressure.js';
import { append, fakeWorld, type FakeStorageHarness } from './testing/fake-harness.js';
import { listedFields } from './testing/listed-fields.js';
import { manualLimits } from './testing/manual-limits.js';

/** When fields of incoming events become known, and the handling of rejected events. */

let world: FakeStorageHarness;
beforeEach(async () => {
  world = await fakeWorld();
});
afterEach(() => world.close());

describe('the fields of a batch', () => {
  it('are not known before its queue is: no flush could make the columns a query would ask for', async () => {
    const storage = await world.open([1]);
    const appended = append(storage, 1, [1]);
    expect(listedFields(storage, { datasetId: 1, name: 'd' })).toEqual([]);
    await appended;
    expect(listedFields(storage, { datasetId: 1, name: 'd' }).map(({ name }) => name)).toEqual(['day']);
    await storage.close();
  });

  it('stay unknown when the log cannot take it', async () => {
    const storage = await world.open([1]);
    world.files.fault = ({ operation }) => (operation === 'sync' ? 'EIO' : undefined);
    await expect(append(storage, 1, [1])).rejects.toMatchObject({ code: 'io' });
    world.files.fault = undefined;
    expect(listedFields(storage, { datasetId: 1, name: 'd' })).toEqual([]);
    expect(storage.pendingBytes).toBe(0);
    await storage.close();
  });
});

describe('a disk that takes its time', () => {
  it('delays acknowledgements; excess requests are asked to retry, and no event is lost', async () => {
    const slow = await fakeWorld();
    const storage = await slow.open([1], { maxPendingBytes: 5000 });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    slow.files.delay = ({ operation }) => (operation === 'sync' ? released : Promise.resolve());
    let acknowledged = 0;
    const idempotencyStore = await Promise.all(
      Array.from({ length: 300 }, async (_, i) => {
        const appended = append(storage, 1, [1 + (i % 3)]).then(() => acknowledged++);
        // The immediate response of a client; appends that wait for the disk are not awaited here.
        return Promise.race([
          appended.catch((error: unknown) => error),
          new Promise((resolve) => setTimeout(resolve, 30, 'waits')),
        ]);
      }),
    );
    const refusals = idempotencyStore.filter((answer) => answer instanceof Error);
    const waiting = idempotencyStore.filter((answer) => answer === 'waits').length;
    expect(waiting).toBeGreaterThan(10);
    expect(refusals.length + waiting).toBe(300);
    expect(acknowledged).toBe(0);
    expect(() => storage.intake.checkRoom()).toThrow(BackpressureError);
    for (const refusal of refusals)
      expect(errorTranslator(defaultSettings())(refusal)).toMatchObject({
        code: 'ingest-behind',
        headers: { 'retry-after': '1' },
      });
    release();
    await expect.poll(() => acknowledged).toBe(waiting);
    await storage.flush([1]);
    expect(slow.fake.rows(1)).toHaveLength(waiting);
    storage.intake.checkRoom();
    await storage.close();
    await slow.close();
  });
});

it('what waits is counted with what small objects cost', async () => {
  const storage = await world.open([1]);
  for (let i = 0; i < 100; i++) await append(storage, 1, [1]);
  expect(storage.pendingBytes).toBeGreaterThan(100_000);
});

it('one sender takes no more than its share of the room, and another is let in', async () => {
  const storage = await world.open([1], { maxPendingBytes: 200_000, flushBytes: 1 << 30, flushMilliseconds: 60_000 });
  const { intake } = storage;
  const check = (party: string) => (): void => intake.checkRoom({ party, all: 0, own: 0 });
  await expect(
    (async () => {
      for (let i = 0; i < 1000; i++) await append(storage, 1, [1], undefined, undefined, 'greedy');
    })(),
  ).rejects.toBeInstanceOf(BackpressureError);
  expect(check('greedy')).toThrow(BackpressureError);
  check('modest')();
  await append(storage, 1, [2], undefined, undefined, 'modest');
  await storage.flush([1]);
  check('greedy')();
  await storage.close();
});

describe('a disk that is nearly full', () => {
  it('takes no events, so that there is room to make room, and takes them again once there is more', async () => {
    const storage = await world.open([1]);
    await append(storage, 1, [1]);
    world.free = 1 << 20;
    await expect.poll(() => storage.health().reasons).toEqual(['the disk of the log is full']);
    expect(storage.health().ready).toBe(false);
    expect(() => storage.intake.checkRoom()).toThrow(expect.objectContaining({ code: 'disk-full' }));
    await expect(append(storage, 1, [2])).rejects.toMatchObject({ code: 'disk-full' });
    world.free = 1 << 30;
    await expect.poll(() => storage.health().ready).toBe(true);
    await append(storage, 1, [3]);
    await storage.close();
    expect(world.fake.rows(1)).toEqual(['1.0', '2.0']);
  });

  it('takes no more than has room in the log and later in the engine, between two looks at it too', async () => {
    world.free = manualLimits.diskReserveBytes + (1 << 20);
    const storage = await world.open([1]);
    const text = 'x'.repeat(100_000);
    let taken = 0;
    // The first look comes half a second after the first event.
    await append(storage, 1, [1]);
    await new Promise((resolve) => setTimeout(resolve, 700));
    while (taken < 30) {
      const stored = await append(storage, 1, [1], undefined, text).catch((error: { readonly code: string }) => error);
      if ('code' in stored) {
        expect(stored.code).toBe('disk-full');
        break;
      }
      taken++;
    }
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(10);
    await storage.close();
  });
});
