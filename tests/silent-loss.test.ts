import { cpSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';
import { createDataset, send } from './support/apl.ts';
import { removeDirectory, startServer, temporaryDirectory } from './support/server-process.ts';

/**
 * Damaged or missing files of a stopped server: at the next start, the server reports them or
 * refuses to start.
 */

const whole = temporaryDirectory();
let directory: string;
let server: EngineTestServer | undefined;

beforeAll(async () => {
  const first = await openEngineTestServer({ dataDir: whole });
  for (const name of ['logs', 'other']) await first.dataset(name, [{ id: 1 }, { id: 2 }]);
  await first.close();
});
beforeEach(() => {
  directory = temporaryDirectory();
  cpSync(whole, directory, { recursive: true, verbatimSymlinks: true });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  removeDirectory(directory);
});
afterAll(() => removeDirectory(whole));

const at = (...path: readonly string[]): string => join(directory, ...path);
const remove = (...path: readonly string[]): void => rmSync(at(...path), { recursive: true });
const start = async (): Promise<EngineTestServer> => (server = await openEngineTestServer({ dataDir: directory }));

/** The parts of the tables of datasets. */
const parts = (): readonly string[] =>
  readdirSync(at('engine', 'clickhouse', 'store'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\/\d{8}_\d+_\d+_\d+(_\d+)?$/.test(path))
    .map((path) => join('engine', 'clickhouse', 'store', path));

/** Table metadata file of a dataset. */
const definition = (id: number): string => at('engine', 'clickhouse', 'metadata', 'millrace', `d${id}.sql`);
const files = (id: number): string => {
  const [, uuid = ''] = /UUID '([^']+)'/.exec(readFileSync(definition(id), 'utf8')) ?? [];
  return at('engine', 'clickhouse', 'store', uuid.slice(0, 3), uuid);
};

function exchange(one: string, other: string): void {
  renameSync(one, `${one}.aside`);
  renameSync(other, one);
  renameSync(`${one}.aside`, other);
}

describe('metadata that know less than the events', () => {
  it.each([
    ['empty', () => writeFileSync(at('metadata.sqlite'), '')],
    ['missing, and the log too', () => (remove('metadata.sqlite'), remove('log'))],
    ['missing, and the engine too', () => (remove('metadata.sqlite'), remove('engine'))],
  ])('%s: no start', async (_, damage) => {
    damage();
    await expect(start()).rejects.toThrow('metadata.sqlite does not know');
  });
});

describe('events whose files are gone, and that the log no longer has', () => {
  it.each([
    ['a part that is damaged', () => parts().forEach((part) => writeFileSync(at(part, 'data.cmrk4'), ''))],
    ['a file of a part', () => parts().forEach((part) => remove(part, 'data.bin'))],
    ['the directory of a part', () => parts().forEach((part) => remove(part))],
    ['the definition of a table', () => rmSync(definition(2))],
    ['the files of a table', () => rmSync(files(2), { recursive: true })],
    ['the engine', () => remove('engine')],
  ])('%s: healthz, metrics and verify say so', async (_, damage) => {
    expect(parts()).not.toEqual([]);
    remove('log');
    damage();
    const running = await start();
    expect((await running.send('GET', '/healthz')).body).toMatchObject({ status: 'incomplete' });
    const { body } = await running.send('POST', '/v1/verify');
    expect(body).toMatchObject({
      missing: expect.arrayContaining([expect.objectContaining({ datasetId: 2, events: 2 })]),
    });
    expect((await running.send('POST', '/v1/verify/accept')).status).toBe(204);
    expect((await running.send('GET', '/healthz')).body).toMatchObject({ status: 'ok' });
  });

  it('files of the log and the engine, removed at once after the first events: healthz and verify say so', async () => {
    const fresh = temporaryDirectory();
    try {
      const first = await startServer(fresh, { MILLRACE_LOG_LEVEL: 'silent' });
      await createDataset(first, 'first');
      expect(await send(first, 'first', '[{}]')).toMatchObject({ status: 200 });
      await first.kill();
      for (const name of ['log', 'engine']) rmSync(join(fresh, name), { recursive: true });
      server = await openEngineTestServer({ dataDir: fresh });
      const { body } = await server.send<{ status: string; reasons: readonly string[] }>('GET', '/healthz');
      expect(body).toMatchObject({ status: 'incomplete' });
      expect(body.reasons.join()).toContain('files of the log are missing since');
      expect((await server.send('POST', '/v1/verify')).body).toMatchObject({
        missing: expect.arrayContaining([expect.objectContaining({ datasetId: 0 })]),
      });
      await server.send('POST', '/v1/verify/accept');
      expect((await server.send('GET', '/healthz')).body).toMatchObject({ status: 'ok' });
    } finally {
      await server?.close();
      server = undefined;
      removeDirectory(fresh);
    }
  });

  it('stays said when what the engine put aside is removed', async () => {
    remove('log');
    for (const part of parts()) remove(part, 'data.bin');
    await (await start()).close();
    rmSync(join(files(2), 'detached'), { recursive: true });
    const running = await start();
    const { body } = await running.send('POST', '/v1/verify');
    expect(body).toMatchObject({
      missing: expect.arrayContaining([expect.objectContaining({ datasetId: 2, events: 2 })]),
    });
  });
});

