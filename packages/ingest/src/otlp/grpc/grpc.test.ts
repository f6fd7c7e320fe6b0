import { connect as connectTcp } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Client, type ClientUnaryCall, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';
import { attribute, bodyOf, logs, spans } from '../testing/test-requests.js';

/** OTLP/gRPC against a complete server, with the gRPC client that exporters use. */

const maxBodyBytes = 1 << 20;
let world: EngineTestServer;
let client: Client;
beforeAll(async () => {
  world = await openEngineTestServer({
    autoCreateDatasets: true,
    otlpGrpc: '127.0.0.1:0',
    otlpLogsDataset: 'default-logs',
    maxBodyBytes,
  });
  client = new Client(`127.0.0.1:${world.otlpGrpcPort}`, credentials.createInsecure());
});
afterAll(async () => {
  client.close();
  await world.close();
});

const exportLogs = '/opentelemetry.proto.collector.logs.v1.LogsService/Export';
const exportTraces = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const exportMetrics = '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export';
const checkHealth = '/grpc.health.v1.Health/Check';

interface Answer {
  readonly code: number;
  readonly details: string;
  readonly content: Buffer;
  readonly trailers: Metadata;
}

const asIs = (bytes: Buffer): Buffer => bytes;

function call(
  method: string,
  body: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  { through = client, deadline }: { readonly through?: Client; readonly deadline?: number } = {},
): Promise<Answer> {
  const metadata = new Metadata();
  const all = { authorization: `Bearer ${world.owner}`, ...headers };
  for (const [name, value] of Object.entries(all)) if (value !== '') metadata.set(name, value);
  return new Promise((resolve) => {
    const options = deadline === undefined ? {} : { deadline: Date.now() + deadline };
    const answer = (error: ServiceError | null, content?: Buffer): void =>
      resolve({
        code: error?.code ?? status.OK,
        details: error?.details ?? '',
        content: content ?? Buffer.alloc(0),
        trailers: error?.metadata ?? new Metadata(),
      });
    const made: ClientUnaryCall = through.makeUnaryRequest(
      method,
      asIs,
      asIs,
      Buffer.from(body),
      metadata,
      options,
      answer,
    );
    made.on('error', () => undefined);
  });
}

const start = 1_790_000_000_000_000_000n;
const range = { startTime: '2026-09-21T00:00:00Z', endTime: '2026-09-22T00:00:00Z' };
const record = (body: string) => ({ timeUnixNano: String(start), body: { stringValue: body } });
const logsOf = (...bodies: readonly string[]) =>
  bodyOf('logs', 'application/x-protobuf', logs(...bodies.map((body) => record(body))));
const cells = async (apl: string): Promise<unknown[][]> =>
  (await world.apl(apl, range)).tables[0]!.columns.map((column) => [...column]);

describe('stored', () => {
  test('logs: the response is empty, and the records can be queried', async () => {
    const answer = await call(exportLogs, logsOf('first', 'second'), { 'x-axiom-dataset': 'grpc-logs' });
    expect(answer).toMatchObject({ code: status.OK, content: Buffer.alloc(0) });
    expect(await cells("['grpc-logs'] | sort by body asc | project body")).toEqual([['first', 'second']]);
  });

  test('traces, in the same events as over HTTP', async () => {
    const span = {
      traceId: '01'.repeat(16),
      spanId: '02'.repeat(8),
      name: 'GET /',
      startTimeUnixNano: String(start),
      endTimeUnixNano: String(start + 5n),
      attributes: [attribute('cart.items', { intValue: '3' })],
    };
    const body = bodyOf('traces', 'application/x-protobuf', spans(span));
    expect((await call(exportTraces, body, { 'x-axiom-dataset': 'grpc-traces' })).code).toBe(status.OK);
    await world.send('POST', '/v1/traces', body, {
      headers: { 'content-type': 'application/x-protobuf', 'x-axiom-dataset': 'http-traces' },
    });
    const project = "project trace_id, span_id, name, duration, items = ['attributes.custom']['cart.items']";
    const stored = await cells(`['grpc-traces'] | ${project}`);
    expect(stored[1]).toEqual(['02'.repeat(8)]);
    expect(stored).toEqual(await cells(`['http-traces'] | ${project}`));
  });

  test('the default dataset of the signal, over gRPC and HTTP', async () => {
    expect((await call(exportLogs, logsOf('grpc'))).code).toBe(status.OK);
    const { status: overHttp } = await world.send('POST', '/v1/logs', logsOf('http'), {
      headers: { 'content-type': 'application/x-protobuf' },
    });
    expect(overHttp).toBe(200);
    expect(await cells("['default-logs'] | sort by body asc | project body")).toEqual([['grpc', 'http']]);
  });

  test('records that fail are reported as partial success', async () => {
    const late = { timeUnixNano: '9999999999999999999', body: { stringValue: 'late' } };
    const body = bodyOf('logs', 'application/x-protobuf', logs(record('good'), late));
    const { code, content } = await call(exportLogs, body, { 'x-axiom-dataset': 'partial' });
    expect(code).toBe(status.OK);
    expect(content.toString()).toContain('resource 0, scope 0, log record 1');
    expect(await cells("['partial'] | project body")).toEqual([['good']]);
  });

  test('an empty request', async () => {
    expect(await call(exportLogs, Buffer.alloc(0))).toMatchObject({ code: status.OK, content: Buffer.alloc(0) });
  });
});

