import type { Page, Request } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closePage, complaintsOf, consoleWorld, fill, openPage, shopEnd } from '../../testing/console-world.js';
import { writeQuery } from '../../testing/write-query.js';

beforeAll(consoleWorld);

let page: Page;
afterEach(async () => {
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

const rows = () => page.getByRole('grid').getByRole('row');
const query = (): string => new URL(page.url()).searchParams.get('q') ?? '';
const editor = () => page.locator('.cm-content');

/** The queries that the page sends from now on. */
function asked(): string[] {
  const sent: string[] = [];
  page.on('request', (request: Request) => {
    if (request.url().includes('/_apl')) sent.push(String((request.postDataJSON() as { apl?: string }).apl));
  });
  return sent;
}

describe('asking', () => {
  it('by keyboard alone: type, take a completion, run, walk through rows, open one, close it', async () => {
    page = await openPage('query');
    await editor().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('shop | wh');
    await page.locator('.cm-tooltip-autocomplete').getByText('where').first().waitFor();
    // The editor takes no completion in the first moment, so that nobody takes one by accident.
    await page.waitForTimeout(150);
    await page.keyboard.press('Enter');
    await page.keyboard.type(' status >= 500');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    await rows().first().waitFor();
    expect(query()).toBe('shop | where status >= 500');
    // Escape and Tab leave the editor.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await editor().evaluate((element) => element.contains(document.activeElement))).toBe(false);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press(']');
    await page.getByRole('complementary', { name: 'The open row' }).waitFor();
    expect(await rows().nth(1).getAttribute('class')).toMatch(/active/);
    await page.keyboard.press('Escape');
    await page.getByRole('complementary').waitFor({ state: 'detached' });
  });

  it('a mistake is found while typing, and one click mends it and runs', async () => {
    page = await openPage('query?q=shop');
    await rows().first().waitFor();
    await writeQuery(page, 'shop | summarise count()');
    await page.getByRole('button', { name: 'Fix and run' }).click();
    await expect.poll(query).toBe('shop | summarize count()');
  });

  it('Back and Forward bring back the answer without asking again', async () => {
    page = await openPage('query?q=shop');
    await rows().first().waitFor();
    await writeQuery(page, 'shop | where status == 404');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).not.toBe('5000');
    await page.getByText('all there are').waitFor();
    await page.waitForLoadState('networkidle');
    const sent = asked();
    await page.goBack();
    await page.getByText(/500 of/).waitFor();
    expect(await editor().textContent()).toBe('shop');
    await page.goForward();
    await page.getByText('all there are').waitFor();
    expect(sent.filter((apl) => !apl.includes('summarize'))).toEqual([]);
  });

  it('what is typed and not run survives a session that ends, and the query then goes on', async () => {
    // In a context of its own, since its session ends.
    const { server } = await consoleWorld();
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
    await page.getByText('all there are').waitFor();
  });

  it('a long query moves to the fragment, and is found there', async () => {
    const text = `shop | where msg != '${'x'.repeat(7000)}'`;
    page = await openPage('query?q=shop');
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
  it('a value is included by click, and the chip that stands for it takes it away', async () => {
    // Other tests send events that have no service.
    const asked = 'shop\n| where status > 0';
    page = await openPage(`query?q=${encodeURIComponent(asked)}&v=table&c=_time,service`);
    await rows().nth(1).getByRole('gridcell').nth(1).click();
    await page.getByRole('menuitem', { name: 'Include' }).click();
    await expect.poll(query).toMatch(/^shop\n\| where status > 0\n\| where service == '\w+'$/);
    await page.getByRole('button', { name: /^Remove .*service/ }).click();
    await expect.poll(query).toBe(asked);
  });

  it('a click with Ctrl includes a value at once, one with Alt excludes it', async () => {
    const path = `query?q=${encodeURIComponent('shop\n| where status > 0')}&v=table&c=_time,service`;
    page = await openPage(path);
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

  it('a filter is typed as people say it', async () => {
    page = await openPage('query?q=shop');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('New filter').fill('status>=500');
    await page.keyboard.press('Enter');
    await expect.poll(query).toBe('shop\n| where status >= 500');
  });

  it('dragging over the bars and Enter asks for that time, exactly, and Back returns', async () => {
    page = await openPage('query?q=shop');
    const bars = page.getByRole('application', { name: /Events over time/ });
    await bars.waitFor();
    const { x, y, width } = (await bars.boundingBox())!;
    await page.mouse.move(x + width * 0.5, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.6, y + 20, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('toolbar', { name: 'What to do with the selected time' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toMatch(/^\d{4}-.*Z$/);
    await page.goBack();
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBeNull();
  });

  it('the top values of a field are asked for when it is opened, and not before', async () => {
    page = await openPage('query?q=shop');
    await rows().first().waitFor();
    await page.waitForLoadState('networkidle');
    const sent = asked();
    await page.getByRole('region', { name: 'Fields' }).getByRole('button', { name: /route/ }).click();
    await page.getByRole('button', { name: '/search' }).first().waitFor();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatch(/topk\(route/);
  });

  it('what happened around a row, by one key', async () => {
    page = await openPage('query?q=shop+|+where+status+==+404');
    await rows().first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('c');
    const around = page.getByRole('list', { name: 'Events around this one' });
    await around.waitFor();
    expect(await around.getByRole('listitem').count()).toBeGreaterThan(20);
    expect(await around.locator('[aria-current]').count()).toBe(1);
  });
});

describe('keeping', () => {
  it('a query is saved and opened again with its view', async () => {
    page = await openPage('query?q=shop+|+take+3&v=json');
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

  it('a pinned link shows what its sender saw, and says what has arrived since', async () => {
    const world = await consoleWorld();
    const events = [1, 2, 3].map((n) => ({ _time: new Date(shopEnd - n * 1000).toISOString(), n }));
    await fill(world.request, 'pinned', events);
    page = await openPage('query?q=pinned');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await rows().first().waitFor();
    await page.keyboard.press('y');
    await page.getByText('Pinned link copied').waitFor();
    const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
    expect(link.searchParams.get('from')).toMatch(/^\d{4}-.*Z$/);
    expect(link.searchParams.get('to')).toMatch(/^\d{4}-.*Z$/);
    expect(link.searchParams.get('asof')).toMatch(/^\d+$/);
    // Two events that are late: of the middle of the range.
    const { request } = await consoleWorld();
    const _time = new Date(shopEnd - 1_800_000).toISOString();
    await request('/v1/datasets/pinned/ingest', {
      body: JSON.stringify([
        { _time, n: 4 },
        { _time, n: 5 },
      ]),
    });
    await page.goto(link.href);
    await page.getByText('3 rows, all there are').waitFor();
    await page.getByText('2 newer events fit this view.').waitFor();
    await page.getByRole('button', { name: 'Show what is there now' }).click();
    await page.getByText('5 rows, all there are').waitFor();
  });
});
