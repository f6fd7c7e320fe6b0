import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';
import { cert, key } from '@millrace/http/testing/localhost-certificate';
import { unusedDependency } from '@millrace/server/testing/every-route';
import { freePort } from '../../../engine/src/testing/free-port.js';
import { defaultSettings, type Settings } from '@millrace/http/settings/settings';
import { listen } from './listeners.js';
import { ColumnBudget, DEFAULT_LIMITS } from '@millrace/events';

/** Syslog through real sockets. */

let world: EngineTestServer;
let ports: Readonly<Record<'tcp' | 'udp' | 'late' | 'gelf', number>>;
beforeAll(async () => {
  ports = { tcp: await freePort(), udp: await freePort(), late: await freePort(), gelf: await freePort() };
  world = await openEngineTestServer({
    maxSyslogConnections: 2,
    syslogListeners: [
      `tcp://127.0.0.1:${ports.tcp}/tcp?zone=+02:00`,
      `udp://127.0.0.1:${ports.udp}/udp`,
      `tcp://127.0.0.1:${ports.late}/late`,
    ],
    gelfListeners: [`udp://127.0.0.1:${ports.gelf}/gelf`, `tcp://127.0.0.1:${ports.gelf}/gelf`],
  });
  for (const name of ['tcp', 'udp', 'gelf']) await world.dataset(name);
});
afterAll(() => world.close());

async function send(port: number, text: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.end(text);
  await once(socket, 'close');
}

const countOf = async (dataset: string, where = 'true'): Promise<unknown> =>
  (await world.apl(`['${dataset}'] | where ${where} | count`)).tables[0]!.columns[0]![0];

test('TCP: lines and messages with lengths, of both forms, with the zone of the listener', async () => {
  await send(
    ports.tcp,
    '<37>1 2026-09-21T14:13:20Z web su 1 ID [ex@1 a="b"] modern\n49 <37>Sep 21 16:13:21 web su[12]: {"level":"info"}\n<13>neither\n',
  );
  await expect.poll(() => countOf('tcp')).toBe(3);
  const { tables } = await world.apl(
    "['tcp'] | where application == 'su' | order by _time asc | project _time, hostname, procId, message, severity, facility, remoteAddress, ['metadata.ex.a'], level",
  );
  expect(tables[0]!.columns).toEqual([
    ['2026-09-21T14:13:20Z', '2026-09-21T14:13:21Z'],
    ['web', 'web'],
    ['1', '12'],
    ['modern', '{"level":"info"}'],
    ['notice', 'notice'],
    ['auth', 'auth'],
    ['127.0.0.1', '127.0.0.1'],
    ['b', null],
    [null, 'info'],
  ]);
  expect(await countOf('tcp', "message == 'neither' and hostname == '127.0.0.1'")).toBe(1);
});

test('UDP: a datagram is a message', async () => {
  const socket = createSocket('udp4');
  for (const text of ['<13>Sep 21 14:13:20 h a: one', '<13>two\n'])
    await new Promise((resolve) => socket.send(text, ports.udp, '127.0.0.1', resolve));
  await expect.poll(() => countOf('udp', "message in ('one', 'two')")).toBe(2);
  socket.close();
});

test('GELF: datagrams in chunks and compressed, and streams', async () => {
  const socket = createSocket('udp4');
  const message = (text: string) => JSON.stringify({ version: '1.1', host: 'h', short_message: text, _n: 1 });
  const packed = gzipSync(message(`packed ${'x'.repeat(50)}`));
  const chunk = (i: number) =>
    Buffer.concat([
      Buffer.from([0x1e, 0x0f, 1, 2, 3, 4, 5, 6, 7, 8, i, 2]),
      packed.subarray(i * 40, i === 1 ? undefined : 40),
    ]);
  for (const datagram of [Buffer.from(message('plain')), chunk(1), chunk(0), Buffer.from('broken')])
    await new Promise((resolve) => socket.send(datagram, ports.gelf, '127.0.0.1', resolve));
  await send(ports.gelf, `${message('first')}\0${message('last')}`);
  await expect.poll(() => countOf('gelf', "host == 'h' and n == 1")).toBe(4);
  expect(await countOf('gelf', "message startswith 'packed' or message in ('plain', 'first', 'last')")).toBe(4);
  const { text } = await world.send('GET', '/metrics');
  expect(text).toMatch(/^millrace_protocol_events_total\{protocol="gelf",outcome="failed"\} 1$/m);
  socket.close();
});

