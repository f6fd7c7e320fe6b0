import { once } from 'node:events';
import { connect } from 'node:net';
import { Client as GrpcClient, credentials, Metadata } from '@grpc/grpc-js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { pack } from '@millrace/ingest/bytes/pack';
import { bodyOf, logs } from '@millrace/ingest/otlp/testing/test-requests';
import { protocolCases } from '@millrace/ingest/testing/protocol-cases';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../tests/support/free-port.js';
import { type EngineTestServer, openEngineTestServer, type Tabular } from '../testing/engine-test-server.js';

/**
 * The access matrix of two organizations for other protocols: both have a dataset of the
 * same name, so an event that takes the wrong way is found in it.
 */

const dataset = 'shared';
let world: EngineTestServer;
const ports = { syslog: 0, gelf: 0, fluentd: 0 };
interface Org {
  readonly id: string;
  readonly token: string;
}
let first: Org;
let second: Org;

beforeAll(async () => {
  const listen = async (name: keyof typeof ports) => `tcp://127.0.0.1:${(ports[name] = await freePort())}/${dataset}`;
  world = await openEngineTestServer({
    failedLoginsPerMinute: 100_000,
    otlpGrpc: '127.0.0.1:0',
    syslogListeners: [await listen('syslog')],
    gelfListeners: [await listen('gelf')],
    fluentdListeners: [await listen('fluentd')],
  });
  const { body } = await world.send<{ id: string; ownerToken: string }>('POST', '/v2/orgs', { name: 'Other' });
  const [own] = (await world.send<readonly { id: string }[]>('GET', '/v2/orgs')).body;
  first = { id: own!.id, token: world.owner };
  second = { id: body.id, token: body.ownerToken };
  for (const { token } of [first, second])
    expect((await world.send('POST', '/v2/datasets', { name: dataset }, { token })).status).toBe(200);
});
afterAll(() => world.close());

/** How many events of an organization contain a text. */
async function findEvents({ token }: Org, text: string): Promise<unknown> {
  const apl = `['${dataset}'] | search '${text}' | count`;
  const body = { apl, startTime: '2020-01-01T00:00:00Z', endTime: '2035-01-01T00:00:00Z' };
  const reply = await world.send<Tabular>('POST', '/v1/datasets/_apl?format=tabular', body, { token });
  return reply.status === 200 ? reply.body.tables[0]!.columns[0]![0] : reply.text;
}

const orgPairs = () =>
  [
    [first, second],
    [second, first],
  ] as const;

test.each(Object.entries(protocolCases))('%s: the token alone says to whom events go', async (name, one) => {
  for (const [index, [own, other]] of orgPairs().entries()) {
    const send = (mark: string, org?: string) =>
      fetch(world.url + one.path(dataset), {
        method: 'POST',
        headers: {
          'x-axiom-dataset': dataset,
          ...one.headers,
          ...one.authorization(own.token),
          ...(org !== undefined && { 'x-axiom-org-id': org }),
        },
        body: Uint8Array.from(Buffer.from(one.bodyOf([mark], dataset))),
      });
    const [good, bad] = [`good${name}${index}`, `bad${name}${index}`];
    expect((await send(good)).status, name).toBeLessThan(300);
    expect((await send(bad, other.id)).status, name).toBeGreaterThanOrEqual(400);
    expect([await findEvents(own, good), await findEvents(other, good)]).toEqual([1, 0]);
    expect([await findEvents(own, bad), await findEvents(other, bad)]).toEqual([0, 0]);
  }
});

