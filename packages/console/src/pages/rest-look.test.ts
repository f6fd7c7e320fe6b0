import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { accessibilityProblems } from '../testing/axe.js';
import { closePage, complaintsOf, consoleWorld, fill, openPage } from '../testing/console-world.js';
import { looksGood, picture } from '../testing/pictures.js';

/** Pages, and states of pages, that no other test looks at. */

beforeAll(consoleWorld);

/** What a server tells that shares its events with others. */
const nodes = [
  { name: 'events-1', url: 'http://10.0.0.4:8080', live: true },
  { name: 'events-2', url: 'http://10.0.0.5:8080', live: true },
  { name: 'events-3', url: 'http://10.0.0.6:8080', live: false },
].map((node, index) => ({
  ...node,
  version: '0.1.0',
  epoch: index + 4,
  started: new Date(Date.now() - (index + 1) * 3_600_000).toISOString(),
}));

/** Several nodes cannot be had here, so that their list is what one of them would answer. */
async function withNodes(page: Page): Promise<void> {
  if ((await page.getByRole('grid', { name: 'Nodes' }).count()) === 0) {
    await page.route('**/v1/nodes', (route) => route.fulfill({ json: nodes }));
    await page.reload();
  }
  await page.getByText('events-3').waitFor();
}

looksGood([
  { name: 'dashboards', path: 'dashboards', ready: (page) => page.getByRole('button', { name: 'New dashboard' }) },
  { name: 'access', path: 'access', ready: (page) => page.getByRole('tab', { name: 'Tokens' }) },
  { name: 'monitor-new', path: 'monitors/new', ready: (page) => page.getByRole('textbox', { name: 'Name' }) },
  { name: 'server-nodes', path: 'server', ready: withNodes },
]);

// A page that is still being told something is never quiet, as pages of `looksGood` have to be.
it('events that arrive look as they should, in both themes, wide and narrow, and can be used by everybody', async () => {
  const { request } = await consoleWorld();
  await fill(request, 'arriving', []);
  const page = await openPage('tail?q=arriving&mark=timed');
  await page.getByText(/Everything up to/).waitFor();
  const lines = Array.from({ length: 60 }, (_, n) => ({
    level: n % 9 === 0 ? 'error' : n % 5 === 0 ? 'warn' : 'info',
    msg: n % 9 === 0 ? 'upstream timed out' : `GET /items/${n} 200`,
    service: 'catalogue',
    duration_ms: 12.5 * n,
  }));
  await request('/v1/datasets/arriving/ingest', { body: JSON.stringify(lines) });
  await page.getByText('GET /items/59 200').waitFor();
  for (const [colorScheme, width] of [
    ['dark', 1440],
    ['light', 400],
    ['dark', 400],
    ['light', 1440],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 860 });
    await page.getByText('GET /items/59 200').waitFor();
    await picture(page, `live-running-${colorScheme}-${width}`);
    expect(await accessibilityProblems(page)).toEqual([]);
  }
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});