test.each<[string, number, string, () => Promise<Answer>]>([
  [
    'a wrong token',
    status.UNAUTHENTICATED,
    'authentication failed',
    () => call(exportLogs, logsOf('x'), { authorization: 'Bearer xaat-no' }),
  ],
  ['no token', status.UNAUTHENTICATED, 'no token was sent', () => call(exportLogs, logsOf('x'), { authorization: '' })],
  [
    'no dataset',
    status.INVALID_ARGUMENT,
    "header 'x-axiom-dataset' is missing or empty; send it with the name of a dataset, or start the server with MILLRACE_OTLP_TRACES_DATASET",
    () => call(exportTraces, Buffer.alloc(0)),
  ],
  [
    'no right',
    status.PERMISSION_DENIED,
    "ingest:create on 'secret'",
    async () => {
      const token = await world.token({ datasetCapabilities: { other: { ingest: ['create'] } } });
      return call(exportLogs, logsOf('x'), { authorization: `Bearer ${token}`, 'x-axiom-dataset': 'secret' });
    },
  ],
  [
    'no right on the default dataset',
    status.PERMISSION_DENIED,
    "ingest:create on 'default-logs'",
    async () => {
      const token = await world.token({ datasetCapabilities: { other: { ingest: ['create'] } } });
      return call(exportLogs, logsOf('x'), { authorization: `Bearer ${token}` });
    },
  ],
  ['damaged protobuf', status.INVALID_ARGUMENT, 'byte 0', () => call(exportLogs, Buffer.from([0xff, 0xff]))],
  [
    'a message beyond the limit',
    status.RESOURCE_EXHAUSTED,
    `larger than ${maxBodyBytes} bytes`,
    () => call(exportLogs, Buffer.alloc(maxBodyBytes + 1)),
  ],
  [
    'metrics into a dataset of events',
    status.INVALID_ARGUMENT,
    'stores events, not metrics',
    () => call(exportMetrics, Buffer.alloc(0), { 'x-axiom-metrics-dataset': 'after' }),
  ],
  ['an unknown method', status.UNIMPLEMENTED, 'gRPC method /a.B/C not found', () => call('/a.B/C', Buffer.alloc(0))],
])('%s', async (_, code, message, send) => {
  await call(exportLogs, logsOf('before'), { 'x-axiom-dataset': 'after' });
  const answer = await send();
  expect(answer).toMatchObject({ code, details: expect.stringContaining(message) as unknown });
  // Without it, clients do not retry RESOURCE_EXHAUSTED.
  expect(answer.trailers.get('grpc-status-details-bin')).toEqual([]);
  // The connection continues.
  expect((await call(exportLogs, logsOf('after'), { 'x-axiom-dataset': 'after' })).code).toBe(status.OK);
});

test('rejections are listed like those of HTTP', async () => {
  await call(exportLogs, Buffer.from([0xff, 0xff]));
  const { text } = await world.send('GET', '/v2/ingest-refusals');
  expect(text).toContain('/v1/logs');
  expect(text).toContain('not a valid ExportLogsServiceRequest');
});

describe('health', () => {
  const healthRequest = (service: string): Buffer =>
    service === '' ? Buffer.alloc(0) : Buffer.concat([Buffer.from([0x0a, service.length]), Buffer.from(service)]);

  test.each(['', 'opentelemetry.proto.collector.logs.v1.LogsService'])("service '%s' is served", async (service) => {
    const { code, content } = await call(checkHealth, healthRequest(service), { authorization: '' });
    expect([code, content]).toEqual([status.OK, Buffer.from([8, 1])]);
  });

  test('an unknown service', async () => {
    expect(await call(checkHealth, healthRequest('other'))).toMatchObject({ code: status.NOT_FOUND });
  });
});