test('OTLP/gRPC: the token of the metadata', async () => {
  const client = new GrpcClient(`127.0.0.1:${world.otlpGrpcPort}`, credentials.createInsecure());
  const send = (text: string, { token }: Org, org?: string): Promise<number> => {
    const record = { timeUnixNano: '1790000000000000000', body: { stringValue: text } };
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${token}`);
    metadata.set('x-axiom-dataset', dataset);
    if (org !== undefined) metadata.set('x-axiom-org-id', org);
    const asIs = (bytes: Buffer): Buffer => bytes;
    const method = '/opentelemetry.proto.collector.logs.v1.LogsService/Export';
    const body = Buffer.from(bodyOf('logs', 'application/x-protobuf', logs(record)));
    return new Promise((resolve) => {
      client
        .makeUnaryRequest(method, asIs, asIs, body, metadata, {}, (error) => resolve(error?.code ?? 0))
        .on('error', () => undefined);
    });
  };
  for (const [index, [own, other]] of orgPairs().entries()) {
    expect(await send(`goodgrpc${index}`, own)).toBe(0);
    expect(await send(`badgrpc${index}`, own, other.id)).not.toBe(0);
    expect([await findEvents(own, `goodgrpc${index}`), await findEvents(other, `goodgrpc${index}`)]).toEqual([1, 0]);
    expect([await findEvents(own, `badgrpc${index}`), await findEvents(other, `badgrpc${index}`)]).toEqual([0, 0]);
  }
  client.close();
});

test.each<[keyof typeof ports, (mark: string) => string | Uint8Array]>([
  ['syslog', (mark) => `<14>1 2026-11-30T10:00:00Z host app - - - ${mark}\n`],
  ['gelf', (mark) => `${JSON.stringify({ version: '1.1', host: 'h', short_message: mark })}\0`],
  ['fluentd', (mark) => pack(['tag', 1_790_000_000, { message: mark }, {}])],
])('%s: a socket without tokens is of the first organization', async (name, bodyOf) => {
  const mark = `by${name}`;
  const socket = connect(ports[name], '127.0.0.1');
  socket.end(bodyOf(mark));
  await once(socket, 'finish');
  await expect.poll(() => findEvents(first, mark), { timeout: 15_000 }).toBe(1);
  expect(await findEvents(second, mark)).toBe(0);
  socket.destroy();
});

const inPath: Readonly<Record<string, readonly [path: (token: string) => string, body: (mark: string) => string]>> = {
  webhook: [(token) => `/v1/in/${token}/${dataset}`, (message) => JSON.stringify({ message })],
  'webhook of the only dataset': [(token) => `/v1/in/${token}`, (message) => JSON.stringify({ message })],
  alertmanager: [
    (token) => `/v1/in/${token}/${dataset}/alertmanager`,
    (mark) => JSON.stringify({ receiver: mark, alerts: [{ status: 'firing' }] }),
  ],
  cloudevents: [
    (token) => `/v1/in/${token}/${dataset}/cloudevents`,
    (mark) => JSON.stringify({ specversion: '1.0', id: mark, source: '/', type: 't', data: mark }),
  ],
  datadog: [(token) => `/v1/input/${token}`, (message) => JSON.stringify([{ message }])],
};

test.each(Object.entries(inPath))('a token in the path: %s', async (name, [pathOf, bodyOf]) => {
  for (const [index, [own, other]] of orgPairs().entries()) {
    const capabilities = { name: `${name} ${index}`, datasetCapabilities: { [dataset]: { ingest: ['create'] } } };
    const { body } = await world.send<{ token: string }>('POST', '/v2/tokens', capabilities, { token: own.token });
    const send = async (mark: string, org?: string) => {
      const type = name === 'cloudevents' ? 'application/cloudevents+json' : 'application/json';
      const headers = { 'content-type': type, ...(org !== undefined && { 'x-axiom-org-id': org }) };
      return (await fetch(world.url + pathOf(body.token), { method: 'POST', headers, body: bodyOf(mark) })).status;
    };
    const [good, bad] = [
      `path${name.slice(0, 9)}${name.length}${index}`,
      `wrong${name.slice(0, 9)}${name.length}${index}`,
    ];
    expect(await send(good)).toBeLessThan(300);
    expect(await send(bad, other.id)).toBeGreaterThanOrEqual(400);
    expect([await findEvents(own, good), await findEvents(other, good)]).toEqual([1, 0]);
    expect([await findEvents(own, bad), await findEvents(other, bad)]).toEqual([0, 0]);
  }
});

test('MCP: tools see the organization of the token', async () => {
  for (const [own, other] of orgPairs()) {
    const mark = `mcp${own.id.slice(-4)}`;
    await world.send('POST', '/v2/datasets', { name: mark }, { token: own.token });
    const connectWith = async (token: string, org?: string): Promise<string> => {
      const client = new Client({ name: 'matrix', version: '1' });
      const headers = { authorization: `Bearer ${token}`, ...(org !== undefined && { 'x-axiom-org-id': org }) };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), { requestInit: { headers } }),
      );
      const answer = JSON.stringify(await client.callTool({ name: 'list_datasets', arguments: {} }));
      await client.close();
      return answer;
    };
    expect(await connectWith(own.token)).toContain(mark);
    expect(await connectWith(other.token)).not.toContain(mark);
    await expect(connectWith(other.token, own.id)).rejects.toThrow('gives no access to the organization');
  }
});

test('a tail gets the events of its organization only', async () => {
  for (const [index, [own, other]] of orgPairs().entries()) {
    const stop = new AbortController();
    const headers = { authorization: `Bearer ${own.token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ apl: `['${dataset}']` });
    const crossed = await fetch(`${world.url}/v1/tail`, {
      method: 'POST',
      headers: { ...headers, 'x-axiom-org-id': other.id },
      body,
    });
    expect(crossed.status).toBe(403);
    const tail = await fetch(`${world.url}/v1/tail`, { method: 'POST', headers, body, signal: stop.signal });
    let seen = '';
    const reading = (async () => {
      for await (const chunk of tail.body!) seen += Buffer.from(chunk as Uint8Array).toString();
    })().catch(() => undefined);
    await expect.poll(() => seen).not.toBe('');
    for (const { token, text } of [
      { token: other.token, text: `theirs${index}` },
      { token: own.token, text: `ours${index}` },
    ])
      await world.send('POST', `/v1/datasets/${dataset}/ingest`, [{ text }], { token });
    await expect.poll(() => seen, { timeout: 15_000 }).toContain(`ours${index}`);
    expect(seen).not.toContain(`theirs${index}`);
    stop.abort();
    await reading;
  }
});

