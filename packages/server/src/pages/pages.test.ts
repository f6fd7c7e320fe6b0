import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { everyRoute } from '../testing/every-route.js';
import { clientTypes } from './client-types.js';
import { httpPage } from './http-page.js';
import { limitsPage, unlistedLimits } from './limits-page.js';
import { metricsPage } from './metrics-page.js';
import { settingsPage } from './settings-page.js';

/**
 * The pages, and the types of the client, are what these functions write;
 * `npm run docs -w packages/server` brings the files up to date.
 */
const file = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const page = (name: string): string => file(`docs/${name}`);

test('docs/settings.md is current', () => expect(settingsPage()).toMatchFileSnapshot(page('settings.md')));
test('docs/limits.md is current, and has every limit', async () => {
  await expect(limitsPage()).toMatchFileSnapshot(page('limits.md'));
  expect(unlistedLimits()).toEqual([]);
});
test('docs/metrics.md is current', () => expect(metricsPage()).toMatchFileSnapshot(page('metrics.md')));
test('docs/http.md is current', () => expect(httpPage(everyRoute())).toMatchFileSnapshot(page('http.md')));
test('the operations of the client are current', () =>
  expect(clientTypes(everyRoute())).toMatchFileSnapshot(file('packages/client/src/operations.ts')));