/** A unary request byte by byte, for what the client never sends. */
async function raw(frame: Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> {
  const { connect } = await import('node:http2');
  const session = connect(`http://127.0.0.1:${world.otlpGrpcPort}`);
  try {
    return await new Promise((resolve, reject) => {
      const stream = session.request({
        ':method': 'POST',
        ':path': exportLogs,
        'content-type': 'application/grpc',
        te: 'trailers',
        authorization: `Bearer ${world.owner}`,
        'x-axiom-dataset': 'raw',
        ...headers,
      });
      const got: Record<string, string> = {};
      stream.on('response', (response) => Object.assign(got, response));
      stream.on('trailers', (trailers) => Object.assign(got, trailers));
      stream.on('close', () => resolve(got));
      stream.on('error', reject);
      stream.resume();
      stream.end(Buffer.from(frame));
    });
  } finally {
    session.close();
  }
}

function frameOf(message: Uint8Array, flag = 0, length = message.byteLength): Buffer {
  const prefix = Buffer.from([flag, 0, 0, 0, 0]);
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, message]);
}

describe('messages', () => {
  const good = logsOf('raw');

  test.each([
    ['plain', frameOf(good), {}],
    ['gzip', frameOf(gzipSync(good), 1), { 'grpc-encoding': 'gzip' }],
    ['gzip is announced and not used', frameOf(good), { 'grpc-encoding': 'gzip' }],
  ] as const)('%s', async (_, frame, headers) => {
    expect(await raw(frame, headers)).toMatchObject({ 'grpc-status': '0' });
  });

  test.each([
    ['an unknown encoding', frameOf(good, 1), { 'grpc-encoding': 'snappy' }, 12],
    ['compressed without an encoding', frameOf(good, 1), {}, 13],
    ['not gzip', frameOf(good, 1), { 'grpc-encoding': 'gzip' }, 3],
    ['no message', Buffer.alloc(0), {}, 3],
    ['part of a prefix', Buffer.from([0, 0]), {}, 3],
    ['an unknown flag', frameOf(good, 7), {}, 3],
    ['too short', frameOf(good, 0, good.byteLength + 1), {}, 3],
    ['two messages', Buffer.concat([frameOf(good), frameOf(good)]), {}, 3],
    ['an announcement of 4 GB', frameOf(good, 0, 2 ** 32 - 1), {}, 8],
  ] as const)('%s', async (_, frame, headers, code) => {
    const before = await cells("['raw'] | count");
    expect(await raw(frame, headers)).toMatchObject({ ':status': 200, 'grpc-status': String(code) });
    expect(await cells("['raw'] | count")).toEqual(before);
  });

  test('another content type', async () => {
    expect(await raw(frameOf(good), { 'content-type': 'application/json' })).toMatchObject({ ':status': 415 });
  });

  test('a deadline that passes while the message arrives', async () => {
    const { connect } = await import('node:http2');
    const session = connect(`http://127.0.0.1:${world.otlpGrpcPort}`);
    const stream = session.request({
      ':method': 'POST',
      ':path': exportLogs,
      'content-type': 'application/grpc',
      authorization: `Bearer ${world.owner}`,
      'grpc-timeout': '50m',
    });
    stream.write(frameOf(good, 0, 1000));
    const headers = await new Promise<object>((resolve) => stream.once('response', resolve));
    expect(headers).toMatchObject({ 'grpc-status': '4' });
    session.destroy();
  });

  test('a client that disconnects in the middle, and one that does not speak HTTP/2', async () => {
    const { connect } = await import('node:http2');
    const session = connect(`http://127.0.0.1:${world.otlpGrpcPort}`);
    const stream = session.request({
      ':method': 'POST',
      ':path': exportLogs,
      'content-type': 'application/grpc',
      authorization: `Bearer ${world.owner}`,
    });
    stream.on('error', () => undefined);
    stream.write(frameOf(good, 0, 100_000));
    await new Promise((resolve) => setTimeout(resolve, 50));
    session.destroy();
    const socket = connectTcp(world.otlpGrpcPort!, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\n\r\n'));
    socket.on('error', () => undefined);
    socket.resume();
    await new Promise((resolve) => socket.once('close', resolve));
    expect((await call(exportLogs, good)).code).toBe(status.OK);
  });
});
