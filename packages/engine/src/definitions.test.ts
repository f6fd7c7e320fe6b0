import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Definitions } from './definitions.js';
import { errorOf, openTestEngine, testDirectory, type TestEngine, text } from './testing/engines.js';

const directory = await testDirectory();
const disk = join(directory, 'disk');
const filler = join(disk, 'filler');

/** Mounts a disk that can be filled. Only root may do so. */
function mount(): boolean {
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function fill(): void {
  const file = openSync(filler, 'w');
  try {
    for (const bytes of [1 << 20, 4096]) {
      try {
        for (;;) writeSync(file, Buffer.alloc(bytes));
      } catch {
        // Full for chunks of this size.
      }
    }
  } finally {
    closeSync(file);
  }
}

const isMounted = mount();
const logs = { database: 'm', table: 'logs' };
const columnsOfLogs = "SELECT groupArray(name) FROM system.columns WHERE table = 'logs'";

describe.skipIf(!isMounted)('the definition of a table on a full disk', () => {
  let opened: TestEngine;
  beforeAll(async () => {
    opened = await openTestEngine({ directory: disk });
    await opened.engine.execute('CREATE DATABASE m');
    const sql = 'CREATE TABLE m.logs (a Int64) ENGINE = MergeTree ORDER BY a';
    await opened.engine.execute(sql, { defines: logs });
    await opened.engine.execute('INSERT INTO m.logs VALUES (1)');
  });
  afterAll(async () => {
    await opened.engine.close();
    execFileSync('umount', ['-l', disk]);
    rmSync(directory, { recursive: true });
  });

  const reopen = async (): Promise<void> => {
    await opened.engine.close();
    opened = await openTestEngine({ directory: disk });
  };

  it('is not written without free space', async () => {
    fill();
    const { engine } = opened;
    const add = engine.execute('ALTER TABLE m.logs ADD COLUMN b Int64', { defines: logs });
    expect((await errorOf(add)).code).toBe('disk-full');
    const other = { database: 'm', table: 'other' };
    const create = engine.execute('CREATE TABLE m.other (a Int64) ENGINE = MergeTree ORDER BY a', {
      defines: other,
    });
    expect((await errorOf(create)).code).toBe('disk-full');
    rmSync(filler);
    expect(await text(engine, columnsOfLogs)).toBe("['a']");
  });

  it.each([
    ['logs', 'ALTER TABLE m.logs ADD COLUMN b Int64'],
    ['fresh', 'CREATE TABLE m.fresh (a Int64) ENGINE = MergeTree ORDER BY a'],
  ])('is the previous one when the disk fills up while it is written: %s', async (table, sql) => {
    let restarts = 0;
    const run = async (): Promise<void> => {
      fill();
      await opened.engine.execute(sql);
    };
    const work = new Definitions(disk).write({ database: 'm', table }, run, () => restarts++);
    expect((await errorOf(work)).code).toBe('disk-full');
    expect(restarts).toBe(1);
    rmSync(filler);
    await reopen();
    expect(await text(opened.engine, columnsOfLogs)).toBe("['a']");
    expect(await text(opened.engine, 'SELECT a FROM m.logs')).toBe('1');
    expect(await text(opened.engine, "SELECT count() FROM system.tables WHERE name = 'fresh'")).toBe('0');
  });

  it('is restored at the next start when the process ended before it was checked', async () => {
    const metadata = join(disk, 'clickhouse', 'metadata', 'm', 'logs.sql');
    // As if the process ended in the middle: nothing after the statement runs.
    void new Definitions(disk).write(
      logs,
      () => new Promise(() => undefined),
      () => undefined,
    );
    await expect.poll(() => execFileSync('ls', [join(disk, 'definitions')]).toString()).toContain('logs');
    await opened.engine.close();
    rmSync(metadata);
    writeFileSync(metadata, '');
    opened = await openTestEngine({ directory: disk });
    expect(await text(opened.engine, 'SELECT a FROM m.logs')).toBe('1');
  });

  it('is the new one when all is well', async () => {
    await opened.engine.execute('ALTER TABLE m.logs ADD COLUMN b Int64', { defines: logs });
    await reopen();
    expect(await text(opened.engine, columnsOfLogs)).toBe("['a','b']");
  });
});

describe('statements that write definitions', () => {
  const other = { database: 'm', table: 'other' };
  const failUnexpected = (): void => {
    throw new Error('nothing is broken');
  };

  it('inserts wait for inserts of their table only; a repair waits for all inserts, and later inserts wait for the repair', async () => {
    const place = await testDirectory();
    const definitions = new Definitions(place);
    const steps: string[] = [];
    let end: () => void = () => undefined;
    const long = new Promise<void>((resolve) => (end = resolve));
    const written = [
      definitions.write(logs, () => long.then(() => steps.push('first of logs')), failUnexpected),
      definitions.write(logs, async () => steps.push('second of logs'), failUnexpected),
    ];
    await definitions.write(other, async () => steps.push('other'), failUnexpected);
    expect(steps).toEqual(['other']);

    const repaired = definitions.repair().then(() => steps.push('repair'));
    written.push(definitions.write(other, async () => steps.push('other, later'), failUnexpected));
    // Neither a repair nor later work may proceed while a metadata file is being written.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(steps).toEqual(['other']);
    end();
    await Promise.all([...written, repaired]);
    expect(steps).toEqual(['other', 'first of logs', 'second of logs', 'repair', 'other, later']);
    await definitions.whenRepaired();
    rmSync(place, { recursive: true });
  });
});
