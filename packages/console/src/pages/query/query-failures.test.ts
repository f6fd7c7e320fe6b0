import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closePage, consoleWorld, openPage } from '../../testing/console-world.js';
import { writeQuery } from '../../testing/write-query.js';

/** What goes wrong between the page and the server: nothing that is shown or typed is lost. */

beforeAll(consoleWorld);

let page: Page;
afterEach(() => closePage(page));

const editor = () => page.locator('.cm-content');
const row = () => page.getByRole('grid').getByRole('row').first();

describe('the rows that are there stay', () => {
  it.each([
    [
      'a server that is away',
      (route: Parameters<Parameters<Page['route']>[1]>[0]) => route.abort('connectionrefused'),
      /cannot be reached/,
    ],
    [
      'an answer that breaks off',
      (route: Parameters<Parameters<Page['route']>[1]>[0]) =>
        route.fulfill({
          contentType: 'application/json',
          body: '{"format":"tabular","status":{},"tables":[{"name":"0","sources":[],"columns":[["a',
        }),
      /broke off/,
    ],
    [
      'something that is no answer',
      (route: Parameters<Parameters<Page['route']>[1]>[0]) =>
        route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
      /502/,
    ],
  ] as const)('with %s, and trying again goes on', async (_, break_, said) => {
    page = await openPage('query?q=shop');
    await row().waitFor();
    await page.route('**/_apl*', break_);
    await writeQuery(page, 'shop | where level == "warn"');
    await page.keyboard.press('Control+Enter');
    const alert = page.getByRole('alert').filter({ hasText: said });
    await alert.waitFor();
    expect(await row().count()).toBe(1);
    expect(await editor().textContent()).toBe('shop | where level == "warn"');
    await page.unroute('**/_apl*');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('all there are').waitFor();
  });

  it('a query is stopped by a key, and the server is told', async () => {
    page = await openPage('query?q=shop');
    await row().waitFor();
    await page.route('**/_apl*', () => {
      // Never answered: as long as the query would take.
    });
    await writeQuery(page, 'shop | where level == "error"');
    const failed = page.waitForEvent('requestfailed');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: /^Stop/ }).waitFor();
    await page.getByRole('button', { name: /^Stop/ }).click();
    expect((await failed).failure()?.errorText).toMatch(/ABORTED/);
    await page.getByRole('button', { name: 'Run' }).waitFor();
  });
});

it('a page that fails to load more asks again only when told to', async () => {
  page = await openPage('query?q=shop');
  await row().waitFor();
  let sent = 0;
  await page.route('**/_apl*', (route) => {
    sent++;
    return route.abort('connectionreset');
  });
  const grid = page.getByRole('grid');
  await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  const before = sent;
  await grid.evaluate((element) => element.scrollTo(0, 0));
  await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await grid.press('End');
  expect(sent).toBe(before);
});

it('a token that is deleted in the middle: the door opens over the page, and nothing typed or shown is lost', async () => {
  const { request, server } = await consoleWorld();
  const made = (await request('/v2/tokens', {
    body: JSON.stringify({ name: 'short-lived', datasetCapabilities: { '*': { query: ['read'] } } }),
  })) as { readonly body: { readonly id: string; readonly token: string } };
  page = await openPage('query?q=shop', { token: made.body.token });
  await row().waitFor();
  await request(`/v2/tokens/${made.body.id}`, { method: 'DELETE' });
  await writeQuery(page, 'shop | where level == "warn"');
  await page.keyboard.press('Control+Enter');
  const token = page.getByLabel('Token');
  await token.waitFor();
  // Behind the door, where nothing has a role.
  expect(await page.locator('[role=grid] [role=row]').count()).toBeGreaterThan(10);
  await token.fill(server.token);
  await page.keyboard.press('Enter');
  await token.waitFor({ state: 'detached' });
  expect(await editor().textContent()).toBe('shop | where level == "warn"');
  await page.getByText('all there are').waitFor();
});
