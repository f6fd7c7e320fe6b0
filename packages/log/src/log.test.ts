import { beforeEach, describe, expect, test } from 'vitest';
import type { Log } from './log.js';
import { type LogOptions, openLog } from './open.js';
import { MemoryFileSystem, seededRandom } from './testing/index.js';

let fileSystem: MemoryFileSystem;

beforeEach(() => {
  fileSystem = new MemoryFileSystem();
});

const open = (options: Partial<LogOptions> = {}): Promise<Log> =>
  openLog({ directory: '/log', fileSystem, ...options, limits: { logSegmentBytes: 4096, ...options.limits } });
const text = (value: string): Uint8Array => new Uint8Array(Buffer.from(value));

async function append(log: Log, ...values: string[]): Promise<bigint[]> {
  const appended = values.map((value) => log.append([text(value)]));
  await Promise.all(appended.map(({ durable }) => durable));
  return appended.map(({ position }) => position);
}

async function contents(log: Log, from?: bigint): Promise<string[]> {
  const frames: string[] = [];
  for await (const { position, payload } of log.read(from)) {
    frames.push(`${position} ${Buffer.from(payload).toString()}`);
  }
  return frames;
}

const reopen = async (log: Log): Promise<Log> => {
  await log.close();
  return open();
};

describe('append and read', () => {
  test('positions count from 1 and are known before the bytes are on disk', async () => {
    const log = await open();
    const { position, durable } = log.append([text('a')]);
    expect(position).toBe(1n);
    expect(await contents(log)).toEqual([]);
    await durable;
    expect(await contents(log)).toEqual(['1 a']);
  });

  test('chunks become one payload, which may be empty', async () => {
    const log = await open();
    await log.append([text('a'), text(''), text('bc')]).durable;
    await log.append([]).durable;
    expect(await contents(await reopen(log))).toEqual(['1 abc', '2 ']);
  });

  test('a payload longer than a segment and than a read block comes back unaltered', async () => {
    const log = await open();
    const large = Uint8Array.from({ length: 700_000 }, seededRandom(3)).map((_, at) => (at * 31) >>> 3);
    await append(log, 'before');
    await log.append([large.subarray(0, 100), large.subarray(100, 400_000), large.subarray(400_000)]).durable;
    await append(log, 'after');
    const back = await (await reopen(log)).readAt(2n);
    expect(Buffer.compare(back?.payload ?? text(''), large)).toBe(0);
  });

  test('everything that waits shares one sync', async () => {
    const log = await open();
    await append(log, 'first');
    await append(log, ...'abcdefghij');
    expect(log.stats()).toMatchObject({ syncs: 2, pendingFrames: 0 });
  });

  test('read starts anywhere and ends with what was durable at the call', async () => {
    const log = await open();
    await append(log, ...'abcdef');
    expect(await contents(log, 5n)).toEqual(['5 e', '6 f']);
    expect(await contents(log, 7n)).toEqual([]);
    const frames = log.read();
    await append(log, 'later');
    const seen: bigint[] = [];
    for await (const { position } of frames) seen.push(position);
    expect(seen).toEqual([1n, 2n, 3n, 4n, 5n, 6n]);
  });

  test('read continues across segments that are added and released during the read', async () => {
    const log = await open();
    for (let round = 0; round < 12; round++) await append(log, 'x'.repeat(1500));
    expect(log.stats().segments).toBe(6);
    const seen: bigint[] = [];
    for await (const { position } of log.read()) {
      seen.push(position);
      if (position === 1n) await log.release(8n);
      await append(log, 'y'.repeat(1500));
    }
    expect(seen).toEqual([1n, 2n, 9n, 10n, 11n, 12n]);
  });

  test('readAt finds any frame, and answers undefined where there is none', async () => {
    const log = await open({ limits: { logSegmentBytes: 1024 * 1024 } });
    const values = Array.from({ length: 500 }, (_, index) => `${index}`.repeat(300));
    await append(log, ...values);
    for (const position of [1, 2, 250, 499, 500]) {
      const frame = await log.readAt(BigInt(position));
      expect(Buffer.from(frame!.payload).toString()).toBe(values[position - 1]);
    }
    expect(await log.readAt(0n)).toBeUndefined();
    expect(await log.readAt(501n)).toBeUndefined();
  });
});

