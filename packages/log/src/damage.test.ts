/** How opening, verifying and salvaging treat damaged files. */
import { beforeAll, describe, expect, test } from 'vitest';
import { crc32cRange } from './crc32c.js';
import { LogError } from './errors.js';
import { viewOf } from './format.js';
import { logLimits } from './limits.js';
import type { Log } from './log.js';
import { openLog } from './open.js';
import { salvageLog } from './salvage.js';
import { MemoryFileSystem } from './testing/index.js';
import { verifyLog } from './verify.js';

type Files = Map<string, Uint8Array>;

const [first, second, third] = [1, 6, 11].map((position) => `/log/${`${position}`.padStart(20, '0')}.log`) as [
  string,
  string,
  string,
];

/** Three segments with positions 1…4, 6…9 and 11…14; 5 and 10 failed. 13 and 14 are one group. */
let sound: Files;
/** The offset in the third segment where that group begins. */
let lastGroup: number;

const payload = (position: bigint): Uint8Array => Buffer.from(`payload ${position} `.repeat(2));
const open = (fileSystem: MemoryFileSystem): Promise<Log> => openLog({ directory: '/log', fileSystem });

async function append(log: Log, count: number): Promise<void> {
  const next = log.stats().lastPosition + 1n;
  await Promise.all(Array.from({ length: count }, (_, more) => log.append([payload(next + BigInt(more))]).durable));
}

beforeAll(async () => {
  const fileSystem = new MemoryFileSystem();
  const log = await open(fileSystem);
  for (const groups of [
    [1, 1, 2],
    [1, 1, 2],
    [1, 1],
  ]) {
    for (const count of groups) await append(log, count);
    if (groups.length === 2) break;
    fileSystem.fault = ({ operation }) => (operation === 'sync' ? 'EIO' : undefined);
    await append(log, 1).catch(() => undefined);
    fileSystem.fault = undefined;
  }
  lastGroup = fileSystem.files().get(third)!.length;
  await append(log, 2);
  await log.close();
  sound = new Map(fileSystem.files());
});

/** The sound files with one of them changed or removed. */
function damageFile(path: string, change: (bytes: Uint8Array) => Uint8Array | undefined): MemoryFileSystem {
  const files = new Map(sound);
  const bytes = change(new Uint8Array(sound.get(path)!));
  if (bytes === undefined) files.delete(path);
  else files.set(path, bytes);
  return MemoryFileSystem.fromFiles(files);
}

const flipBit = (path: string, at: number): MemoryFileSystem =>
  damageFile(path, (bytes) => bytes.with(at, bytes[at]! ^ 0x10));

const cutOut = (path: string, at: number, count: number): MemoryFileSystem =>
  damageFile(path, (bytes) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + count)]));

async function positions(log: Log): Promise<number[]> {
  const found: number[] = [];
  for await (const frame of log.read()) {
    expect(Buffer.compare(frame.payload, payload(frame.position))).toBe(0);
    found.push(Number(frame.position));
  }
  return found;
}

/** Compares whole buffers: element by element would be slow. */
function expectUnchanged(fileSystem: MemoryFileSystem, before: ReadonlyMap<string, Uint8Array>): void {
  const after = fileSystem.files();
  for (const [path, bytes] of before) expect(Buffer.compare(after.get(path)!, bytes)).toBe(0);
}

async function refusal(fileSystem: MemoryFileSystem): Promise<LogError> {
  const before = fileSystem.files();
  const error = await open(fileSystem).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(LogError);
  expectUnchanged(fileSystem, before);
  return error as LogError;
}

const everyByte = (path: string): number[] => [...sound.get(path)!.keys()];