describe('files that are damaged behind the back of a server that runs', () => {
  const partsOfLogs = (): readonly string[] => parts().filter((part) => at(part).startsWith(files(2)));
  const overwrite = (path: string): void => {
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0x5a, 0, bytes.length));
  };
  it.each([
    [
      'overwritten',
      'the file data.bin does not match its checksum',
      () => partsOfLogs().forEach((part) => overwrite(at(part, 'data.bin'))),
    ],
    [
      'cut off',
      'the file data.bin has the wrong size',
      () => partsOfLogs().forEach((part) => truncateSync(at(part, 'data.bin'), 5)),
    ],
    ['removed', 'the file data.bin is missing', () => partsOfLogs().forEach((part) => remove(part, 'data.bin'))],
  ])('%s: queries answer 503, healthz and verify say why', async (_, reason, damage) => {
    const running = await start();
    damage();
    const { body: before } = await running.send<{ damaged: readonly object[] }>('POST', '/v1/verify?files=true');
    expect(before.damaged).toEqual(
      expect.arrayContaining([expect.objectContaining({ datasetId: 2, dataset: 'logs', reason })]),
    );
    const response = await running.send<{ message: string }>('POST', '/v1/datasets/_apl?format=tabular', {
      apl: 'logs | where id == 2',
    });
    expect(response).toMatchObject({ status: 503, body: { message: expect.stringContaining('files are damaged') } });
    const health = await running.send<{ reasons: readonly string[] }>('GET', '/healthz');
    expect(health.body).toMatchObject({ status: 'incomplete' });
    expect(health.body.reasons.join()).toMatch(/files of \d datasets? are damaged/);
    expect((await running.send('POST', '/v1/verify')).body).toMatchObject({
      damaged: expect.arrayContaining([expect.objectContaining({ datasetId: 2 })]),
    });
  });
});

describe('parts overwritten with zeros while the server is stopped', () => {
  const zero = (): void => {
    for (const part of parts()) writeFileSync(at(part, 'data.bin'), readFileSync(at(part, 'data.bin')).fill(0));
  };
  const query = () =>
    server!.send<{ message: string }>('POST', '/v1/datasets/_apl?format=tabular', { apl: 'logs | where id == 2' });

  it('whose events the log has: they are stored again, and the parts put aside', async () => {
    zero();
    const running = await start();
    expect((await running.send('GET', '/healthz')).body).toMatchObject({ status: 'incomplete' });
    expect(await query()).toMatchObject({
      status: 200,
      body: { tables: [{ columns: [[expect.any(String)], [expect.any(String)], [2]] }] },
    });
    expect((await running.send('POST', '/v1/verify')).body).toMatchObject({
      missing: [],
      wrong: [],
      aside: expect.arrayContaining([expect.stringMatching(/^d2\/\S+: damaged$/)]),
    });
    expect((await running.send('GET', '/healthz')).body).toMatchObject({ status: 'ok' });
  });

  it('whose events only they have: queries answer 503, healthz and verify say why, others go on', async () => {
    remove('log');
    zero();
    const running = await start();
    const health = await running.send<{ reasons: readonly string[] }>('GET', '/healthz');
    expect(health.body).toMatchObject({ status: 'incomplete' });
    expect(health.body.reasons.join()).toMatch(/files of \d datasets are damaged/);
    expect(await query()).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('files are damaged') },
    });
    const { body } = await running.send('POST', '/v1/verify');
    expect(body).toMatchObject({ damaged: expect.arrayContaining([expect.objectContaining({ datasetId: 2 })]) });
    await running.dataset('later', [{ id: 7 }]);
    expect(await running.apl('later | project id')).toMatchObject({ tables: [{ columns: [[7]] }] });
  });
});

describe('tables of two datasets that were exchanged', () => {
  it.each([
    ['directories', () => exchange(files(2), files(3))],
    ['definitions', () => exchange(definition(2), definition(3))],
  ])('%s: no start, which says which', async (_, damage) => {
    damage();
    const detail = expect.stringMatching(/the files of the table millrace\.d[23] are those of millrace\.d[23]/);
    await expect(start()).rejects.toMatchObject({ detail });
  });
});

it.each(['engine', 'log'])('the directory %s of another server prevents the start with an error', async (name) => {
  const mark = at(name, 'belongs-to');
  expect(readFileSync(mark, 'utf8')).toMatch(/^millrace-[0-9a-f]+$/);
  writeFileSync(mark, 'millrace-another');
  await expect(start()).rejects.toThrow(`${mark} says that these files are of the server millrace-another`);
});

it('metadata that were cut off: no start', async () => {
  for (const bytes of [40_000, 5000, 5]) {
    truncateSync(at('metadata.sqlite'), bytes);
    await expect(start()).rejects.toThrow('metadata.sqlite');
  }
});

it('metadata that are empty next to the write-ahead log of a killed server prevent the start', async () => {
  const running = await startServer(directory, { MILLRACE_LOG_LEVEL: 'silent' });
  await createDataset(running, 'later');
  await running.kill();
  truncateSync(at('metadata.sqlite'), 0);
  await expect(start()).rejects.toThrow('metadata.sqlite');
});