describe('positions', () => {
  test('continue after a restart', async () => {
    const log = await reopen(await open());
    await append(log, 'a');
    const again = await reopen(log);
    expect(again.recovery).toEqual({ segments: 1, frames: 1, bytes: 44 + 24 + 1 });
    expect(await append(again, 'b')).toEqual([2n]);
  });

  test('continue after everything was released', async () => {
    const log = await open();
    for (let round = 0; round < 9; round++) await append(log, 'x'.repeat(3000));
    await log.release(9n);
    expect([...fileSystem.files().keys()]).toEqual(['/log/00000000000000000009.log']);
    expect(await append(await reopen(log), 'y')).toEqual([10n]);
  });

  test('start above what the caller has seen', async () => {
    const log = await open();
    log.continueAfter(41n);
    expect(log.stats()).toMatchObject({ durablePosition: 0n, finishedPosition: 41n });
    const { durable } = log.append([text('a')]);
    expect(log.stats()).toMatchObject({ lastPosition: 42n, finishedPosition: 41n });
    await durable;
    expect(log.stats()).toMatchObject({ durablePosition: 42n, finishedPosition: 42n });
    const again = await reopen(log);
    again.continueAfter(7n);
    expect(await append(again, 'b')).toEqual([43n]);
  });

  test('of failed appends are not handed out again', async () => {
    const log = await open();
    await append(log, 'a');
    fileSystem.fault = ({ operation }) => (operation === 'sync' ? 'EIO' : undefined);
    await expect(append(log, 'b', 'c')).rejects.toMatchObject({ code: 'io' });
    fileSystem.fault = undefined;
    expect(await append(log, 'd')).toEqual([4n]);
    expect(await contents(log)).toEqual(['1 a', '4 d']);
    expect(await contents(await reopen(log))).toEqual(['1 a', '4 d']);
  });
});

describe('release', () => {
  test('keeps a segment until its last frame is released', async () => {
    const log = await open();
    for (let round = 0; round < 6; round++) await append(log, 'x'.repeat(1500));
    await log.release(3n);
    expect(log.stats()).toMatchObject({ segments: 2 });
    await log.release(1n);
    expect([...fileSystem.files().keys()].toSorted()[0]).toBe('/log/00000000000000000003.log');
  });

  test('of everything leaves a mark, which what comes next stands behind', async () => {
    const log = await open({ limits: { logSegmentBytes: 1024 * 1024 } });
    for (let round = 0; round < 6; round++) await append(log, 'x'.repeat(1500));
    const renewed = log.renew(6n, [text('mark')]);
    const after = append(log, 'y');
    await renewed;
    expect(await after).toEqual([8n]);
    expect([...fileSystem.files().keys()]).toEqual(['/log/00000000000000000007.log']);
    expect(await contents(await reopen(log))).toEqual(['7 mark', '8 y']);
  });

  test('resolves after all appends that have started, including those since the call', async () => {
    const log = await open({ limits: { logSegmentBytes: 1024 * 1024 } });
    await append(log, 'a');
    const { durable } = log.append([text('b')]);
    await log.renew(1n, [text('mark')]);
    await durable;
    await log.renew(1n, [text('mark')]);
    expect(await contents(log)).toEqual(['1 a', '2 b']);
  });

  test('of everything that fails loses nothing, and is made up for by the next append', async () => {
    const log = await open({ limits: { logSegmentBytes: 1024 * 1024 } });
    await append(log, 'a');
    fileSystem.fault = ({ operation }) => (operation === 'sync' ? 'EIO' : undefined);
    await expect(log.renew(1n, [text('mark')])).rejects.toMatchObject({ code: 'io' });
    expect(await contents(log)).toEqual(['1 a']);
    fileSystem.fault = undefined;
    await append(log, 'b');
    expect(await contents(await reopen(log))).toEqual(['1 a', '3 b']);
  });

  test('can be repeated after it failed', async () => {
    const log = await open();
    for (let round = 0; round < 6; round++) await append(log, 'x'.repeat(1500));
    fileSystem.fault = ({ operation }) => (operation === 'syncDirectory' ? 'EIO' : undefined);
    await expect(log.release(4n)).rejects.toMatchObject({ code: 'io' });
    fileSystem.fault = undefined;
    await log.release(4n);
    expect(await contents(log)).toHaveLength(2);
    expect(await contents(await reopen(log))).toHaveLength(2);
  });
});