describe('opening', () => {
  test('the sound log has every frame', async () => {
    expect(await positions(await open(MemoryFileSystem.fromFiles(sound)))).toEqual([
      1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14,
    ]);
  });

  test('refuses a flipped bit at any byte that had been synced', async () => {
    for (const path of [first, second, third]) {
      for (const at of everyByte(path)) {
        if (path === third && at >= lastGroup) continue;
        const error = await refusal(flipBit(path, at));
        expect(error.code).toBe('corrupt');
      }
    }
  });

  test('refuses a file without some of the bytes that had been synced', async () => {
    for (const path of [first, second, third]) {
      const end = path === third ? lastGroup : sound.get(path)!.length;
      for (const count of [1, 60])
        for (let at = 44; at + count <= end; at++) {
          const error = await refusal(cutOut(path, at, count));
          expect(error.code, `${count} bytes at ${at} of ${path}`).toBe('corrupt');
        }
    }
  });

  test('says that a newer release wrote a segment whose checksum fits its own version', async () => {
    const newer = damageFile(third, (bytes) => {
      bytes[8] = 2;
      viewOf(bytes).setUint32(40, crc32cRange(bytes, 0, 40), true);
      return bytes;
    });
    expect((await refusal(newer)).code).toBe('unsupported-version');
  });

  test('cuts the last group from its first bad byte on, wherever it is', async () => {
    for (const at of everyByte(third).slice(lastGroup)) {
      const fileSystem = flipBit(third, at);
      const log = await open(fileSystem);
      const kept = [1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13].slice(0, log.recovery.frames);
      expect(log.recovery.cut).toMatchObject({
        file: third,
        bytes: sound.get(third)!.length - log.recovery.cut!.offset,
      });
      expect(await positions(log)).toEqual(kept);
      await append(log, 1);
      await log.close();
      const again = await open(fileSystem);
      expect(again.recovery).toMatchObject({ frames: kept.length + 1 });
      expect(again.recovery.cut).toBeUndefined();
    }
  });

  test('cuts a last write that stopped at any byte, even inside a sector', async () => {
    const full = sound.get(third)!.length;
    for (let length = lastGroup; length < full; length++) {
      for (const rest of [0, 7]) {
        const log = await open(
          damageFile(third, (bytes) => new Uint8Array([...bytes.subarray(0, length), ...Array<number>(rest).fill(0)])),
        );
        const kept = log.recovery.bytes - sound.get(first)!.length - sound.get(second)!.length;
        expect(log.recovery.cut?.bytes ?? 0).toBe(length + rest - kept);
        expect((await positions(log)).slice(0, 10)).toEqual([1, 2, 3, 4, 6, 7, 8, 9, 11, 12]);
      }
    }
  });

  test('refuses shortened and missing segments that were not released', async () => {
    for (const [path, change, reason] of [
      [first, (bytes: Uint8Array) => bytes.subarray(0, -1), 'the file ends inside a payload'],
      [second, (bytes: Uint8Array) => bytes.subarray(0, 44), 'the file ends before its recorded length'],
      [third, (bytes: Uint8Array) => bytes.subarray(0, 60), 'the file ends inside a frame header'],
      [second, () => undefined, `the segment before it, ${second.slice(5)}, is missing`],
    ] as const) {
      const error = await refusal(damageFile(path, change));
      expect(error.code).toBe('corrupt');
      expect(error.message).toContain(reason);
    }
  });

  test('takes a missing oldest segment for a released one', async () => {
    expect(await positions(await open(damageFile(first, () => undefined)))).toEqual([6, 7, 8, 9, 11, 12, 13, 14]);
  });

  test('reports position, problem and remedy', async () => {
    const error = await refusal(flipBit(second, 100));
    expect(error.message).toMatchInlineSnapshot(
      `"The log is damaged in /log/00000000000000000006.log at byte 88: the frame header does not match its checksum. Position 6 is the last intact one before it. Nothing was changed. Restore the directory from a backup, or run "millrace log verify /log" for a full report and "millrace log salvage /log TARGET" to copy every intact frame into a new log."`,
    );
  });

  test('is not fooled by a payload that contains frames of another log', async () => {
    const fileSystem = new MemoryFileSystem();
    const log = await open(fileSystem);
    await append(log, 1);
    await log.append([sound.get(third)!]).durable;
    await log.close();
    const [path, bytes] = [...fileSystem.files()][0]!;
    const torn = await open(MemoryFileSystem.fromFiles(new Map([[path, bytes.with(100, 255)]])));
    expect(torn.recovery).toMatchObject({ frames: 1, cut: { bytes: 24 + sound.get(third)!.length } });
  });
});

describe('verify', () => {
  test('reports each segment of a sound log', async () => {
    const reports = await verifyLog('/log', MemoryFileSystem.fromFiles(sound));
    expect(
      reports.map(({ file, state, firstPosition, lastPosition, frames }) => [
        file,
        state,
        firstPosition,
        lastPosition,
        frames,
      ]),
    ).toEqual([
      [first, 'sound', 1n, 4n, 4],
      [second, 'sound', 6n, 9n, 4],
      [third, 'sound', 11n, 14n, 4],
    ]);
  });

  test('continues after damage, reports it, and changes no file', async () => {
    const fileSystem = damageFile(second, (bytes) => bytes.with(80, 1));
    const before = fileSystem.files();
    const reports = await verifyLog('/log', fileSystem);
    expect(reports.map(({ state }) => state)).toEqual(['sound', 'corrupt', 'sound']);
    expect(reports[1]).toMatchObject({ offset: 44, frames: 0, reason: 'the payload does not match its checksum' });
    expectUnchanged(fileSystem, before);
    const torn = await verifyLog('/log', flipBit(third, lastGroup));
    expect(torn.map(({ state }) => state)).toEqual(['sound', 'sound', 'torn']);
  });

  test('names a missing segment', async () => {
    const reports = await verifyLog(
      '/log',
      damageFile(second, () => undefined),
    );
    expect(reports.map(({ state }) => state)).toEqual(['sound', 'missing']);
  });
});

