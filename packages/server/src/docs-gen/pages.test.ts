import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { everyRoute } from '../testing/every-route.js';
import { clientTypes } from './client-types.js';
import { httpPages } from './http-page.js';
import { limitsPage, unlistedLimits } from './limits-page.js';
import { metricsPage } from './metrics-page.js';
import { settingsPage } from './settings-page.js';

/**
 * Compares the generated pages and client types with the files; `npm run docs -w packages/server`
 * updates the files.
 */
const file = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const page = (name: string): string => file(`docs/${name}`);

test('docs/settings.md is current', () => expect(settingsPage()).toMatchFileSnapshot(page('settings.md')));
test('docs/limits.md is current, and has every limit', async () => {
  await expect(limitsPage()).toMatchFileSnapshot(page('limits.md'));
  expect(unlistedLimits()).toEqual([]);
});
test('docs/server-metrics.md is current', () => expect(metricsPage()).toMatchFileSnapshot(page('server-metrics.md')));
const httpReference = [...httpPages(everyRoute())];
test.each(httpReference)('docs/http/%s is current', (name, text) =>
  expect(text).toMatchFileSnapshot(page(`http/${name}`)),
);
test('docs/http has no other pages', () =>
  expect(readdirSync(page('http')).toSorted()).toEqual(httpReference.map(([name]) => name).toSorted()));
test('the operations of the client are current', () =>
  expect(clientTypes(everyRoute())).toMatchFileSnapshot(file('packages/client/src/operations.ts')));