describe('refusals come before anything is taken', () => {
  test('log-full, until positions are released', async () => {
    const log = await open({ limits: { maxLogBytes: 8192, maxFrameBytes: 4096 } });
    await append(log, 'x'.repeat(3000), 'x'.repeat(3000));
    expect(() => log.append([text('x'.repeat(3000))])).toThrow(expect.objectContaining({ code: 'log-full' }));
    expect(log.stats().lastPosition).toBe(2n);
    await append(log, 'fits');
    await log.release(1n);
    await append(log, 'x'.repeat(3000));
  });

  test('frame-too-large', async () => {
    const log = await open({ limits: { maxFrameBytes: 1024 } });
    expect(() => log.append([text('x'.repeat(1025))])).toThrow(expect.objectContaining({ code: 'frame-too-large' }));
    await append(log, 'x'.repeat(1024));
  });

  test('overloaded, while too much waits for the disk', async () => {
    const log = await open({ limits: { maxPendingBytes: 1024 } });
    const first = log.append([text('x'.repeat(900))]);
    expect(log.refusal(200)).toMatchObject({ code: 'overloaded' });
    expect(() => log.append([text('x'.repeat(200))])).toThrow(expect.objectContaining({ code: 'overloaded' }));
    await first.durable;
    expect(log.refusal(200)).toBeUndefined();
  });

  test('closed', async () => {
    const log = await open();
    const { durable } = log.append([text('waiting')]);
    await Promise.all([log.close(), log.close(), durable]);
    expect(() => log.append([])).toThrow(expect.objectContaining({ code: 'closed' }));
    await expect(log.readAt(1n)).rejects.toMatchObject({ code: 'closed' });
  });

  test.each([
    [{ logSegmentBytes: 1 }, 'logSegmentBytes is 1; give a whole number of bytes from 4096 to 1073741824'],
    [{ maxFrameBytes: 1.5e9 }, 'maxFrameBytes is 1500000000; give a whole number of bytes from 1024 to 1073741824'],
    [{ maxGroupBytes: Number.NaN }, 'maxGroupBytes is NaN; give a whole number of bytes from 1024 to 1073741824'],
    [
      { logSegmentBytes: 8192, maxFrameBytes: 1024, maxLogBytes: 9000 },
      'maxLogBytes is 9000; give at least 16384, twice',
    ],
    [{ maxFrameBytes: 8192, maxLogBytes: 16_383 }, 'the larger of logSegmentBytes and maxFrameBytes'],
  ])('limits %j', async (limits, message) => {
    await expect(open({ limits })).rejects.toThrow(message);
  });

  test('a second opening', async () => {
    const log = await open();
    await expect(open()).rejects.toMatchObject({ code: 'locked' });
    await log.close();
    await (await open()).close();
  });
});

