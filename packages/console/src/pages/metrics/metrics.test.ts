import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import {
  closePage,
  complaintsOf,
  openConsoleServer,
  follow,
  quiet,
  reusePage,
  shopEnd,
} from '../../testing/console-server.js';
import { looksGood, press } from '../../testing/screenshots.js';
import { fillMetrics, fillScraped } from './testing/fill-metrics.js';

/** From a list of metrics to a query, its chart, and the logs of a service. */

const D = 'd=shop_metrics&from=now-2h';
let page: Page;

beforeAll(async () => {
  const { request } = await openConsoleServer();
  await fillMetrics(request, 'shop_metrics', shopEnd);
  await fillScraped(request, 'scraped', shopEnd);
  await request('/v2/datasets', { body: JSON.stringify({ name: 'no_metrics', kind: 'otel:metrics:v1' }) });
});

afterEach(async () => {
  if (page === undefined || page.isClosed()) return;
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

const list = () => page.getByRole('navigation', { name: 'Metrics' });
const query = (): string => new URL(page.url()).searchParams.get('q') ?? '';
const chart = () => page.getByRole('figure', { name: /The result as a chart: [1-9]/ });
const choose = async (label: string, option: string): Promise<void> => {
  await page.getByRole('button', { name: new RegExp(`${label}$`) }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

it('a metric becomes a query; the form and the editor change it; the address has all of it', async () => {
  page = await reusePage(`metrics?${D}`);
  await list()
    .getByRole('button', { name: /http.server.requests/ })
    .click();
  await chart().waitFor();
  expect(query()).toBe(
    'shop_metrics:`http.server.requests`\n| align to $__interval using prom::rate\n| group using sum',
  );
  // Tags are known then.
  await expect.poll(() => page.getByRole('button', { name: 'Filter' }).isEnabled()).toBe(true);
  await page.getByRole('button', { name: /Group by$/ }).click();
  await page.getByRole('option', { name: 'service.name' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('list', { name: 'Series' }).getByRole('button', { name: 'checkout' }).waitFor();
  expect(query()).toContain('| group by `service.name` using sum');
  await choose('Window', '5m');
  await expect.poll(query).toContain('align to 5m using prom::rate');
  await page.getByRole('button', { name: 'Filter' }).click();
  await choose('Tag', 'http.route');
  await page.getByRole('combobox', { name: 'Tag value' }).fill('/cart');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect.poll(query).toContain('| where `http.route` == "/cart"\n| align');
  await page.getByRole('button', { name: 'Remove `http.route` == "/cart"' }).click();
  await expect.poll(query).not.toContain('where');
  await page.goBack();
  await expect.poll(query).toContain('where');
});

it('the editor completes, explains mistakes and fixes them', async () => {
  page = await reusePage(`metrics?${D}`);
  // A plain text field has the place of the editor until it is loaded.
  await page.locator('.cm-content').click();
  await page.keyboard.type('shop_metrics:`system');
  await page.getByRole('option', { name: /system.memory.usage/ }).click();
  await page.keyboard.type(' | align to 1m using avgg');
  await page.getByRole('list', { name: 'Problems' }).getByText("'avgg' is not a function of align").waitFor();
  await page.getByRole('button', { name: 'Apply fix and run' }).click();
  await chart().waitFor();
  expect(query()).toMatch(/using avg$/);
});

it('a time of the chart leads to the logs of a service', async () => {
  const q = encodeURIComponent('shop_metrics:`http.server.requests` | align to 1m using prom::rate');
  page = await reusePage(`metrics?${D}&q=${q}`);
  await chart().waitFor();
  await page.getByRole('button', { name: 'Previous time' }).click();
  await page.getByText(/^at \d{4}/).waitFor();
  await page.getByRole('button', { name: 'Logs of checkout' }).click();
  await page.waitForURL('**/query?*');
  expect(query()).toBe("shop\n| where service == 'checkout'");
  expect(new URL(page.url()).searchParams.get('from')).toMatch(/^\d{4}-/);
});

it('services of a metric from Prometheus come from its tag job, also if the query drops it', async () => {
  const q = encodeURIComponent('scraped:up | align to 1m using avg | group using sum');
  page = await reusePage(`metrics?d=scraped&from=now-2h&q=${q}`);
  await expect.poll(() => page.getByRole('button', { name: 'Logs of checkout' }).count()).toBe(1);
});

it('a query becomes a monitor, whose editor completes metrics', async () => {
  page = await reusePage(`metrics?${D}&q=${counter}`);
  await chart().waitFor();
  await page.getByRole('main').focus();
  await page.keyboard.press('M');
  await page.waitForURL('**/monitors/new?*');
  const editor = page.locator('.cm-content[aria-label="Query in MPL"]');
  await expect.poll(() => editor.innerText()).toContain('shop_metrics:`http.server.requests`');
  // The back-test repeats past runs over the points of their time.
  await page.getByText(/Would (not )?have fired/).waitFor();
  await editor.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('shop_metrics:`system');
  await page.getByRole('option', { name: /system.memory.usage/ }).click();
  await page.keyboard.type(' | align to 1m using avgg');
  await page.getByRole('list', { name: 'Problems' }).getByRole('button', { name: "Write 'avg'" }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Memory');
  await page.getByRole('button', { name: 'Create monitor' }).click();
  await page.waitForURL(/monitors\/(?!new)/);
  await page.getByText('shop_metrics:`system.memory.usage` | align to 1m using avg').first().waitFor();
});

it('a query is copied as PromQL, or the reason is shown; it is formatted', async () => {
  page = await reusePage(`metrics?${D}&q=${counter}`);
  await chart().waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Copy as PromQL' }).click();
  await page.getByText('PromQL copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'sum by ("service.name") (rate({"http.server.requests"}[1m]))',
  );
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('shop_metrics:queue|where a>1|align to 5m using avg');
  await page.keyboard.press('Shift+Alt+f');
  await expect
    .poll(() => page.locator('.cm-content').innerText())
    .toBe('shop_metrics:queue\n| where a > 1\n| align to 5m using avg');
  await page.keyboard.press('Control+Enter');
  await expect.poll(query).toContain('a > 1');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: /Copy as PromQL.*cannot compare labels with '>'/ }).waitFor();
});

it('a dataset of metrics leads here from Query and Datasets', async () => {
  page = await reusePage('query?q=shop_metrics');
  await page.waitForURL('**/metrics?d=shop_metrics*');
  expect(await list().getByRole('button').first().innerText()).toContain('http.server.duration');
  await page.goto(page.url().replace(/metrics\?.*/, 'datasets/shop_metrics'));
  await page.getByRole('button', { name: 'Open in Metrics' }).click();
  await page.waitForURL('**/metrics?d=shop_metrics*');
});

it('only metrics in view request sparklines', async () => {
  page = await reusePage(`metrics?${D}`);
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('/v1/query/_mpl')) asked++;
  });
  await list().getByRole('button').first().waitFor();
  await quiet(page);
  expect(await list().getByRole('button').count()).toBeGreaterThan(60);
  expect(asked).toBeLessThan(45);
});

it('shows how to send events when there are none', async () => {
  page = await reusePage('metrics?d=no_metrics');
  await page.getByRole('heading', { name: 'No metrics in this range' }).waitFor();
  await page.getByRole('tab', { name: 'Prometheus remote write' }).click();
  expect(await page.getByRole('tabpanel').innerText()).toContain('/v1/ingest/no_metrics/prometheus/api/v1/write');
});

it('elements of a dashboard draw MPL, from one request', async () => {
  const { request } = await openConsoleServer();
  const chart = {
    id: 'a',
    type: 'TimeSeries',
    name: 'Requests',
    query: {
      apl: 'shop_metrics:`http.server.requests` | align to 1m using prom::rate | group by `service.name` using sum',
      metricsDataset: 'shop_metrics',
    },
  };
  const dashboard = {
    name: 'Metrics',
    owner: 'X-AXIOM-EVERYONE',
    schemaVersion: 2,
    refreshTime: 60,
    timeWindowStart: 'qr-now-2h',
    timeWindowEnd: 'qr-now',
    charts: [chart, { ...chart, id: 'b', query: { mpl: 'missing:up' } }],
    layout: [
      { i: 'a', x: 0, y: 0, w: 6, h: 6 },
      { i: 'b', x: 6, y: 0, w: 6, h: 6 },
    ],
  };
  const made = await request('/v2/dashboards', {
    body: JSON.stringify({ dashboard, uid: 'drawn-metrics', overwrite: true }),
  });
  expect([made.status, made.body]).toEqual([
    expect.any(Number),
    expect.objectContaining({ dashboard: expect.anything() }),
  ]);
  page = await reusePage('datasets');
  await page.getByRole('row', { name: /shop_metrics/ }).waitFor();
  const requests: string[] = [];
  page.on('request', (each) => each.url().includes('/v1/query/') && requests.push(new URL(each.url()).pathname));
  await follow(page, 'dashboards/drawn-metrics');
  await page.getByRole('list', { name: 'Series' }).getByRole('button', { name: 'checkout' }).waitFor();
  // A query fails alone.
  await page.getByRole('alert').getByText('The query failed').waitFor();
  expect(requests).toEqual(['/console/api/v1/query/batch']);
  // A query of this page becomes another one.
  await page.goto(page.url().replace('dashboards/drawn-metrics', `metrics?q=${counter}`));
  await page.getByRole('button', { name: 'Add to dashboard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Metrics', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('figure', { name: /Time series: .*series/ })
    .waitFor();
  expect(new URL(page.url()).searchParams.has('add')).toBe(false);
  // Its editor speaks MPL.
  const editor = page.getByRole('dialog').locator('.cm-content');
  await expect.poll(() => editor.innerText()).toContain('group by `service.name` using sum');
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\n| map maxx(1)');
  await page.getByRole('dialog').getByRole('button', { name: 'Apply fix and run' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).waitFor();
  await page.getByRole('dialog').getByRole('tab', { name: 'JSON' }).click();
  expect(await page.getByRole('dialog').getByLabel('Element').inputValue()).toContain('| map max(1)');
});

const counter = encodeURIComponent(
  'shop_metrics:`http.server.requests`\n| align to $__interval using prom::rate\n| group by `service.name` using sum',
);
looksGood([
  {
    name: 'metrics',
    path: `metrics?${D}&q=${counter}`,
    ready: (page) => page.getByRole('figure', { name: /The result as a chart: [1-9]/ }),
    opens: { 'metrics/page': press(/^Dataset:/), 'metrics/query-menu': press(/^More$/) },
  },
  {
    name: 'monitor-of-metrics',
    path: `monitors/new?q=${counter}&lang=mpl`,
    ready: (page) => page.locator('.cm-content[aria-label="Query in MPL"]'),
  },
  {
    name: 'metrics-empty',
    path: 'metrics?d=no_metrics',
    ready: (page) => page.getByRole('heading', { name: 'No metrics in this range' }),
  },
]);
