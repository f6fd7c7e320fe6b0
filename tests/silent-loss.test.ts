import { cpSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type EngineWorld, openEngineWorld } from '../packages/server/src/testing/engine-world.ts';
import { createDataset } from './support/apl.ts';
import { removeDirectory, startServer, temporaryDirectory } from './support/server-process.ts';

/**
 * Files of a stopped server are damaged or gone. A server that starts then either says so or does
 * not start.
 */

const whole = temporaryDirectory();
let directory: string;
let server: EngineWorld | undefined;

beforeAll(async () => {
  const first = await openEngineWorld({ dataDir: whole });
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
const start = async (): Promise<EngineWorld> => (server = await openEngineWorld({ dataDir: directory }));

/** The parts of the tables of datasets. */
const parts = (): readonly string[] =>
  readdirSync(at('engine', 'clickhouse', 'store'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\/\d{8}_\d+_\d+_\d+(_\d+)?$/.test(path))
    .map((path) => join('engine', 'clickhouse', 'store', path));

/** Of the table of a dataset. */
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

it.each(['engine', 'log'])('the directory %s of another server: no start, which says so', async (name) => {
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

it('metadata that are empty beside what a killed server had written ahead: no start', async () => {
  const running = await startServer(directory, { MILLRACE_LOG_LEVEL: 'silent' });
  await createDataset(running, 'later');
  await running.kill();
  truncateSync(at('metadata.sqlite'), 0);
  await expect(start()).rejects.toThrow('metadata.sqlite');
});
