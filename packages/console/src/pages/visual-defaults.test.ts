import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { accessibilityProblems } from '../testing/axe.js';
import { closePage, complaintsOf, openConsoleServer, fill, openPage } from '../testing/console-server.js';
import { waitForFade, looksGood, picture, press } from '../testing/screenshots.js';

/** Pages and states that no other test covers. */

beforeAll(openConsoleServer);

/** Response of a server in a cluster. */
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

/** A test has no cluster, so the node list is a recorded response. */
async function withNodes(page: Page): Promise<void> {
  if ((await page.getByRole('grid', { name: 'Nodes' }).count()) === 0) {
    await page.route('**/v1/nodes', (route) => route.fulfill({ json: nodes }));
    await page.reload();
  }
  await page.getByText('events-3').waitFor();
}

looksGood([
  {
    name: 'dashboards',
    path: 'dashboards',
    ready: (page) => page.getByRole('button', { name: 'New dashboard' }),
    opens: { 'dashboards/list-page': press('New dashboard') },
  },
  { name: 'access', path: 'access', ready: (page) => page.getByRole('tab', { name: 'Tokens' }) },
  { name: 'monitor-new', path: 'monitors/new', ready: (page) => page.getByRole('textbox', { name: 'Name' }) },
  { name: 'server-nodes', path: 'server', ready: withNodes },
]);

// A page with an open stream is never idle, as pages of `looksGood` must be.
it('arriving events look right and are accessible; a hidden tab counts them', async () => {
  const { request } = await openConsoleServer();
  await fill(request, 'incoming', []);
  const page = await openPage('tail?q=incoming&mark=timed');
  await page.getByText(/Complete up to/).waitFor();
  const lines = Array.from({ length: 60 }, (_, n) => ({
    level: n % 9 === 0 ? 'error' : n % 5 === 0 ? 'warn' : 'info',
    msg: n % 9 === 0 ? 'upstream timed out' : `GET /items/${n} 200`,
    service: 'catalogue',
    duration_ms: 12.5 * n,
  }));
  await request('/v1/datasets/incoming/ingest', { body: JSON.stringify(lines) });
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
    await waitForFade(page);
    await picture(page, `live-running-${colorScheme}-${width}`);
    expect(await accessibilityProblems(page)).toEqual([]);
  }

  // On a phone, events have three quarters of the page.
  await page.setViewportSize({ width: 390, height: 860 });
  await expect.poll(async () => (await page.getByRole('grid', { name: 'Events' }).boundingBox())?.y).toBeLessThan(200);

  // The newest row stays in view in a smaller window, and may be at the top.
  const newest = page.getByRole('row', { name: /, GET \/items\/59 200$/ });
  const grid = page.getByRole('grid', { name: 'Events' });
  await page.setViewportSize({ width: 1440, height: 500 });
  await expect.poll(() => distance(grid, newest, 'bottom')).toBeGreaterThanOrEqual(0);
  await page.keyboard.press('r');
  await expect.poll(() => distance(newest, grid, 'top')).toBe(0);
  await expect.poll(() => new URL(page.url()).searchParams.get('newest')).toBe('top');

  // A hidden tab shows the count, and the browser a notification.
  await page.evaluate(fakeAway);
  await page.getByRole('button', { name: /^Notify me/, pressed: false }).click();
  await page.getByRole('button', { name: /^Notify me/, pressed: true }).waitFor();
  await setAway(page, true);
  await request('/v1/datasets/incoming/ingest', { body: JSON.stringify([{ msg: 'one' }, { msg: 'two' }]) });
  await expect.poll(() => page.title()).toBe('(2) Live · Millrace');
  expect(await page.evaluate(() => Reflect.get(globalThis, 'notices') as unknown)).toEqual(['incoming']);
  await setAway(page, false);
  await expect.poll(() => page.title()).toBe('Live · Millrace');

  // All fields of an event ('live/tail-rows').
  await page.getByRole('row').first().click();
  await page.getByRole('dialog', { name: 'Event' }).waitFor();
  expect(await accessibilityProblems(page, { within: '[role="dialog"]' })).toEqual([]);
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

/** Distance between two edges in pixels. */
async function distance(of: Locator, from: Locator, edge: 'top' | 'bottom'): Promise<number> {
  const [one, other] = await Promise.all([of.boundingBox(), from.boundingBox()]);
  const at = ({ y, height }: { y: number; height: number }): number => (edge === 'top' ? y : y + height);
  return one === null || other === null ? Number.NaN : Math.round(at(one) - at(other));
}

/** An automated page is never hidden, and its browser has no notifications. */
function fakeAway(): void {
  const notices: (string | undefined)[] = [];
  class Fake extends EventTarget {
    static readonly requestPermission = async (): Promise<string> => 'granted';
    constructor(_title: string, { body }: { readonly body?: string }) {
      super();
      notices.push(body);
    }
    close(): void {}
  }
  Object.assign(globalThis, { notices, Notification: Fake });
}

const setAway = (page: Page, isAway: boolean): Promise<void> =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isAway);
