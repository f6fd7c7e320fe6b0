import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEngine } from './open-engine.js';
import { defaultSettings } from '@millrace/http/settings/settings';

const logger = pino({ level: 'silent' });
/** A server of an unsupported version, which is rejected immediately. */
const tooOld = createServer((_request, response) => void response.end('1.0\n'));
let clickhouseUrl: string;
let dataDir: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'open-engine-'));
  await new Promise<void>((resolve) => tooOld.listen(0, '127.0.0.1', resolve));
  clickhouseUrl = `http://127.0.0.1:${(tooOld.address() as AddressInfo).port}`;
});
afterAll(() => {
  tooOld.closeAllConnections();
  tooOld.close();
  rmSync(dataDir, { recursive: true });
});

it('a directory that never had a database elsewhere can begin with the embedded engine, and then stays with it', async () => {
  const elsewhere = () => openEngine(defaultSettings({ dataDir, clickhouseUrl }), logger);
  await expect(elsewhere()).rejects.toMatchObject({ problem: expect.stringContaining('or later is required') });
  const engine = await openEngine(defaultSettings({ dataDir }), logger);
  await engine.close();
  await expect(elsewhere()).rejects.toMatchObject({ problem: expect.stringContaining('embedded engine') });
});

it('a directory that was started with a bucket is not opened without one', async () => {
  const withBucket = mkdtempSync(join(tmpdir(), 'open-engine-'));
  const open = (coldUrl?: string) => openEngine(defaultSettings({ dataDir: withBucket, coldUrl }), logger);
  // The bucket need not be reachable while it is unused.
  await (await open('http://127.0.0.1:1/bucket/folder')).close();
  await expect(open()).rejects.toMatchObject({ setting: 'coldUrl', problem: expect.stringContaining('in a bucket') });
  rmSync(withBucket, { recursive: true });
});

it('a ClickHouse server that is away is no wrong setting', async () => {
  const away = mkdtempSync(join(tmpdir(), 'open-engine-'));
  const proxy = createServer((_request, response) => void response.writeHead(502).end());
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const open = () => openEngine(defaultSettings({ dataDir: away, clickhouseUrl: url }), logger, 1);
  const unreachableError = (why: string) => ({
    code: 'clickhouse-away',
    message: `ClickHouse cannot be reached at ${url}: ${why}`,
  });
  await expect(open()).rejects.toMatchObject(unreachableError('something in between answers with the status 502'));
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
  await expect(open()).rejects.toMatchObject(unreachableError('connection refused (ECONNREFUSED)'));
  rmSync(away, { recursive: true });
});

it.each(['', '{"owner":', 'null', '{"owner":7,"claimed":true}', '{"owner":"a"}'])(
  'a damaged record of the owner is an error that says how to mend it: %s',
  async (text) => {
    const damaged = mkdtempSync(join(tmpdir(), 'open-engine-'));
    writeFileSync(join(damaged, 'clickhouse.json'), text);
    await expect(openEngine(defaultSettings({ dataDir: damaged }), logger)).rejects.toMatchObject({
      problem: expect.stringContaining('clickhouse.json is damaged'),
    });
    rmSync(damaged, { recursive: true });
  },
);
