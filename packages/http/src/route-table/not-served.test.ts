import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '@millrace/server/testing/test-server';
import { notServed, notServedAt } from './not-served.js';

let world: TestServer;
beforeEach(async () => {
  world = await createTestServer();
});
afterEach(() => world.close());

test.each([
  ['POST', '/v0.4/traces/', 'Datadog metrics or traces'],
  ['POST', '/logs/_bulk', 'Elasticsearch bulk at the root'],
  ['POST', '/api/v2/series', 'Datadog metrics or traces'],
])('%s %s is distinguished from an unknown path', async (method, path, what) => {
  const { status, body } = await world.send(method as 'GET', path);
  expect(status).toBe(404);
  expect(body).toMatchObject({
    code: 404,
    message: expect.stringContaining(`not found: this server does not serve ${what}; `),
  });
});

test('a rejected send is listed with the other rejected ingest requests', async () => {
  await world.send('POST', '/services/collector/mint', '{}');
  await world.send('POST', '/api/v2/series', '{}');
  await world.send('POST', '/nothing/known', '{}');
  await world.send('GET', '/loki/api/v1/labels');
  const { body } = await world.send('GET', '/v2/ingest-refusals');
  expect((body as readonly { readonly path: string }[]).map(({ path }) => path)).toEqual([
    '/api/v2/series',
    '/services/collector/mint',
  ]);
});

test('so is one with a body that would be too long elsewhere', async () => {
  const { status, body } = await world.send('POST', '/services/collector/mint', 'x'.repeat(5 * 1024 * 1024));
  expect(status).toBe(404);
  expect(body).toMatchObject({ message: expect.stringContaining('Splunk searches') });
});

test.each(['/api/v1/writes', '/v1/trace', '/x/api/v1/write', '/v2', '/'])('%s is none of them', (path) =>
  expect(notServedAt(path)).toBeUndefined(),
);

test('docs/deviations.md lists the same', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/deviations.md'), 'utf8');
  const row = page.split('\n').find((line) => line.startsWith('| Elasticsearch bulk at the root,')) ?? '';
  const listed = row
    .split('|')[1]!
    .trim()
    .split(/[,;] | and /);
  expect(listed.map((name) => name.toLowerCase())).toEqual(notServed.map(({ what }) => what.toLowerCase()));
});
