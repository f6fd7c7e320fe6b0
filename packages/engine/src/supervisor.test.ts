import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { Definitions } from './definitions.js';
import { Supervisor } from './supervisor.js';
import { errorOf, openTestEngine, testDirectory, text, waitUntil } from './testing/engines.js';

/** Table metadata files must be complete before the engine opens the directory again. */

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const logs = { database: 'default', table: 'logs' };
/** Any long statement would do. */
const slow = 'SELECT sleepEachRow(1) FROM numbers(100) SETTINGS max_block_size = 1';

describe('a restart', () => {
  /** A supervisor whose next restart waits until the metadata files are complete. */
  async function restartingSupervisor() {
    const directory = await testDirectory();
    cleanups.push(async () => rmSync(directory, { recursive: true }));
    let settle = (): void => undefined;
    const repairDone = new Promise<void>((resolve) => (settle = resolve));
    const options = {
      directory,
      sessions: {
        query: 1,
        export: 1,
        statement: 1,
        upkeep: 1,
        narrowing: 1,
        deletion: 1,
        removal: 1,
        moving: 0,
        insert: 1,
      },
      maxWaiting: 1,
      memoryBytes: 1e9,
      startMilliseconds: 60_000,
      hangMilliseconds: 2000,
      stuckMilliseconds: 2000,
      detach: { afterMilliseconds: 1000, max: 1 },
      log: () => undefined,
    };
    let repaired = Promise.resolve();
    const supervisor = await Supervisor.start(options, { repair: () => repaired });
    repaired = repairDone;
    cleanups.push(() => supervisor.close(0, 0));
    supervisor.current().kill('the test wants it');
    await waitUntil('it has ended', () => supervisor.health().state === 'restarting');
    return { supervisor, settle };
  }

  it('waits for definitions to be whole', async () => {
    const { supervisor, settle } = await restartingSupervisor();
    // A start takes a third of that.
    await sleep(1000);
    expect(supervisor.health().state).toBe('restarting');
    settle();
    await waitUntil('it is ready', () => supervisor.health().state === 'ready');
  });

  it('stays closed when it is closed during the opening', async () => {
    const { supervisor, settle } = await restartingSupervisor();
    const closed = supervisor.close(0, 0);
    settle();
    await closed;
    expect(supervisor.health().state).toBe('closed');
  });
});

describe('a definition', () => {
  it('is whole when the engine is closed, even if its process had to be killed', async () => {
    const { engine, options, pid, end } = await openTestEngine({ closeMilliseconds: 100 });
    cleanups.push(end);
    const keptFiles = () => readdirSync(join(options.directory, 'definitions'));
    const defined = errorOf(engine.execute(slow, { defines: logs }));
    await waitUntil('it has begun', async () => (await text(engine, 'SELECT count() FROM system.processes')) === '2');
    expect(keptFiles()).toEqual(['default.logs']);
    process.kill(pid(), 'SIGSTOP');
    await engine.close();
    expect(keptFiles()).toEqual([]);
    expect((await defined).code).toBe('unavailable');
  });

  it('is not written if the previous one cannot be kept', async () => {
    const directory = await testDirectory();
    cleanups.push(async () => rmSync(directory, { recursive: true }));
    writeFileSync(join(directory, 'definitions'), 'no directory');
    let begun = false;
    const write = new Definitions(directory).write(
      logs,
      async () => (begun = true),
      () => undefined,
    );
    const error = await errorOf(write);
    expect([error.name, error.code, begun]).toEqual(['EngineError', 'internal', false]);
  });

  it('that could not be checked is restored before the engine starts again', async () => {
    const { engine, options, end } = await openTestEngine();
    cleanups.push(end);
    const logs = { database: 'm', table: 'logs' };
    await engine.execute('CREATE DATABASE m');
    await engine.execute('CREATE TABLE m.logs (a Int64) ENGINE = MergeTree ORDER BY a', { defines: logs });
    await engine.execute('INSERT INTO m.logs VALUES (1)');
    const [kept, metadata] = [
      join(options.directory, 'definitions', 'm.logs'),
      join(options.directory, 'clickhouse', 'metadata', 'm', 'logs.sql'),
    ];
    // While the engine adds a column, the metadata file is lost, and then the disk cannot read it.
    const defined = errorOf(engine.execute(slow, { defines: logs }));
    await waitUntil('it is kept', () => existsSync(kept));
    rmSync(metadata);
    mkdirSync(metadata);
    const { restarts } = engine.health();
    await engine.execute("KILL QUERY WHERE query LIKE '%sleepEachRow(1)%' AND query NOT LIKE 'KILL%'", {
      apart: 'upkeep',
    });
    expect((await defined).code).toBe('internal');
    rmSync(metadata, { recursive: true });
    writeFileSync(metadata, '');
    await waitUntil(
      'it has started again',
      () => engine.health().state === 'ready' && engine.health().restarts > restarts,
    );
    expect(await text(engine, 'SELECT a FROM m.logs')).toBe('1');
    expect(existsSync(kept)).toBe(false);
  });

  it('that is canceled is checked once the engine has stopped working on it', async () => {
    const { engine, options, end } = await openTestEngine();
    cleanups.push(end);
    const abort = new AbortController();
    const defined = errorOf(engine.execute(slow, { defines: logs, signal: abort.signal }));
    const running =
      "SELECT count() FROM system.processes WHERE query LIKE '%sleepEachRow(1)%' AND query NOT LIKE '%processes%'";
    await waitUntil('it has begun', async () => (await text(engine, running)) === '1');
    abort.abort();
    expect((await defined).code).toBe('cancelled');
    expect(readdirSync(join(options.directory, 'definitions'))).toEqual([]);
    expect(await text(engine, running)).toBe('0');
  });
});
