import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { openEmbedded } from './embedded-engine.js';
import type { EngineError } from './errors.js';
import { durableTableSettings, printSettings } from './settings.js';
import { restartPause } from './supervisor.js';
import {
  blockOf,
  errorOf,
  openTestEngine,
  processLives,
  testDirectory,
  type TestEngine,
  text,
  waitUntil,
} from './testing/engines.js';
import { isDeep } from '../../../tests/support/depth.js';

/** Behavior when the engine's process dies, hangs or is orphaned. */

const endless = 'SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1';
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function startEngine(...options: Parameters<typeof openTestEngine>): Promise<TestEngine> {
  const test = await openTestEngine(...options);
  cleanups.push(() => test.end());
  return test;
}

/** Waits until the engine is ready in a new process; returns the milliseconds it took. */
async function readyAgain(test: TestEngine, before: number, milliseconds?: number): Promise<number> {
  return waitUntil(
    'the engine is ready again',
    () => test.engine.health().state === 'ready' && test.pid() !== before,
    milliseconds,
  );
}

describe('a process that dies', () => {
  it('fails its queries without delay as retryable, and recovers soon', async () => {
    const test = await startEngine();
    const queries = Array.from({ length: 6 }, () => errorOf(test.engine.query(endless, { format: 'CSV' })));
    await waitUntil('a query runs', () => true, 200);
    const pid = test.pid();
    let readies = 0;
    test.engine.onReady(() => {
      throw new Error('of a listener');
    });
    test.engine.onReady(() => (readies += 1));
    await waitUntil('the listener heard of the present', () => readies === 1);
    process.kill(pid, 'SIGKILL');
    for (const error of await Promise.all(queries))
      expect([error.code, error.retryable]).toEqual(['unavailable', true]);
    expect((await errorOf(test.engine.query('SELECT 1', { format: 'CSV' }))).code).toBe('unavailable');
    expect(test.engine.health().state).toBe('restarting');
    expect(await readyAgain(test, pid)).toBeLessThan(15_000);
    expect(readies).toBe(2);
    expect(test.engine.health()).toMatchObject({ restarts: 1, reason: 'it was ended by SIGKILL' });
    expect(await text(test.engine, 'SELECT 1')).toBe('1');
  });

  it('keeps every insert that resolved, once, and all or nothing of every other one', async () => {
    const test = await startEngine();
    await test.engine.execute(`CREATE TABLE default.t (seq UInt64, row UInt32, word LowCardinality(Nullable(String)))
      ENGINE = MergeTree ORDER BY (seq, row) SETTINGS ${printSettings(durableTableSettings)}`);
    const columns = [
      { name: 'seq', type: 'UInt64' },
      { name: 'row', type: 'UInt32' },
      { name: 'word', type: 'Nullable(String)' },
    ];
    const rows = 20_000;
    const resolved = new Set<string>();
    let seq = 0;
    for (const pause of [0, 15, 40, 80]) {
      const blocks = [];
      for (let i = 0; i < 12; i += 1) {
        seq += 1;
        const select = `SELECT ${seq}::UInt64 AS seq, number::UInt32 AS row, toString(number % 7)::Nullable(String) AS word FROM numbers(${rows})`;
        blocks.push([String(seq), await blockOf(test.engine, select, { table: 't', columns })] as const);
      }
      const pid = test.pid();
      const inserts = blocks.map(([seq, block]) =>
        test.engine.insert(block).then(
          () => resolved.add(seq),
          (error: { readonly code: string }) => expect(error.code).toBe('unavailable'),
        ),
      );
      await waitUntil('some time has passed', () => false, pause).catch(() => undefined);
      process.kill(pid, 'SIGKILL');
      await Promise.all(inserts);
      await readyAgain(test, pid);
      const stored = new Map(
        (await text(test.engine, 'SELECT seq, count(), uniqExact(row) FROM default.t GROUP BY seq'))
          .split('\n')
          .map((line) => {
            const [seq, count, distinct] = line.split('\t');
            return [seq, { count, distinct }] as const;
          }),
      );
      for (const seq of resolved)
        expect(stored.get(seq), `batch ${seq}`).toEqual({ count: String(rows), distinct: String(rows) });
      stored.delete('');
      for (const [seq, { count }] of stored) expect(count, `batch ${seq}`).toBe(String(rows));
    }
    expect(await readdir(test.options.scratchDirectory)).toEqual([]);
  });

  it('again and again is down, with a reason, and recovers when it can', async () => {
    const test = await startEngine();
    for (let i = 0; i < 3; i += 1) {
      const pid = test.pid();
      process.kill(pid, 'SIGKILL');
      if (i < 2) await readyAgain(test, pid);
    }
    await waitUntil('it is down', () => test.engine.health().state === 'down', 3000);
    expect(test.engine.health().reason).toBe('it was ended by SIGKILL');
    await waitUntil('it recovers', () => test.engine.health().state === 'ready', 5000);
    expect(await text(test.engine, 'SELECT 1')).toBe('1');
  });

  it('is started again after longer and longer pauses', () => {
    expect([1, 2, 3, 4, 9, 50].map(restartPause)).toEqual([0, 250, 500, 1000, 30_000, 30_000]);
  });
});

