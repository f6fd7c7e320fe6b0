import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDataset, send } from './support/apl.ts';
import {
  removeDirectory,
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from './support/server-process.ts';

/**
 * Files of a stopped server are damaged or gone. A server that starts then either says so or does
 * not start.
 */

const whole = temporaryDirectory();
let directory: string;
let server: ServerProcess | undefined;
const quiet = { MILLRACE_LOG_LEVEL: 'silent' };

beforeAll(async () => {
  const first = await startServer(whole, quiet);
  await createDataset(first, 'logs');
  expect((await send(first, 'logs', JSON.stringify([{ id: 1 }, { id: 2 }]))).status).toBe(200);
  await first.stop();
});
beforeEach(() => {
  directory = temporaryDirectory();
  cpSync(whole, directory, { recursive: true, verbatimSymlinks: true });
});
afterEach(async () => {
  await server?.kill();
  server = undefined;
  removeDirectory(directory);
});
afterAll(() => removeDirectory(whole));

const at = (...path: readonly string[]): string => join(directory, ...path);
const remove = (...path: readonly string[]): void => rmSync(at(...path), { recursive: true });
const start = async (): Promise<ServerProcess> => (server = await startServer(directory, quiet));

/** The parts of the tables of datasets. */
const parts = (): readonly string[] =>
  readdirSync(at('engine', 'clickhouse', 'store'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\/\d{8}_\d+_\d+_\d+(_\d+)?$/.test(path))
    .map((path) => join('engine', 'clickhouse', 'store', path));

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
    ['the engine', () => remove('engine')],
  ])('%s: healthz, metrics and verify say so', async (_, damage) => {
    expect(parts()).not.toEqual([]);
    remove('log');
    damage();
    const running = await start();
    expect((await request(running, '/healthz')).body).toMatchObject({ status: 'incomplete' });
    const { body } = await request(running, '/v1/verify', { method: 'POST' });
    expect(body).toMatchObject({
      missing: expect.arrayContaining([expect.objectContaining({ datasetId: 2, events: 2 })]),
    });
    expect((await request(running, '/v1/verify/accept', { method: 'POST' })).status).toBe(204);
    expect((await request(running, '/healthz')).body).toMatchObject({ status: 'ok' });
  });
});
