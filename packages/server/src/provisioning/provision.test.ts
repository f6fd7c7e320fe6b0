import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../testing/test-server.js';
import { checkProvisionDirectory, noFiles, provision } from './provision.js';

let world: TestServer;
let directory: string;
let appliedFiles: ReturnType<typeof noFiles>;
let infos: object[];
let errors: object[];
beforeEach(async () => {
  world = await createTestServer();
  directory = mkdtempSync(join(tmpdir(), 'millrace-provision-'));
  [appliedFiles, infos, errors] = [noFiles(), [], []];
});
afterEach(async () => {
  await world.close();
  rmSync(directory, { recursive: true });
});

const put = (kind: string, name: string, content: unknown): void => {
  mkdirSync(join(directory, kind), { recursive: true });
  writeFileSync(join(directory, kind, name), typeof content === 'string' ? content : JSON.stringify(content));
};
const run = async (): Promise<void> => {
  const logger = { info: (fields: object) => infos.push(fields), error: (fields: object) => errors.push(fields) };
  await provision(directory, world.deps, logger as never, appliedFiles);
};
const get = async (path: string): Promise<unknown> => (await world.send('GET', path)).body;

const board = {
  name: 'Overview',
  charts: [{ id: 'a', type: 'Note', text: 'one' }],
  layout: [{ i: 'a', x: 0, y: 0, w: 6, h: 4 }],
  refreshTime: 60,
  schemaVersion: 2,
  timeWindowStart: 'qr-now-1h',
  timeWindowEnd: 'qr-now',
};
const monitor = {
  name: 'Failed requests',
  type: 'Threshold',
  aplQuery: 'logs | summarize count()',
  operator: 'Above',
  threshold: 5,
  notifierIds: ['On call'],
};
const notifier = { name: 'On call', properties: { slack: { slackUrl: 'https://hooks.example.com/services/T0/B0/x' } } };

function putAll(): void {
  put('datasets', 'logs.json', { name: 'logs', description: 'All logs' });
  put('notifiers', 'on-call.json', notifier);
  put('monitors', 'failed.json', monitor);
  put('dashboards', 'overview.json', board);
}

describe('files of resources', () => {
  it('create them at the first run; a monitor names its notifiers', async () => {
    putAll();
    await run();
    expect(errors).toEqual([]);
    expect(infos).toHaveLength(4);
    expect(await get('/v2/datasets/logs')).toMatchObject({ name: 'logs', description: 'All logs' });
    const [{ id }] = (await get('/v2/notifiers')) as readonly [{ id: string }];
    expect(await get('/v2/monitors')).toMatchObject([{ name: 'Failed requests', threshold: 5, notifierIds: [id] }]);
    expect(await get('/v2/dashboards/uid/overview')).toMatchObject({ version: 1, dashboard: { name: 'Overview' } });
  });

  it('change nothing at the next start', async () => {
    putAll();
    await run();
    const before = await Promise.all(['/v2/notifiers', '/v2/monitors', '/v2/dashboards', '/v2/datasets'].map(get));
    world.advance(60_000);
    infos = [];
    appliedFiles = noFiles();
    await run();
    expect(infos).toEqual([]);
    expect(await Promise.all(['/v2/notifiers', '/v2/monitors', '/v2/dashboards', '/v2/datasets'].map(get))).toEqual(
      before,
    );
  });

  it('change their resource when they change, and only then undo an edit', async () => {
    putAll();
    await run();
    const edited = { version: 1, dashboard: { ...board, name: 'Edited' } };
    expect((await world.send('PUT', '/v2/dashboards/uid/overview', edited)).status).toBe(200);
    await run();
    expect(await get('/v2/dashboards/uid/overview')).toMatchObject({ dashboard: { name: 'Edited' } });
    put('dashboards', 'overview.json', { ...board, refreshTime: 15 });
    const { notifierIds: _, ...alone } = monitor;
    put('monitors', 'failed.json', { ...alone, threshold: 9 });
    put('datasets', 'logs.json', { name: 'logs', description: 'Logs', useRetentionPeriod: true, retentionDays: 7 });
    put('notifiers', 'on-call.json', {
      ...notifier,
      properties: { slack: { slackUrl: 'https://hooks.example.com/services/T0/B0/y' } },
    });
    await run();
    expect(errors).toEqual([]);
    expect(await get('/v2/dashboards/uid/overview')).toMatchObject({
      version: 3,
      dashboard: { name: 'Overview', refreshTime: 15 },
    });
    expect(await get('/v2/monitors')).toMatchObject([{ threshold: 9, notifierIds: [] }]);
    expect(await get('/v2/datasets/logs')).toMatchObject({ description: 'Logs', retentionDays: 7 });
    expect(await get('/v2/notifiers')).toHaveLength(1);
  });

  it('delete nothing when they go, and leave alone what others made', async () => {
    putAll();
    await world.send('POST', '/v2/dashboards', { dashboard: { ...board, name: 'Own' }, uid: 'own' });
    await run();
    rmSync(join(directory, 'dashboards'), { recursive: true });
    await run();
    expect(await get('/v2/dashboards')).toMatchObject([{ uid: 'overview' }, { uid: 'own' }]);
  });

  it('that fail are named, once, and stop no others', async () => {
    put('dashboards', 'a.json', '{"name":');
    put('dashboards', 'b.json', { ...board, layout: [{ i: 'none', x: 0, y: 0, w: 1, h: 1 }] });
    put('dashboards', 'c.json', board);
    put('monitors', 'm.json', { ...monitor, notifierIds: ['Nobody'] });
    await run();
    await run();
    expect(errors).toEqual([
      { file: join(directory, 'monitors', 'm.json'), problem: expect.stringContaining("'Nobody'") },
      { file: join(directory, 'dashboards', 'a.json'), problem: expect.stringContaining('JSON') },
      { file: join(directory, 'dashboards', 'b.json'), problem: expect.stringContaining("'none'") },
    ]);
    expect(await get('/v2/dashboards')).toMatchObject([{ uid: 'c' }]);
    // Another file may be what it lacked.
    put('notifiers', 'n.json', { ...notifier, name: 'Nobody' });
    await run();
    expect(await get('/v2/monitors')).toHaveLength(1);
    expect(errors).toHaveLength(3);
  });

  it('may be API responses with the document inside', async () => {
    put('dashboards', 'x.json', { uid: 'named', version: 7, dashboard: board });
    await run();
    expect(await get('/v2/dashboards/uid/named')).toMatchObject({ version: 1 });
  });

  it('with a duplicate resource are rejected', async () => {
    for (const _ of [1, 2]) await world.send('POST', '/v2/notifiers', notifier);
    put('notifiers', 'on-call.json', notifier);
    await run();
    expect(errors).toMatchObject([{ problem: expect.stringContaining("2 notifiers named 'On call'") }]);
  });
});

it('a missing directory stops the start, with the name of the setting', async () =>
  expect(checkProvisionDirectory(join(directory, 'none'))).rejects.toThrow(
    /^MILLRACE_PROVISION_DIR: .*none cannot be read/,
  ));
