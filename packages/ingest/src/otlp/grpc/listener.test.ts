import { once } from 'node:events';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { bytesField, numberField } from '@millrace/http/errors/protobuf-writer';
import type { InternalRequest, InternalResponse } from '@millrace/http/internal-requests';
import { Metrics } from '@millrace/http/metrics';
import { defaultSettings, type Settings } from '@millrace/http/settings/settings';
import { cert, key } from '@millrace/http/testing/localhost-certificate';
import { type GrpcListener, listenGrpc } from './listener.js';
import { parseTimeout } from './timeout.js';

/** The listener alone, with a route that the tests play. */

const method = '/opentelemetry.proto.collector.logs.v1.LogsService/Export';
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const storedResponse: InternalResponse = { status: 200, headers: {}, content: async () => Buffer.alloc(0) };

async function startListener(
  send: (request: InternalRequest) => Promise<InternalResponse>,
  changes: Partial<Settings> = {},
  tls?: { readonly cert: string; readonly key: string },
): Promise<{ readonly listener: GrpcListener; readonly client: () => Client }> {
  const listener = await listenGrpc(
    { host: '127.0.0.1', port: 0 },
    { settings: defaultSettings(changes), metrics: new Metrics(), logger: pino({ level: 'silent' }), tls, send },
  );
  closers.push(() => listener.close(0));
  const client = (): Client => {
    const made = new Client(
      `localhost:${listener.address.port}`,
      tls === undefined ? credentials.createInsecure() : credentials.createSsl(Buffer.from(cert)),
      // A separate connection.
      { 'grpc.use_local_subchannel_pool': 1 },
    );
    closers.push(() => made.close());
    return made;
  };
  return { listener, client };
}

interface Answer {
  readonly code: number;
  readonly error: ServiceError | null;
}

const asIs = (bytes: Buffer): Buffer => bytes;
const ask = (client: Client, deadline?: number): Promise<Answer> =>
  new Promise((resolve) => {
    const options = deadline === undefined ? {} : { deadline: Date.now() + deadline };
    client.makeUnaryRequest(method, asIs, asIs, Buffer.from('body'), new Metadata(), options, (error) =>
      resolve({ code: error?.code ?? status.OK, error }),
    );
  });

const failWith =
  (httpStatus: number, code: string, headers: Readonly<Record<string, string>> = {}) =>
  async () => ({
    status: httpStatus,
    headers: { 'x-millrace-error': code, ...headers },
    content: async () => Buffer.concat([numberField(1, 2), bytesField(2, 'why: 100% Grün')]),
  });

test.each([
  [429, 'ingest-behind', status.RESOURCE_EXHAUSTED],
  [429, 'rate-limited', status.RESOURCE_EXHAUSTED],
  [503, 'storage-unavailable', status.UNAVAILABLE],
])('%i %s tells when to retry', async (httpStatus, code, expected) => {
  const { client } = await startListener(failWith(httpStatus, code, { 'retry-after': '7' }));
  const { error } = await ask(client());
  expect(error).toMatchObject({ code: expected, details: 'why: 100% Grün' });
  const [details] = error!.metadata.get('grpc-status-details-bin') as Buffer[];
  const retryInfo = Buffer.concat([
    bytesField(1, 'type.googleapis.com/google.rpc.RetryInfo'),
    // retry_delay { seconds: 7 }
    bytesField(2, [Uint8Array.from([0x0a, 2, 0x08, 7])]),
  ]);
  expect(details!.includes(retryInfo)).toBe(true);
  expect(error!.metadata.get('retry-after')).toEqual(['7']);
});

test.each([
  [403, 'unauthenticated', status.UNAUTHENTICATED],
  [401, 'unauthenticated', status.UNAUTHENTICATED],
  [403, 'forbidden', status.PERMISSION_DENIED],
  [404, 'ingest-dataset-not-found', status.NOT_FOUND],
  [400, 'invalid-events', status.INVALID_ARGUMENT],
  [413, 'body-too-large', status.RESOURCE_EXHAUSTED],
  [413, 'events-too-large', status.RESOURCE_EXHAUSTED],
  [415, 'unsupported-encoding', status.UNIMPLEMENTED],
  [503, 'disk-full', status.UNAVAILABLE],
  [500, 'internal', status.INTERNAL],
])('%i %s', async (httpStatus, code, expected) => {
  const { client } = await startListener(failWith(httpStatus, code));
  const { error } = await ask(client());
  expect(error?.code).toBe(expected);
  expect(error?.metadata.get('grpc-status-details-bin')).toEqual([]);
});