describe('a process that hangs', () => {
  it('is killed for not answering, and replaced', async () => {
    const test = await startEngine({ hangMilliseconds: 1000 });
    const pid = test.pid();
    process.kill(pid, 'SIGSTOP');
    const stopped = errorOf(test.engine.query('SELECT 1', { format: 'CSV' }));
    expect((await stopped).code).toBe('unavailable');
    await readyAgain(test, pid);
    expect(test.engine.health().reason).toBe('it did not answer its heartbeat');
    expect(processLives(pid)).toBe(false);
  });

  it('is not suspected while it works as hard as it can', async () => {
    const test = await startEngine({ hangMilliseconds: 1000 });
    const work = Array.from({ length: 4 }, () =>
      test.engine.query(endless, { format: 'CSV', limits: { maxSeconds: 1.5 } }).catch((error: unknown) => error),
    );
    await Promise.all(work);
    expect(test.engine.health()).toMatchObject({ state: 'ready', restarts: 0 });
    expect(test.engine.health().memoryBytes).toBeGreaterThan(100e6);
  });
});

describe('memory', () => {
  it('a query beyond its own limit and queries beyond the shared limit are refused; the process stays', async () => {
    const test = await startEngine({ memoryBytes: 1e9 });
    const pid = test.pid();
    const greedy = 'SELECT groupArray(number) FROM numbers(300000000)';
    expect((await errorOf(test.engine.query(greedy, { format: 'Native' }))).code).toBe('memory-limit');
    const unlimited = { maxMemoryBytes: 0 };
    const errors = await Promise.all(
      Array.from({ length: 3 }, () => errorOf(test.engine.query(greedy, { format: 'Native', limits: unlimited }))),
    );
    for (const error of errors) expect([error.code, error.retryable]).toEqual(['overloaded', true]);
    expect(await text(test.engine, 'SELECT 1')).toBe('1');
    expect(test.pid()).toBe(pid);
  });
});

describe('a process that gets no memory from the machine', () => {
  it('is not assumed when a statement quotes such an error', async () => {
    const test = await startEngine();
    const pid = test.pid();
    for (const [sql, code] of [
      ["SELECT match('x', 'std::bad_alloc(')", 'bad-value'],
      ["SELECT toInt64('Code: 173. Cannot allocate memory')", 'bad-value'],
      ["SELECT toInt64(materialize('Array buffer allocation failed'))", 'bad-value'],
      ["SELECT throwIf(1, 'x, errno: 28, strerror: No space left on device')", 'bad-value'],
      ['SELECT "No space left on device"', 'unknown-column'],
    ] as const)
      expect((await errorOf(test.engine.query(sql, { format: 'CSV' }))).code, sql).toBe(code);
    expect(await text(test.engine, 'SELECT 1')).toBe('1');
    expect([test.pid(), test.engine.health().restarts]).toEqual([pid, 0]);
  });

  it('fails what it runs as retryable, ends, and is replaced within three seconds', async () => {
    const test = await startEngine();
    const pid = test.pid();
    // As if the machine were out of memory: from now on every allocation fails, regardless of the
    // engine's own limits.
    execFileSync('prlimit', ['--pid', String(pid), '--data=1000000']);
    const work = 'SELECT uniqExact(toString(number)) FROM numbers(3000000)';
    const failures: EngineError[] = [];
    while (processLives(pid)) {
      const failed = await test.engine.query(work, { format: 'CSV' }).then(
        () => undefined,
        (error: EngineError) => error,
      );
      if (failed !== undefined) failures.push(failed);
    }
    for (const { code, retryable, detail } of failures)
      expect([code, retryable], detail).toEqual(['unavailable', true]);
    expect(await readyAgain(test, pid)).toBeLessThan(15_000);
    expect(await text(test.engine, 'SELECT 1')).toBe('1');
  });
});

