import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../testing/axe.js';
import { arrowTo, tabTo } from '../testing/press-keys.js';
import { closePage, complaintsOf, openConsoleServer, fill, openPage, shopEnd } from '../testing/console-server.js';
import { picture } from '../testing/screenshots.js';

/** Common tasks across pages; by keyboard alone where possible. */

beforeAll(async () => {
  const { request } = await openConsoleServer();
  await fill(request, 'deploys', []);
  await fill(
    request,
    'latencies',
    Array.from({ length: 3000 }, (_, n) => ({
      _time: new Date(shopEnd - n * 1000).toISOString(),
      route: ['/pay', '/cart', '/search'][n % 3],
      version: n % 6 === 0 ? '1.5.0' : '1.4.2',
      // Slow for payments with the new version.
      duration_ms: n % 6 === 0 ? 800 + (n % 40) : 20 + (n % 60),
    })),
  );
});

let page: Page;
afterEach(async () => {
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

const state = (name: string): string => new URL(page.url()).searchParams.get(name) ?? '';
const keys = async (...pressed: readonly string[]): Promise<void> => {
  for (const key of pressed) await page.keyboard.press(key);
};
/** The hour of the events, independent of when a test runs. */
const hour = `from=${new Date(shopEnd - 3_600_000).toISOString()}&to=${new Date(shopEnd).toISOString()}`;
const field = () => page.getByRole('region', { name: 'Fields' }).getByRole('button', { name: 'duration_ms' });

describe('which route is slow, and why', () => {
  it('by keyboard: a percentile by route, the slowest one, its values over time, and what differs in the slow part', async () => {
    page = await openPage(`query?q=latencies&${hour}`);
    await tabTo(page, field());
    await keys('Enter');
    await tabTo(page, page.getByRole('button', { name: 'p95 by…' }));
    await keys('Enter');
    await page.getByRole('menuitem', { name: 'route' }).waitFor();
    await page.keyboard.type('route');
    await keys('Enter');
    await page.getByRole('figure', { name: /The result as a chart: 3 groups/ }).waitFor();
    await keys('v', '2');
    await page.getByRole('grid').getByRole('row').first().waitFor();
    await keys('j', 'i');
    await expect.poll(() => state('q')).toContain("| where route == '/pay'");
    await tabTo(page, page.getByRole('button', { name: 'Over time' }));
    await keys('Enter');
    await expect.poll(() => state('q')).toContain('histogram(duration_ms');
    await keys('v', '4');
    const heat = page.getByRole('application', { name: /Values of duration_ms/ });
    await tabTo(page, heat);
    // From the last time and the highest row, back over some times and down.
    await keys('End', ...Array.from({ length: 19 }, () => 'ArrowUp'), 'Shift+ArrowDown');
    for (let step = 0; step < 20; step++) await keys('Shift+ArrowLeft');
    expect(await accessibilityProblems(page)).toEqual([]);
    await keys('x');
    await expect.poll(() => state('sel')).toMatch(/^_time between .+ and duration_ms >= \d.+ and duration_ms <= \d/);
    await page
      .getByRole('list', { name: 'Fields that differ' })
      .getByRole('button', { name: /1\.5\.0/ })
      .waitFor();
    // The steps of a user, in sequence.
  }, 60_000);

  it('by mouse: a click on the bar, and a drag over the slow part', async () => {
    page = await openPage(`query?q=latencies&${hour}`);
    await field().click();
    await page.getByRole('button', { name: 'p95 by…' }).click();
    await page.getByRole('menuitem', { name: 'route' }).click();
    const bars = page.getByRole('figure', { name: /The result as a chart: 3 groups/ }).locator('canvas');
    const { x, y, width, height } = (await bars.boundingBox())!;
    await page.mouse.click(x + width / 5, y + height - 60);
    await page.getByRole('menuitem', { name: 'Include' }).click();
    await expect.poll(() => state('q')).toContain("| where route == '/pay'");
    await page.getByRole('button', { name: 'Over time' }).click();
    const heat = page.getByRole('application', { name: /Values of duration_ms/ });
    const box = (await heat.boundingBox())!;
    await page.mouse.move(box.x + 4, box.y + 4);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 4, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    await picture(page, 'query-heat-selected');
    await page.getByRole('toolbar').getByRole('button', { name: 'Compare this' }).click();
    await page
      .getByRole('list', { name: 'Fields that differ' })
      .getByRole('button', { name: /1\.5\.0/ })
      .waitFor();
  });
});

it('watch a deployment: Live by two keys, a filter, and pause while events arrive', async () => {
  const { request } = await openConsoleServer();
  const send = (msg: string) => request('/v1/datasets/deploys/ingest', { body: JSON.stringify([{ msg }]) });
  page = await openPage('query?q=shop');
  await page.getByRole('grid').getByRole('row').first().waitFor();
  await keys('g', 'l');
  await page.waitForURL('**/tail*');
  await tabTo(page, page.locator('.cm-content'));
  // Live begins at the dataset used last.
  await keys('Control+a');
  await page.keyboard.type("deploys | where msg has 'failed'");
  await keys('Control+Enter');
  await page.getByText(/Complete up to/).waitFor();
  await send('one failed');
  await send('one worked');
  await page.getByText('one failed').waitFor();
  await keys('Escape');
  await tabTo(page, page.getByRole('grid'));
  await keys('Space');
  await send('two failed');
  await page.getByText('1 newer').waitFor();
  await keys('n');
  await page.getByText('two failed').waitFor();
  expect(await page.getByText('one worked').count()).toBe(0);
});

it('create a monitor that would have fired, from a query, by the palette', async () => {
  const query = 'latencies | summarize max(duration_ms) by bin(_time, 1m)';
  page = await openPage(`query?q=${encodeURIComponent(query)}&from=now-2h`);
  await page.getByRole('figure', { name: /The result as a chart/ }).waitFor();
  await keys('Control+k');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type('create a monitor');
  // Commands of the page register after its result.
  await page.getByRole('option', { name: /create a monitor/i, selected: true }).waitFor();
  await keys('Enter');
  await page.getByText(/^Would (have|not have) fired/).waitFor();
  const threshold = page.getByRole('textbox', { name: 'Threshold' });
  // The suggested threshold is the usual maximum of the query.
  expect(Number(await threshold.inputValue())).toBeGreaterThan(0);
  await tabTo(page, page.getByRole('textbox', { name: 'Name' }));
  await page.keyboard.type('Slow payments');
  await tabTo(page, threshold);
  await keys('Control+a');
  await page.keyboard.type('700');
  await page.getByText(/^Would have fired/).waitFor();
  await keys('Control+s');
  await page.getByRole('heading', { level: 1, name: 'Slow payments' }).waitFor();
  const { request } = await openConsoleServer();
  const { body } = await request('/v2/monitors');
  const made = (body as readonly { readonly id: string; readonly name: string; readonly threshold: number }[]).find(
    ({ name }) => name === 'Slow payments',
  )!;
  expect(made.threshold).toBe(700);
  await request(`/v2/monitors/${made.id}`, { method: 'DELETE' });
});

it('find the largest datasets and busiest users: from any page, to retention and a canceled query', async () => {
  const { server } = await openConsoleServer();
  page = await openPage('settings');
  await page.getByText('current', { exact: true }).waitFor();
  await keys('g', 's');
  await page.waitForURL('**/server');
  const stopped = fetch(`${server.url}/v1/tail`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    body: '{"apl":"deploys"}',
  }).then((answer) => answer.text());
  const running = page.getByRole('grid', { name: 'Running queries' });
  await arrowTo(page, running, page.getByRole('button', { name: 'Stop deploys' }));
  await keys('Enter');
  await page.getByText('The query is stopped').waitFor();
  expect(await stopped).toMatch(/"error"/);
  const disk = page.getByRole('grid', { name: 'Disk by dataset' });
  await page.keyboard.press('Shift+Tab');
  await arrowTo(page, disk, page.getByRole('button', { name: 'Retention of latencies' }));
  await keys('Enter');
  await page.waitForURL('**/datasets/latencies/settings');
  await page.getByRole('radio', { name: 'Number of days' }).waitFor();
});