test('only owners of the first organization change and delete others', async () => {
  const third = (await world.send<{ id: string; ownerToken: string }>('POST', '/v2/orgs', { name: 'Third' })).body;
  const status = async (method: string, id: string, { token }: { readonly token: string }, body?: object) =>
    (await world.send(method, `/v2/orgs/${id}`, body, { token })).status;
  for (const [method, body] of [
    ['DELETE'],
    ['PUT', { name: 'Taken' }],
    ['PUT', { limits: { storageBytes: 1 } }],
  ] as const) {
    expect(await status(method, third.id, second, body)).toBe(404);
    expect(await status(method, first.id, second, body)).toBe(404);
  }
  const admin = await world.send<{ id: string }>('POST', '/v2/users', {
    name: 'A',
    email: 'a@example.com',
    role: 'admin',
  });
  const token = (
    await world.send<{ token: string }>('POST', '/v2/personal-tokens', { name: 'a', userId: admin.body.id })
  ).body.token;
  expect(await status('DELETE', third.id, { token })).toBe(403);
  // Owners of the server do not rename others, and no owner deletes their own or the first one.
  expect(await status('PUT', third.id, first, { name: 'Taken' })).toBe(403);
  expect(await status('DELETE', second.id, second)).toBe(403);
  expect(await status('DELETE', first.id, first)).toBe(403);
  const listed = await world.send<readonly { name: string; limits?: object }[]>('GET', '/v2/orgs?include=member');
  expect(listed.body.map(({ name, limits }) => [name, limits])).toEqual([
    ['Millrace', undefined],
    ['Other', {}],
    ['Third', {}],
  ]);
});

test('files of the console are the same for all, and hold nothing of an organization', async () => {
  const page = async (headers: Record<string, string>): Promise<string> =>
    (await (await fetch(`${world.url}/console/`, { headers })).text()).replaceAll(/nonce="[^"]*"/g, '');
  const plain = await page({});
  expect(plain).toContain('<!doctype html');
  for (const { id, token } of [first, second])
    expect(await page({ 'x-axiom-org-id': id, authorization: `Bearer ${token}` })).toBe(plain);
});