describe('the disk', () => {
  test('a failed group also rejects events appended during its write', async () => {
    const log = await open();
    await append(log, 'a');
    let late: Promise<void> | undefined;
    fileSystem.fault = ({ operation }) => {
      if (operation !== 'sync') return undefined;
      late ??= log.append([text('late')]).durable;
      return 'EIO';
    };
    const early = log.append([text('early')]).durable;
    await expect(early).rejects.toMatchObject({ code: 'io' });
    await expect(late).rejects.toMatchObject({ code: 'io' });
    fileSystem.fault = undefined;
    expect(log.stats()).toMatchObject({ pendingFrames: 0, pendingBytes: 0, lastPosition: 3n, durablePosition: 1n });
    expect(log.stats().finishedPosition).toBe(3n);
  });

  test('full: refused with disk-full, reads go on, and works again when there is space', async () => {
    const log = await open();
    await append(log, 'a');
    fileSystem.capacity = 400;
    await expect(append(log, 'x'.repeat(1000), 'small')).rejects.toMatchObject({ code: 'disk-full' });
    await expect(append(log, 'x'.repeat(1000))).rejects.toMatchObject({ code: 'disk-full' });
    expect(log.stats()).toMatchObject({ pendingBytes: 0, failure: { code: 'disk-full' } });
    expect(await contents(log)).toEqual(['1 a']);
    expect([...fileSystem.files().values()].reduce((sum, file) => sum + file.length, 0)).toBe(69);
    fileSystem.capacity = Infinity;
    await append(log, 'b');
    expect(log.stats().failure).toBeUndefined();
    expect(await contents(await reopen(log))).toEqual(['1 a', '5 b']);
  });

  test('full: tryAgain succeeds once there is room for what was refused, and not before', async () => {
    const log = await open();
    await append(log, 'a');
    fileSystem.capacity = 400;
    await expect(append(log, 'x'.repeat(1000))).rejects.toMatchObject({ code: 'disk-full' });
    await log.tryAgain();
    expect(log.stats().failure).toMatchObject({ code: 'disk-full' });
    fileSystem.capacity = 1000;
    await log.tryAgain();
    expect(log.stats().failure).toMatchObject({ code: 'disk-full' });
    fileSystem.capacity = 1300;
    await log.tryAgain();
    expect(log.stats()).toMatchObject({ failure: undefined, lastPosition: 2n, durablePosition: 1n });
    expect([...fileSystem.files().keys()]).toEqual(['/log/00000000000000000001.log']);
    await append(log, 'x'.repeat(1000));
    expect(await contents(await reopen(log))).toEqual(['1 a', `3 ${'x'.repeat(1000)}`]);
  });

  test('appends made during tryAgain wait for it', async () => {
    const log = await open();
    fileSystem.fault = ({ operation }) => (operation === 'sync' ? 'EIO' : undefined);
    await expect(append(log, 'a')).rejects.toMatchObject({ code: 'io' });
    await log.tryAgain();
    expect(log.stats().failure).toMatchObject({ code: 'io' });
    fileSystem.fault = undefined;
    let appended: Promise<bigint[]> | undefined;
    fileSystem.delay = async ({ operation }) => {
      if (operation === 'write') appended ??= append(log, 'b');
    };
    await Promise.all([log.tryAgain(), log.tryAgain()]);
    expect(await appended).toEqual([2n]);
    expect(await contents(await reopen(log))).toEqual(['2 b']);
  });

  test('tryAgain writes nothing while all is well, and nothing once the log is closed', async () => {
    const log = await open();
    await append(log, 'a');
    fileSystem.fault = () => 'EIO';
    await log.tryAgain();
    expect(log.stats().failure).toBeUndefined();
    await expect(append(log, 'b')).rejects.toMatchObject({ code: 'io' });
    fileSystem.fault = undefined;
    const trying = log.tryAgain();
    await log.close();
    await trying;
    fileSystem.fault = () => expect.fail('a call after the end');
    await log.tryAgain();
  });

  test('full at any call: what was acknowledged stays, and the next append works', async () => {
    for (let nth = 1; nth <= 24; nth++) {
      for (const errno of ['ENOSPC', 'EIO']) {
        fileSystem = new MemoryFileSystem();
        const log = await open();
        fileSystem.fault = (call) => (call.nth === nth ? errno : undefined);
        const acknowledged: string[] = [];
        let rejected = 0;
        for (let round = 0; round < 6; round++) {
          const { position, durable } = log.append([text('x'.repeat(1300))]);
          await durable.then(
            () => acknowledged.push(`${position} ${'x'.repeat(1300)}`),
            (error: unknown) => {
              expect(error).toMatchObject({ code: errno === 'EIO' ? 'io' : 'disk-full' });
              rejected++;
            },
          );
        }
        fileSystem.fault = undefined;
        expect(rejected).toBeLessThanOrEqual(1);
        expect(await contents(log)).toEqual(acknowledged);
        fileSystem = fileSystem.afterPowerCut(seededRandom(nth));
        expect(await contents(await open())).toEqual(acknowledged);
      }
    }
  });
});
