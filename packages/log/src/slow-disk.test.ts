import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openLog } from './open.js';
import { MemoryFileSystem } from './testing/index.js';

/** On a disk with slow syncs, acknowledgements wait, memory stays bounded and no frame is lost. */

const payload = (n: number): Uint8Array => Buffer.alloc(1000, n);

async function slowLog(maxPendingBytes: number) {
  const fileSystem = new MemoryFileSystem();
  let release = (): void => undefined;
  const log = await openLog({ directory: '/log', fileSystem, limits: { maxPendingBytes } });
  const released = new Promise<void>((resolve) => (release = resolve));
  fileSystem.delay = ({ operation }) => (operation === 'sync' ? released : Promise.resolve());
  return { log, fileSystem, release };
}

it('acknowledges nothing before the sync, and then everything that waited with two syncs', async () => {
  const { log, release } = await slowLog(1_000_000);
  let acknowledged = 0;
  const append = (n: number) => log.append([payload(n)]).durable.then(() => acknowledged++);
  const before = log.stats().syncs;
  const first = append(0);
  await sleep(20);
  const waiting = Array.from({ length: 100 }, (_, n) => append(n + 1));
  await sleep(20);
  expect(acknowledged).toBe(0);
  expect(log.stats()).toMatchObject({ pendingFrames: 101, pendingBytes: 101_000, durablePosition: 0n });
  release();
  await Promise.all([first, ...waiting]);
  expect(log.stats().syncs - before).toBe(2);
  await log.close();
});

it('refuses what memory has no room for before taking any of it, and accepts appends again afterwards', async () => {
  const { log, fileSystem, release } = await slowLog(50_000);
  const taken: Promise<void>[] = [];
  let refused = 0;
  for (let n = 0; n < 200; n++) {
    const refusal = log.refusal(1000);
    if (refusal === undefined) taken.push(log.append([payload(n)]).durable);
    else {
      expect(refusal.code).toBe('overloaded');
      expect(() => log.append([payload(n)])).toThrow(refusal.message);
      refused++;
    }
    expect(log.stats().pendingBytes).toBeLessThanOrEqual(50_000);
  }
  expect([taken.length, refused]).toEqual([50, 150]);
  release();
  await Promise.all(taken);
  await log.append([payload(200)]).durable;
  const after = await openLog({ directory: '/log', fileSystem: fileSystem.afterPowerCut(() => 0) });
  const there: number[] = [];
  for await (const { payload } of after.read()) there.push(payload[0]!);
  expect(there).toEqual([...Array.from({ length: 50 }, (_, n) => n), 200]);
  await after.close();
  await log.close();
});
