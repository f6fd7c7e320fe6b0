import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closePage, openConsoleServer, openPage } from '../../testing/console-server.js';
import { writeQuery } from '../../testing/write-query.js';

/** Failures between page and server: displayed and typed content is never lost. */

beforeAll(openConsoleServer);

let page: Page;
afterEach(() => closePage(page));

const editor = () => page.locator('.cm-content');
const row = () => page.getByRole('grid').getByRole('row').first();

describe('keeps the rows', () => {
  it.each([
    [
      'a server that is away',
      (route: Parameters<Parameters<Page['route']>[1]>[0]) => route.abort('connectionrefused'),
      /unreachable/,
    ],
    [
      'an answer that breaks off',
      (route: Parameters<Parameters<Page['route']>[1]>[0]) =>
        route.fulfill({
          contentType: 'application/json',
          body: '{"format":"tabular","status":{},"tables":[{"name":"0","sources":[],"columns":[["a',
        }),
      /truncated/,
    ],
    [
      'something that is no answer',
      (route: Parameters<Parameters<Page['route']>[1]>[0]) =>
        route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
      /502/,
    ],
  ] as const)('with %s, and a retry continues', async (_, break_, said) => {
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
    await page.getByText(', complete').waitFor();
  });

  it('a key cancels a query, also on the server', async () => {
    page = await openPage('query?q=shop');
    await row().waitFor();
    await page.route('**/_apl*', () => {
      // Never responds: like a very long query.
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

it('a page that failed to load more retries only on request', async () => {
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

it('a token that is deleted during use: sign-in opens over the page, and no typed or displayed content is lost', async () => {
  const { request, server } = await openConsoleServer();
  const made = (await request('/v2/tokens', {
    body: JSON.stringify({ name: 'short-lived', datasetCapabilities: { '*': { query: ['read'] } } }),
  })) as { readonly body: { readonly id: string; readonly token: string } };
  page = await openPage('query?q=shop', { token: made.body.token });
  await row().waitFor();
  await writeQuery(page, 'shop | where level == "warn"');
  await request(`/v2/tokens/${made.body.id}`, { method: 'DELETE' });
  await page.keyboard.press('Control+Enter');
  const token = page.getByLabel('Token');
  await token.waitFor();
  // Under the sign-in dialog, where content has no accessible role.
  expect(await page.locator('[role=grid] [role=row]').count()).toBeGreaterThan(10);
  await token.fill(server.token);
  await page.keyboard.press('Enter');
  await token.waitFor({ state: 'detached' });
  expect(await editor().textContent()).toBe('shop | where level == "warn"');
  await page.getByText(', complete').waitFor();
});
