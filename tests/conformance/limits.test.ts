import { setTimeout as sleep } from 'node:timers/promises';
import { AxiomWithoutBatching, ContentType } from '@axiomhq/js';
import { expect, it } from 'vitest';
import { request } from '../support/server-process.ts';
import { oneServer } from './one-server.ts';

/**
 * Responses to a client that exceeds limits. Failed authentication is 403 here, as documented for
 * the API.
 */

const perMinute = 20;
const one = oneServer({ MILLRACE_REQUESTS_PER_MINUTE: String(perMinute), MILLRACE_AUTH_FAILURE_STATUS: '403' });

it('failed authentication is 403 by default', async () => {
  const { status, body } = await request(one.server, '/v2/datasets', { headers: { authorization: 'Bearer xapt-123' } });
  expect([status, body]).toMatchObject([403, { code: 403 }]);
});

it('429 names when to come back, in the headers each client reads', async () => {
  // Counts reset at the start of each minute. A reset during the test would allow more requests.
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 3000) await sleep(left);
  const dataset = await one.dataset();
  const send = (path: string) => request(one.server, path, { body: '{"apl":"x"}' });
  for (let n = 0; n < perMinute; n++) await send(`/v1/datasets/${dataset}/ingest`);
  for (const [path, family] of [
    [`/v1/datasets/${dataset}/ingest`, 'ingest'],
    ['/v1/datasets/_apl', 'query'],
  ] as const) {
    const { status, headers, body } = await send(path);
    expect([status, body]).toMatchObject([429, { code: 429, message: expect.stringMatching(/rate limit exceeded/) }]);
    for (const name of [`x-${family}limit`, 'x-ratelimit']) {
      expect(headers.get(`${name}-limit`)).toBe(String(perMinute));
      expect(headers.get(`${name}-remaining`)).toBe('0');
      expect(Number(headers.get(`${name}-reset`)) * 1000).toBeGreaterThan(Date.now() - 1000);
    }
    expect(headers.get('x-ratelimit-scope')).toMatch(/^(user|organization|anonymous|unknown)$/);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }

  const errors: Error[] = [];
  const axiom = new AxiomWithoutBatching({
    url: one.server.url,
    token: one.server.token,
    onError: (error) => errors.push(error),
  });
  expect(await axiom.ingestRaw(dataset, '{}', ContentType.JSON)).toMatchObject({ ingested: 0 });
  // A bug in the client fails it while it reads the headers; the test is that it does not report
  // the events as sent.
  expect(errors).toHaveLength(1);
  await expect(axiom.datasets.list()).rejects.toThrow(/limit exceeded, try again in/);
  await expect(axiom.query('x')).rejects.toThrow(/limit exceeded/);
});