describe('an export', () => {
  it.each(isDeep ? (['CSV', 'Parquet'] as const) : (['CSV'] as const))(
    'of half a gigabyte as %s takes little memory, whether it is read fast or not at all',
    async (format) => {
      const test = await startEngine();
      const peak = async () =>
        Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${test.pid()}/status`, 'utf8'))![1]) / 1024;
      const before = await peak();
      const sql = "SELECT number, repeat('x', 1000) FROM numbers(500000)";
      const left = test.engine.stream(sql, { format })[Symbol.asyncIterator]();
      await left.next();
      let bytes = 0;
      for await (const chunk of test.engine.stream(sql, { format })) bytes += chunk.length;
      expect(bytes).toBeGreaterThan(format === 'CSV' ? 500e6 : 1e6);
      expect((await peak()) - before).toBeLessThan(300);
      await left.return?.();
    },
  );
});

describe('the parent', () => {
  /** A server in a separate process, so that it can be killed. */
  async function parent(directory: string): Promise<{ readonly child: ChildProcess; readonly enginePid: number }> {
    const entry = join(import.meta.dirname, '../dist/index.js');
    const script = `const { openEmbedded } = await import(${JSON.stringify(pathToFileURL(entry).href)});
      const engine = await openEmbedded({ directory: ${JSON.stringify(join(directory, 'engine'))}, scratchDirectory: ${JSON.stringify(join(directory, 'scratch'))},
        log: (level, message, fields) => fields?.pid && console.log(fields.pid) });
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    cleanups.push(async () => child.kill('SIGKILL'));
    const enginePid = await new Promise<number>((resolve) =>
      child.stdout.once('data', (data) => resolve(Number(String(data)))),
    );
    return { child, enginePid };
  }

  async function directoryOfTest(): Promise<string> {
    const directory = await testDirectory();
    cleanups.push(() => rm(directory, { recursive: true, force: true }));
    return directory;
  }

  it('takes the engine with it when it is killed', async () => {
    const { child, enginePid } = await parent(await directoryOfTest());
    expect(processLives(enginePid)).toBe(true);
    child.kill('SIGKILL');
    await waitUntil('the engine is gone', () => !processLives(enginePid), 3000);
  });

  it('that follows one which left a hanging engine behind ends that engine first', async () => {
    const directory = await directoryOfTest();
    const { child, enginePid } = await parent(directory);
    process.kill(enginePid, 'SIGSTOP');
    child.kill('SIGKILL');
    await waitUntil('the parent is gone', () => !processLives(child.pid!));
    expect(processLives(enginePid)).toBe(true);
    const test = await startEngine({
      directory: join(directory, 'engine'),
      scratchDirectory: join(directory, 'scratch'),
    });
    expect(processLives(enginePid)).toBe(false);
    expect(await text(test.engine, 'SELECT 1')).toBe('1');
  });

  it('cannot open a directory that another one uses', async () => {
    const test = await startEngine();
    const again = await errorOf(openEmbedded(test.options));
    expect(again.code).toBe('unavailable');
    expect(again.detail).toContain('is in use');
    await rm(join(test.options.directory, 'owner.json'));
    const unknown = await errorOf(openEmbedded(test.options));
    expect([unknown.code, unknown.detail]).toEqual(['unavailable', expect.stringContaining('Cannot lock file')]);
    expect(await text(test.engine, 'SELECT 1')).toBe('1');
  });

  it.each(['{of}', 'of*', 'o?'])('cannot open a directory whose path would be a pattern: %s', async (name) => {
    const directory = join(await directoryOfTest(), name);
    const options = { directory: join(directory, 'engine'), scratchDirectory: join(directory, 'scratch') };
    const refused = await errorOf(openEmbedded(options));
    expect([refused.code, refused.detail]).toEqual(['unavailable', expect.stringContaining('choose a path without')]);
  });

  it('removes leftovers of an earlier run from the scratch directory, and no other files', async () => {
    const directory = await directoryOfTest();
    const scratchDirectory = join(directory, 'scratch');
    await mkdir(scratchDirectory);
    for (const name of ['block-7.native', 'export-8.pipe', 'precious.txt'])
      await writeFile(join(scratchDirectory, name), 'x');
    await startEngine({ directory, scratchDirectory });
    expect(await readdir(scratchDirectory)).toEqual(['precious.txt']);
  });
});

describe('a session', () => {
  it('is closed as soon as its statement fails, even while an export runs', async () => {
    const test = await startEngine();
    const stream = test.engine.stream("SELECT repeat('x', 1000) FROM numbers(1000000)", { format: 'CSV' });
    const reading = stream[Symbol.asyncIterator]();
    await reading.next();
    const descriptors = async () => (await readdir(`/proc/${test.pid()}/fd`)).length;
    const before = await descriptors();
    for (let i = 0; i < 100; i += 1)
      expect((await errorOf(test.engine.query('SELECT nothing', { format: 'CSV' }))).code).toBe('unknown-column');
    // A session has four descriptors, and new threads have some too.
    expect((await descriptors()) - before).toBeLessThan(200);
    await reading.return?.();
  });

  it('is handed on only when a kill can no longer hit the next statement instead of the last', async () => {
    const test = await startEngine({ sessions: 1 });
    for (let i = 0; i < 25; i++) {
      const abort = new AbortController();
      // Takes about as long as stopping it does, so that the result and the kill cross.
      const first = test.engine.query(`SELECT sleep(${(i % 5) / 1000})`, { format: 'CSV', signal: abort.signal });
      const over = first.catch(() => undefined);
      abort.abort();
      expect(await text(test.engine, `SELECT ${i} + sleep(0.002)`)).toBe(String(i));
      await over;
    }
  });
});

describe('closing', () => {
  it('waits for running work, refuses new work, and leaves no process', async () => {
    const test = await startEngine({ closeMilliseconds: 60_000 });
    const pid = test.pid();
    const running = text(test.engine, 'SELECT sum(sipHash64(number)) > 0 FROM numbers(20000000)');
    const closing = test.engine.close();
    expect((await errorOf(test.engine.query('SELECT 1', { format: 'CSV' }))).code).toBe('unavailable');
    expect(await running).toBe('1');
    await closing;
    expect([processLives(pid), test.engine.health().state]).toEqual([false, 'closed']);
    expect(existsSync(join(test.options.directory, 'clickhouse'))).toBe(true);
  });

  it('cancels work that does not end', async () => {
    const test = await startEngine({ closeMilliseconds: 200 });
    const errors = Array.from({ length: 6 }, () => errorOf(test.engine.query(endless, { format: 'CSV' })));
    const start = performance.now();
    await test.engine.close();
    expect(performance.now() - start).toBeLessThan(15_000);
    expect(new Set((await Promise.all(errors)).map(({ code }) => code))).toEqual(new Set(['cancelled']));
  });

  it('ends an engine that hangs', async () => {
    const test = await startEngine({ closeMilliseconds: 100, hangMilliseconds: 60_000 });
    process.kill(test.pid(), 'SIGSTOP');
    await test.engine.close();
    expect(processLives(test.pid())).toBe(false);
  });
});
