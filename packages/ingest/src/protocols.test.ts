import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpError } from '@millrace/api/errors';
import { unusedDependency } from '@millrace/server/testing/every-route';
import type { EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';
import { createTestServer } from '@millrace/server/testing/test-server';
import { type HttpProtocol, type ProtocolCase, protocolCases } from './testing/protocol-cases.js';
import type { Protocol } from './protocol.js';
import { protocolRoutes } from './protocol-routes.js';
import { protocols } from './protocols.js';

/** Properties of all protocols, tested with requests of their real clients. */

let world: EngineTestServer;
/** A token that was deleted. */
let deletedToken: string;
/** May send to the dataset of each case, and to no other. */
const tokens = new Map<HttpProtocol, string>();

const all = Object.entries(protocolCases) as readonly [HttpProtocol, ProtocolCase][];
const datasetOf = (name: HttpProtocol): string => `of-${name}`;

beforeAll(async () => {
  world = await sharedTestServer();
  for (const [name] of all) {
    await world.dataset(datasetOf(name));
    tokens.set(name, await world.token({ datasetCapabilities: { [datasetOf(name)]: { ingest: ['create'] } } }));
  }
  const { body } = await world.send<{ readonly id: string; readonly token: string }>('POST', '/v2/tokens', {
    name: 'rotated',
    datasetCapabilities: { '*': { ingest: ['create'] } },
  });
  deletedToken = body.token;
  await world.send('DELETE', `/v2/tokens/${body.id}`);
});
afterAll(() => world.close());

interface SendOptions {
  readonly token?: string | undefined;
  readonly dataset?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(name: HttpProtocol, body: Uint8Array | string, { token, dataset, headers }: SendOptions = {}) {
  const { path, headers: own, authorization } = protocolCases[name];
  const answer = await fetch(`${world.url}${path(dataset ?? datasetOf(name))}`, {
    method: 'POST',
    headers: { ...own, ...authorization(token ?? tokens.get(name)!), ...headers },
    body: Uint8Array.from(typeof body === 'string' ? Buffer.from(body) : body),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text };
}

const messagesIn = async (name: HttpProtocol, where: string): Promise<readonly unknown[]> => {
  const { field } = protocolCases[name];
  const found = await world.apl(
    `['${datasetOf(name)}'] | where ${field} startswith '${where}' | order by ${field} asc | project ${field}`,
  );
  return found.tables[0]!.columns[0] ?? [];
};

const getProtocol = (name: HttpProtocol): Protocol => protocols[name];

test('every protocol with tokens declares how it refuses them', () =>
  expect(
    Object.values<Protocol>(protocols).filter(
      ({ endpoints, badToken }) => endpoints.length > 0 !== (badToken !== undefined),
    ),
  ).toEqual([]));

test('every protocol is tried', () =>
  expect(Object.keys(protocolCases).sort()).toEqual(
    Object.entries(protocols)
      .filter(([, { endpoints, kind }]: readonly [string, Protocol]) => endpoints.length > 0 && kind === undefined)
      .map(([name]) => name)
      .sort(),
  ));

describe.each(all)('%s', (name, { bodyOf, bad, path, success, namesDataset, refused }) => {
  const messages = (mark: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${mark}-${String(i).padStart(6, '0')}`);

  test('a request is stored before it is answered', async () => {
    const sent = messages('plain', 3);
    const answer = await send(name, bodyOf(sent));
    expect(answer).toMatchObject(success);
    expect(answer.headers.get('x-millrace-position')).toMatch(/^\d+$/);
    expect(await messagesIn(name, 'plain')).toEqual(sent);
  });

  test.each([{ 'content-encoding': 'gzip' }, {}])('gzip, with %j', async (headers) => {
    const mark = 'content-encoding' in headers ? 'said' : 'unsaid';
    const sent = messages(mark, 2);
    expect(await send(name, gzipSync(bodyOf(sent)), { headers })).toMatchObject(success);
    expect(await messagesIn(name, mark)).toEqual(sent);
  });

  test('a large batch', async () => {
    const sent = messages('large', 5000);
    expect(await send(name, bodyOf(sent))).toMatchObject(success);
    expect(await messagesIn(name, 'large | count')).toEqual([]);
    const { tables } = await world.apl(
      `['${datasetOf(name)}'] | where ${protocolCases[name].field} startswith 'large' | count`,
    );
    expect(tables[0]!.columns).toEqual([[5000]]);
  });

  test.runIf(bad !== undefined)('one bad event among good ones fails alone', async () => {
    const { body, says } = bad!;
    expect(await send(name, body)).toMatchObject(says);
    expect(await messagesIn(name, 'good')).toEqual(['good-1', 'good-2']);
  });

  test('missing, wrong and rotated tokens are refused as the product does', async () => {
    const { status, missing = status } = getProtocol(name).badToken!;
    for (const token of ['xaat-00000000-0000-4000-8000-000000000000', 'no-token', deletedToken]) {
      const wrong = await send(name, bodyOf(['x']), { token });
      expect([token, wrong.status, wrong.text]).toEqual([token, status, expect.stringMatching(refused.says)]);
    }
    const none = await fetch(`${world.url}${path(datasetOf(name))}`, { method: 'POST', body: '' });
    expect(none.status).toBe(missing);
  });

  test('a dataset that is not there, or not named, is refused', async () => {
    const unknown = await send(name, bodyOf(['x'], 'absent'), { dataset: 'absent', token: world.owner });
    if (namesDataset) {
      expect(unknown.status).toBe(refused.dataset);
      expect(unknown.text).toMatch(refused.says);
    }
    if (path('a') !== path('b')) return;
    const unnamed = await send(name, bodyOf(['x']), { token: world.owner });
    expect(unnamed.status).toBeGreaterThanOrEqual(400);
    expect(unnamed.text).toMatch(refused.says);
  });

  test('a full server asks the sender to retry', async () => {
    const routes = protocolRoutes({
      ...unusedDependency(),
      maxBodyBytes: 1000,
      storage: {
        intake: {
          checkRoom: () => {
            throw httpError('ingest-behind', { pending: 1 }, { headers: { 'retry-after': '3' } });
          },
        },
      } as never,
      encoders: { usageOf: () => ({ all: 0, own: 0 }) } as never,
    });
    const full = await createTestServer({ routes: () => routes });
    await full.send('POST', '/v2/datasets', { name: datasetOf(name) });
    const { headers, authorization } = protocolCases[name];
    const answer = await full.inject({
      method: 'POST',
      url: path(datasetOf(name)),
      headers: { ...headers, ...authorization(full.owner) },
      payload: Buffer.from(bodyOf(['x'])),
    });
    expect([429, 503]).toContain(answer.status);
    expect(answer.headers['retry-after']).toBe('3');
    expect(answer.text).toMatch(refused.says);
    await full.close();
  });
});
