import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Settings } from '@millrace/http/settings/settings';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';

/** Readers that stop reading: the server's buffers for them are bounded in size and time. */

const events = 50_000;
/** Much more than the operating system buffers for a connection that is not read. */
const eventBytes = 400;
/** A slice that was passed to the connection, and one that waits for it. */
const maxBufferedBytes = 2 ** 20;

async function worldWith(settings: Partial<Settings>): Promise<EngineTestServer> {
  const world = await openEngineTestServer(settings);
  await world.dataset('wide');
  for (let from = 0; from < events; from += 10_000)
    await world.ingest(
      'wide',
      Array.from({ length: 10_000 }, (_, i) => ({ id: from + i, text: `${from + i} `.padEnd(eventBytes, 'x') })),
    );
  return world;
}

describe('a slow reader', () => {
  /** The server under test. */
  let world: EngineTestServer;
  /** Tolerates a reader's pause that is longer than a test, and has slots for two exports. */
  let patient: EngineTestServer;
  /** Does not. */
  let strict: EngineTestServer;
  /** Has slots for two exports, which slow readers lose to waiting ones. */
  let crowded: EngineTestServer;
  /** The server's ends of the connections made here, by their port at the other end. */
  const ends = new Map<number | undefined, Socket>();
  const handleRequest = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    ends.set(socket.remotePort, socket);
  };
  beforeAll(async () => {
    subscribe('http.server.request.start', handleRequest);
    patient = await worldWith({ maxConcurrentQueries: 4, exportSessions: 3, leastReaderPace: 2 ** 20 });
    strict = await worldWith({ stalledReaderTimeout: 500 });
    crowded = await worldWith({ exportSessions: 3, leastReaderPace: 2 ** 30 });
    world = patient;
  }, 60_000);
  afterAll(async () => {
    unsubscribe('http.server.request.start', handleRequest);
    await Promise.all([patient, strict, crowded].map((each) => each.close()));
  });

  const page = { path: '/v1/datasets/_apl?format=tabular&nocache=true', body: { apl: `wide | take ${events}` } };
  const requests: readonly (readonly [string, { path: string; body: unknown }])[] = [
    ['a tabular page', page],
    ['a legacy page', { ...page, path: '/v1/datasets/_apl?format=legacy&nocache=true' }],
    ['a page of rows', { ...page, path: '/v1/query/_apl?format=tabular-rows&nocache=true' }],
    ['a structured page', { path: '/v1/datasets/wide/query?nocache=true', body: { limit: events } }],
    ['an export', { path: '/v1/export', body: { apl: 'wide' } }],
  ];

  /** Sends a request without reading the response. */
  async function ask({ path, body }: { path: string; body: unknown }) {
    const { hostname, port } = new URL(world.url);
    const client = connect(Number(port), hostname);
    client.on('error', () => undefined);
    client.pause();
    const text = JSON.stringify(body);
    client.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${world.owner}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
    const server = await until(() => ends.get(client.localPort));
    return { client, server };
  }
  /**
   * Reads so many bytes per second.
   * @returns whether the response was complete
   */
  async function readAt(pace: number, client: Socket): Promise<boolean> {
    const began = performance.now();
    let bytes = 0;
    let end = '';
    client.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      end = (end + chunk.subarray(-9).toString('latin1')).slice(-9);
      const early = (bytes / pace) * 1000 - (performance.now() - began);
      if (early < 1) return;
      client.pause();
      setTimeout(() => client.resume(), early);
    });
    client.resume();
    await new Promise((resolve) => client.once('close', resolve));
    return end.endsWith('\r\n0\r\n\r\n');
  }
  async function until<T>(find: () => T | undefined | Promise<T | undefined>, within = 20_000): Promise<T> {
    const started = performance.now();
    for (;;) {
      const found = await find();
      if (found !== undefined) return found;
      if (performance.now() - started > within) throw new Error('it did not come to that');
      await pause(5);
    }
  }
  const waitUntilSending = ({ server }: { server: Socket }) =>
    until(() => (server.writableLength > 0 ? true : undefined));
  const runningCount = async () => (await world.send<readonly unknown[]>('GET', '/v1/queries')).body.length;

  it.each(requests)(
    '%s: the server buffers little, and the rest arrives as it is read',
    async (_, request) => {
      const reader = await ask(request);
      await waitUntilSending(reader);
      let max = 0;
      for (let i = 0; i < 20; i++) {
        max = Math.max(max, reader.server.writableLength);
        await pause(10);
      }
      expect(max).toBeLessThan(maxBufferedBytes);
      expect(await runningCount()).toBe(1);
      let bytes = 0;
      let text = '';
      reader.client.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        text = (text + chunk.subarray(-200).toString('latin1')).slice(-200);
      });
      reader.client.resume();
      await new Promise((resolve) => reader.client.once('close', resolve));
      expect(bytes).toBeGreaterThan(events * eventBytes);
      // The end of a response: the oldest event, or the end of the JSON around it.
      expect(text.replace(/\r\n0\r\n\r\n$/, '').trimEnd()).toMatch(/[\]}]$/);
      await until(async () => ((await runningCount()) === 0 ? true : undefined));
    },
    30_000,
  );

  it('many hold no more than their results, and exports not even these', async () => {
    const usedBytes = (): number => process.memoryUsage().arrayBuffers;
    // Both responses together are larger than this; some of the sent data is not collected yet.
    const before = usedBytes();
    const readers = await Promise.all([1, 2].map(() => ask({ path: '/v1/export', body: { apl: 'wide' } })));
    await Promise.all(readers.map(waitUntilSending));
    await pause(300);
    expect(usedBytes() - before).toBeLessThan(32 * 2 ** 20);
    for (const { client } of readers) client.destroy();
    await until(async () => ((await runningCount()) === 0 ? true : undefined));
  }, 30_000);

  it('is as slow as what it is sent, which may be many times what the engine writes', async () => {
    const names = ['a', 'b'].map((letter) => letter.repeat(200));
    const apl = `wide | project ${names.map((name, i) => `['${name}'] = ${i}`).join(', ')}`;
    const readers = await Promise.all([1, 2].map(() => ask({ path: '/v1/export', body: { apl } })));
    await Promise.all(readers.map(waitUntilSending));
    const whole = Promise.all(readers.map(({ client }) => readAt(4 * 2 ** 20, client)));
    expect((await world.send('POST', '/v1/export', { apl: 'wide | take 1' })).status).toBe(200);
    expect(await whole).toEqual([true, true]);
  }, 60_000);

  it('counts among the queries of its token until it has read', async () => {
    const readers = await Promise.all([1, 2, 3, 4].map(() => ask(page)));
    await Promise.all(readers.map(waitUntilSending));
    expect((await world.send('POST', '/v1/datasets/_apl', { apl: 'wide | count' })).status).toBe(429);
    for (const { client } of readers) client.destroy();
    await until(async () => ((await runningCount()) === 0 ? true : undefined));
    expect((await world.send('POST', '/v1/datasets/_apl', { apl: 'wide | count' })).status).toBe(200);
  }, 30_000);

  const stopping = requests.filter(([name]) => name === 'a tabular page' || name === 'an export');
  it.each(stopping)(
    '%s: a stalled client is disconnected and its query canceled',
    async (_, request) => {
      world = strict;
      const reader = await ask(request);
      await until(() => (reader.server.destroyed ? true : undefined), 12_000);
      expect(await until(async () => ((await runningCount()) === 0 ? true : undefined))).toBe(true);
      reader.client.destroy();
      expect((await world.send('GET', '/metrics')).text).toContain('http_refusals_total{code="reader-stalled"}');
    },
    30_000,
  );

  it('in each place for exports keeps others waiting for a moment only, and backups not at all', async () => {
    world = crowded;
    const readers = await Promise.all([1, 2].map(() => ask({ path: '/v1/export', body: { apl: 'wide' } })));
    await Promise.all(readers.map(waitUntilSending));
    const { body: begun } = await world.send<{ position: string; datasets: { id: number; name: string }[] }>(
      'POST',
      '/v1/backup',
    );
    const { id } = begun.datasets.find(({ name }) => name === 'wide')!;
    const backup = await world.send('GET', `/v1/backup/datasets/${id}?upTo=${begun.position}`);
    expect([backup.status, backup.text.slice(-4)]).toEqual([200, 'PAR1']);
    expect(await runningCount()).toBe(2);

    const third = await world.send('POST', '/v1/export', { apl: 'wide' });
    expect([third.status, third.text.trimEnd().split('\n').length]).toEqual([200, events]);

    // One of them has lost its slot, and its response must not look complete.
    const whole = await Promise.all(readers.map(({ client }) => readAt(Infinity, client)));
    expect(whole.filter(Boolean)).toHaveLength(1);
    await until(async () => ((await runningCount()) === 0 ? true : undefined));
  }, 60_000);
});
