import { sampleTraffic, spansOf } from '@millrace/sample-data';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closePage, complaintsOf, openConsoleServer, fill, reusePage, shopEnd } from '../../testing/console-server.js';
import { tabTo } from '../../testing/press-keys.js';
import { looksGood, press } from '../../testing/screenshots.js';

/** From services to their traces, and from a search to one trace. */

/** Wider than the events, however late the page opens. */
const D = 'd=web_spans&from=now-2h';
const ORPHAN = 'e'.repeat(32);
const events = sampleTraffic({ count: 1500, end: shopEnd, milliseconds: 3_600_000, seed: 11 });
const spans = events.flatMap(spansOf);
/** Failed requests to the service, each with its own trace. */
const failedEvents = events.filter(({ service, status }) => service === 'checkout' && status >= 500);

beforeAll(async () => {
  const { request } = await openConsoleServer();
  await fill(request, 'web_spans', [
    ...spans,
    // A trace whose root has not arrived.
    {
      _time: new Date(shopEnd - 90_000).toISOString(),
      trace_id: ORPHAN,
      span_id: 'e'.repeat(16),
      parent_span_id: 'f'.repeat(16),
      name: 'it\'s "odd"',
      kind: 'internal',
      duration: 50_000_000_000,
      error: false,
      'service.name': 'lonely',
    },
  ]);
});

let page: Page;
afterEach(async () => {
  if (page.isClosed()) return;
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

const state = (name: string): string => new URL(page.url()).searchParams.get(name) ?? '';
const table = () => page.getByRole('grid', { name: 'Traces' });
const row = (name: RegExp | string) => table().getByRole('row', { name });
const choose = async (label: string, option: string): Promise<void> => {
  await page.getByRole('button', { name: new RegExp(`${label}$`) }).click();
  await page.getByRole('option', { name: option }).click();
};
const body = () =>
  table()
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') });

describe('looking for traces', () => {
  it('a service, an operation and an outcome: lists whole traces with such a span', async () => {
    page = await reusePage(`traces?${D}`);
    await row(/POST|GET/)
      .first()
      .waitFor();
    await choose('Service', 'checkout');
    await page.getByRole('radio', { name: 'Failed' }).click();
    await page.getByText(new RegExp(`^${failedEvents.length} traces found|^The 100 newest matching traces`)).waitFor();
    expect([state('service'), state('only')]).toEqual(['checkout', 'failed']);
    // The whole trace is described, not only the matching span.
    const [first] = await body().all();
    expect(await first!.innerText()).toMatch(/(GET|POST) \/.*gateway/s);
    await page.goBack();
    await expect.poll(() => state('only')).toBe('');
    await row(/POST|GET/)
      .first()
      .waitFor();
  });

  it('slowest first, with a minimum; an invalid duration is explained', async () => {
    page = await reusePage(`traces?${D}&order=slowest`);
    await row(/it's "odd"/).waitFor();
    expect(await body().first().innerText()).toMatch(/it's "odd".*root span missing.*50 s/s);
    const took = page.getByRole('textbox', { name: 'Duration' });
    await took.fill('soon');
    await page.getByText('Such as >100ms').waitFor();
    await took.fill('> 40s');
    await took.press('Enter');
    await page.getByText('One trace found').waitFor();
    await row(/it's "odd"/).click();
    await page.waitForURL(`**/trace/web_spans/${ORPHAN}*`);
    await page.getByRole('tree', { name: 'Spans' }).waitFor();
  });

  it('an attribute in search syntax; no matches explains and offers a remedy', async () => {
    page = await reusePage(`traces?${D}`);
    await row(/POST|GET/)
      .first()
      .waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('attributes.http.route=/nowhere');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No matching traces' }).waitFor();
    expect(state('where')).toBe("attributes.http.route == '/nowhere'");
    await page.getByRole('button', { name: /^Remove attributes/ }).click();
    await row(/POST|GET/)
      .first()
      .waitFor();
    expect(state('where')).toBe('');
  });

  it('an area of the chart, by keyboard alone: its time and durations', async () => {
    page = await reusePage(`traces?${D}`);
    const picture = page.getByRole('application', { name: /Span durations/ });
    await tabTo(page, picture);
    for (let step = 0; step < 30; step++) await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Shift+ArrowDown');
    for (let step = 0; step < 80; step++) await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('o');
    await expect.poll(() => state('took')).toBe('20s..100s');
    await row(/it's "odd"/).waitFor();
    await expect.poll(() => body().count()).toBe(1);
  });

  it('loads another page of traces, and opens compared spans in Spotlight', async () => {
    page = await reusePage(`traces?${D}`);
    await page.getByRole('button', { name: '100 more' }).click();
    await expect.poll(() => body().count()).toBe(200);
    await page.getByRole('button', { name: 'Open spans in Query' }).click();
    await page.waitForURL('**/query?*');
    await page.getByRole('grid').getByRole('row').first().waitFor();
  });
});

describe('services', () => {
  it('metrics, operations and failed traces, by keyboard alone', async () => {
    page = await reusePage(`services?${D}`);
    const services = page.getByRole('grid', { name: 'Services' });
    const checkout = services.getByRole('row', { name: /checkout/ });
    await checkout.waitFor();
    const requests = events.filter(({ service }) => service === 'checkout').length;
    expect(await checkout.getByTitle(/ requests$/).getAttribute('title')).toBe(`${requests} requests`);
    expect(await checkout.getByTitle(/ failed$/).getAttribute('title')).toBe(`${failedEvents.length} failed`);
    await page.keyboard.press('/');
    await page.keyboard.type('check');
    await services.getByRole('row', { name: /catalogue/ }).waitFor({ state: 'detached' });
    await tabTo(page, checkout);
    await page.keyboard.press('Enter');
    await page.getByRole('grid', { name: 'Operations of checkout' }).getByRole('row', { name: 'POST /pay' }).waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Failed traces' }));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/traces?*');
    expect([state('service'), state('only'), state('d')]).toEqual(['checkout', 'failed', 'web_spans']);
    await row(/POST \/pay/)
      .first()
      .waitFor();
  });

  it('two keys lead from any page to traces, one to services', async () => {
    page = await reusePage('settings');
    await page.getByText('current', { exact: true }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.waitForURL('**/traces');
    await page.getByRole('heading', { level: 1, name: 'Traces' }).waitFor();
    await page.keyboard.press('s');
    await page.waitForURL('**/services');
    await expect.poll(() => page.title()).toBe('Services · Millrace');
  });
});

looksGood([
  {
    name: 'traces',
    path: `traces?${D}`,
    ready: (opened) => opened.getByRole('grid', { name: 'Traces' }).getByRole('row', { name: /POST|GET/ }),
  },
  {
    name: 'traces-none',
    path: `traces?${D}&took=>1h&where=attributes.http.route+%3D%3D+'/pay'`,
    ready: (opened) => opened.getByRole('heading', { name: 'No matching traces' }),
  },
  {
    name: 'traces-no-spans',
    path: 'traces?d=shop',
    ready: (opened) => opened.getByRole('heading', { name: 'shop has no spans' }),
    opens: { 'trace-search/scope-bar': press(/^in shop/) },
  },
  {
    name: 'services',
    path: `services?${D}&service=checkout`,
    ready: (opened) =>
      opened.getByRole('grid', { name: 'Operations of checkout' }).getByRole('row', { name: 'POST /pay' }),
  },
]);