test('a length that lies is rejected before a request is made of it', async () => {
  const paths: string[] = [];
  const { listener } = await startListener(async ({ path }) => {
    paths.push(path);
    return storedResponse;
  });
  const session = connect(`http://localhost:${listener.address.port}`);
  closers.push(() => session.destroy());
  const stream = session.request({ ':method': 'POST', ':path': method, 'content-type': 'application/grpc' });
  stream.write(Buffer.from([0, 255, 255, 255, 255, 1]));
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
  expect(headers).toMatchObject({
    'grpc-status': `${status.RESOURCE_EXHAUSTED}`,
    'grpc-message': expect.stringContaining('larger than') as unknown,
  });
  expect(paths).toEqual([]);
});

test('over TLS, with the certificate of the server', async () => {
  const { client } = await startListener(async () => storedResponse, {}, { cert, key });
  expect((await ask(client())).code).toBe(status.OK);
});

test('a deadline ends the call and its work', async () => {
  const signals: AbortSignal[] = [];
  const { client } = await startListener(({ signal }) => {
    signals.push(signal);
    return new Promise(() => undefined);
  });
  expect((await ask(client(), 100)).code).toBe(status.DEADLINE_EXCEEDED);
  if (!signals[0]!.aborted) await once(signals[0]!, 'abort');
});

test('a stop waits for running calls and accepts no others', async () => {
  let finish: (response: InternalResponse) => void = () => undefined;
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const { listener, client } = await startListener(() => {
    begin();
    return new Promise((resolve) => (finish = resolve));
  });
  const running = ask(client());
  await begun;
  const closed = listener.close(30_000);
  expect((await ask(client())).code).toBe(status.UNAVAILABLE);
  finish(storedResponse);
  expect((await running).code).toBe(status.OK);
  await closed;
});

test('a stop disconnects calls that take too long', async () => {
  const { client, listener } = await startListener(() => new Promise(() => undefined));
  const running = ask(client());
  await new Promise((resolve) => setTimeout(resolve, 100));
  await listener.close(50);
  expect((await running).code).toBe(status.UNAVAILABLE);
});

test('a request that does not arrive in time', async () => {
  const { connect } = await import('node:http2');
  const { listener } = await startListener(async () => storedResponse, { requestTimeout: 50 });
  const session = connect(`http://127.0.0.1:${listener.address.port}`);
  closers.push(() => session.destroy());
  const stream = session.request({ ':method': 'POST', ':path': method, 'content-type': 'application/grpc' });
  const [headers] = (await once(stream, 'response')) as [object];
  expect(headers).toMatchObject({ 'grpc-status': '4' });
});

test('a connection beyond the limit is closed', async () => {
  const { connect } = await import('node:net');
  const { listener, client } = await startListener(async () => storedResponse, { maxOtlpGrpcConnections: 1 });
  expect((await ask(client())).code).toBe(status.OK);
  const socket = connect(listener.address.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'close');
});

test('clients learn how many requests at a time a connection may have', async () => {
  const { listener } = await startListener(async () => storedResponse, { maxOtlpGrpcStreams: 7 });
  const session = connect(`http://127.0.0.1:${listener.address.port}`);
  closers.push(() => session.destroy());
  const [settings] = (await once(session, 'remoteSettings')) as [{ readonly maxConcurrentStreams: number }];
  expect(settings.maxConcurrentStreams).toBe(7);
});

test('timeouts', () => {
  const texts = ['10S', '2M', '1H', '1500m', '1u', '1n', '99999999H', '', 'x', '1', '123456789S', undefined];
  expect(texts.map(parseTimeout)).toEqual([
    10_000,
    120_000,
    3_600_000,
    1500,
    1,
    1,
    2 ** 31 - 1,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