describe('salvage', () => {
  const all = [1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14];

  async function runSalvage(fileSystem: MemoryFileSystem) {
    const before = fileSystem.files();
    const report = await salvageLog('/log', '/saved', fileSystem);
    expectUnchanged(fileSystem, before);
    const log = await openLog({ directory: '/saved', fileSystem });
    const kept = await positions(log);
    expect(kept).toHaveLength(report.frames);
    return { report, kept };
  }

  test('copies a sound log wholly', async () => {
    const { report, kept } = await runSalvage(MemoryFileSystem.fromFiles(sound));
    expect(kept).toEqual(all);
    expect(report.lost).toEqual([]);
  });

  test('loses at most the frame with a flipped bit, at any byte, and reports it', async () => {
    for (const path of [first, second, third]) {
      for (const at of everyByte(path)) {
        const { report, kept } = await runSalvage(flipBit(path, at));
        const lost = all.filter((position) => !kept.includes(position));
        expect(lost.length).toBe(at < 44 ? 0 : 1);
        expect(report.lost.length).toBe(1);
        for (const position of lost) {
          const range = report.lost[0]!;
          expect(range.file).toBe(path);
          expect(range.after < position && position < (range.before ?? 15n)).toBe(true);
        }
      }
    }
  });

  test('loses only the frames that lack bytes, and reports them', async () => {
    for (const path of [first, second, third])
      for (let at = 44; at < sound.get(path)!.length; at++) {
        const { report, kept } = await runSalvage(cutOut(path, at, 1));
        expect(kept, `byte ${at} of ${path}`).toHaveLength(all.length - 1);
        expect(report.lost.length).toBeGreaterThan(0);
      }
  });

  test('bridges a lost sector that includes the header', async () => {
    const { report, kept } = await runSalvage(damageFile(second, (bytes) => bytes.fill(0, 0, 80)));
    expect(kept).toEqual([1, 2, 3, 4, 7, 8, 9, 11, 12, 13, 14]);
    expect(report.lost.map(({ offset, reason }) => [offset, reason])).toEqual([
      [0, 'the segment header is damaged'],
      [44, 'the frame header does not match its checksum'],
    ]);
  });

  test('lists missing and shortened segments', async () => {
    const missing = await runSalvage(damageFile(second, () => undefined));
    expect(missing.kept).toEqual([1, 2, 3, 4, 11, 12, 13, 14]);
    expect(missing.report.lost).toEqual([
      { file: second, offset: 0, bytes: 0, reason: 'the file is missing', after: 4n, before: 11n },
    ]);
    const shortened = await runSalvage(damageFile(first, (bytes) => bytes.subarray(0, 44)));
    expect(shortened.report.lost).toMatchObject([{ file: first, offset: 44, after: 0n, before: 6n }]);
  });

  test('a failed attempt leaves no files that block the next one', async () => {
    const fileSystem = new MemoryFileSystem();
    const log = await open(fileSystem);
    const large = new Uint8Array(logLimits.maxGroupBytes.default / 2 + 1);
    for (let count = 0; count < 5; count++) await log.append([large]).durable;
    await log.close();
    let copied = 0;
    fileSystem.fault = ({ operation, path }) =>
      operation === 'write' && path.startsWith('/saved') && ++copied === 2 ? 'EIO' : undefined;
    await expect(salvageLog('/log', '/saved', fileSystem)).rejects.toMatchObject({ code: 'io' });
    expect(await fileSystem.list('/saved')).toEqual([]);
    expect((await salvageLog('/log', '/saved', fileSystem)).frames).toBe(5);
  });

  test('makes no target for a log that is not there', async () => {
    const fileSystem = MemoryFileSystem.fromFiles(sound);
    await expect(salvageLog('/nowhere', '/saved', fileSystem)).rejects.toMatchObject({ code: 'io' });
    await expect(fileSystem.list('/saved')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('refuses a target that is not empty', async () => {
    await expect(salvageLog('/log', '/log', MemoryFileSystem.fromFiles(sound))).rejects.toMatchObject({
      code: 'invalid-setting',
    });
  });
});