test('messages wait for a missing dataset', async () => {
  await send(ports.late, '<13>early\n');
  await expect.poll(async () => (await world.send('GET', '/v2/datasets/late')).status).toBe(404);
  await world.dataset('late');
  await expect.poll(() => countOf('late', "message == 'early'")).toBe(1);
});

test('a connection too many is closed', async () => {
  const sockets = [connect(ports.tcp, '127.0.0.1'), connect(ports.tcp, '127.0.0.1')];
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const third = connect(ports.tcp, '127.0.0.1');
  third.on('error', () => undefined);
  expect(await once(third, 'close')).toEqual([false]);
  const other = connect({ port: ports.tcp, host: '127.0.0.1', localAddress: '127.0.0.2' });
  other.end('<13>from another address\n');
  await expect.poll(() => countOf('tcp', "message == 'from another address'")).toBe(1);
  const { text } = await world.send('GET', '/metrics');
  expect(text).toMatch(/^millrace_socket_connections_refused_total 2$/m);
  for (const socket of sockets) socket.destroy();
});

test.each<[string, Partial<Settings>]>([
  ['Fluentd', { maxFluentdConnections: 1, fluentdListeners: ['tcp://127.0.0.1:0/tls'] }],
  ['GELF', { maxGelfConnections: 1, gelfListeners: ['tcp://127.0.0.1:0/tls'] }],
])('a connection too many is closed: %s', async (_, settings) => {
  const { listener } = await startListener(settings);
  const first = connect(listener.port, '127.0.0.1');
  await once(first, 'connect');
  const second = connect(listener.port, '127.0.0.1');
  second.on('error', () => undefined);
  await once(second, 'close');
  expect(first.closed).toBe(false);
  first.destroy();
  await listener.close();
});

/** A TLS listener, and the number of messages in each batch. */
const tlsListener = (query = '') => startListener({ syslogListeners: [`tls://127.0.0.1:0/tls${query}`] });

/** A listener, and the number of messages in each batch. */
async function startListener(settings: Partial<Settings>) {
  const stored: number[] = [];
  const [listener] = await listen({
    settings: defaultSettings(settings),
    tls: { cert, key },
    metrics: { count: () => undefined } as never,
    logger: { debug: () => undefined } as never,
    ingest: {
      ...unusedDependency(),
      arrivalClock: () => 1_790_000_000_000_000_000n,
      limits: { ...DEFAULT_LIMITS, maxDecompressedBytes: 1 << 20 },
      encoders: { usageOf: () => ({ all: 0, own: 0 }), encode: unusedDependency() },
      answered: () => undefined,
      targets: {
        ...unusedDependency(),
        find: async () => ({
          name: 'tls',
          mapFields: new Set(),
          stored: { id: 1, fields: { size: 0, has: () => false }, placement: new ColumnBudget() } as never,
        }),
      },
      storage: {
        pendingBytes: 0,
        intake: {
          checkRoom: () => undefined,
          append: async (_: unknown, { ingested }: { ingested: number }) => (stored.push(ingested), { position: 1n }),
        },
      } as never,
    },
  });
  return { listener: listener!, stored };
}

/**
 * Sends two messages over TLS, optionally with a client certificate; resolves when the connection
 * ends.
 */
async function sendOverTls(port: number, own: object = {}): Promise<void> {
  const socket = connectTls({ port, host: '127.0.0.1', ca: cert, servername: 'localhost', ...own });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.end('<13>one\n<13>two');
  await closed;
}

test('TLS: with the certificate of the server, and what has come is stored before a stop ends', async () => {
  const { listener, stored } = await tlsListener();
  await sendOverTls(listener.port);
  await listener.close();
  expect(stored).toEqual([2]);
});

test('TLS: only senders with a certificate of the named authority, if one is named', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'millrace-syslog-'));
  const file = join(directory, 'ca.pem');
  writeFileSync(file, cert);
  const { listener, stored } = await tlsListener(`?client-ca=${file}`);
  await sendOverTls(listener.port);
  await sendOverTls(listener.port, { cert, key });
  await listener.close();
  expect(stored).toEqual([2]);
  writeFileSync(file, 'no certificate');
  await expect(tlsListener(`?client-ca=${file}`)).rejects.toThrow('does not hold a certificate');
  rmSync(directory, { recursive: true });
  await expect(tlsListener(`?client-ca=${file}`)).rejects.toThrow('cannot be read');
});
