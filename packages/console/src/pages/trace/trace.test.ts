import { sampleTraffic, spansOf } from '@millrace/sample-data';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closePage, complaintsOf, openConsoleServer, fill, reusePage, shopEnd } from '../../testing/console-server.js';
import { looksGood } from '../../testing/screenshots.js';

/** From an event to its trace and the failed span. */

const WIDE = 'f'.repeat(32);
const SPANS = 20_000;
const DEEP = 200;

const events = sampleTraffic({ count: 400, end: shopEnd, milliseconds: 3_600_000, seed: 7 });
const failedEvent = events.find(({ error }) => error !== undefined)!;

beforeAll(async () => {
  const { request } = await openConsoleServer();
  await fill(request, 'shop_spans', events.flatMap(spansOf));
  await fill(request, 'shop_lines', events);
  const wide = Array.from({ length: SPANS }, (_, n) => ({
    _time: new Date(shopEnd - 60_000 + n).toISOString(),
    trace_id: WIDE,
    span_id: n.toString(16).padStart(16, '0'),
    // A chain at first, then thousands of children of one span.
    ...(n > 0 && { parent_span_id: (n < DEEP ? n - 1 : DEEP - 1).toString(16).padStart(16, '0') }),
    name: n < DEEP ? `step ${n}` : n % 3 === 0 ? `odd ${n}` : 'SELECT',
    duration: 1_000_000,
    'service.name': 'shop',
  }));
  await fill(request, 'wide_spans', wide);
});

let page: Page;
afterEach(async () => {
  if (page.isClosed()) return;
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

const span = (name: RegExp | string) => page.getByRole('treeitem', { name });

describe('following one request', () => {
  it('from a log row by one key, to the failed span by another', async () => {
    page = await reusePage(`query?q=shop_lines+|+where+trace_id+==+'${failedEvent.trace_id}'`);
    await page.getByRole('grid').getByRole('row').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('t');
    await page.waitForURL(`**/trace/*/${failedEvent.trace_id}*`);
    await page.getByRole('tree', { name: 'Spans' }).waitFor();
    await page.keyboard.press('e');
    const detail = page.getByRole('complementary', { name: 'The open span' });
    await detail.getByText(failedEvent.error!.message).first().waitFor();
    expect(new URL(page.url()).searchParams.get('span')).toMatch(/^[\da-f]{16}$/);
    await detail.getByRole('tab', { name: 'Logs' }).click();
    await detail.getByText('payment failed: upstream timed out').first().waitFor();
    await detail.getByRole('tab', { name: 'Latency' }).click();
    await detail.getByText(/Slower than \d+/).waitFor();
  });

  it('an ID in a row is a link, and Back returns to the rows', async () => {
    page = await reusePage('query?q=shop_lines&v=table&c=trace_id');
    const link = page.getByRole('gridcell').getByRole('link').first();
    const id = await link.innerText();
    await link.click();
    await page.waitForURL(`**/trace/*/${id}*`);
    await page.goBack();
    await expect.poll(() => page.getByRole('gridcell').getByRole('link').first().innerText()).toBe(id);
  });

  it('an ID in the palette is a trace first', async () => {
    page = await reusePage('query?q=shop');
    await page.getByRole('grid').getByRole('row').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(failedEvent.trace_id);
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toMatch(new RegExp(`/trace/\\w+/${failedEvent.trace_id}$`));
  });

  it('opens its first failed span, and closes it', async () => {
    page = await reusePage(`trace/shop_spans/${failedEvent.trace_id}`);
    const detail = page.getByRole('complementary', { name: 'The open span' });
    await detail.getByRole('searchbox', { name: 'Filter fields' }).waitFor();
    await detail.getByRole('button', { name: 'Close' }).click();
    await detail.getByText('No span selected').waitFor();
    expect(new URL(page.url()).searchParams.has('span')).toBe(false);
  });

  it('searches all values and dims the rest', async () => {
    page = await reusePage(`trace/shop_spans/${failedEvent.trace_id}`);
    await page.getByRole('tree', { name: 'Spans' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('carts');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByText('1 span', { exact: true }).count()).toBe(1);
  });
});

describe('a trace of 20,000 spans, 200 deep', () => {
  it('renders visible rows only, and groups siblings of one name', async () => {
    page = await reusePage(`trace/wide_spans/${WIDE}`);
    await page.getByText('20,000 spans', { exact: true }).waitFor();
    const tree = page.getByRole('tree', { name: 'Spans' });
    await tree.focus();
    await page.keyboard.press('End');
    await span(/^odd 19/)
      .last()
      .waitFor();
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(1500);
    await page.keyboard.press('Home');
    for (let step = 0; step < 20; step++) await page.keyboard.press('PageDown');
    const group = span(/^× [\d,]+ SELECT shop/);
    await tree.evaluate((element) => element.scrollTo(0, 198 * 24));
    await group.waitFor();
    expect(await group.getAttribute('aria-expanded')).toBe('false');
  });
});

looksGood([
  {
    name: 'trace',
    path: `trace/shop_spans/${failedEvent.trace_id}`,
    ready: async (page) => {
      await page.getByRole('tree').waitFor();
      const fields = page.getByRole('searchbox', { name: 'Filter fields' });
      if (!(await fields.isVisible())) await page.keyboard.press('e');
      await fields.waitFor();
    },
  },
  {
    name: 'trace-none',
    path: 'trace/shop/00000000000000000000000000000000',
    ready: (page) => page.getByRole('heading', { name: 'shop has no spans' }),
  },
]);
