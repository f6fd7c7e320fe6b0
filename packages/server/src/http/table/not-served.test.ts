import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeWorld, type World } from '../../testing/world.js';
import { notServed, notServedAt } from './not-served.js';

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

test.each([
  ['POST', '/v1/metrics/', 'OpenTelemetry metrics'],
  ['POST', '/logs/_bulk', 'Elasticsearch bulk'],
  ['POST', '/v1/query/_mpl', 'metrics (MPL)'],
])('%s %s is told from a path nobody knows', async (method, path, what) => {
  const { status, body } = await world.send(method as 'GET', path);
  expect(status).toBe(404);
  expect(body).toMatchObject({
    code: 404,
    message: expect.stringContaining(`not found: this server does not serve ${what}; `),
  });
});

test('so is one with a body that would be too long elsewhere', async () => {
  const { status, body } = await world.send('POST', '/v1/metrics', 'x'.repeat(5 * 1024 * 1024));
  expect(status).toBe(404);
  expect(body).toMatchObject({ message: expect.stringContaining('OpenTelemetry metrics') });
});

test.each(['/v1/metricsx', '/v1/trace', '/x/v1/metrics', '/v2', '/'])('%s is none of them', (path) =>
  expect(notServedAt(path)).toBeUndefined(),
);

test('docs/deviations.md lists the same', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../../docs/deviations.md'), 'utf8');
  const row = page.split('\n').find((line) => line.startsWith('| OpenTelemetry metrics,')) ?? '';
  const listed = row
    .split('|')[1]!
    .trim()
    .split(/[,;] | and /);
  expect(listed.map((name) => name.toLowerCase())).toEqual(notServed.map(({ what }) => what.toLowerCase()));
});
