import { randomBytes } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cell, createDataset, send } from './support/apl.ts';
import {
  removeDirectory,
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from './support/server-process.ts';
import { mountSmallDisk } from './support/small-disk.ts';

/** A server whose disk really is full. */

const directory = temporaryDirectory();
const disk = mountSmallDisk(join(directory, 'disk'));
const data = join(disk.path, 'data');
const megabyte = 1 << 20;

describe.skipIf(!disk.mounted)('the disk fills up', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServer(data, { MILLRACE_LOG_LEVEL: 'silent' });
    for (const name of ['logs', 'old']) await createDataset(server, name);
  });
  afterAll(async () => {
    await server.stop();
    disk.end();
    removeDirectory(directory);
  });

  it('ingest answers 503 before it acknowledges, reads continue, and ingest recovers when there is room again', async () => {
    let acknowledged = 0;
    let sent = 0;
    // Each event has a new field, so the definition of the table changes too.
    const sendOne = async (): Promise<number> => {
      const event = { text: 'x'.repeat(10_000), [`field${sent++}`]: 1 };
      const { status } = await send(server, 'logs', JSON.stringify(event));
      if (status === 200) acknowledged++;
      return status;
    };
    for (let i = 0; i < 20; i++) expect(await sendOne()).toBe(200);
    expect(await cell(server, 'logs | count')).toBe(20);

    disk.fill();
    const statuses: number[] = [];
    for (let i = 0; i < 30; i++) statuses.push(await sendOne());
    expect(new Set(statuses.slice(10))).toEqual(new Set([503]));
    expect(await cell(server, 'logs | count')).toBeGreaterThanOrEqual(20);
    const { status, body } = await request(server, '/healthz');
    expect(status).toBe(503);
    expect(JSON.stringify(body)).not.toContain(disk.path);

    // Other changes are rejected just as clearly, or succeed if they need no space.
    const changes = [
      await createDataset(server, 'new'),
      await request(server, '/v2/vfields', { body: JSON.stringify({ dataset: 'logs', name: 'v', expression: '1' }) }),
      await request(server, '/v2/datasets/old', { method: 'DELETE' }),
    ];
    for (const change of changes) expect([200, 204, 503]).toContain(change.status);
    expect(await cell(server, 'logs | count')).toBeGreaterThanOrEqual(20);

    // A load balancer sends nothing until the server is healthy.
    disk.makeRoom();
    await expect.poll(() => request(server, '/healthz').then(({ status }) => status)).toBe(200);
    await expect.poll(sendOne).toBe(200);
    await expect.poll(() => request(server, '/healthz').then(({ status }) => status)).toBe(200);
    expect(await cell(server, 'logs | count')).toBe(acknowledged);

    await server.stop();
    server = await startServer(data, { MILLRACE_LOG_LEVEL: 'silent' });
    expect(await cell(server, 'logs | count')).toBe(acknowledged);
  });

  it('a trim makes room: the last of it is not taken for events', async () => {
    const isHealthy = (): Promise<boolean> => request(server, '/healthz').then(({ status }) => status === 200);
    // Incompressible texts.
    const sendMegabytes = async (age: number): Promise<number> => {
      const _time = new Date(Date.now() - age * 86_400_000).toISOString();
      const events = Array.from({ length: 500 }, () => ({ _time, text: randomBytes(2000).toString('base64') }));
      return (await send(server, 'logs', JSON.stringify(events))).status;
    };
    await expect.poll(isHealthy).toBe(true);
    for (let i = 0; i < 12; i++) expect(await sendMegabytes(5)).toBe(200);
    const before = Number(await cell(server, 'logs | count'));
    disk.fillUpTo(24 * megabyte);
    let taken = 0;
    await expect
      .poll(async () => {
        const status = await sendMegabytes(0);
        if (status === 200) taken++;
        return status;
      })
      .toBe(503);
    await expect.poll(isHealthy).toBe(false);
    // The log may still have had room when the engine had none: such events are read later.
    const recent = 'logs | where _time > ago(1d) | count';
    const early = before - 12 * 500;
    const seen = Number(await cell(server, recent));
    expect(seen).toBeGreaterThanOrEqual(early);
    expect(seen).toBeLessThanOrEqual(early + 500 * taken);
    const body = JSON.stringify({ maxDuration: '3d' });
    expect((await request(server, '/v2/datasets/logs/trim', { body })).status).toBe(204);
    expect(Number(await cell(server, 'logs | count'))).toBeLessThan(before + 500 * taken);
    await expect.poll(isHealthy).toBe(true);
    expect(await sendMegabytes(0)).toBe(200);
    await expect.poll(() => cell(server, recent)).toBe(early + 500 * (taken + 1));
    disk.makeRoom();
  });

  it('a trim of events of today frees their space at once, though nothing can be inserted before', async () => {
    const free = (): number => statfsSync(disk.path).bavail * statfsSync(disk.path).bsize;
    const sendSome = async (): Promise<number> => {
      const events = Array.from({ length: 2000 }, () => ({ text: randomBytes(2000).toString('base64') }));
      return (await send(server, 'today', JSON.stringify(events))).status;
    };
    await createDataset(server, 'today');
    for (let i = 0; i < 4; i++) await expect.poll(sendSome).toBe(200);
    expect(await cell(server, 'today | count')).toBe(8000);
    const last = await Promise.all([sendSome(), sendSome()]);
    disk.fillUpTo(2 * megabyte);
    expect(last).toEqual([200, 200]);
    const { status, body } = await send(server, 'today', '[{"a":1}]');
    if (status !== 200) expect(body).toMatchObject({ message: expect.stringContaining('no events were stored') });
    const full = free();
    await new Promise((resolve) => setTimeout(resolve, 10));
    const trimmed = await request(server, '/v2/datasets/today/trim', { body: JSON.stringify({ maxDuration: '1ms' }) });
    expect(trimmed).toMatchObject({ status: 204 });
    expect(free()).toBeGreaterThan(full + 16 * megabyte);
    expect(await cell(server, 'today | count')).toBe(0);
    await expect.poll(sendSome).toBe(200);
    expect(await cell(server, 'today | count')).toBe(2000);
    disk.makeRoom();
  });

  it('a stop succeeds, though the history of queries cannot be written', async () => {
    // The metadata of a server that has run for long has reserved free space.
    await server.stop();
    server = await startServer(data, { MILLRACE_LOG_LEVEL: 'silent' });
    disk.fill();
    for (let i = 0; i < 60; i++) {
      const body = JSON.stringify({ apl: `logs | count // ${i} ${'x'.repeat(9000)}` });
      expect((await request(server, '/v1/datasets/_apl?format=tabular&saveAsKind=apl', { body })).status).toBe(200);
    }
    expect(await server.stop()).toBe(0);
    disk.makeRoom();
    server = await startServer(data, { MILLRACE_LOG_LEVEL: 'silent' });
  });
});
