import type { Page, Request } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  closePage,
  complaintsOf,
  openConsoleServer,
  fill,
  openPage,
  reusePage,
  shopEnd,
} from '../../testing/console-server.js';
import { completeQuery, writeQuery } from '../../testing/write-query.js';

beforeAll(openConsoleServer);

let page: Page;
afterEach(async () => {
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

const rows = () => page.getByRole('grid').getByRole('row');
const query = (): string => new URL(page.url()).searchParams.get('q') ?? '';
const editor = () => page.locator('.cm-content');

/** Records the queries that the page sends. */
function recordQueries(): string[] {
  const sent: string[] = [];
  page.on('request', (request: Request) => {
    if (request.url().includes('/_apl')) sent.push(String((request.postDataJSON() as { apl?: string }).apl));
  });
  return sent;
}

describe('asking', () => {
  it('by keyboard alone: type, complete, run, walk through rows, open one, close it', async () => {
    // Without a range, the page would show the range of the newest events of any dataset.
    page = await reusePage('query?q=shop&from=now-1d');
    await rows().first().waitFor();
    await page.keyboard.press('/');
    await completeQuery(page, 'shop | wh', 'where', 'shop | where');
    await page.keyboard.type(' status >= 500');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    // The rows of the first page may still be there.
    await expect.poll(query).toBe('shop | where status >= 500');
    await page.getByText(', complete').waitFor();
    // Escape and Tab leave the editor.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await editor().evaluate((element) => element.contains(document.activeElement))).toBe(false);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press(']');
    await page.getByRole('complementary', { name: 'Row details' }).waitFor();
    expect(await rows().nth(1).getAttribute('class')).toMatch(/active/);
    await page.keyboard.press('Escape');
    await page.getByRole('complementary').waitFor({ state: 'detached' });
  });

  it('finds an error while typing; one click fixes it and runs', async () => {
    page = await reusePage('query?q=shop');
    await rows().first().waitFor();
    await writeQuery(page, 'shop | summarise count()');
    await page.getByRole('button', { name: 'Apply fix and run' }).click();
    await expect.poll(query).toBe('shop | summarize count()');
  });

  it('an error is shown once, above the rows of the previous query', async () => {
    page = await reusePage('query?q=shop');
    await rows().first().waitFor();
    await writeQuery(page, 'shop | nonsense 3');
    await page.keyboard.press('Control+Enter');
    await page.getByText(/The query did not run/).waitFor();
    await page
      .getByText(/nonsense/)
      .first()
      .waitFor();
    expect(await page.getByText(/no operator nonsense/).count()).toBe(1);
    expect(await rows().count()).toBeGreaterThan(1);
  });

  it('one row of aggregates is a statistic, and a chart over time has no bars above it', async () => {
    page = await reusePage('query?q=shop+|+summarize+count()');
    await page
      .getByRole('definition')
      .getByText(/^\d,\d{3}$/)
      .waitFor();
    const bars = page.getByRole('application', { name: /Events over time/ });
    await bars.waitFor();
    await page.goto(page.url().replace('count()', 'count()+by+bin(_time,1m)'));
    await page.getByRole('figure', { name: /The result as a chart/ }).waitFor();
    expect(await bars.count()).toBe(0);
  });

  it('Back and Forward restore the result without a new query', async () => {
    page = await reusePage('query?q=shop');
    await rows().first().waitFor();
    await writeQuery(page, 'shop | where status == 404');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).not.toBe('5000');
    await page.getByText(', complete').waitFor();
    await page.waitForLoadState('networkidle');
    const sent = recordQueries();
    await page.goBack();
    await page.getByText(/500 of/).waitFor();
    expect(await editor().textContent()).toBe('shop');
    await page.goForward();
    await page.getByText(', complete').waitFor();
    expect(sent.filter((apl) => !apl.includes('summarize'))).toEqual([]);
  });

  it('typed text survives the end of a session, and the query continues', async () => {
    // In its own context, since its session ends.
    const { server } = await openConsoleServer();
    page = await openPage('query?q=shop', { token: server.token });
    await rows().first().waitFor();
    await writeQuery(page, 'shop | where level == "error"');
    await page.context().clearCookies();
    await page.keyboard.press('Control+Enter');
    const token = page.getByLabel('Token');
    await token.waitFor();
    await token.fill(server.token);
    await page.keyboard.press('Enter');
    await token.waitFor({ state: 'detached' });
    expect(await editor().textContent()).toBe('shop | where level == "error"');
    await page.getByText(', complete').waitFor();
  });

  it('a long query moves to the fragment and is restored from it', async () => {
    const text = `shop | where msg != '${'x'.repeat(7000)}'`;
    page = await reusePage('query?q=shop');
    await rows().first().waitFor();
    await writeQuery(page, text);
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#z=/);
    expect(new URL(page.url()).search.length).toBeLessThan(200);
    await page.reload();
    await rows().first().waitFor();
    expect(await editor().textContent()).toBe(text);
  });
});

describe('narrowing down', () => {
  it('a click includes a value, and its chip removes it', async () => {
    // Other tests send events that have no service.
    const asked = 'shop\n| where status > 0';
    page = await reusePage(`query?q=${encodeURIComponent(asked)}&v=table&c=_time,service`);
    await rows().nth(1).getByRole('gridcell').nth(1).click();
    await page.getByRole('menuitem', { name: 'Include' }).click();
    await expect.poll(query).toMatch(/^shop\n\| where status > 0\n\| where service == '\w+'$/);
    await page.getByRole('button', { name: /^Remove .*service/ }).click();
    await expect.poll(query).toBe(asked);
  });

  it('Ctrl+click includes a value at once, Alt+click excludes it', async () => {
    const path = `query?q=${encodeURIComponent('shop\n| where status > 0')}&v=table&c=_time,service`;
    page = await reusePage(path);
    await rows()
      .nth(1)
      .getByRole('gridcell')
      .nth(1)
      .click({ modifiers: ['Control'] });
    await expect.poll(query).toMatch(/^shop\n\| where status > 0\n\| where service == '\w+'$/);
    await page.goto(page.url().replace(/query\?.*/, path));
    await rows()
      .nth(1)
      .getByRole('gridcell')
      .nth(1)
      .click({ modifiers: ['Alt'] });
    await expect.poll(query).toMatch(/^shop\n\| where status > 0\n\| where service != '\w+'$/);
  });

  it('accepts filters in search syntax', async () => {
    page = await reusePage('query?q=shop');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('New filter').fill('status>=500');
    await page.keyboard.press('Enter');
    await expect.poll(query).toBe('shop\n| where status >= 500');
  });

  it('dragging over the bars and Enter query exactly that time, and Back returns', async () => {
    page = await reusePage('query?q=shop');
    const bars = page.getByRole('application', { name: /Events over time/ });
    await bars.waitFor();
    const { x, y, width } = (await bars.boundingBox())!;
    await page.mouse.move(x + width * 0.5, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.6, y + 20, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('toolbar', { name: 'Time range actions' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toMatch(/^\d{4}-.*Z$/);
    await page.goBack();
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBeNull();
  });

  it('queries the top values of a field when it is expanded, not before', async () => {
    page = await reusePage('query?q=shop');
    await rows().first().waitFor();
    await page.waitForLoadState('networkidle');
    const sent = recordQueries();
    await page.getByRole('region', { name: 'Fields' }).getByRole('button', { name: /route/ }).click();
    await page.getByRole('button', { name: '/search' }).first().waitFor();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatch(/topk\(route/);
  });

  it('shows the context of a row, by one key', async () => {
    page = await reusePage('query?q=shop+|+where+status+==+404');
    await rows().first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('c');
    const around = page.getByRole('list', { name: 'Surrounding events' });
    await around.waitFor();
    expect(await around.getByRole('listitem').count()).toBeGreaterThan(20);
    expect(await around.locator('[aria-current]').count()).toBe(1);
  });
});

describe('keeping', () => {
  it('a query is saved and opened again with its view', async () => {
    page = await reusePage('query?q=shop+|+take+3&v=json');
    await rows().first().waitFor();
    await page.keyboard.press('Control+s');
    await page.getByLabel('Name').fill('three of them');
    await page.keyboard.press('Enter');
    await page.getByText('Saved “three of them”').waitFor();
    await page.goto(page.url().replace(/\?.*/, ''));
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Saved queries' }).click();
    await page.getByRole('button', { name: /^three of them mine/ }).click();
    await expect.poll(query).toBe('shop | take 3');
    expect(new URL(page.url()).searchParams.get('v')).toBe('json');
  });

  it('a pinned link shows what its sender saw, and counts later arrivals', async () => {
    const world = await openConsoleServer();
    const events = [1, 2, 3].map((n) => ({ _time: new Date(shopEnd - n * 1000).toISOString(), n }));
    await fill(world.request, 'pinned', events);
    page = await reusePage('query?q=pinned');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await rows().first().waitFor();
    await page.keyboard.press('y');
    await page.getByText('Pinned link copied').waitFor();
    const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
    expect(link.searchParams.get('from')).toMatch(/^\d{4}-.*Z$/);
    expect(link.searchParams.get('to')).toMatch(/^\d{4}-.*Z$/);
    expect(link.searchParams.get('asof')).toMatch(/^\d+$/);
    // Two late events in the middle of the range.
    const { request } = await openConsoleServer();
    const _time = new Date(shopEnd - 1_800_000).toISOString();
    await request('/v1/datasets/pinned/ingest', {
      body: JSON.stringify([
        { _time, n: 4 },
        { _time, n: 5 },
      ]),
    });
    await page.goto(link.href);
    await page.getByText('3 rows, complete').waitFor();
    await page.getByText('2 newer events match.').waitFor();
    await page.getByRole('button', { name: 'Show current data' }).click();
    await page.getByText('5 rows, complete').waitFor();
  });
});
